package public

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// On the page of a venue its events don't repeat where they are; elsewhere, and
// where another venue stands first, they say it.
func TestPublicVenueIsNoNewsOnItsOwnPage(t *testing.T) {
	k := kit.PublicKit(t)
	hall := k.Post("/venues", "administrator", map[string]any{"venue": "Harbour Hall", "slug": "hall"}).ID()
	k.Event(map[string]any{"title": "Crossing", "start_date": "2027-03-15 10:00", "end_date": "2027-03-15 11:00", "venue": []any{hall, map[string]any{"venue": "Pier"}}})
	const where = `<p class="entry-where">`
	if page := string(k.Look("/en/venue/pier/").Raw); !strings.Contains(page, "Lake Concert") || strings.Contains(page, where+"<bdi>Pier") {
		t.Errorf("its own page: %s", page)
	}
	if page := string(k.Look("/en/venue/hall/").Raw); !strings.Contains(page, "Crossing") || strings.Contains(page, where) {
		t.Errorf("the other's page: %s", page)
	}
	for _, path := range []string{"/en/organizer/society/", "/en/events/"} {
		if page := string(k.Look(path).Raw); !strings.Contains(page, where+"<bdi>Pier") {
			t.Errorf("%s: %s", path, page)
		}
	}
}
