package rest

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/test/kit"
)

// load imports a file into a site as its administrator, and returns what became of it and which entries were refused.
func load(k *kit.Kit, slug, file string, dry bool) (counts string, refused []string) {
	k.T.Helper()
	r := k.Import(kit.Sent{Name: "events", File: file, Site: slug, As: "administrator", Fields: map[string]string{"dry_run": fmt.Sprint(dry)}})
	for _, e := range r.Entries {
		if e["result"] == "refused" {
			refused = append(refused, fmt.Sprint(e["line"], " ", e["problems"]))
		}
	}
	for _, c := range kit.ListOf(r.Body["columns"]) {
		if column, _ := c.(map[string]any); column["known"] == false {
			k.T.Errorf("unknown column %v", column)
		}
	}
	return r.Counts(), refused
}

// manifold fills the demo site with every kind of event.
func manifold(k *kit.Kit) {
	hall := kit.Object{"venue": "Hall, “große”", "address": "Weg &lt;b&gt; &amp;amp; 1", "city": "Bonn &lt;i&gt;", "country": "Germany", "province": "NRW", "zip": "53111",
		"phone": "+49 228 1", "website": "https://hall.example/", "geo_lat": -50.5, "geo_lng": 7.25}
	k.Event(kit.Object{"title": "=HYPERLINK(\"http://x.example\",\"x\")", "start_date": "2030-03-02 10:00:00", "end_date": "2030-03-02 11:00:05",
		"description": "<p>One\nTwo, \"three\"</p>", "excerpt": "-1", "venue": hall, "website": "https://x.example/a",
		"organizer":  []any{kit.Object{"organizer": "Ann, B & Co", "email": "a@example.org", "phone": "1 &lt;b&gt;"}, kit.Object{"organizer": "12"}},
		"categories": []any{"Music, classical"}, "tags": []any{"'=x", "a \"b\""}, "featured": true, "show_map": true,
		"tickets": []any{kit.Object{"name": "Seat &amp;amp;", "price": 5.5, "currency": "EUR", "url": "https://x.example/t"}}})
	k.Event(kit.Object{"title": "Tom &amp; Jerry &amp;lt;b&amp;gt;", "all_day": true, "start_date": "2030-03-03", "end_date": "2030-03-04", "status": "draft"})
	k.Event(kit.Object{"title": "Far", "timezone": "America/New_York", "start_date": "2030-03-05 20:00:00", "end_date": "2030-03-06 02:00:00",
		"status": "private", "cost": "12,50 €", "attendance_mode": "mixed", "virtual_url": "https://x.example/live", "virtual_url_shown": "never"})
	k.Event(kit.Object{"title": "Later", "date": "2031-01-01 10:00:00", "slug": "another-name", "event_status": "postponed", "event_status_reason": "Ice",
		"hide_from_listings": true, "start_date": "2031-03-05 20:00:00", "end_date": "2031-03-05 22:00:00"})
	k.Event(kit.Object{"title": "Secret", "post_password": "pw", "description": "hidden words"})
	choir := k.Event(kit.Object{"title": "Choir", "start_date": "2030-03-05 19:30:00", "end_date": "2030-03-05 21:30:00", "venue": hall,
		"description": "Sing.", "categories": []any{"Music, classical"},
		"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=TU;UNTIL=20300430T173000Z", "rdate": []any{"2030-03-07 10:00:00"},
			"exdate": []any{"2030-03-19 19:30:00"}}})
	dates := datesOfSeries(k, choir)
	k.Patch(fmt.Sprint("/events/", dates[0]), "administrator", kit.Object{"event_status": "cancelled", "event_status_reason": "Flu"}).Want(k.T, http.StatusOK, "")
	k.Patch(fmt.Sprint("/events/", dates[2]), "administrator", kit.Object{"start_date": "2030-03-13 20:00:00", "end_date": "2030-03-13 23:00:00",
		"title": "Choir abroad", "venue": nil, "categories": []any{}, "description": nil}).Want(k.T, http.StatusOK, "")
	k.Del(fmt.Sprint("/events/", dates[4]), "administrator")
	k.Event(kit.Object{"title": "Two rules", "timezone": "Asia/Tokyo", "start_date": "2030-03-01 09:00:00", "end_date": "2030-03-01 10:00:00",
		"recurrence": kit.Object{"rrule": []any{"FREQ=MONTHLY;COUNT=5", "FREQ=WEEKLY;BYDAY=FR;COUNT=6"}}})
	days := k.Event(kit.Object{"title": "Fair", "all_day": true, "start_date": "2030-06-01", "end_date": "2030-06-02",
		"recurrence": kit.Object{"rrule": "FREQ=MONTHLY;COUNT=4", "exdate": []any{"2030-06-01"}}})
	k.Patch(fmt.Sprint("/events/", datesOfSeries(k, days)[0]), "administrator", kit.Object{"end_date": "2030-07-03"}).Want(k.T, http.StatusOK, "")
}

