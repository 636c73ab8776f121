package admin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// From every page people get to the pages that they may see, and to what they may change, by its name.
func TestPalette(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	event := k.Event(kit.Object{"title": "Choir at the lake & more", "start_date": "2030-02-01 10:00", "end_date": "2030-02-01 11:00"})
	old := k.Event(kit.Object{"title": "Lake day", "start_date": "2020-02-01 10:00", "end_date": "2020-02-01 11:00", "status": "draft"})
	venue := k.Made("/venues", kit.Object{"venue": "Lake hall", "city": "Lindau"})
	organizer := k.Made("/organizers", kit.Object{"organizer": "Lake club"})
	admin, author := k.Person("administrator"), k.Person("author")
	page := admin.Get("/admin/venues")
	for _, path := range []string{"/admin/users", "/admin/events/new", "/admin/settings", "/admin/users/new"} {
		if !page.Shows(`data-to="` + path + `"`) {
			t.Errorf("no way to %s", path)
		}
	}
	if p := author.Get("/admin/venues"); p.Shows(`data-to="/admin/users`) || p.Shows(`data-to="/admin/settings"`) || !p.Shows(`data-to="/admin/events/new"`) {
		t.Error("an author is led to pages of administrators")
	}
	if p := author.Get("/admin/login"); p.Shows(`id="palette"`) && p.Status == 200 {
		t.Error("the palette is where nobody is signed in")
	}
	found := part(admin, "/admin/search/all?q=lake")
	for _, want := range []string{fmt.Sprintf(`data-to="/admin/events/%d"`, event), "Choir at the lake & more", fmt.Sprintf(`data-to="/admin/venues/%d"`, venue),
		"Lindau", fmt.Sprintf(`data-to="/admin/events/%d"`, old), fmt.Sprintf(`data-to="/admin/organizers/%d"`, organizer)} {
		if !found.Shows(want) {
			t.Errorf("%d without %s", found.Status, want)
		}
	}
	if p := part(admin, "/admin/search/all?q=contributor"); !p.Shows(`data-to="/admin/users/`) {
		t.Error("users are not found")
	}
	for _, q := range []string{"lake", "contributor", ""} {
		if p := part(author, "/admin/search/all?q="+q); p.Status != 200 || strings.Contains(p.Body, "data-to") {
			t.Errorf("%q: status %d, or it leads an author to what they may not change", q, p.Status)
		}
	}
}

// More than a page of the trash can be chosen: all on the page, or all there are.
func TestAllOfTheTrash(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for i := range 101 {
		k.Event(kit.Object{"title": fmt.Sprintf("Event %d", i), "start_date": "2030-02-01 10:00", "end_date": "2030-02-01 11:00", "status": "trash"})
	}
	kept := k.Event(kit.Object{"title": "Kept", "start_date": "2030-02-01 10:00", "end_date": "2030-02-01 11:00"})
	b := k.Person("editor")
	page := b.Get("/admin/trash")
	if !page.Shows("data-every") || !page.Shows(`name="all"`) || !page.Shows("101") {
		t.Fatal("all can't be chosen")
	}
	form := kit.FormAt(page, `action="/admin/events"`)
	form.Del("id")
	form.Set("all", "1")
	form.Set("do", "restore")
	if p := b.Post("/admin/events", form); p.Status != 303 || p.Header.Get("Location") != "/admin/trash" {
		t.Fatalf("%d to %s", p.Status, p.Header.Get("Location"))
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM events WHERE status = 'trash'"); n != "0" {
		t.Errorf("%s are left in the trash", n)
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM events WHERE status = 'draft'"); n != "101" {
		t.Errorf("%s are restored", n)
	}
	k.Get(fmt.Sprintf("/events/%d", kept), "").Want(t, 200, "")
}
