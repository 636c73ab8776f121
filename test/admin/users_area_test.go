package admin

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestAreaOfAPerson: an administrator limits an author in the form of the user, who is told where an event leads out of that.
func TestAreaOfAPerson(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	hall := k.Made("/venues", kit.Object{"venue": "Hall"})
	k.Made("/venues", kit.Object{"venue": "Arena"})
	b := k.Person("administrator")
	path := "/admin/users/3"
	form := b.Fill(path, kit.NarrowForm, url.Values{"venues": {"", fmt.Sprint(hall)}})
	form.Set("do", "save")
	if p := b.Post(path, form); p.Status != 422 {
		t.Errorf("another area without showing who asks: %d", p.Status)
	}
	form.Set("yours", kit.AdminPassword)
	if p := b.Post(path, form); p.Status != 303 {
		t.Fatalf("status %d", p.Status)
	}
	form = kit.FormAt(b.Get(path), kit.NarrowForm)
	if got := fmt.Sprint(form["venues"]); got != fmt.Sprint([]string{"", fmt.Sprint(hall)}) {
		t.Errorf("the form has the venues %s", got)
	}
	form.Set("do", "save")
	form.Set("name", "Renamed")
	if p := b.Post(path, form); p.Status != 303 { // the area stays, so nobody has to show anything
		t.Errorf("status %d", p.Status)
	}

	a := k.Person("author")
	event := kit.FormAt(a.Get("/admin/events/new"), kit.EveryEditor)
	if got := event["venue"]; len(got) != 2 || got[1] != "Hall" {
		t.Errorf("the form of a new event has the venues %q, not the only one of the area", got)
	}
	if p := a.Get("/admin/events/new"); p.Shows("Arena") || p.Shows(`id="new-venue"`) || !p.Shows(`id="new-organizer"`) {
		t.Error("the form offers what is outside of the area, or a new venue")
	}
	event.Set("title", "Away")
	event.Set("start_date", "2026-12-01T19:00")
	event.Set("end_date", "2026-12-01T21:00")
	event.Set("venue", "Arena")
	event.Set("do", "publish")
	if p := a.Post("/admin/events/new", event); p.Status != 422 || !p.Shows("Arena") {
		t.Errorf("status %d", p.Status)
	}
	event.Set("venue", "")
	if p := a.Post("/admin/events/new", event); p.Status != 303 {
		t.Errorf("status %d", p.Status)
	}
	k.Get("/events", "author").Has(t, "events.0.venue.venue", "Hall")
}

// Who edits a part of the calendar sees no button that would be refused: imports of others are theirs to cancel and delete.
func TestButtonsOfOthersImports(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	music := k.Made("/categories", kit.Object{"name": "Music"})
	k.Provider("PATCH", "/sites/demo/users/2", kit.Object{"categories": []int64{music}}).Want(t, 200, "")
	const file = "Event Name,Event Start Date,Event End Date,Event Category\nConcert,2031-03-01 10:00,2031-03-01 11:00,Music\n"
	editor, administrator := k.Person("editor"), k.Person("administrator")
	for by, removable := range map[string]bool{"administrator": false, "editor": true} {
		path := fmt.Sprintf("/admin/import/%d", k.StartImport(kit.Sent{Name: by + ".csv", As: by, File: file}).Want(t, 202, "").ID())
		for _, button := range []string{`value="cancel"`, `value="forget"`} {
			if p := editor.Get(path); p.Status != 200 || p.Shows(button) != removable {
				t.Errorf("by the %s: an editor of a part sees %s: %v", by, button, !removable)
			}
			if p := administrator.Get(path); !p.Shows(button) {
				t.Errorf("by the %s: an administrator does not see %s", by, button)
			}
			k.RunImports()
		}
	}
}