// datesOfSeries returns the ids of the first occurrences of a series.
func datesOfSeries(k *kit.Kit, id int64) (list []string) {
	k.T.Helper()
	a := k.Get(fmt.Sprintf("/events/%d/occurrences?per_page=50&start_date=2029-01-01&end_date=2035-01-01", id), "administrator")
	for _, e := range kit.ListOf(a.Body["events"]) {
		event, _ := e.(map[string]any)
		list = append(list, fmt.Sprintf("%.0f", event["id"]))
	}
	return list
}

// TestCSVRoundTrip: what is exported and imported into another site is the same events,
// series and dates that differ, as both sites tell them.
func TestCSVRoundTrip(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 1, 2, 9, 0, 0, 0, time.UTC)
	k.Site("copy")
	manifold(k)
	b := k.Person("administrator")
	for _, format := range []string{"", "?format=excel"} {
		p := b.Get("/admin/events/export" + format)
		if p.Status != http.StatusOK || strings.HasPrefix(p.Body, "\uFEFF") != (format != "") {
			t.Fatalf("%s: %d %.40q", format, p.Status, p.Body)
		}
		want := "read 10, created 9, cancelled 1"
		if format != "" {
			want = "read 10, same 10"
		}
		for _, dry := range []bool{true, false} {
			if got, refused := load(k, "copy", p.Body, dry); got != want || refused != nil {
				t.Fatalf("%s dry %v: %s, refused %q\n%s", format, dry, got, refused, p.Body)
			}
		}
		demo := slices.DeleteFunc(k.EventSnapshot("demo"), func(v any) bool { return v.(map[string]any)["title"] == "Secret" })
		if diff := cmp.Diff(demo, k.EventSnapshot("copy")); diff != "" || len(demo) < 20 {
			t.Errorf("%s: %d entries (-demo +copy):\n%s", format, len(demo), diff)
		}
	}
	changed := strings.NewReplacer("12,50 €", "14 €", "Two rules", "Three rules", "Choir abroad", "Choir at home").Replace(b.Get("/admin/events/export").Body)
	before := k.EventSnapshot("copy")
	for _, want := range []string{"read 10, changed 3, same 7", "read 10, same 10"} {
		if got, refused := load(k, "copy", changed, false); got != want || refused != nil {
			t.Errorf("changed in a spreadsheet: %s, refused %q", got, refused)
		}
	}
	if after := k.EventSnapshot("copy"); len(after) != len(before) {
		t.Errorf("%d entries became %d", len(before), len(after))
	}
	const now = `SELECT count(*)::text FROM events WHERE site_id = $1 AND (title IN ('Three rules', 'Choir at home') OR cost::text LIKE '%14%')`
	if n := k.Peek("copy", now, k.Sites["copy"].ID); n != "3" {
		t.Errorf("%s events are as the file has them", n)
	}
}

