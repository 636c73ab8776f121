package schema

import (
	"slices"
	"strings"
	"testing"
)

// Only what no answer can have is unknown, however deep it lies.
func TestUnknown(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ name, paths, want string }{
		{"Event", "id title venue.city venue.geo_lat image.sizes.large.url categories.urls.self json_ld.name translations.de.title", ""},
		{"Event", "titel venue.town image.size id.x cost_details.value", "titel venue.town image.size id.x cost_details.value"},
		{"EventList", "events.id total events.titel id", "events.titel id"},
		{"Root", "routes./events.methods _links.self.href", ""},
		{"Site", "limits.events limits.even translations.de.name history", "limits.even history"},
		{"History", "entries.before.title entries.who", ""},
	} {
		if got := Unknown(one.name, strings.Fields(one.paths)); !slices.Equal(got, strings.Fields(one.want)) {
			t.Errorf("%s: %v, want %s", one.name, got, one.want)
		}
	}
}
