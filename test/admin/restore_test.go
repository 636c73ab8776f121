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
