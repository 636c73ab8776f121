package admin

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// Editors see how often events are viewed: in sum, by event and day, as tables, and below the form of each event. Authors see their own.
func TestNumbersPage(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(kit.Object{"title": "=Puppets", "slug": "puppets"})
	for range 3 {
		k.Numbers.Add(k.Sites["demo"], numbers.Of{Event: id, Kind: numbers.Views})
	}
	k.Must(k.Numbers.Flush(t.Context()))
	b := k.Person("editor")
	page := b.Get("/admin/numbers")
	if today := k.Calendar.Now().In(k.Sites["demo"].Location); !page.Shows(today.Format("January\u00a02,\u00a02006")) {
		t.Error("the numbers are not those up to today")
	}
	for _, text := range []string{"=Puppets", ">3<", "Calendar subscriptions", `href="/admin/numbers"`, "<polyline"} {
		if page.Status != http.StatusOK || !page.Shows(text) {
			t.Errorf("the page lacks %s: %d", text, page.Status)
		}
	}
	if p := b.Get("/admin/numbers?from=2026-12-02&to=2026-12-01"); p.Status != http.StatusOK || !p.Shows("The last day must not be before the first.") {
		t.Errorf("wrong days: %d", p.Status)
	}
	if p := b.Get("/admin/numbers/export?by=event"); !p.Shows(fmt.Sprintf("%d,'=Puppets,3,0,0,0", id)) {
		t.Error("the table of events lacks the event, or has a formula")
	}
	if p := b.Get("/admin/numbers/export"); !p.Shows("day,views,calendars,tickets,letters") || !p.Shows(",3,0,0,0") {
		t.Error("the table of days lacks the day")
	}
	event := fmt.Sprintf("/admin/events/%d", id)
	if p := b.Get(event); !p.Shows(`id="h-numbers"`) {
		t.Error("the page of the event lacks its numbers")
	}
	if p := k.Person("author").Get("/admin/numbers"); p.Status != http.StatusForbidden {
		t.Errorf("an author gets %d", p.Status)
	}
	k.Configure(&platform.ConfigFields{Numbers: args.Some(false)})
	if p := b.Get("/admin/numbers"); p.Status != http.StatusNotFound {
		t.Errorf("without numbers: %d", p.Status)
	}
	if p := b.Get(event); p.Status != http.StatusOK || p.Shows(`id="h-numbers"`) || p.Shows(`href="/admin/numbers"`) {
		t.Errorf("the page of the event without numbers: %d", p.Status)
	}
}
