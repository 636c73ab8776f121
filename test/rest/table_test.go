package rest

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/test/kit"
)

// TestTableRoundTrip: a table of the interface, imported into an empty site, gives the same events, series and dates that
// differ, as both sites tell them.
func TestTableRoundTrip(t *testing.T) {
	t.Parallel()
	for suffix, kind := range map[string]string{"csv": "text/csv; charset=utf-8", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"} {
		t.Run(suffix, func(t *testing.T) {
			t.Parallel()
			k := kit.New(t)
			k.Clock = time.Date(2030, 1, 2, 9, 0, 0, 0, time.UTC)
			manifold(k)
			k.Site("copy")
			a := k.Get("/events."+suffix+"?start_date=2029-01-01&end_date=2040-01-01&status=publish,future,draft,pending,private", "administrator")
			if a.Status != http.StatusOK || a.Header.Get("Content-Type") != kind || !strings.Contains(a.Header.Get("Content-Disposition"), "events."+suffix) {
				t.Fatalf("%d %v", a.Status, a.Header)
			}
			const want = "read 9, created 8, cancelled 1"
			for _, dry := range []bool{true, false} {
				if got, refused := load(k, "copy", string(a.Raw), dry); got != want || refused != nil {
					t.Fatalf("dry %v: %s, refused %q", dry, got, refused)
				}
			}
			demo := slices.DeleteFunc(k.EventSnapshot("demo"), func(v any) bool { // without those of no list
				title := v.(map[string]any)["title"]
				return title == "Secret" || title == "Later"
			})
			if diff := cmp.Diff(demo, k.EventSnapshot("copy")); diff != "" || len(demo) < 20 {
				t.Errorf("%d entries (-demo +copy):\n%s", len(demo), diff)
			}
		})
	}
}

// TestTables: tables have the filters of the list, and what their reader may see.
func TestTables(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2030, 1, 2, 9, 0, 0, 0, time.UTC)
	k.Event(kit.Object{"title": "Concert", "start_date": "2030-02-01 19:00", "end_date": "2030-02-01 21:00", "categories": []any{"Music"}})
	k.Event(kit.Object{"title": "Draft", "status": "draft", "start_date": "2030-02-02 19:00", "end_date": "2030-02-02 21:00"})
	k.Event(kit.Object{"title": "Secret", "post_password": "pw", "start_date": "2030-02-03 19:00", "end_date": "2030-02-03 21:00"})
	k.Event(kit.Object{"title": "Over", "start_date": "2029-02-01 19:00", "end_date": "2029-02-01 21:00"})
	choir := k.Event(kit.Object{"title": "Choir", "start_date": "2030-03-05 19:30", "end_date": "2030-03-05 21:30", "recurrence": "FREQ=WEEKLY;COUNT=3"})
	date := datesOfSeries(k, choir)[1]
	k.Patch("/events/"+date, "administrator", kit.Object{"title": "Choir abroad"}).Want(t, http.StatusOK, "")
	for path, want := range map[string][]string{
		"/events.csv":                                              {"Concert", "Choir", "Choir abroad"},
		"/events.csv?categories=music":                             {"Concert"},
		"/events.csv?start_date=2030-03-01":                        {"Choir", "Choir abroad"},
		"/events.csv?include=" + date:                              {"Choir abroad"},
		"/events.csv?start_date=2029-01-01&ends_before=2030-01-01": {"Over"},
		"/events.csv?search=nothing":                               nil,
	} {
		for _, root := range []string{"", "public"} {
			a := k.Get(path, "")
			if root != "" {
				a = k.Look(path)
			}
			var got []string
			table, err := reading.Read(a.Raw, reading.Options{Zone: time.UTC})
			if err != nil {
				t.Fatalf("%s %s: %v of %d %.300s", root, path, err, a.Status, a.Raw)
			}
			for e := range table.Entries {
				got = append(got, e.Title)
			}
			if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
				t.Errorf("%s %s: %q, want %q", root, path, got, want)
			}
		}
	}
	for _, path := range []string{"/events.csv", "/events.xlsx"} {
		tag := k.Look(path).Header.Get("ETag")
		if a := k.Look(path, "If-None-Match", tag); tag == "" || a.Status != http.StatusNotModified {
			t.Errorf("%s again: %d with the tag %q", path, a.Status, tag)
		}
		k.Get(path+"?status=draft", "").Want(t, http.StatusBadRequest, "rest_invalid_param")
	}
	for _, link := range []string{`href="/events.csv"`, `href="/events.xlsx"`} {
		if page := string(k.Look("/events/").Raw); !strings.Contains(page, link) {
			t.Errorf("no %s in the page of the list", link)
		}
	}
}
