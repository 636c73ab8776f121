package server_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// load imports a file into a site as its administrator, and returns what became of it
// and which rows were refused.
func (k *kit) load(slug, file string, dry bool) (calendar.ImportReport, []string) {
	k.t.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.sites[slug])
	k.must(err)
	source, err := calendar.NewCSV(strings.NewReader(file), k.sites[slug].Others()...)
	k.must(err)
	var refused []string
	report, err := k.calendar.Events().Import(ctx, source, calendar.ImportOptions{DryRun: dry,
		Refused: func(line int, err error) { refused = append(refused, fmt.Sprint(line, " ", err)) }})
	k.must(err)
	if len(source.Unknown) > 0 {
		k.t.Errorf("unknown columns %q", source.Unknown)
	}
	return report, refused
}

// idle are what an answer says of a site or of when something was written.
var idle = []string{"id", "global_id", "global_id_lineage", "author", "rest_url", "url", "modified", "modified_utc", "urls", "next_rest_url",
	"json_ld", "next", "parent"}

// bare is an answer without what differs between two sites.
func bare(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range idle {
			delete(v, name)
		}
		if v["status"] == "draft" {
			delete(v, "date")
			delete(v, "date_utc")
			delete(v, "website") // its address has the id
		}
		for name, value := range v {
			v[name] = bare(value)
		}
	case []any:
		for i := range v {
			v[i] = bare(v[i])
		}
	case string:
		return strings.Replace(v, "http://copy.", "http://demo.", 1)
	}
	return v
}

