package public

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// What visitors can choose in a list stands on the page of an event, too, whether it is the event's own or its venue's. The popular filters
// stand above every page.
func TestEventPagesSayWhatListsFilterBy(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	if p := k.Browser().Get("/en/venues/"); p.Status != 200 || p.Shows(`href="/en/events/children/"`) {
		t.Error("a chip leads to nothing")
	}
	k.Event(map[string]any{"title": "Puppets", "slug": "puppets", "start_date": "2031-05-07 15:00", "end_date": "2031-05-07 16:00", "cost": "Free", "featured": true,
		"audience": []string{"toddlers"}, "event_language": []string{"de"}, "attendance_mode": "mixed", "virtual_url": "https://meet.example.org/p", "categories": []string{"For children"},
		"venue": map[string]any{"venue": "Barn", "city": "Riverton", "accessibility": []string{"wheelchair"}}})
	list, page := k.Browser().Get("/en/events/?from=2031-05-01"), k.Browser().Get("/en/event/puppets/")
	for chosen, said := range map[string]string{"cost=free": "Free", "featured=1": "Featured", "audience=toddlers": "Toddlers", "event_language=de": "German",
		"accessibility=wheelchair": "Step-free access for wheelchairs", "how=online": "online"} {
		name, value, _ := strings.Cut(chosen, "=")
		if !list.Shows(`name="`+name+`" value="`+value+`"`) && !list.Shows(chosen) {
			t.Errorf("the list cannot be filtered by %s", chosen)
		}
		if _, body, _ := strings.Cut(page.Body, "<main"); !strings.Contains(body, said) {
			t.Errorf("the page of the event does not say %q", said)
		}
	}
	for _, path := range []string{"/en/event/puppets/", "/en/venues/", "/en/events/kept/", "/en/events/"} {
		if p := k.Browser().Get(path); !p.Shows(`href="/en/events/children/"`) {
			t.Errorf("%s has no chip for children", path)
		}
	}
}
