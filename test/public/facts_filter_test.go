package public

import (
	"net/http"
	"strings"
	"testing"
	"time"

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

// Visitors narrow lists, months, searches, feeds, the programme, embedded pages and letters by the fields that a site adds and lets them choose by.
func TestFieldsAreFilters(t *testing.T) {
	t.Parallel()
	k, post := lettersKit(t)
	for _, body := range []kit.Object{
		{"label": "Stage", "kind": "choice", "filter": true, "options": []kit.Object{{"key": "hall", "label": "Great hall"}, {"key": "garden", "label": "Garden"}}},
		{"label": "Dogs", "kind": "yes_no", "filter": true}, {"label": "Level", "kind": "choice", "options": []kit.Object{{"key": "easy", "label": "Easy"}}},
	} {
		k.Post("/fields", "administrator", body).Want(t, 201, "")
	}
	stage(k, "Choir", "2027-05-07 19:30", map[string]any{"fields": kit.Object{"stage": "garden", "dogs": true, "level": "easy"}})
	stage(k, "Reading", "2027-05-07 19:30", map[string]any{"fields": kit.Object{"stage": "hall", "dogs": false}})
	stage(k, "Market", "2027-05-07 19:30", nil)
	for query, want := range map[string]string{
		"fields[stage]=garden": "Choir", "fields[stage]=garden,hall": "Choir Reading", "fields[stage]=hall&fields[stage]=garden": "Choir Reading", "fields[dogs]=false": "Reading",
		"fields[dogs]=1": "Choir", "fields[dogs]=true&fields[stage]=hall": "",
	} {
		for _, path := range []string{"/en/events/", "/en/events/month/2027-05/", "/en/embed/list/", "/events.ics", "/events.rss", "/en/events/programme.txt"} {
			page := k.Look(path + "?from=2027-05-07&to=2027-05-08&" + query).String()
			var got []string
			for _, title := range []string{"Choir", "Reading", "Market"} {
				if strings.Contains(page, title) {
					got = append(got, title)
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s?%s has %v, want %q", path, query, got, want)
			}
		}
	}
	page := k.Look("/de/events/?fields[stage]=garden").Want(t, http.StatusOK, "").String()
	for _, want := range []string{"Stage: Garden", `name="fields[stage]" value="garden" checked`, "Great hall", `name="fields[dogs]" value="true"`, "events.ics?fields%5Bstage%5D=garden"} {
		if !strings.Contains(page, want) {
			t.Errorf("the list lacks %s", want)
		}
	}
	if strings.Contains(page, "fields[level]") || strings.Contains(page, `name="fields[dogs]" value="false"`) {
		t.Error("the list offers what nobody finds, or nobody may choose by")
	}
	for _, wrong := range []string{"fields[stage]=stairs", "fields[level]=easy", "fields[none]=x"} {
		if a := k.Look("/en/events/?" + wrong); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d", wrong, a.Status)
		}
	}
	subscribed(k, post, "en", "?fields[stage]=garden", "ada@example.net", "weekly")
	k.LettersAt(thursday.Add(time.Minute))
	if letter := post.Next(); !strings.Contains(letter.Text, "Stage: Garden") || !strings.Contains(letter.Text, "Choir") || strings.Contains(letter.Text, "Reading") {
		t.Errorf("the letter: %s", letter.Text)
	}
	k.Del("/fields/stage", "administrator").Want(t, 200, "")
	k.LettersAt(thursday.AddDate(0, 0, 7).Add(time.Minute))
	post.None()
}