// told is all that a site tells of its events: the occurrences of some years, and each
// series with its rule.
func (k *kit) told(slug string) (list []any) {
	k.t.Helper()
	seen := map[any]bool{}
	for _, status := range []string{"publish", "future", "draft", "private"} {
		for page := 1; ; page++ {
			a := k.send(request{Method: "GET", As: "administrator", Site: slug,
				Path: fmt.Sprintf("/events?status=%s&start_date=2029-01-01&end_date=2033-01-01&per_page=50&page=%d", status, page)})
			if a.Status == http.StatusNotFound {
				break
			}
			for _, e := range listOf(a.Body["events"]) {
				event, _ := e.(map[string]any)
				series, _ := event["series"].(map[string]any)
				if id := series["id"]; id != nil && !seen[id] {
					seen[id] = true
					whole := k.send(request{Method: "GET", As: "administrator", Site: slug, Path: fmt.Sprintf("/events/%.0f", id)})
					list = append(list, bare(whole.Body))
				}
				list = append(list, bare(event))
			}
		}
	}
	return list
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// manifold fills the demo site with every kind of event.
func manifold(k *kit) {
	hall := object{"venue": "Hall, “große”", "address": "Weg 1", "city": "Bonn", "country": "Germany", "province": "NRW", "zip": "53111",
		"phone": "+49 228 1", "website": "https://hall.example/", "geo_lat": -50.5, "geo_lng": 7.25}
	k.event(object{"title": "=HYPERLINK(\"http://x.example\",\"x\")", "start_date": "2030-03-02 10:00:00", "end_date": "2030-03-02 11:00:05",
		"description": "<p>One\nTwo, \"three\"</p>", "excerpt": "-1", "venue": hall, "cost": "12,50 €", "website": "https://x.example/a",
		"organizer":  []any{object{"organizer": "Ann, B & Co", "email": "a@example.org"}, object{"organizer": "12"}},
		"categories": []any{"Music, classical"}, "tags": []any{"'=x", "a \"b\""}, "featured": true, "show_map": true,
		"tickets": []any{object{"name": "Seat", "price": 5.5, "currency": "EUR", "url": "https://x.example/t"}}})
	k.event(object{"title": "Tom &amp; Jerry &amp;lt;b&amp;gt;", "all_day": true, "start_date": "2030-03-03", "end_date": "2030-03-04", "status": "draft"})
	k.event(object{"title": "Far", "timezone": "America/New_York", "start_date": "2030-03-05 20:00:00", "end_date": "2030-03-06 02:00:00",
		"status": "private", "attendance_mode": "mixed", "virtual_url": "https://x.example/live", "virtual_url_shown": "never"})
	k.event(object{"title": "Later", "date": "2031-01-01 10:00:00", "slug": "another-name", "event_status": "postponed", "event_status_reason": "Ice",
		"hide_from_listings": true, "start_date": "2031-03-05 20:00:00", "end_date": "2031-03-05 22:00:00"})
	k.event(object{"title": "Secret", "post_password": "pw", "description": "hidden words"})
	choir := k.event(object{"title": "Choir", "start_date": "2030-03-05 19:30:00", "end_date": "2030-03-05 21:30:00", "venue": hall,
		"description": "Sing.", "categories": []any{"Music, classical"},
		"recurrence": object{"rrule": "FREQ=WEEKLY;BYDAY=TU;UNTIL=20300430T173000Z", "rdate": []any{"2030-03-07 10:00:00"},
			"exdate": []any{"2030-03-19 19:30:00"}}})
	dates := datesOfSeries(k, choir)
	k.patch(fmt.Sprint("/events/", dates[0]), "administrator", object{"event_status": "cancelled", "event_status_reason": "Flu"}).want(k.t, http.StatusOK, "")
	k.patch(fmt.Sprint("/events/", dates[2]), "administrator", object{"start_date": "2030-03-13 20:00:00", "end_date": "2030-03-13 23:00:00",
		"title": "Choir abroad", "venue": nil, "categories": []any{}, "description": nil}).want(k.t, http.StatusOK, "")
	k.del(fmt.Sprint("/events/", dates[4]), "administrator")
	k.event(object{"title": "Two rules", "timezone": "Asia/Tokyo", "start_date": "2030-03-01 09:00:00", "end_date": "2030-03-01 10:00:00",
		"recurrence": object{"rrule": []any{"FREQ=MONTHLY;COUNT=5", "FREQ=WEEKLY;BYDAY=FR;COUNT=6"}}})
	days := k.event(object{"title": "Fair", "all_day": true, "start_date": "2030-06-01", "end_date": "2030-06-02",
		"recurrence": object{"rrule": "FREQ=MONTHLY;COUNT=4", "exdate": []any{"2030-06-01"}}})
	k.patch(fmt.Sprint("/events/", datesOfSeries(k, days)[0]), "administrator", object{"end_date": "2030-07-03"}).want(k.t, http.StatusOK, "")
}

// datesOfSeries returns the ids of the first occurrences of a series.
func datesOfSeries(k *kit, id int64) (list []string) {
	k.t.Helper()
	a := k.get(fmt.Sprintf("/events/%d/occurrences?per_page=50&start_date=2029-01-01&end_date=2035-01-01", id), "administrator")
	for _, e := range listOf(a.Body["events"]) {
		event, _ := e.(map[string]any)
		list = append(list, fmt.Sprintf("%.0f", event["id"]))
	}
	return list
}

// TestCSVRoundTrip: what is exported and imported into another site is the same events,
// series and dates that differ, as both sites tell them.
func TestCSVRoundTrip(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.clock = time.Date(2030, 1, 2, 9, 0, 0, 0, time.UTC)
	k.site("copy")
	manifold(k)
	b := k.person("administrator")
	for _, format := range []string{"", "?format=excel"} {
		p := b.get("/admin/events/export" + format)
		if p.Status != http.StatusOK || strings.HasPrefix(p.Body, "\uFEFF") != (format != "") {
			t.Fatalf("%s: %d %.40q", format, p.Status, p.Body)
		}
		want := calendar.ImportReport{Read: 10, Created: 7, Dates: 3, Venues: 1, Organizers: 2, Categories: 1, Tags: 2}
		if format != "" {
			want = calendar.ImportReport{Read: 10, Unchanged: 10}
		}
		for _, dry := range []bool{true, false} {
			if got, refused := k.load("copy", p.Body, dry); got != want || refused != nil {
				t.Fatalf("%s dry %v: %+v, refused %q\n%s", format, dry, got, refused, p.Body)
			}
		}
		demo := slices.DeleteFunc(k.told("demo"), func(v any) bool { return v.(map[string]any)["title"] == "Secret" })
		if diff := cmp.Diff(demo, k.told("copy")); diff != "" || len(demo) < 20 {
			t.Errorf("%s: %d entries (-demo +copy):\n%s", format, len(demo), diff)
		}
	}
}

// TestCSVKeepsUID: calendars know what was imported by the names that they had for it,
// and what was deleted and imported again by one.
func TestCSVKeepsUID(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.clock = time.Date(2030, 1, 2, 9, 0, 0, 0, time.UTC)
	k.site("copy")
	k.event(object{"title": "Concert", "start_date": "2030-02-01 19:00", "end_date": "2030-02-01 21:00"})
	k.event(object{"title": "Choir", "start_date": "2030-02-05 19:00", "end_date": "2030-02-05 21:00", "recurrence": "FREQ=WEEKLY;COUNT=3"})
	uids := func(slug string) (list []string) {
		a := k.send(request{Method: "GET", Site: slug, Path: "/events.ics"})
		for line := range strings.SplitSeq(string(a.Raw), "\r\n") {
			if strings.HasPrefix(line, "UID:") {
				list = append(list, line)
			}
		}
		slices.Sort(list)
		return list
	}
	want := uids("demo")
	file := k.person("administrator").get("/admin/events/export").Body
	for _, when := range []string{"imported", "imported again"} {
		if report, refused := k.load("copy", file, false); report.Created == 0 || refused != nil {
			t.Fatalf("%s: %+v, refused %q", when, report, refused)
		}
		if got := uids("copy"); !slices.Equal(got, want) || len(got) != 2 {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
		for _, e := range listOf(k.send(request{Method: "GET", Site: "copy", Path: "/events?series=first"}).Body["events"]) {
			event, _ := e.(map[string]any)
			path := fmt.Sprintf("/events/%.0f?force=true&applies_to=all", event["id"])
			k.send(request{Method: "DELETE", As: "administrator", Site: "copy", Path: path}).want(t, http.StatusOK, "")
		}
	}
}

// TestCSVExportTames: no cell of an export begins as formulas do, and nothing of a
// protected event is in it.
func TestCSVExportTames(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	manifold(k)
	b := k.person("administrator")
	text := b.get("/admin/events/export?from=2029-01-01").Body
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	k.must(err)
	if len(rows) != 11 || strings.Contains(text, "Secret") || strings.Contains(text, "hidden words") {
		t.Errorf("%d rows\n%s", len(rows), text)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
				t.Errorf("a cell is %q", cell)
			}
		}
	}
	if !strings.Contains(text, `"'=HYPERLINK(""http://x.example"",""x"")"`) {
		t.Errorf("no formula as text in\n%s", text)
	}
}

