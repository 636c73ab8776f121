package public

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Visitors narrow lists, months, searches and feeds to what they can get into and to what is for them. An event that says nothing has what its
// venue says.
func TestFactsAreFilters(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Stairs", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"})
	k.Event(map[string]any{"title": "Puppets", "start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00", "audience": []string{"children", "families"}, "event_language": []string{"de", "fr"}, "accessibility": []string{"toilets"}})
	k.Event(map[string]any{"title": "Ramp", "start_date": "2026-12-02 19:00", "end_date": "2026-12-02 21:00",
		"venue": map[string]any{"venue": "Barn", "accessibility": []string{"wheelchair", "toilets"}}})
	for query, want := range map[string]string{
		"accessibility=wheelchair": "Ramp", "accessibility=toilets": "Puppets Ramp", "accessibility=wheelchair&accessibility=toilets": "Ramp", "accessibility=wheelchair,toilets": "Ramp",
		"audience=children": "Puppets", "audience=adults": "", "event_language=fr": "Puppets", "event_language=fr,en": "Puppets", "event_language=en": "", "audience=children&accessibility=wheelchair": "", "audience=adults,families": "Puppets",
	} {
		for _, path := range []string{"/en/events/", "/en/events/month/2026-12/", "/events.ics", "/events.rss", "/en/events/programme.txt"} {
			at := path + "?" + query
			if strings.HasSuffix(path, ".txt") {
				at += "&from=2026-12-01&to=2026-12-03"
			}
			page := k.Look(at).Want(t, http.StatusOK, "").String()
			var got []string
			for _, title := range []string{"Stairs", "Puppets", "Ramp"} {
				if strings.Contains(page, title) {
					got = append(got, title)
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s has %v, want %q", at, got, want)
			}
		}
	}
	page := k.Look("/de/events/?accessibility=wheelchair").String()
	if !strings.Contains(k.Look("/de/events/").String(), `name="audience" value="children"`) || !strings.Contains(k.Look("/de/events/").String(), "Französisch") {
		t.Error("the list does not offer whom events are for, or in which language they are")
	}
	for _, want := range []string{`name="accessibility" value="wheelchair" checked`, `name="accessibility" value="toilets"`,
		`href="/de/events/"`, "events.ics?accessibility=wheelchair"} {
		if !strings.Contains(page, want) {
			t.Errorf("the list lacks %s", want)
		}
	}
	if a := k.Look("/de/events/?accessibility=lift"); a.Status != http.StatusNotFound {
		t.Errorf("a word that does not exist: %d", a.Status)
	}
}
