package admin

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// One save of an event makes a venue and several organizers, or none of them.
func TestAdminMakesSeveralOrganizers(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("editor")
	there := madeBy(k, "/organizers", map[string]any{"organizer": "Abbey"})
	form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Recital"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"},
		"organizer": {"Abbey (#" + there + ")"}, "new_venue.venue": {"Barn"}, "new_organizer.organizer": {"Choir"}})
	form.Set("new_organizer.1.organizer", "Orchestra")
	form.Set("new_organizer.1.email", "nobody")
	form.Set("new_organizer.2.organizer", "Organ")
	p := b.Post("/admin/events/new", form)
	if p.Status != 422 || !p.Shows(`id="p-new_organizer.1.email"`) || p.Shows(`id="p-organizer"`) || !p.Shows(`value="Organ"`) || !p.Shows(">New organizer 2, E-mail address</a>") {
		t.Errorf("one of them wrong: %d %.3000s", p.Status, p.Body)
	}
	if n := k.Peek("demo", "SELECT (SELECT count(*) FROM organizers) || ' ' || (SELECT count(*) FROM venues) || ' ' || (SELECT count(*) FROM events)"); n != "1 0 0" {
		t.Errorf("stored all the same: %s", n)
	}
	form.Set("new_organizer.1.email", "orchestra@example.org")
	if p = b.Post("/admin/events/new", form); p.Status != 303 {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	got := k.Get(strings.TrimPrefix(p.Header.Get("Location"), "/admin"), "editor").Body
	var names []string
	for _, o := range got["organizer"].([]any) {
		names = append(names, o.(map[string]any)["organizer"].(string))
	}
	slices.Sort(names)
	if want := []string{"Abbey", "Choir", "Orchestra", "Organ"}; !slices.Equal(names, want) || got["venue"].(map[string]any)["venue"] != "Barn" {
		t.Errorf("made: %v and %v, want %v and a barn", names, got["venue"], want)
	}
	if form = kit.FormIn(b.Follow()); len(filledIn(form["organizer"])) != 4 || form.Get("new_organizer.organizer") != "" {
		t.Errorf("the form afterwards: %v", form)
	}
}