// TestCSVExportFinds: an export has what the filters of the list find, a series whole
// though one of its dates alone was found, and once.
func TestCSVExportFinds(t *testing.T) {
	t.Parallel()
	k := standing(t)
	choir := weekly(k, nil)
	for n, title := range []string{"Concert in May", "Concert in June"} {
		k.patch(fmt.Sprint("/events/", datesOfSeries(k, choir)[n+3]), "administrator", object{"title": title}).want(t, http.StatusOK, "")
	}
	k.event(object{"title": "Alone"})
	k.event(object{"title": "Unfinished", "status": "draft"})
	b := k.person("administrator")
	for query, want := range map[string][]string{
		"":                                       {"Choir", "Concert in May", "Concert in June", "Alone", "Unfinished"},
		"?search=concert":                        {"Choir", "Concert in May", "Concert in June"},
		"?status=draft":                          {"Unfinished"},
		"?search=nothing":                        {},
		"?from=2030-02-26":                       {"Choir", "Concert in May", "Concert in June", "Alone", "Unfinished"},
		"?to=2029-12-01":                         {},
		fmt.Sprint("?series=", choir, "&page=9"): {"Choir", "Concert in May", "Concert in June"},
	} {
		rows, err := csv.NewReader(strings.NewReader(b.get("/admin/events/export" + query).Body)).ReadAll()
		k.must(err)
		got := []string{}
		for _, row := range rows[1:] {
			got = append(got, row[0])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if p := b.get("/admin/events/export?from=never"); p.Status != http.StatusSeeOther || p.Header.Get("Location") != "/admin/events?from=never" {
		t.Errorf("a wrong filter: %d %s", p.Status, p.Header.Get("Location"))
	}
	if p := b.get("/admin/events?search=concert"); !p.shows("/admin/events/export?search=concert") || !p.shows("format=excel&search=concert") {
		t.Errorf("the list doesn't lead to its export\n%s", p.Body)
	}
}

// TestCSVExportRights: an export has what its reader finds in lists, and where to take
// part only where that is told.
func TestCSVExportRights(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.site("other")
	k.event(object{"title": "Draft of another", "status": "draft"})
	k.event(object{"title": "Public", "attendance_mode": "online", "virtual_url": "https://x.example/live", "virtual_url_shown": "never",
		"venue": object{"venue": "Rough hall", "status": "draft"}})
	k.event(object{"title": "Guarded", "post_password": "pw"})
	k.send(request{Method: "POST", Path: "/events", Site: "other", As: "administrator", JSON: object{"title": "Elsewhere",
		"start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00"}}).want(t, http.StatusCreated, "")
	for role, want := range map[string][]string{"administrator": {"Draft of another", "Public", "/live"}, "editor": {"Draft of another", "Public", "/live"},
		"author": {"Public"}, "contributor": {"Public"}} {
		text := k.person(role).get("/admin/events/export").Body
		for _, word := range []string{"Draft of another", "Public", "/live", "Guarded", "Elsewhere", "Rough hall"} {
			if strings.Contains(text, word) != slices.Contains(want, word) {
				t.Errorf("%s: %q\n%s", role, word, text)
			}
		}
	}
	if p := k.person("subscriber").get("/admin/events/export"); p.Status == http.StatusOK {
		t.Errorf("a subscriber got\n%s", p.Body)
	}
	if p := k.browser().get("/admin/events/export"); p.Status != http.StatusSeeOther {
		t.Errorf("the public got %d\n%s", p.Status, p.Body)
	}
}

// TestSeriesAreDuplicated: a copy of a series repeats as it does; one of a date happens
// once, and has what the date has.
func TestSeriesAreDuplicated(t *testing.T) {
	t.Parallel()
	k := standing(t)
	choir := weekly(k, object{"venue": object{"venue": "Hall"}, "categories": []string{"Music"}})
	date := datesOfSeries(k, choir)[3]
	k.patch("/events/"+date, "administrator", object{"title": "Concert", "start_date": "2030-01-18 20:00:00", "end_date": "2030-01-18 22:00:00",
		"event_status": "postponed", "event_status_reason": "Ice"}).want(t, http.StatusOK, "")
	b := k.person("editor")
	copied := func(id any) answer {
		t.Helper()
		form := formAt(b.get(fmt.Sprint("/admin/events/new?copy=", id)), `<form class="editor"`)
		form.Set("status", "publish")
		form.Set("do", "save")
		if p := b.post("/admin/events/new", form); p.Status != http.StatusSeeOther {
			t.Fatalf("copy of %v: %d %s", id, p.Status, p.Body)
		}
		made := strings.TrimPrefix(strings.Split(b.page.Header.Get("Location"), "?")[0], "/admin/events/")
		return k.get("/events/"+made, "editor").want(t, http.StatusOK, "")
	}
	was, now := k.get(item("events", choir), "editor"), copied(choir)
	for _, name := range []string{"title", "start_date", "end_date", "timezone", "venue"} {
		if diff := cmp.Diff(bare(was.Body[name]), bare(now.Body[name])); diff != "" {
			t.Errorf("%s of the series (-was +copy):\n%s", name, diff)
		}
	}
	now.has(t, "categories.0.name", "Music")
	for _, name := range []string{"rrule", "rdate"} {
		if diff := cmp.Diff(was.at("recurrence."+name), now.at("recurrence."+name)); diff != "" {
			t.Errorf("%s (-was +copy):\n%s", name, diff)
		}
	}
	if len(listOf(now.at("recurrence.exceptions"))) != 0 {
		t.Errorf("the copy has dates of the other: %s", now)
	}
	one := copied(date)
	one.has(t, "title", "Concert", "start_date", "2030-01-18 20:00:00", "event_status", "postponed", "venue.venue", "Hall")
	if one.Body["series"] != nil || one.Body["recurrence"] != nil {
		t.Errorf("the copy of a date is of a series: %s", one)
	}
	if n := len(datesOfSeries(k, choir)); n == 0 {
		t.Error("the series lost its dates")
	}
}