// TestCSVKeepsUID: calendars know what was imported by the names that they had for it,
// and what was deleted and imported again by one.
func TestCSVKeepsUID(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 1, 2, 9, 0, 0, 0, time.UTC)
	k.Site("copy")
	k.Event(kit.Object{"title": "Concert", "start_date": "2030-02-01 19:00", "end_date": "2030-02-01 21:00"})
	k.Event(kit.Object{"title": "Choir", "start_date": "2030-02-05 19:00", "end_date": "2030-02-05 21:00", "recurrence": "FREQ=WEEKLY;COUNT=3"})
	uids := func(slug string) (list []string) {
		a := k.Send(kit.Request{Method: "GET", Site: slug, Path: "/events.ics"})
		for line := range strings.SplitSeq(string(a.Raw), "\r\n") {
			if strings.HasPrefix(line, "UID:") {
				list = append(list, line)
			}
		}
		slices.Sort(list)
		return list
	}
	want := uids("demo")
	file := k.Person("administrator").Get("/admin/events/export").Body
	for _, when := range []string{"imported", "imported again"} {
		if counts, refused := load(k, "copy", file, false); counts != "read 2, created 2" || refused != nil {
			t.Fatalf("%s: %s, refused %q", when, counts, refused)
		}
		if got := uids("copy"); !slices.Equal(got, want) || len(got) != 2 {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
		for _, e := range kit.ListOf(k.Send(kit.Request{Method: "GET", Site: "copy", Path: "/events?series=first"}).Body["events"]) {
			event, _ := e.(map[string]any)
			path := fmt.Sprintf("/events/%.0f?force=true&applies_to=all", event["id"])
			k.Send(kit.Request{Method: "DELETE", As: "administrator", Site: "copy", Path: path}).Want(t, http.StatusOK, "")
		}
	}
}

