package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestRestoreAsItWas: what comes back from the trash has the status again that it had.
func TestRestoreAsItWas(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var ids []string
	statuses := []string{"draft", "publish", "private", "pending"}
	for _, status := range statuses {
		ids = append(ids, fmt.Sprint(k.event(object{"status": status})))
	}
	venue := fmt.Sprint(k.post("/venues", "administrator", object{"venue": "Town hall"}).id())
	b := k.person("editor")
	b.get("/admin/events")
	for _, do := range []string{"trash", "restore"} {
		b.post("/admin/events", url.Values{"do": {do}, "id": ids, "to": {"/admin/events"}})
		b.post("/admin/venues", url.Values{"do": {do}, "id": {venue}, "to": {"/admin/venues"}})
	}
	for i, id := range ids {
		if got := k.get("/events/"+id, "administrator").Body["status"]; got != statuses[i] {
			t.Errorf("%s came back as %v", statuses[i], got)
		}
	}
	if got := k.get("/venues/"+venue, "administrator").Body["status"]; got != "publish" {
		t.Errorf("a venue came back as %v", got)
	}
	if b.get("/admin/events").shows(`value="delete"`) || !b.get("/admin/events?view=all").shows(`value="trash"`) {
		t.Error("events are deleted for good outside of the trash")
	}
}

// TestChosenByTheList does something with all that a list finds, on all its pages.
func TestChosenByTheList(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for i := range 25 {
		k.event(object{"title": fmt.Sprint("Talk ", i)})
	}
	other := k.event(object{"title": "Choir"})
	b := k.person("editor")
	b.get("/admin/events")
	b.post("/admin/events", url.Values{"do": {"draft"}, "all": {"1"}, "to": {"/admin/events?search=talk&page=2"}})
	if p := b.follow(); !p.shows("25 entries turned into drafts.") {
		t.Errorf("%.3000s", p.Body)
	}
	if got := k.get(fmt.Sprintf("/events/%d", other), "administrator").Body["status"]; got != "publish" {
		t.Errorf("what the list doesn't find is %v", got)
	}
	if p := b.get("/admin/events?view=draft&length=50"); len(rowsOf(p)) != 25 {
		t.Errorf("%d drafts", len(rowsOf(p)))
	}
	if p := b.post("/admin/events", url.Values{"do": {"draft"}, "all": {"1"}, "to": {"/admin/events?from=never"}}); p.Status != http.StatusBadRequest {
		t.Errorf("a list that makes no sense: %d", p.Status)
	}
}

// TestQuickAdd makes drafts of lines in every language, on Friday, 1 March 2030.
func TestQuickAdd(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.clock = time.Date(2030, 3, 1, 8, 0, 0, 0, time.UTC)
	hall := k.post("/venues", "administrator", object{"venue": "Town hall"}).id()
	b := k.person("author")
	b.get("/admin/profile")
	for i, c := range []struct{ language, line, title, start string }{
		{"en", "Choir Thu 19:30 Town hall", "Choir", "2030-03-07 19:30:00"},
		{"en", "Choir tomorrow at 7pm in Town hall", "Choir", "2030-03-02 19:00:00"},
		{"de", "Chor am Donnerstag um 19 Uhr in Town hall", "Chor", "2030-03-07 19:00:00"},
		{"fr", "Chorale jeudi à 19h30 à Town hall", "Chorale", "2030-03-07 19:30:00"},
		{"es", "Coro el jueves a las 19:30 en Town hall", "Coro", "2030-03-07 19:30:00"},
		{"ar", "جوقة الخميس ١٩:٣٠ Town hall", "جوقة", "2030-03-07 19:30:00"},
		{"ja", "合唱 木曜 19:30 Town hall", "合唱", "2030-03-07 19:30:00"},
		{"ja", "合唱、明日19時30分、Town hall", "合唱", "2030-03-02 19:30:00"},
	} {
		b.cookies["kalends-language"] = c.language
		if p := b.get("/admin/events/quick?" + url.Values{"text": {c.line}}.Encode()); p.Status != 200 || !p.shows("Town hall") {
			t.Errorf("%s: %d", c.line, p.Status)
		}
		p := b.post("/admin/events/quick", url.Values{"text": {c.line}, "once": {fmt.Sprint("QUICK", i)}})
		m := adminEvent.FindStringSubmatch(p.Header.Get("Location"))
		if m == nil {
			t.Errorf("%s: %d", c.line, p.Status)
			continue
		}
		e := k.get("/events/"+m[1], "administrator").Body
		if venue, _ := e["venue"].(object); e["title"] != c.title || e["start_date"] != c.start || e["status"] != "draft" || fmt.Sprint(venue["id"]) != fmt.Sprint(hall) {
			t.Errorf("%s: %v, %v, %v, %v", c.line, e["title"], e["start_date"], e["status"], venue["id"])
		}
	}
	for _, line := range []string{"", "Choir", strings.Repeat("x ", 9999), "<script>alert(1)</script>"} {
		if p := b.post("/admin/events/quick", url.Values{"text": {line}}); p.Status != 422 || strings.Contains(p.Body, "<script>alert") {
			t.Errorf("%.20q: %d", line, p.Status)
		}
	}
}

