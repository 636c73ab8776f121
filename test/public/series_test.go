package public

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// choirKit is a site in February 2030 with a choir that meets every second Thursday.
func choirKit(t *testing.T) (*kit.Kit, int64) {
	t.Helper()
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.Clock = time.Date(2030, 2, 10, 12, 0, 0, 0, time.UTC)
	id := kit.Weekly(k, kit.Object{"description": "<p>Sing along.</p>", "venue": kit.Object{"venue": "Hall", "slug": "hall", "city": "Lindau"},
		"organizer": kit.Object{"organizer": "Singers", "slug": "singers"}, "categories": []string{"Music"}, "tags": []string{"voices"}})
	return k, id
}

// occurrence returns the path of the API of the occurrence on a day.
func occurrence(k *kit.Kit, series int64, day string) string {
	k.T.Helper()
	for _, one := range kit.Happens(k, series, "") {
		if strings.HasPrefix(fmt.Sprint(one["series"].(map[string]any)["original_start"]), day) {
			return fmt.Sprintf("/events/%v", one["id"])
		}
	}
	k.T.Fatalf("the series %d doesn't happen on %s", series, day)
	return ""
}

// path returns the path of an address that the API gave.
func path(k *kit.Kit, address any) string {
	u, err := url.Parse(fmt.Sprint(address))
	k.Must(err)
	return u.EscapedPath()
}

// TestPublicOccurrences opens the address that the API gives of each occurrence, in
// every language segment, and none of what is no occurrence.
func TestPublicOccurrences(t *testing.T) {
	k, id := choirKit(t)
	k.Event(kit.Object{"title": "Alone", "slug": "alone", "start_date": "2030-03-07 10:00:00", "end_date": "2030-03-07 11:00:00"})
	for _, one := range kit.Happens(k, id, "")[:4] {
		address := path(k, one["url"])
		for _, segment := range []string{"", "/de", "/ar"} {
			page := k.Look(segment+address).Want(t, 200, "")
			start := strings.Replace(fmt.Sprint(one["start_date"]), " ", "T", 1)
			for _, want := range []string{`<link rel="canonical" href="http://localhost` + segment + address + `">`, `datetime="` + start,
				fmt.Sprintf(`/calendar/events/v1/events/%v"`, one["id"])} {
				if !strings.Contains(string(page.Raw), want) {
					t.Errorf("%s%s lacks %s", segment, address, want)
				}
			}
		}
		if a := k.Look(strings.TrimSuffix(address, "/")); a.Status != http.StatusMovedPermanently || a.Header.Get("Location") != address {
			t.Errorf("%s without its slash: %d %s", address, a.Status, a.Header.Get("Location"))
		}
	}
	for _, wrong := range []string{"/event/choir/2030-01-03/", "/event/choir/2030-01-10/", "/event/choir/2029-11-22/", "/event/choir/2026-13-45/",
		"/event/choir/2026-02-30/", "/event/choir/99999-01-01/", "/event/choir/9999-12-31/", "/event/choir/0000-00-00/", "/event/choir/-1/",
		"/event/choir/2029-12-06-1931/", "/event/choir/2029-12-06-2561/", "/event/choir/2029-12-06T19:30/", "/event/choir/%00/", "/event/choir/2029-12-06%00/",
		"/event/choir/%ff/", "/event/choir/x/", "/event/alone/2030-03-08/", "/event/nothing/2029-12-06/", "/event/choir/2029-12-06/2029-12-06/"} {
		for _, segment := range []string{"", "/ja"} {
			if a := k.Look(segment+wrong, "Accept", "text/html"); a.Status != http.StatusNotFound {
				t.Errorf("%s%s: %d", segment, wrong, a.Status)
			}
		}
	}
	if a := k.Look("/event/alone/2030-03-07/"); a.Status != http.StatusMovedPermanently || a.Header.Get("Location") != "/event/alone/" {
		t.Errorf("of what happens once, by its day: %d %s", a.Status, a.Header.Get("Location"))
	}
	if a := k.Look("/event/choir/2029-12-06-1930/"); a.Status != http.StatusMovedPermanently || a.Header.Get("Location") != "/event/choir/2029-12-06/" {
		t.Errorf("with a time it doesn't need: %d %s", a.Status, a.Header.Get("Location"))
	}
	k.Patch(kit.Item("events", id), "editor", kit.Object{"slug": "singing"}).Want(t, 200, "")
	if a := k.Look("/de/event/choir/2029-12-06/"); a.Status != http.StatusMovedPermanently || a.Header.Get("Location") != "/de/event/singing/2029-12-06/" {
		t.Errorf("by the slug it had: %d %s", a.Status, a.Header.Get("Location"))
	}
	k.Del(kit.Item("events", id), "editor").Want(t, 200, "")
	for _, gone := range []string{"/event/singing/", "/event/singing/2029-12-06/", "/event/choir/2029-12-06/"} {
		if a := k.Look(gone); a.Status != http.StatusNotFound {
			t.Errorf("%s of a series in the trash: %d", gone, a.Status)
		}
	}
}