// TestCSVExportTames: no cell of an export begins as formulas do, and nothing of a
// protected event is in it.
func TestCSVExportTames(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	manifold(k)
	b := k.Person("administrator")
	text := b.Get("/admin/events/export?from=2029-01-01").Body
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	k.Must(err)
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
	k := kit.NewWithFixedClock(t)
	choir := kit.Weekly(k, nil)
	for n, title := range []string{"Concert in May", "Concert in June"} {
		k.Patch(fmt.Sprint("/events/", datesOfSeries(k, choir)[n+3]), "administrator", kit.Object{"title": title}).Want(t, http.StatusOK, "")
	}
	k.Event(kit.Object{"title": "Alone"})
	k.Event(kit.Object{"title": "Unfinished", "status": "draft"})
	b := k.Person("administrator")
	for query, want := range map[string][]string{
		"":                                       {"Choir", "Concert in May", "Concert in June", "Alone", "Unfinished"},
		"?search=concert":                        {"Choir", "Concert in May", "Concert in June"},
		"?status=draft":                          {"Unfinished"},
		"?search=nothing":                        {},
		"?from=2030-02-26":                       {"Choir", "Concert in May", "Concert in June", "Alone", "Unfinished"},
		"?to=2029-12-01":                         {},
		fmt.Sprint("?series=", choir, "&page=9"): {"Choir", "Concert in May", "Concert in June"},
	} {
		rows, err := csv.NewReader(strings.NewReader(b.Get("/admin/events/export" + query).Body)).ReadAll()
		k.Must(err)
		got := []string{}
		for _, row := range rows[1:] {
			got = append(got, row[0])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if p := b.Get("/admin/events/export?from=never"); p.Status != http.StatusSeeOther || p.Header.Get("Location") != "/admin/events?from=never" {
		t.Errorf("a wrong filter: %d %s", p.Status, p.Header.Get("Location"))
	}
	if p := b.Get("/admin/events?search=concert"); !p.Shows("/admin/events/export?search=concert") || !p.Shows("format=excel&search=concert") {
		t.Errorf("the list doesn't lead to its export\n%s", p.Body)
	}
	for filter, programme := range map[string]bool{"": true, "?search=concert&sort=title": true, fmt.Sprint("?series=", choir): false} {
		kept, _, _ := strings.Cut(filter, "&sort")
		if p := b.Get("/admin/events" + filter); p.Shows(`href="/events/programme/`+kept+`"`) != programme || !p.Shows("/admin/events/export") {
			t.Errorf("the list %q leads to another programme", filter)
		}
	}
}

// TestCSVExportRights: an export has what its reader finds in lists, and where to take
// part only where that is told.
func TestCSVExportRights(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("other")
	k.Event(kit.Object{"title": "Draft of another", "status": "draft"})
	k.Event(kit.Object{"title": "Public", "attendance_mode": "online", "virtual_url": "https://x.example/live", "virtual_url_shown": "never",
		"venue": kit.Object{"venue": "Rough hall", "status": "draft"}})
	k.Event(kit.Object{"title": "Guarded", "post_password": "pw"})
	k.Send(kit.Request{Method: "POST", Path: "/events", Site: "other", As: "administrator", JSON: kit.Object{"title": "Elsewhere",
		"start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00"}}).Want(t, http.StatusCreated, "")
	for role, want := range map[string][]string{"administrator": {"Draft of another", "Public", "/live"}, "editor": {"Draft of another", "Public", "/live"},
		"author": {"Public"}, "contributor": {"Public"}} {
		text := k.Person(role).Get("/admin/events/export").Body
		for _, word := range []string{"Draft of another", "Public", "/live", "Guarded", "Elsewhere", "Rough hall"} {
			if strings.Contains(text, word) != slices.Contains(want, word) {
				t.Errorf("%s: %q\n%s", role, word, text)
			}
		}
	}
	if p := k.Person("subscriber").Get("/admin/events/export"); p.Status == http.StatusOK {
		t.Errorf("a subscriber got\n%s", p.Body)
	}
	if p := k.Browser().Get("/admin/events/export"); p.Status != http.StatusSeeOther {
		t.Errorf("the public got %d\n%s", p.Status, p.Body)
	}
}

// TestSeriesAreDuplicated: a copy of a series repeats as it does; one of a date happens
// once, and has what the date has.
func TestSeriesAreDuplicated(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	choir := kit.Weekly(k, kit.Object{"venue": kit.Object{"venue": "Hall"}, "categories": []string{"Music"}})
	date := datesOfSeries(k, choir)[3]
	k.Patch("/events/"+date, "administrator", kit.Object{"title": "Concert", "start_date": "2030-01-18 20:00:00", "end_date": "2030-01-18 22:00:00",
		"event_status": "postponed", "event_status_reason": "Ice"}).Want(t, http.StatusOK, "")
	b := k.Person("editor")
	copied := func(id any) kit.Answer {
		t.Helper()
		form := kit.FormAt(b.Get(fmt.Sprint("/admin/events/new?copy=", id)), `<form class="editor"`)
		form.Set("status", "publish")
		form.Set("do", "save")
		if p := b.Post("/admin/events/new", form); p.Status == http.StatusUnprocessableEntity { // it is there already, and meant
			form = kit.FormAt(p, `<form class="editor"`)
			form.Set("status", "publish")
			form.Set("do", "save")
			b.Post("/admin/events/new", form)
		}
		if p := b.Page; p.Status != http.StatusSeeOther {
			t.Fatalf("copy of %v: %d %s", id, p.Status, p.Body)
		}
		made := strings.TrimPrefix(strings.Split(b.Page.Header.Get("Location"), "?")[0], "/admin/events/")
		return k.Get("/events/"+made, "editor").Want(t, http.StatusOK, "")
	}
	was, now := k.Get(kit.Item("events", choir), "editor"), copied(choir)
	for _, name := range []string{"title", "start_date", "end_date", "timezone", "venue"} {
		if diff := cmp.Diff(kit.WithoutIdentity(was.Body[name]), kit.WithoutIdentity(now.Body[name])); diff != "" {
			t.Errorf("%s of the series (-was +copy):\n%s", name, diff)
		}
	}
	now.Has(t, "categories.0.name", "Music")
	for _, name := range []string{"rrule", "rdate"} {
		if diff := cmp.Diff(was.At("recurrence."+name), now.At("recurrence."+name)); diff != "" {
			t.Errorf("%s (-was +copy):\n%s", name, diff)
		}
	}
	if len(kit.ListOf(now.At("recurrence.exceptions"))) != 0 {
		t.Errorf("the copy has dates of the other: %s", now)
	}
	one := copied(date)
	one.Has(t, "title", "Concert", "start_date", "2030-02-22 20:00:00", "venue.venue", "Hall") // the next Friday
	if one.Body["series"] != nil || one.Body["recurrence"] != nil || one.Body["event_status"] != nil {
		t.Errorf("the copy of a date is of a series, or does not take place as planned: %s", one)
	}
	if n := len(datesOfSeries(k, choir)); n == 0 {
		t.Error("the series lost its dates")
	}
}
