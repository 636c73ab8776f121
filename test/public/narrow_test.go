package public

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Pages that show little keep the chip for children. An empty page of what is on show says what comes next.
func TestNarrowPages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	stage(k, "Puppets", "2030-05-05 15:00", map[string]any{"categories": []string{"Children"}})
	stage(k, "Jazz", "2030-05-06 15:00", nil)
	for path, chip := range map[string]string{"": "/en/events/children/", "on-show/": "/en/events/children/", "?search=Jazz": "/en/events/?for=children&search=Jazz"} {
		if p := k.Browser().Get("/en/events/" + path); !p.Shows(`class="chip" href="` + chip + `"`) {
			t.Errorf("%q has no chip for children: %s", path, p.Body)
		}
	}
	if p := k.Browser().Get("/en/events/on-show/"); !p.Shows("No events found.") || !p.Shows(`href="/en/event/puppets/"`) || !p.Shows(`href="/en/event/jazz/"`) {
		t.Errorf("nothing is on show: %s", p.Body)
	}
}