// TestPublicOccurrencesOfOneDay names the time in the address where a day may have
// several.
func TestPublicOccurrencesOfOneDay(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := kit.Weekly(k, kit.Object{"title": "Tour", "slug": "tour", "start_date": "2029-12-06 10:00:00", "end_date": "2029-12-06 11:00:00",
		"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=TH;BYHOUR=10,15"}})
	list := kit.Happens(k, id, "")
	if got := path(k, list[1]["url"]); got != "/event/tour/2029-12-06-1500/" {
		t.Fatalf("address %s", got)
	}
	for i, start := range []string{"2029-12-06T10:00", "2029-12-06T15:00"} {
		if page := string(k.Look(path(k, list[i]["url"])).Want(t, 200, "").Raw); !strings.Contains(page, `datetime="`+start) {
			t.Errorf("occurrence %d does not start at %s", i, start)
		}
	}
	if a := k.Look("/event/tour/2029-12-06/"); a.Status != http.StatusMovedPermanently || a.Header.Get("Location") != "/event/tour/2029-12-06-1000/" {
		t.Errorf("by its day alone: %d %s", a.Status, a.Header.Get("Location"))
	}
}

// TestPublicMovedOccurrence finds a moved occurrence where it was at first, with its
// new time, and tells the old one; what was taken out is not found.
func TestPublicMovedOccurrence(t *testing.T) {
	k, id := choirKit(t)
	second := occurrence(k, id, "2029-12-20")
	moved := k.Patch(second, "editor", kit.Object{"start_date": "2030-02-21 18:00:00", "end_date": "2030-02-21 20:00:00", "title": "Concert",
		"event_status": "rescheduled", "event_status_reason": "The hall was closed"}).Want(t, 200, "")
	address := path(k, moved.Body["url"])
	if address != "/event/choir/2029-12-20/" {
		t.Fatalf("its address is %s", address)
	}
	page := k.Look(address).Want(t, 200, "").Raw
	for _, want := range []string{`<h1><bdi>Concert</bdi></h1>`, `datetime="2030-02-21T18:00:00+01:00"`, "This event has a new date.", "The hall was closed",
		"Originally planned for Thursday, December\u00a020,\u00a02029, 7:30\u00a0PM", `<a rel="prev" href="/event/choir/2030-02-14/"`, `<a rel="next" href="/event/choir/2030-02-28/"`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %s: %s", want, page)
		}
	}
	if data := kit.Structured(t, page); data["previousStartDate"] != "2029-12-20T19:30:00+01:00" || data["eventStatus"] != "https://schema.org/EventRescheduled" {
		t.Errorf("structured: %v, %v", data["previousStartDate"], data["eventStatus"])
	}
	if a := k.Look("/event/choir/2030-02-21/"); a.Status != http.StatusFound || a.Header.Get("Location") != address {
		t.Errorf("where it is now: %d to %s", a.Status, a.Header.Get("Location"))
	}
	k.Del(second, "editor").Want(t, 200, "")
	if a := k.Look(address); a.Status != http.StatusGone {
		t.Errorf("taken out: %d", a.Status)
	}
	k.Patch(second, "editor", kit.Object{"status": "publish"}).Want(t, 200, "")
	k.Look(address).Want(t, 200, "")
}

