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

// Quick edit changes the price, and says for a date of a series that it changes that date alone.
func TestRowOfOneDate(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Event(kit.Object{"title": "Tour", "cost": "3", "start_date": "2030-03-01 14:00", "end_date": "2030-03-01 16:00", "recurrence": kit.Object{"every": "week", "count": 3}})
	events, _ := k.Get("/events?starts_after=2030-03-02&starts_before=2030-03-10", "administrator").Body["events"].([]any)
	if len(events) != 1 {
		t.Fatalf("%d dates", len(events))
	}
	one, _ := events[0].(kit.Object)
	row := fmt.Sprintf("/admin/events/%v/row", one["id"])
	b := k.Person("editor")
	p := b.Get(row + "?to=/admin/events")
	if !p.Shows("Only this date: Fri, Mar\u00a08,\u00a02030") {
		t.Errorf("it does not say which date: %.3000s", p.Body)
	}
	form := kit.FormAt(p, `<form class="row-form"`)
	form.Set("cost", "5")
	if p := b.Post(row, form); p.Status != 303 {
		t.Fatalf("%d %.3000s", p.Status, p.Body)
	}
	costs := map[any]int{}
	events, _ = k.Get("/events?starts_after=2030-02-28&starts_before=2030-03-31", "administrator").Body["events"].([]any)
	for _, e := range events {
		one, _ := e.(kit.Object)
		costs[one["cost"]]++
	}
	if len(events) != 3 || costs["5"] != 1 && costs["$5"] != 1 {
		t.Errorf("costs %v", costs)
	}
}
