package public

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

var moreLink = regexp.MustCompile(`<a class="more (wide|narrow)" href="([^"]*)">`)

// TestMoreOfADayKeepsTheFilter: the way from a month to the rest of a day leads to what was chosen, and from an embedded month to the
// site's own page without the colors of the embedding one.
func TestMoreOfADayKeepsTheFilter(t *testing.T) {
	k := kit.PublicKit(t)
	for i := range 9 {
		k.Event(map[string]any{"title": fmt.Sprintf("Concert %d", i), "start_date": "2026-12-03 10:00", "end_date": "2026-12-03 11:00", "categories": []string{"Music"}})
	}
	for path, want := range map[string]string{
		"/en/events/month/2026-12/":                               "/en/events/day/2026-12-03/",
		"/en/events/month/2026-12/?category=music":                "/en/events/day/2026-12-03/?category=music",
		"/en/embed/month/2026-12/?category=music&theme=dark":      "/en/events/day/2026-12-03/?category=music",
		"/en/events/month/2026-12/?category=music&search=concert": "/en/events/day/2026-12-03/?category=music&amp;search=concert",
	} {
		found := moreLink.FindAllStringSubmatch(k.Look(path).Want(t, 200, "").String(), -1)
		if len(found) != 2 {
			t.Fatalf("%s: %d ways to more", path, len(found))
		}
		for _, one := range found {
			if one[2] != want {
				t.Errorf("%s leads to %s, not %s", path, one[2], want)
			}
		}
	}
}

// TestRunningExhibitionsFillEveryDay: a day on which something only goes on is no free day.
func TestRunningExhibitionsFillEveryDay(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Exhibition", "start_date": "2026-11-01", "end_date": "2027-01-31", "all_day": true})
	page := k.Look("/en/events/month/2026-12/").Want(t, 200, "").String()
	if n := strings.Count(page, `class="more narrow"`); n < 30 {
		t.Errorf("%d days say that something goes on", n)
	}
	if strings.Contains(page, `<td class="free`) {
		t.Error("a day is free")
	}
}