// TestPublicOccurrenceAtAnotherTime says beside the rule of a series that a date does not follow it.
func TestPublicOccurrenceAtAnotherTime(t *testing.T) {
	k, id := choirKit(t)
	for day, c := range map[string]struct {
		change kit.Object
		want   string
	}{
		"2030-02-14": {kit.Object{"title": "Concert"}, ""},
		"2030-04-11": {kit.Object{"venue": kit.Object{"venue": "Library", "city": "Lindau"}}, "at a different venue, usually: "},
		"2030-02-28": {kit.Object{"start_date": "2030-02-28 18:00:00", "end_date": "2030-02-28 20:00:00"}, "a different time, usually: 7:30\u00a0PM\u00a0\u2060–\u2060\u00a09:30\u00a0PM<"},
		"2030-03-14": {kit.Object{"end_date": "2030-03-14 22:00:00"}, "a different time, usually: 7:30"},
		"2030-03-28": {kit.Object{"start_date": "2030-03-29 19:30:00", "end_date": "2030-03-29 21:30:00"}, "Originally planned for Thursday, March\u00a028,\u00a02030, 7:30"},
	} {
		one := k.Patch(occurrence(k, id, day), "editor", c.change).Want(t, 200, "")
		page := string(k.Look(path(k, one.Body["url"])).Want(t, 200, "").Raw)
		if got := strings.Contains(page, "a different ") || strings.Contains(page, "Originally planned"); got != (c.want != "") || !strings.Contains(page, c.want) {
			t.Errorf("%s: %s", day, page)
		}
	}
}

// TestPublicOccurrenceRules shows an occurrence to whom its series is shown.
func TestPublicOccurrenceRules(t *testing.T) {
	k, id := choirKit(t)
	const address = "/event/choir/2029-12-20/"
	first := k.Look(address).Want(t, 200, "")
	for _, status := range []string{"draft", "private", "pending"} {
		k.Patch(kit.Item("events", id), "editor", kit.Object{"status": status}).Want(t, 200, "")
		if a := k.Look(address); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d", status, a.Status)
		}
	}
	k.Patch(kit.Item("events", id), "editor", kit.Object{"status": "publish", "post_password": "anchor"}).Want(t, 200, "")
	asked := k.Look(address)
	if asked.Status != http.StatusOK || !strings.Contains(string(asked.Raw), `action="`+address+`"`) || strings.Contains(string(asked.Raw), "Sing along") {
		t.Errorf("asked: %d %s", asked.Status, asked.Raw)
	}
	try := func(password string) kit.Answer {
		return k.Send(kit.Request{Method: "POST", Path: "/" + address, Form: url.Values{"password": {password}}})
	}
	if a := try("wrong"); a.Status != http.StatusForbidden || strings.Contains(string(a.Raw), "Sing along") {
		t.Errorf("wrong: %d", a.Status)
	}
	if a := try("anchor"); a.Status != http.StatusOK || !strings.Contains(string(a.Raw), "Sing along") || !strings.Contains(string(a.Raw), `datetime="2029-12-20T19:30`) {
		t.Errorf("open: %d %s", a.Status, a.Raw)
	}
	if a := k.Look(address + "?ical=1"); a.Status != http.StatusNotFound {
		t.Errorf("as a calendar: %d", a.Status)
	}
	k.Patch(kit.Item("events", id), "editor", kit.Object{"post_password": "", "hide_from_listings": true}).Want(t, 200, "")
	for _, path := range []string{address, "/event/choir/"} {
		a := k.Look(path)
		if a.Status != http.StatusOK || !strings.Contains(string(a.Raw), `content="noindex"`) || !strings.Contains(string(a.Raw), `href="/event/choir/2030-02-28/"`) && path != address {
			t.Errorf("%s of what is in no list: %d %s", path, a.Status, a.Raw)
		}
	}
	if a := k.Look(address, "If-None-Match", first.Header.Get("ETag")); a.Status == http.StatusNotModified {
		t.Error("it is as it was")
	}
}