// TestCopyForNextWeek copies an event with everything it has.
func TestCopyForNextWeek(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := k.event(object{"title": "Choir", "start_date": "2030-03-28 23:00:00", "end_date": "2030-03-29 01:00:00", "venue": object{"venue": "Town hall"}, "tags": []string{"voice"}})
	b := k.person("editor")
	b.get("/admin")
	path := fmt.Sprintf("/admin/events/%d/copy", id)
	if p := b.get(path); !p.shows(`value="2030-04-04T23:00"`) {
		t.Errorf("not a week later: %d", p.Status)
	}
	p := b.post(path, b.fill(path, `<form class="stack narrow"`, url.Values{"do": {"publish"}}))
	m := adminEvent.FindStringSubmatch(p.Header.Get("Location"))
	if m == nil {
		t.Fatalf("%d %.2000s", p.Status, p.Body)
	}
	e := k.get("/events/"+m[1], "").Body
	if text := fmt.Sprint(e["start_date"], " ", e["end_date"], e["venue"], e["tags"]); e["title"] != "Choir" || !strings.HasPrefix(text, "2030-04-04 23:00:00 2030-04-05 01:00:00") || !strings.Contains(text, "Town hall") || !strings.Contains(text, "voice") {
		t.Errorf("%v", e)
	}
	if p := b.post(path, url.Values{"start_date": {"x"}}); p.Status != 422 {
		t.Errorf("no date: %d", p.Status)
	}
	series := weekly(k, nil)
	date := happens(k, series, "")[1]
	path = fmt.Sprintf("/admin/events/%v/copy", date["id"])
	p = b.post(path, url.Values{"start_date": {"2030-06-01T10:00"}, "do": {"draft"}})
	if m = adminEvent.FindStringSubmatch(p.Header.Get("Location")); m == nil || k.get("/events/"+m[1], "administrator").Body["recurrence"] != nil {
		t.Errorf("a date of a series: %d", p.Status)
	}
	if p := k.person("subscriber").get(path); p.Status != http.StatusForbidden {
		t.Errorf("a subscriber: %d", p.Status)
	}
}

// TestCountsOfSearches counts what one search finds, and then what another does, at the
// same version of the site.
func TestCountsOfSearches(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, title := range []string{"Harvest", "Harvest feast", "Carnival"} {
		k.event(object{"title": title})
	}
	b := k.person("editor")
	for _, search := range []string{"harvest", "carnival", "nowhere"} {
		want := map[string]string{"harvest": "2", "carnival": "1", "nowhere": "0"}[search]
		if p := b.get("/admin/events?search=" + search); !p.shows(`All <span class="count">` + want + `</span>`) {
			t.Errorf("%s isn't counted %s", search, want)
		}
	}
}
