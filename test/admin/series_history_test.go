package admin

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestSeriesHistoryWords: the history says in words what became of a rule, and of which
// date of which series an entry is.
func TestSeriesHistoryWords(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	series := kit.Weekly(k, nil)
	b, of := k.Person("administrator"), ""
	k.Patch(fmt.Sprintf("/events/%d", series), "administrator", kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=TH;UNTIL=20300628T173000Z", "exdate": []string{"2030-01-03", "2030-02-28"}}}).Want(t, 200, "")
	open := func() kit.Page {
		t.Helper()
		p := b.Get("/admin/audit?kind=event" + of)
		m := regexp.MustCompile(`href="(/admin/audit[?][^"#]*open=[^"#]+)`).FindStringSubmatch(p.Body)
		if m == nil {
			t.Fatalf("nothing to open: %.3000s", p.Body)
		}
		return b.Get(kit.Unescape(m[1]))
	}
	p := open()
	for _, text := range []string{"Repeats", "every second Thursday, except on 3\u00a0January\u00a02030", "Except on: Jan\u00a03,\u00a02030", "every Thursday until 28\u00a0June\u00a02030", "Except on: Jan\u00a03,\u00a02030; Feb\u00a028,\u00a02030"} {
		if !p.Shows(text) {
			t.Errorf("the audit lacks %q", text)
		}
	}
	if p.Shows("FREQ=") || p.Shows("BYDAY") {
		t.Error("the audit shows the text of a rule")
	}
	date := kit.Happens(k, series, "")[2]
	k.Patch(fmt.Sprintf("/events/%v", date["id"]), "administrator", kit.Object{"event_status": "cancelled", "event_status_reason": "Snow"}).Want(t, 200, "")
	p = open()
	for _, text := range []string{"(date of Dec\u00a020,\u00a02029, 7:30", fmt.Sprintf(" in series %d)", series), "Will it take place?", "as planned", "cancelled", "Snow"} {
		if !p.Shows(text) {
			t.Errorf("the audit of a date lacks %q", text)
		}
	}
	k.Patch(fmt.Sprintf("/events/%d", series), "administrator", kit.Object{"recurrence": nil}).Want(t, 200, "")
	of = fmt.Sprintf("&id=%d", series)
	if p := open(); !p.Shows("does not repeat") {
		t.Error("a series that became a single event")
	}
	if p := b.Get("/admin/audit/export?format=csv&kind=event"); !p.Shows("original_start") || !p.Shows("rrule") {
		t.Error("the export")
	}
}

// TestSeriesHistoryRestores: the revisions of a series and of one of its dates say what
// was changed and restore it; a date has the state that its series gives it.
func TestSeriesHistoryRestores(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	series := kit.Weekly(k, nil)
	made := k.Version("demo")
	b := k.Person("editor")
	before := onBoard(k, series)
	k.Patch(fmt.Sprintf("/events/%d", series), "administrator", kit.Object{"title": "Other", "recurrence": kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=TH;COUNT=2"}}).Want(t, 200, "")
	path := fmt.Sprintf("/admin/events/%d/revisions", series)
	if p := b.Get(path); !p.Shows("every second Thursday, except on 3\u00a0January\u00a02030") || !p.Shows("every Thursday, 2 times") || p.Shows("FREQ") {
		t.Errorf("the revisions of a series: %s", p.Body)
	}
	if p := b.Post(path, url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(k.Version("demo"))}}); p.Status != 303 {
		t.Fatalf("restore: %d %.2000s", p.Status, p.Body)
	}
	if got := onBoard(k, series); !slices.Equal(got, before) {
		t.Errorf("restored %v\nwant %v", got, before)
	}
	date := kit.Happens(k, series, "")[2]
	id := fmt.Sprint(date["id"])
	day := fmt.Sprint(date["start_date"])
	k.Patch("/events/"+id, "administrator", kit.Object{"title": "Guests", "start_date": "2030-02-01 18:00:00", "end_date": "2030-02-01 19:00:00"}).Want(t, 200, "")
	k.Patch("/events/"+id, "administrator", kit.Object{"title": "More guests"}).Want(t, 200, "")
	path = "/admin/events/" + id + "/revisions"
	p := b.Get(path)
	for _, text := range []string{"More", "guests", "As in its series"} {
		if !p.Shows(text) {
			t.Errorf("the revisions of a date lack %q", text)
		}
	}
	forms := regexp.MustCompile(`name="version" value="(\d+)"`).FindAllStringSubmatch(p.Body, -1)
	expected := k.Peek("demo", "SELECT version::text FROM events WHERE id = $1 AND site_id = $2", atoi(id), k.Sites["demo"].ID)
	if p := b.Post(path, url.Values{"version": {forms[len(forms)-1][1]}, "expected": {expected}}); p.Status != 303 {
		t.Fatalf("restore of a date: %d %.2000s", p.Status, p.Body)
	}
	if a := k.Get("/events/"+id, ""); a.At("title") != "Choir" || a.At("start_date") != day {
		t.Errorf("restored: %v %v", a.At("title"), a.At("start_date"))
	}
	if n := k.Peek("demo", "SELECT count(*)::text FROM events WHERE series_id = $1 AND site_id = $2", series, k.Sites["demo"].ID); n != "0" {
		t.Errorf("a date that is as its series has it still differs")
	}
	k.Patch(fmt.Sprintf("/events/%d", series), "administrator", kit.Object{"title": "Newest"}).Want(t, 200, "")
	if a := k.Get("/events/"+id, ""); a.At("title") != "Newest" {
		t.Errorf("it doesn't follow its series: %v", a.At("title"))
	}
}

// TestSeriesHistoryTrash: dates that were taken out of series are in the trash and come
// back from there with their ids; those that a rule gives no more are not.
func TestSeriesHistoryTrash(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	series := kit.Weekly(k, nil)
	before := onBoard(k, series)
	b := k.Person("editor")
	if p := b.Get("/admin/trash"); p.Shows("Dates removed from series") {
		t.Error("there is nothing yet")
	}
	dates := kit.Happens(k, series, "")
	ids := []string{fmt.Sprint(dates[1]["id"]), fmt.Sprint(dates[3]["id"])}
	b.Post("/admin/events", url.Values{"seen": {kit.AllSeen}, "do": {"drop"}, "id": ids, "to": {"/admin/events"}})
	p := b.Get("/admin/trash")
	for _, text := range []string{"Dates removed from series", "Choir</bdi> <span class=\"soft\">Dec\u00a020,\u00a02029, 7:30", "Choir</bdi> <span class=\"soft\">Jan\u00a031,\u00a02030, 7:30", `value="redate"`} {
		if !p.Shows(text) {
			t.Errorf("the trash lacks %q", text)
		}
	}
	if p := k.Person("contributor").Get("/admin/trash"); p.Shows("Choir") {
		t.Error("the trash shows a date to who may not put it back")
	}
	b.Get("/admin/trash")
	b.Post("/admin/events", url.Values{"do": {"redate"}, "id": ids, "to": {"/admin/trash"}})
	if p := b.Follow(); !p.Shows("2 dates returned to their series.") || p.Shows("Choir") {
		t.Errorf("put back: %.3000s", p.Body)
	}
	if got := onBoard(k, series); !slices.Equal(got, before) {
		t.Errorf("put back %v\nwant %v", got, before)
	}
	k.Patch(fmt.Sprintf("/events/%d", series), "administrator", kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;COUNT=3"}}).Want(t, 200, "")
	if p := b.Get("/admin/trash"); p.Shows("Choir") {
		t.Error("the trash has what the rule doesn't give")
	}
}
