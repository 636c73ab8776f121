package admin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Quick edit changes the venue and the organizer by name, makes a new one when it is sent again, and leaves what was not touched.
func TestRowOfPlaces(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	wrong := k.Made("/venues", kit.Object{"venue": "Wrong hall"})
	k.Made("/venues", kit.Object{"venue": "Right hall"})
	choir := k.Made("/organizers", kit.Object{"organizer": "The choir"})
	id := k.Event(kit.Object{"title": "Talk", "venue": wrong, "organizer": choir, "cost": "3"})
	b := k.Person("editor")
	row := fmt.Sprintf("/admin/events/%d/row", id)
	save := func(venue, organizer string) kit.Page {
		t.Helper()
		p := b.Page
		if p.Status != 422 {
			p = b.Get(row + "?to=/admin/events")
		}
		form := kit.FormAt(p, `<form class="row-form"`)
		form["venue"], form["organizer"] = []string{venue}, []string{organizer}
		return b.Post(row, form)
	}
	for _, c := range []struct{ venue, organizer, want string }{
		{"right hall", "The choir", "Right hall The choir"}, {"Right hall", "", "Right hall <nil>"}, {"", "The choir", "<nil> The choir"},
	} {
		if p := save(c.venue, c.organizer); p.Status != 303 {
			t.Fatalf("%v: %d %.3000s", c, p.Status, p.Body)
		}
		e := k.Get(fmt.Sprintf("/events/%d", id), "administrator").Body
		venue, _ := e["venue"].(kit.Object)
		organizers, _ := e["organizer"].([]any)
		got := fmt.Sprint(venue["venue"], " ", nil)
		if len(organizers) > 0 {
			got = fmt.Sprint(venue["venue"], " ", organizers[0].(kit.Object)["organizer"]) // an organizer
		}
		if got != c.want || !strings.Contains(fmt.Sprint(e["cost"]), "3") || e["title"] != "Talk" {
			t.Errorf("%v became %s: %v", c, got, e)
		}
	}
	if p := save("Brand new hall", "The choir"); p.Status != 422 || !p.Shows("There is no venue named “Brand new hall”.") {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	if p := save("", "The choir"); p.Status != 303 || !strings.Contains(eventField(k, id, "venue"), "Brand new hall") {
		t.Errorf("%d %s", p.Status, eventField(k, id, "venue"))
	}
}
