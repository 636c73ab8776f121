package server_test

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"testing"
)

// TestSeriesHistoryWords: the history says in words what became of a rule, and of which
// date of which series an entry is.
func TestSeriesHistoryWords(t *testing.T) {
	t.Parallel()
	k := standing(t)
	series := weekly(k, nil)
	b, of := k.person("administrator"), ""
	k.patch(fmt.Sprintf("/events/%d", series), "administrator", object{"recurrence": object{"rrule": "FREQ=WEEKLY;BYDAY=TH;UNTIL=20300628T173000Z", "exdate": []string{"2030-01-03", "2030-02-28"}}}).want(t, 200, "")
	open := func() page {
		t.Helper()
		p := b.get("/admin/audit?kind=event" + of)
		m := regexp.MustCompile(`href="(/admin/audit[?][^"#]*open=[^"#]+)`).FindStringSubmatch(p.Body)
		if m == nil {
			t.Fatalf("nothing to open: %.3000s", p.Body)
		}
		return b.get(unescape(m[1]))
	}
	p := open()
	for _, text := range []string{"Repeats", "every second Thursday, except on one date", "Not on: Jan 3, 2030", "every Thursday until 28 June 2030", "Not on: Jan 3, 2030; Feb 28, 2030"} {
		if !p.shows(text) {
			t.Errorf("the audit lacks %q", text)
		}
	}
	if p.shows("FREQ=") || p.shows("BYDAY") {
		t.Error("the audit shows the text of a rule")
	}
	date := happens(k, series, "")[2]
	k.patch(fmt.Sprintf("/events/%v", date["id"]), "administrator", object{"event_status": "cancelled", "event_status_reason": "Snow"}).want(t, 200, "")
	p = open()
	for _, text := range []string{"(date of Dec 20, 2029, 7:30", fmt.Sprintf(" in series %d)", series), "Takes place", "as planned", "cancelled", "Snow"} {
		if !p.shows(text) {
			t.Errorf("the audit of a date lacks %q", text)
		}
	}
	k.patch(fmt.Sprintf("/events/%d", series), "administrator", object{"recurrence": nil}).want(t, 200, "")
	of = fmt.Sprintf("&id=%d", series)
	if p := open(); !p.shows("happens once") {
		t.Error("a series that became a single event")
	}
	if p := b.get("/admin/audit/export?format=csv&kind=event"); !p.shows("original_start") || !p.shows("rrule") {
		t.Error("the export")
	}
}

// TestSeriesHistoryRestores: the revisions of a series and of one of its dates say what
// was changed and restore it; a date has the state that its series gives it.
func TestSeriesHistoryRestores(t *testing.T) {
	t.Parallel()
	k := standing(t)
	series := weekly(k, nil)
	made := k.version("demo")
	b := k.person("editor")
	before := onBoard(k, series)
	k.patch(fmt.Sprintf("/events/%d", series), "administrator", object{"title": "Other", "recurrence": object{"rrule": "FREQ=WEEKLY;BYDAY=TH;COUNT=2"}}).want(t, 200, "")
	path := fmt.Sprintf("/admin/events/%d/revisions", series)
	if p := b.get(path); !p.shows("every second Thursday, except on one date") || !p.shows("every Thursday, 2 times") || p.shows("FREQ") {
		t.Errorf("the revisions of a series: %s", p.Body)
	}
	if p := b.post(path, url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(k.version("demo"))}}); p.Status != 303 {
		t.Fatalf("restore: %d %.2000s", p.Status, p.Body)
	}
	if got := onBoard(k, series); !slices.Equal(got, before) {
		t.Errorf("restored %v\nwant %v", got, before)
	}
	date := happens(k, series, "")[2]
	id := fmt.Sprint(date["id"])
	day := fmt.Sprint(date["start_date"])
	k.patch("/events/"+id, "administrator", object{"title": "Guests", "start_date": "2030-02-01 18:00:00", "end_date": "2030-02-01 19:00:00"}).want(t, 200, "")
	k.patch("/events/"+id, "administrator", object{"title": "More guests"}).want(t, 200, "")
	path = "/admin/events/" + id + "/revisions"
	p := b.get(path)
	for _, text := range []string{"More", "guests", "As in its series"} {
		if !p.shows(text) {
			t.Errorf("the revisions of a date lack %q", text)
		}
	}
	forms := regexp.MustCompile(`name="version" value="(\d+)"`).FindAllStringSubmatch(p.Body, -1)
	expected := k.peek("demo", "SELECT version::text FROM events WHERE id = $1 AND site_id = $2", atoi(id), k.sites["demo"].ID)
	if p := b.post(path, url.Values{"version": {forms[len(forms)-1][1]}, "expected": {expected}}); p.Status != 303 {
		t.Fatalf("restore of a date: %d %.2000s", p.Status, p.Body)
	}
	if a := k.get("/events/"+id, ""); a.at("title") != "Choir" || a.at("start_date") != day {
		t.Errorf("restored: %v %v", a.at("title"), a.at("start_date"))
	}
	if n := k.peek("demo", "SELECT count(*)::text FROM events WHERE series_id = $1 AND site_id = $2", series, k.sites["demo"].ID); n != "0" {
		t.Errorf("a date that is as its series has it still differs")
	}
	k.patch(fmt.Sprintf("/events/%d", series), "administrator", object{"title": "Newest"}).want(t, 200, "")
	if a := k.get("/events/"+id, ""); a.at("title") != "Newest" {
		t.Errorf("it doesn't follow its series: %v", a.at("title"))
	}
}

// TestSeriesHistoryTrash: dates that were taken out of series are in the trash and come
// back from there with their ids; those that a rule gives no more are not.
func TestSeriesHistoryTrash(t *testing.T) {
	t.Parallel()
	k := standing(t)
	series := weekly(k, nil)
	before := onBoard(k, series)
	b := k.person("editor")
	if p := b.get("/admin/trash"); p.shows("Dates removed from series") {
		t.Error("there is nothing yet")
	}
	dates := happens(k, series, "")
	ids := []string{fmt.Sprint(dates[1]["id"]), fmt.Sprint(dates[3]["id"])}
	b.post("/admin/events", url.Values{"do": {"drop"}, "id": ids, "to": {"/admin/events"}})
	p := b.get("/admin/trash")
	for _, text := range []string{"Dates removed from series", "Choir, Dec 20, 2029, 7:30", "Choir, Jan 31, 2030, 7:30", `value="redate"`} {
		if !p.shows(text) {
			t.Errorf("the trash lacks %q", text)
		}
	}
	if p := k.person("contributor").get("/admin/trash"); p.shows("Choir") {
		t.Error("the trash shows a date to who may not put it back")
	}
	b.post("/admin/events", url.Values{"do": {"redate"}, "id": ids, "to": {"/admin/trash"}})
	if p := b.follow(); !p.shows("2 dates put back into their series.") || p.shows("Choir") {
		t.Errorf("put back: %.3000s", p.Body)
	}
	if got := onBoard(k, series); !slices.Equal(got, before) {
		t.Errorf("put back %v\nwant %v", got, before)
	}
	k.patch(fmt.Sprintf("/events/%d", series), "administrator", object{"recurrence": object{"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;COUNT=3"}}).want(t, 200, "")
	if p := b.get("/admin/trash"); p.shows("Choir") {
		t.Error("the trash has what the rule doesn't give")
	}
}
