package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// An earlier version of an event is restored without what no longer exists, and the page names it. What is only in the
// trash, or hidden from others, is linked to again.
func TestRestoreNamesWhatIsGone(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	browser := k.Person("editor")
	image := k.Upload("demo", "editor", "poster.png", kit.Picture(60, 40)).Want(t, 201, "").ID()
	parent := k.Event(map[string]any{"title": "Festival", "start_date": "2030-01-01 10:00:00", "end_date": "2030-01-01 11:00:00"})
	for _, c := range []struct {
		arg    string
		link   int64
		path   string // of what is linked to
		gone   string // how it goes
		lost   string // what the page says is gone; "" for nothing
		linked bool   // the event is linked to it again
	}{
		{"image", image, "/media", "?force=true", "poster", false},
		{"post_parent", parent, "/events", "?force=true", fmt.Sprint(parent), false},
		{"categories", k.Made("/categories", kit.Object{"name": "Concerts"}), "/categories", "?force=true", "Concerts", false},
		{"tags", k.Made("/tags", kit.Object{"name": "open air"}), "/tags", "?force=true", "open air", false},
		{"organizer", k.Made("/organizers", kit.Object{"organizer": "Choral society"}), "/organizers", "?force=true", "Choral society", false},
		{"venue", k.Made("/venues", kit.Object{"venue": "Old hall"}), "/venues", "?force=true", "Old hall", false},
		{"venue", k.Made("/venues", kit.Object{"venue": "New hall"}), "/venues", "", "", true},
		{"organizer", k.Made("/organizers", kit.Object{"organizer": "Band"}), "/organizers", "", "", true},
	} {
		name := fmt.Sprintf("%s %d%s", c.arg, c.link, c.gone)
		event := k.Post("/events", "editor", kit.Object{"title": "First", "start_date": "2030-02-01 10:00:00", "end_date": "2030-02-01 11:00:00",
			c.arg: c.link}).Want(t, 201, "")
		made := k.Version("demo")
		item := kit.Item("events", event.ID())
		k.Patch(item, "editor", kit.Object{"title": "Second", c.arg: nil}).Want(t, 200, "")
		k.Del(fmt.Sprintf("%s/%d%s", c.path, c.link, c.gone), "administrator").Want(t, 200, "")
		page := fmt.Sprintf("/admin/events/%d/revisions", event.ID())
		browser.Get(page)
		p := browser.Post(page, url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(made + 1)}})
		switch {
		case c.lost == "" && p.Status != http.StatusSeeOther:
			t.Errorf("%s: %d %s", name, p.Status, p.Body)
		case c.lost != "" && (p.Status != 200 || !p.Shows("no longer exist") || !p.Shows(c.lost)):
			t.Errorf("%s: %d, %q isn't named: %s", name, p.Status, c.lost, p.Body)
		}
		back := k.Get(item, "editor").Want(t, 200, "")
		if linked := strings.Contains(fmt.Sprint(back.Body[c.arg]), fmt.Sprintf("id:%d ", c.link)); back.Body["title"] != "First" || linked != c.linked {
			t.Errorf("%s: restored is %v with %v", name, back.Body["title"], back.Body[c.arg])
		}
	}
}

// One field of an earlier version is restored, and the others stay. Date and time are restored together.
func TestRestoreOneField(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	browser := k.Person("editor")
	event := k.Post("/events", "editor", kit.Object{"title": "First", "description": "<p>Doors open at seven.</p>", "cost": "5",
		"start_date": "2030-02-01 10:00:00", "end_date": "2030-02-01 11:00:00"}).Want(t, 201, "").ID()
	made := k.Version("demo")
	item, page := kit.Item("events", event), fmt.Sprintf("/admin/events/%d/revisions", event)
	k.Patch(item, "editor", kit.Object{"description": "<p>Nonsense.</p>", "cost": "7", "start_date": "2030-03-05 20:00:00", "end_date": "2030-03-05 22:00:00"}).Want(t, 200, "")
	if p := browser.Get(page); strings.Count(p.Body, "Restore only this") != 4 { // description, cost, start and end
		t.Errorf("%s", p.Body)
	}
	k.Patch(item, "editor", kit.Object{"cost": "8"}).Want(t, 200, "")
	change := fmt.Sprintf("from=%d&to=%d", made, made+1)
	if p := browser.Get(page); !p.Shows(`?`+change+`">See what changed</a>`) || !p.Shows(">Now</th>") {
		t.Errorf("the versions do not lead to the change of a version: %s", p.Body)
	}
	p := browser.Get(page + "?" + change)
	if n := strings.Count(p.Body, "Restore only this"); n != 5 || !p.Shows(">Until ") || !p.Shows(">From ") { // the cost on both sides
		t.Errorf("%d buttons for the change of a version: %s", n, p.Body)
	}
	k.Patch(item, "editor", kit.Object{"cost": "7"}).Want(t, 200, "")
	restore := func(name string) kit.Page {
		return browser.Post(page, url.Values{"version": {fmt.Sprint(made)}, "only": {name}, "expected": {fmt.Sprint(k.Version("demo"))}})
	}
	is := func(description, cost, start, end string) {
		t.Helper()
		got := k.Get(item, "editor").Want(t, 200, "").Body
		if !strings.Contains(fmt.Sprint(got["description"]), description) || !strings.Contains(fmt.Sprint(got["cost"]), cost) || got["start_date"] != start || got["end_date"] != end {
			t.Errorf("%v, %v, %v to %v", got["description"], got["cost"], got["start_date"], got["end_date"])
		}
	}
	restore("description")
	p = browser.Follow()
	if !p.Shows("“Description” has been restored.") {
		t.Errorf("%s", p.Body)
	}
	is("Doors open", "7", "2030-03-05 20:00:00", "2030-03-05 22:00:00")
	browser.Post("/admin/events/undo", url.Values{"writes": {p.Hidden("writes")}, "to": {p.Hidden("to")}})
	is("Nonsense", "7", "2030-03-05 20:00:00", "2030-03-05 22:00:00")
	restore("end_date")
	is("Nonsense", "7", "2030-02-01 10:00:00", "2030-02-01 11:00:00")
	for _, name := range []string{"status", "slug", "nothing"} {
		if p := restore(name); p.Status != http.StatusNotFound {
			t.Errorf("%s: %d", name, p.Status)
		}
	}
}
