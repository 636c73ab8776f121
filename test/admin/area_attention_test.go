package admin

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// areaDesk is a site on which of each kind of thing that waits one is at the library and one elsewhere. The editor's area is the library.
type areaDesk struct {
	*kit.Kit
	library, arena int64 // venues
	in, out        int64 // submitted events
}

func newAreaDesk(t *testing.T, k *kit.Kit) *areaDesk {
	t.Helper()
	d := &areaDesk{Kit: k, library: k.Made("/venues", kit.Object{"venue": "Library"}), arena: k.Made("/venues", kit.Object{"venue": "Arena"})}
	for _, one := range []struct {
		where string
		venue int64
	}{{"inside", d.library}, {"outside", d.arena}} {
		k.Event(map[string]any{"title": "Review " + one.where, "venue": one.venue, "status": "pending", "start_date": "2030-02-01 10:00", "end_date": "2030-02-01 11:00"})
		old := k.Event(map[string]any{"title": "Old " + one.where, "venue": one.venue, "start_date": inDays(58), "end_date": inDays(58)})
		k.Change("demo", "UPDATE events SET modified_at = now() - interval '7 months' WHERE id = "+fmt.Sprint(old))
		event := k.Submitted()
		k.Patch(kit.Item("events", event), "administrator", kit.Object{"title": "Sent " + one.where, "venue": one.venue}).Want(t, 200, "")
		if d.out = event; one.where == "inside" {
			d.in = event
		}
		for _, about := range []struct {
			column string
			id     int64
		}{{"event_id", old}, {"venue_id", one.venue}} {
			k.Change("demo", fmt.Sprintf(`INSERT INTO reports (site_id, id, %s, date_id, day, said, email, email_key, network, created_at)
				SELECT id, '%[1]s %[2]d', %[2]d, 0, '', 'Wrong %[3]s %[1]s', '', '', '', now() FROM sites WHERE slug = 'demo'`, about.column, about.id, one.where))
		}
	}
	return d
}

// limit gives the editor the area.
func (d *areaDesk) limit() {
	d.Provider("PATCH", "/sites/demo/users/2", kit.Object{"venues": []int64{d.library}}).Want(d.T, 200, "")
}

var waitNumbers = regexp.MustCompile(`waiting: [^<]+`)

// An editor with an area sees numbers and lists of what is in it, and decides on nothing else; others see everything.
func TestEditorsSeeWhatWaitsInTheirArea(t *testing.T) {
	t.Parallel()
	d := newAreaDesk(t, kit.New(t))
	editor := d.Person("editor")
	count := func(who string, b *kit.Browser, events, sent int, outside bool) {
		t.Helper()
		if p := b.Get("/admin/profile"); !p.Shows(waitsFor(events)) || !p.Shows(waitsFor(sent)) {
			t.Errorf("%s: the numbers are not %d events and %d of what others sent: %q", who, events, sent, waitNumbers.FindAllString(p.Body, -1))
		}
		for path, in := range map[string]string{"/admin/events?view=pending": "Review", "/admin/events?view=confirm": "Old", "/admin/submissions": "Sent",
			"/admin/submissions/mistakes": "Wrong", "/admin/desk": "Review"} {
			p := b.Get(path)
			_, found, _ := strings.Cut(p.Body, "<main")
			if !strings.Contains(found, in+" inside") || strings.Contains(found, in+" outside") != outside {
				t.Errorf("%s: %s lists what is outside: %v", who, path, !outside)
			}
		}
	}
	count("an editor of the whole calendar", editor, 4, 6, true)
	d.limit()
	editor = d.Person("editor")
	count("an editor of the library", editor, 2, 3, false)
	count("an administrator", d.Person("administrator"), 4, 6, true)

	for path, status := range map[string]int{kit.Item("/admin/submissions", d.in): 200, kit.Item("/admin/submissions", d.out): 403} {
		if p := editor.Get(strings.TrimPrefix(path, "/")); p.Status != status {
			t.Errorf("%s: %d", path, p.Status)
		}
	}
	state := d.State()
	reports := func() string { return d.Peek("demo", "SELECT string_agg(id, ',' ORDER BY id) FROM reports") }
	before := reports()
	editor.Get("/admin/submissions")
	for _, do := range []string{"publish", "draft", "refuse"} {
		if p := editor.Post(fmt.Sprintf("/admin/submissions/%d", d.out), url.Values{"do": {do}, "seen": {kit.AllSeen}}); p.Status != 403 {
			t.Errorf("%s of what is outside: %d", do, p.Status)
		}
	}
	if p := editor.Post("/admin/submissions/mistakes", url.Values{"do": {"correct"}, "report": {fmt.Sprintf("venue_id %d", d.arena)}}); p.Status != 403 {
		t.Errorf("a report about what is outside: %d", p.Status)
	}
	if now := d.State(); now != state || reports() != before {
		t.Errorf("something was decided outside of the area: %s, was %s", now, state)
	}
	if p := editor.Post("/admin/submissions/mistakes", url.Values{"do": {"correct"}, "report": {fmt.Sprintf("venue_id %d", d.library)}}); p.Status != 303 {
		t.Errorf("a report about what is inside: %d", p.Status)
	}
}

