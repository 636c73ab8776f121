package public

import (
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// earlier is the part of a list with what was today and is over.
var earlier = regexp.MustCompile(`(?s)<details class="earlier">.*?</details>`)

// TestWhatIsOverLeavesLists: each list of what is coming has an event until it ends, to the second, also from the cache; then it is
// among what is past. Other events that go on keep their pages from living longer.
func TestWhatIsOverLeavesLists(t *testing.T) {
	k := kit.PublicKit(t)
	k.KeepAnswers()
	here := map[string]any{"venue": "Kitchen", "slug": "kitchen", "city": "Lindau"}
	add := func(title, start, end string, more map[string]any) {
		e := map[string]any{"title": title, "start_date": start, "end_date": end, "venue": here, "categories": []string{"Food"},
			"tags": []string{"hot"}, "organizer": map[string]any{"organizer": "Cooks", "slug": "cooks"}}
		maps.Copy(e, more)
		k.Event(e)
	}
	add("Breakfast", "2026-11-20 08:00", "2026-11-20 11:30", nil)
	add("Lunch", "2026-11-20 12:00", "2026-11-20 13:30", nil)
	add("Exhibition", "2026-11-01 00:00", "2026-12-20 23:59", map[string]any{"all_day": true})
	add("Course", "2026-11-13 09:00", "2026-11-13 11:30", map[string]any{"slug": "course", "recurrence": map[string]any{"rrule": "FREQ=WEEKLY;COUNT=4"}})
	add("Far", "2026-11-20 01:00", "2026-11-20 04:30", map[string]any{"timezone": "America/New_York"}) // ends at 10:30 here
	loc := k.Sites["demo"].Location
	at := func(clock string) {
		moment, err := time.ParseInLocation("2006-01-02 15:04:05", "2026-11-20 "+clock, loc)
		k.Must(err)
		k.Clock = moment
	}
	lists := []string{"/en/", "/en/events/", "/en/events/list/", "/en/events/photo/", "/en/events/?when=today", "/en/events/?when=week", "/en/events/?from=2026-11-20", "/en/events/?to=2026-11-21",
		"/en/events/?category=food", "/en/events/category/food/", "/en/tag/hot/", "/en/venue/kitchen/", "/en/organizer/cooks/", "/en/embed/list/", "/en/events/found/?search=breakfast",
		"/en/event/lunch/"}
	has := func(title string, want bool) {
		t.Helper()
		for _, path := range lists {
			if title != "Breakfast" && strings.Contains(path, "found") {
				continue
			}
			if page := earlier.ReplaceAllString(k.Look(path).Want(t, 200, "").String(), ""); strings.Contains(page, ">"+title+"<") != want {
				t.Errorf("%s at %s: %s is there: %v", path, k.Clock.In(loc).Format(time.TimeOnly), title, !want)
			}
		}
		if past := k.Look("/en/events/past/").Want(t, 200, "").String(); strings.Contains(past, ">"+title+"<") == want {
			t.Errorf("past at %s: %s is there: %v", k.Clock.In(loc).Format(time.TimeOnly), title, want)
		}
	}
	at("10:29:59")
	has("Far", true)
	at("10:30:00")
	has("Far", false)
	at("11:29:59")
	has("Breakfast", true)
	counted := func(want string) {
		t.Helper()
		if page := k.Look("/en/events/").String(); !strings.Contains(page, want) {
			t.Errorf("at %s: no %s", k.Clock.In(loc).Format(time.TimeOnly), want)
		}
	}
	counted(`<span>Today</span> <span class="amount">3</span>`)
	series := k.Look("/en/event/course/").Want(t, 200, "").String()
	at("11:30:00")
	lists = lists[:len(lists)-2] // a search for it finds it among what is past
	has("Breakfast", false)
	has("Exhibition", true)
	counted(`<span>Today</span> <span class="amount">1</span>`)
	if page := k.Look("/en/events/").String(); !strings.Contains(earlier.FindString(page), ">Breakfast<") || !strings.Contains(page, "Earlier today (") {
		t.Error("what was earlier today is not told")
	}
	if found := k.Look("/en/events/?search=breakfast").String(); !strings.Contains(found, ">Breakfast<") {
		t.Error("a search finds what is over where there is nothing else")
	}
	if next := k.Look("/en/event/course/").Want(t, 200, "").String(); !strings.Contains(series, "/event/course/2026-11-20/") || strings.Contains(next, "/event/course/2026-11-20/") {
		t.Error("a date that is over is among what comes of its series")
	}
	if past := k.Look("/en/event/course/?past=1").String(); !strings.Contains(past, "/event/course/2026-11-20/") {
		t.Error("a date that is over is not among the past ones of its series")
	}
	if past := k.Look("/en/events/?from=2026-11-19&to=2026-11-20").String(); !strings.Contains(past, ">Breakfast<") {
		t.Error("who asks for days since yesterday sees what was")
	}
	if day := k.Look("/en/events/day/2026-11-20/").String(); !strings.Contains(day, ">Breakfast<") {
		t.Error("a day shows all of it")
	}
}