// TestPublicSeries shows a series with its rule in words and its dates, page by page.
func TestPublicSeries(t *testing.T) {
	k, id := choirKit(t)
	const next = `Next date: <a href="/event/choir/%s/">`
	page := string(k.Look("/event/choir/").Want(t, 200, "").Raw)
	if !strings.Contains(page, fmt.Sprintf(next, "2030-02-14")) {
		t.Errorf("the next date: %s", page)
	}
	if !strings.Contains(page, "Every second Thursday, 7:30\u00a0PM\u00a0\u2060–\u2060\u00a09:30\u00a0PM, except on 3\u00a0January\u00a02030") {
		t.Errorf("the times of the rule are not before what it leaves out: %s", page)
	}
	for _, day := range []string{"2030-02-14", "2030-02-28"} {
		k.Patch(occurrence(k, id, day), "editor", kit.Object{"event_status": "cancelled", "event_status_reason": "Ice"}).Want(t, 200, "")
	}
	if page := string(k.Look("/event/choir/").Want(t, 200, "").Raw); !strings.Contains(page, fmt.Sprintf(next, "2030-03-14")) {
		t.Errorf("the next date that takes place: %s", page)
	}
	k.Patch(occurrence(k, id, "2030-03-14"), "editor", kit.Object{"title": "Concert", "venue": kit.Object{"venue": "Church"}}).Want(t, 200, "")
	page = string(k.Look("/event/choir/").Want(t, 200, "").Raw)
	for _, want := range []string{"Every second Thursday", "7:30\u00a0PM\u00a0\u2060–\u2060\u00a09:30\u00a0PM", `href="/event/choir/2030-02-14/"`, "Concert", "Church",
		`<s>Thursday, February 28, 7:30`, `<span class="badge status-cancelled">Cancelled</span>`, `href="/event/choir/?past=1"`, `href="?page=2"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the series lacks %s: %s", want, page)
		}
	}
	if strings.Contains(page, "/2030-01-31/") || strings.Contains(page, "This event is over") || strings.Contains(page, "This series is over") {
		t.Error("the series shows what is over")
	}
	past := string(k.Look("/event/choir/?past=1").Want(t, 200, "").Raw)
	if newest, oldest := strings.Index(past, "/2030-01-31/"), strings.Index(past, "/2029-12-06/"); newest < 0 || oldest < newest || strings.Contains(past, "/2030-02-14/") {
		t.Errorf("past dates: %s", past)
	}
	k.Event(map[string]any{"title": "New", "slug": "new", "start_date": "2031-05-07 15:00", "end_date": "2031-05-07 16:00", "recurrence": "FREQ=WEEKLY;COUNT=3"})
	if fresh := k.Look("/event/new/").Want(t, 200, "").String(); !strings.Contains(fresh, "/event/new/2031-05-14/") || strings.Contains(fresh, "past=1") {
		t.Error("a series that has no past dates leads to them")
	}
	second := string(k.Look("/event/choir/?page=2").Want(t, 200, "").Raw)
	if !strings.Contains(second, `<link rel="canonical" href="http://localhost/event/choir/?page=2">`) || strings.Contains(second, "/2030-02-14/") {
		t.Errorf("second page: %s", second)
	}
	for _, wrong := range []string{"?page=0", "?page=x", "?page=999", "?past=1&page=2"} {
		if a := k.Look("/event/choir/" + wrong); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d", wrong, a.Status)
		}
	}
	k.Patch(kit.Item("events", id), "editor", kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;COUNT=3"}, "exceptions": "reset"}).Want(t, 200, "")
	over := string(k.Look("/event/choir/").Want(t, 200, "").Raw)
	if !strings.Contains(over, "This series is over.") || !strings.Contains(over, "/2030-01-03/") {
		t.Errorf("over: %s", over)
	}
}

// TestPublicSeriesData compares the structured data of pages and API: what both say of
// when and how something takes place is the same.
func TestPublicSeriesData(t *testing.T) {
	k, id := choirKit(t)
	shown := []string{"@type", "eventStatus", "eventAttendanceMode", "previousStartDate", "startDate", "eventSchedule", "superEvent"}
	compare := func(resource, address string) map[string]any {
		t.Helper()
		page := kit.Structured(t, k.Look(address).Want(t, 200, "").Raw)
		data := k.Get(resource, "").Want(t, 200, "").Body["json_ld"].(map[string]any)
		for _, key := range shown {
			if a, b := fmt.Sprint(page[key]), fmt.Sprint(data[key]); a != b {
				t.Errorf("%s %s: the page says %s, the API %s", address, key, a, b)
			}
		}
		return page
	}
	series := compare(kit.Item("events", id), "/event/choir/")
	schedule, err := json.Marshal(series["eventSchedule"])
	k.Must(err)
	if want := `[{"@type":"Schedule","byDay":["https://schema.org/Thursday"],"endTime":"21:30:00","exceptDate":["2030-01-03"],"repeatFrequency":"P2W",` +
		`"scheduleTimezone":"Europe/Berlin","startDate":"2029-12-06","startTime":"19:30:00"}]`; string(schedule) != want {
		t.Errorf("schedule %s, want %s", schedule, want)
	}
	dates, _ := series["subEvent"].([]any)
	if len(dates) == 0 || dates[0].(map[string]any)["url"] != "http://localhost/event/choir/2030-02-14/" {
		t.Errorf("dates: %v", dates)
	}
	one := occurrence(k, id, "2030-02-28")
	k.Patch(one, "editor", kit.Object{"title": "Concert", "event_status": "postponed", "attendance_mode": "mixed", "virtual_url": "https://meet.example.org/choir"}).Want(t, 200, "")
	page := compare(one, "/event/choir/2030-02-28/")
	if places, _ := page["location"].([]any); len(places) != 2 || places[1].(map[string]any)["url"] != "https://meet.example.org/choir" {
		t.Errorf("location: %v", page["location"])
	}
	if whole := page["superEvent"].(map[string]any); whole["url"] != "http://localhost/event/choir/" || whole["@type"] != "EventSeries" || whole["name"] != "Choir" {
		t.Errorf("superEvent: %v", whole)
	}
}

// TestPublicOccurrenceFeeds has the series to subscribe to, and one occurrence alone
// for who asks for that.
func TestPublicOccurrenceFeeds(t *testing.T) {
	k, _ := choirKit(t)
	page := string(k.Look("/event/choir/2029-12-20/").Want(t, 200, "").Raw)
	for _, want := range []string{`webcal://localhost/event/choir.ics`, `href="/event/choir/2029-12-20/?ical=1"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	alone := k.Feed("/event/choir/2029-12-20/?ical=1")
	if list := alone["Choir"]; len(alone) != 1 || len(list) != 1 || kit.Prop(list[0], "DTSTART") != "20291220T193000" || kit.Prop(list[0], "RRULE") != "" ||
		!slices.Contains([]string{"http://localhost/event/choir/2029-12-20/"}, kit.Prop(list[0], "URL")) {
		t.Errorf("alone: %v", alone)
	}
	if whole := k.Feed("/event/choir/?ical=1"); kit.Prop(whole["Choir"][0], "RRULE") == "" {
		t.Errorf("whole: %v", whole)
	}
}

// TestPublicSeriesOfTwoSites has the same series on two sites, each with its own.
func TestPublicSeriesOfTwoSites(t *testing.T) {
	k, _ := choirKit(t)
	k.Site("two")
	k.Send(kit.Request{Method: "POST", Path: "/events", Site: "two", As: "editor", JSON: kit.Object{"title": "Other choir", "slug": "choir",
		"start_date": "2029-12-07 18:00:00", "end_date": "2029-12-07 19:00:00", "recurrence": kit.Object{"rrule": "FREQ=DAILY"}}}).Want(t, 201, "")
	ask := func(site, path string) kit.Answer {
		return k.Send(kit.Request{Method: "GET", Path: "/" + path, Site: site})
	}
	for _, c := range []struct {
		site, path string
		status     int
	}{{"", "/event/choir/2029-12-06/", 200}, {"two", "/event/choir/2029-12-06/", 404}, {"", "/event/choir/2029-12-07/", 404}, {"two", "/event/choir/2029-12-07/", 200}} {
		if a := ask(c.site, c.path); a.Status != c.status || c.status == 200 && strings.Contains(string(a.Raw), "Other choir") != (c.site == "two") {
			t.Errorf("%s of site %q: %d", c.path, c.site, a.Status)
		}
	}
}

// TestPublicSeriesIsFresh shows what was written to a series or an occurrence at once,
// and what is next when a day has ended, though answers are kept.
func TestPublicSeriesIsFresh(t *testing.T) {
	k, id := choirKit(t)
	k.KeepAnswers()
	shows := func(path, text string, want bool) {
		t.Helper()
		for range 2 {
			if page := string(k.Look(path).Want(t, 200, "").Raw); strings.Contains(page, text) != want {
				t.Errorf("%s: %q is there: %v, want %v", path, text, !want, want)
			}
		}
	}
	const next = `<a href="/event/choir/2030-02-14/">`
	shows("/event/choir/", next, true)
	shows("/event/choir/2030-02-28/", "Sing along", true)
	shows("/event/choir/2030-02-28/", "cancelled", false)
	k.Patch(occurrence(k, id, "2030-02-28"), "editor", kit.Object{"event_status": "cancelled"}).Want(t, 200, "")
	shows("/event/choir/2030-02-28/", "This event is cancelled.", true)
	shows("/event/choir/", "status-cancelled", true)
	k.Patch(kit.Item("events", id), "editor", kit.Object{"description": "Hum along"}).Want(t, 200, "")
	shows("/event/choir/2030-02-14/", "Hum along", true)
	k.Clock = time.Date(2030, 2, 15, 1, 0, 0, 0, time.UTC)
	shows("/event/choir/", next, false)
}

// TestPublicSearchOfSeries finds a series once: the occurrence that is next, and of
// what is over the last.
func TestPublicSearchOfSeries(t *testing.T) {
	k, id := choirKit(t)
	k.Event(kit.Object{"title": "Choir festival", "slug": "festival", "start_date": "2030-05-01 10:00:00", "end_date": "2030-05-01 11:00:00"})
	entries := func(path string) []string {
		t.Helper()
		var list []string
		page := string(k.Look(path).Want(t, 200, "").Raw)
		for rest, found := page, true; found; {
			if _, rest, found = strings.Cut(rest, `<h3><a href="`); found {
				address, _, _ := strings.Cut(rest, `"`)
				list = append(list, address)
			}
		}
		if len(list) > 0 && !strings.Contains(page, `<a class="whole" href="/event/choir/">All dates</a>`) {
			t.Errorf("%s does not lead to the whole series", path)
		}
		return list
	}
	expect := func(path string, want ...string) {
		t.Helper()
		if got := entries(path); !slices.Equal(got, want) {
			t.Errorf("%s finds %v, want %v", path, got, want)
		}
	}
	expect("/events/?search=choir", "/event/choir/2030-02-14/", "/event/festival/")
	expect("/events/?search=choir+hall", "/event/choir/2030-02-14/")
	expect("/events/past/?search=choir", "/event/choir/2030-01-31/")
	k.Patch(occurrence(k, id, "2030-02-14"), "editor", kit.Object{"title": "Choir concert"}).Want(t, 200, "")
	expect("/events/?search=concert", "/event/choir/2030-02-14/")
	expect("/events/", "/event/choir/2030-02-14/", "/event/festival/") // each series once, at its next date
}

// TestPublicSeriesInSiteMap names a series, and its occurrences of a year.
func TestPublicSeriesInSiteMap(t *testing.T) {
	k, id := choirKit(t)
	k.Patch(occurrence(k, id, "2030-02-28"), "editor", kit.Object{"title": "Choir concert"}).Want(t, 200, "")
	kit.Weekly(k, kit.Object{"title": "Long ago", "slug": "ago", "start_date": "2020-01-02 10:00:00", "end_date": "2020-01-02 11:00:00",
		"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=3"}})
	kit.Weekly(k, kit.Object{"title": "Closed", "slug": "closed", "post_password": "anchor"})
	k.Event(kit.Object{"title": "Alone", "slug": "alone", "start_date": "2020-03-07 10:00:00", "end_date": "2020-03-07 11:00:00"})
	check := func(present, absent []string) {
		t.Helper()
		sitemap := string(k.Look("/sitemap.xml").Want(t, 200, "").Raw)
		for _, path := range present {
			if n := strings.Count(sitemap, "<loc>http://localhost"+path+"</loc>"); n != 1 {
				t.Errorf("%s is named %d times", path, n)
			}
		}
		for _, path := range absent {
			if strings.Contains(sitemap, path) {
				t.Errorf("%s is named", path)
			}
		}
	}
	k.KeepAnswers()
	check([]string{"/event/choir/", "/event/choir/2030-02-14/", "/event/choir/2030-02-28/", "/event/choir/2031-01-30/", "/event/alone/"},
		[]string{"/event/choir/2030-01-31/", "/event/choir/2031-02-13/", "/event/ago/", "/event/closed/"})
	k.Clock = time.Date(2030, 2, 15, 12, 0, 0, 0, time.UTC)
	check([]string{"/event/choir/2031-02-13/"}, []string{"/event/choir/2030-02-14/"})
}
