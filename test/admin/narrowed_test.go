package admin

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// A list emptied by a filter does not say what belongs in it.
func TestNarrowedToNothing(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	for section, none := range map[string]string{"categories": "With categories", "tags": "Tags are additional keywords",
		"venues": "Venues are kept here", "organizers": "Organizers are kept here"} {
		path := "/admin/" + section
		if p := b.Get(path); !p.Shows(none) || p.Shows("Clear filters") {
			t.Errorf("%s: %d %.300s", path, p.Status, p.Body)
		}
		if p := b.Get(path + "?search=zzz"); p.Shows(none) || !p.Shows("No matches.") || !p.Shows("Clear filters") {
			t.Errorf("%s narrowed: %d", path, p.Status)
		}
	}
}