// Lists offer an editor with an area to change what is in it alone, and their numbers are those of what they list.
func TestListsOfEditorsWithAnArea(t *testing.T) {
	t.Parallel()
	d := newAreaDesk(t, kit.New(t))
	d.limit()
	editor := d.Person("editor")
	link := func(body, name string) bool {
		return regexp.MustCompile(`<a [^>]*href="[^"]*"[^>]*><bdi>` + name + `</bdi></a>`).MatchString(body)
	}
	for _, path := range []string{"/admin/events?view=all", "/admin/venues"} {
		p := editor.Get(path)
		in, out := "Old inside", "Old outside"
		if path == "/admin/venues" {
			in, out = "Library", "Arena"
		}
		if !link(p.Body, in) || link(p.Body, out) || !p.Shows(out) {
			t.Errorf("%s: %s is offered: %v, %s: %v", path, in, link(p.Body, in), out, link(p.Body, out))
		}
		if n, all := strings.Count(p.Body, "data-row "), strings.Count(p.Body, `<tr id="event-`); path != "/admin/venues" && (n == 0 || n >= all) {
			t.Errorf("%d of %d events can be changed in their row", n, all)
		}
	}
	if p := editor.Get("/admin/search/all?q=Old"); !p.Shows("Old inside") || p.Shows("Old outside") {
		t.Error("the search leads to what cannot be changed")
	}
	if p := editor.Get(fmt.Sprintf("/admin/venues/%d", d.arena)); p.Status != 403 {
		t.Errorf("a venue outside of the area opens: %d", p.Status)
	}
	p := editor.Get("/admin/events?view=pending")
	tab := regexp.MustCompile(`aria-current="page"[^>]*>[^<]*<span class="count">(\d+)</span>`).FindStringSubmatch(p.Body)
	if rows := strings.Count(p.Body, `<tr id="event-`); tab == nil || tab[1] != fmt.Sprint(rows) || rows == 0 {
		t.Errorf("the tab %v counts %d events", tab, rows)
	}
}

// An editor with an area is written to about what is in it; what has no venue yet waits for the others.
func TestEditorsAreToldOfTheirArea(t *testing.T) {
	t.Parallel()
	k, post := waitingKit(t)
	for _, role := range []string{"administrator", "editor"} {
		k.Password(role)
	}
	d := newAreaDesk(t, k)
	d.limit()
	nowhere := k.Submitted()
	k.Patch(kit.Item("events", nowhere), "administrator", kit.Object{"title": "Sent anywhere", "venue": nil}).Want(t, 200, "")
	wait(k, time.Hour)
	k.Change("demo", "UPDATE users SET told = CASE WHEN role = 'editor' THEN 'at_once' ELSE 'never' END, told_at = told_at - interval '9 days'")
	k.TellPeople()
	letter := post.Next()
	for _, want := range []string{"– Review inside", "– Sent inside", "– Library", "– Old inside"} {
		if !strings.Contains(letter.Text, want) {
			t.Errorf("the mail lacks %q:\n%s", want, letter.Text)
		}
	}
	for _, other := range []string{"outside", "Arena", "anywhere"} {
		if strings.Contains(letter.Text, other) {
			t.Errorf("the mail has %q:\n%s", other, letter.Text)
		}
	}
	post.None()
	k.Change("demo", "UPDATE users SET told = 'at_once' WHERE role = 'administrator'")
	k.Exec("UPDATE attention_rounds SET looked = 0")
	k.TellPeople()
	if letter = post.Next(); !strings.Contains(letter.Text, "New submissions (3)") {
		t.Errorf("the administrator's mail:\n%s", letter.Text)
	}
}

// An editor with an area deletes for good what they have entered, and takes nothing from others.
func TestEditorsWithAnAreaDeleteTheirOwnVenues(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	library, arena := k.Made("/venues", kit.Object{"venue": "Library"}), k.Made("/venues", kit.Object{"venue": "Arena"})
	k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"venues": []int64{library}}).Want(t, 200, "")
	for section, name := range map[string]string{"venues": "venue", "organizers": "organizer"} {
		mine := k.Post("/"+section, "editor", kit.Object{name: "Mine"}).Want(t, 201, "").ID()
		k.Del(kit.Item(section, mine), "editor").Want(t, 200, "")
		k.Del(kit.Item(section, mine)+"?force=true", "editor").Want(t, 200, "")
		kept, gone := k.Post("/"+section, "editor", kit.Object{name: "Kept"}).Want(t, 201, "").ID(), k.Post("/"+section, "editor", kit.Object{name: "Gone"}).Want(t, 201, "").ID()
		b := k.Person("editor")
		form := kit.MergeForm(b.Get(fmt.Sprintf("/admin/%s/merge?id=%d&id=%d&keep=%[2]d", section, kept, gone)))
		form.Set("do", "merge")
		if p := b.Post("/admin/"+section+"/merge", form); p.Status != 303 {
			t.Errorf("merged %s of their own: %d", section, p.Status)
		}
	}
	state := k.State()
	k.Patch(kit.Item("venues", arena), "editor", kit.Object{"author": 2}).Want(t, 403, "rest_forbidden")
	k.Del(kit.Item("venues", arena)+"?force=true", "editor").Want(t, 403, "rest_forbidden")
	if now := k.State(); now != state {
		t.Errorf("a venue of somebody else was changed: %s, was %s", now, state)
	}
}
