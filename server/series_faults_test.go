package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

// TestSeriesLimits: what is too much is refused in every language, with the number.
func TestSeriesLimits(t *testing.T) {
	t.Parallel()
	k := standing(t)
	dates := make([]string, 2001)
	for i := range dates {
		dates[i] = time.Date(2030, 1, 1, 19, 30, 0, 0, time.UTC).AddDate(0, 0, i).Format(wallForm)
	}
	numbers := func(to int) string {
		list := make([]string, to)
		for i := range list {
			list[i] = fmt.Sprint(i)
		}
		return strings.Join(list, ",")
	}
	for _, language := range walked {
		for name, c := range map[string]struct {
			recurrence object
			number     string
		}{
			"text":             {object{"rrule": "FREQ=WEEKLY;BYDAY=" + strings.Repeat("TH,", 2000) + "TH"}, "4096"},
			"dates":            {object{"rdate": dates}, "2000"},
			"dates left out":   {object{"rrule": "FREQ=DAILY", "exdate": dates}, "2000"},
			"a million a year": {object{"rrule": "FREQ=DAILY;BYHOUR=" + numbers(24) + ";BYMINUTE=" + numbers(60)}, "24"},
		} {
			a := k.send(request{Method: "POST", Path: "/events", As: "editor", Headers: map[string]string{"Accept-Language": language},
				JSON: object{"title": name, "start_date": "2029-12-06 19:30:00", "end_date": "2029-12-06 20:00:00", "recurrence": c.recurrence}})
			a.want(t, 400, "rest_invalid_param")
			digits := strings.NewReplacer(",", "", ".", "", "\u00a0", "", "\u202f", "", "٬", "").Replace(fmt.Sprint(a.Body["data"].(map[string]any)["params"]))
			if !strings.Contains(digits, c.number) {
				t.Errorf("%s, %s: %s doesn't say %s", language, name, digits, c.number)
			}
		}
	}
	if total := fmt.Sprint(k.get("/events?start_date=2029-01-01&end_date=2040-01-01", "").Body["total"]); total != "0" {
		t.Errorf("%s events are there", total)
	}
}

// TestSeriesExceptionsLimit: 5,000 dates of a series may differ from it, and not one more;
// those that differ can still be changed.
func TestSeriesExceptionsLimit(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := weekly(k, object{"recurrence": object{"rrule": "FREQ=DAILY"}})
	all := eachOf(happens(k, id, ""), "id")
	k.patch("/events/"+all[0], "editor", object{"title": "First"}).want(t, 200, "")
	if n := k.peek("demo", `
		WITH more AS (
			INSERT INTO events
			SELECT (jsonb_populate_record(e, jsonb_build_object('id', 1000000 + n, 'slug', 'choir/' || n,
			                                                    'original_start', e.original_start + n * interval '1 year'))).*
			FROM events e, generate_series(1, 4999) n
			WHERE e.site_id = $1
			  AND e.series_id IS NOT NULL
			RETURNING 1)
		SELECT count(*)::text FROM more`, k.sites["demo"].ID); n != "4999" {
		t.Fatalf("%s dates were made", n)
	}
	a := k.patch("/events/"+all[1], "editor", object{"title": "One more"}).want(t, 400, "rest_invalid_param")
	if text := fmt.Sprint(a.Body["data"].(map[string]any)["params"]); !strings.Contains(text, "5000") && !strings.Contains(text, "5,000") {
		t.Errorf("%s doesn't say how many", text)
	}
	k.patch("/events/"+all[0], "editor", object{"title": "Still"}).want(t, 200, "")
}

// TestSeriesAtOnce: somebody edits an occurrence while somebody else changes the rule.
// Both changes are there in the end, whoever comes first; with If-Match the second one
// is told.
func TestSeriesAtOnce(t *testing.T) {
	t.Parallel()
	k := standing(t)
	node := k.twin()
	id := weekly(k, nil)
	all := happens(k, id, "")
	for n := range 10 {
		one := fmt.Sprintf("/events/%v", all[n]["id"])
		title := fmt.Sprintf("Concert %d", n)
		done := make(chan answer)
		go func() { done <- k.patch(one, "editor", object{"title": title}) }()
		rule := []string{"FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", "FREQ=WEEKLY;BYDAY=TH"}[n%2]
		other := node.patch(item("events", id), "editor", object{"recurrence": object{"rrule": rule, "exdate": []string{"2030-01-03"}}})
		other.want(t, 200, "")
		(<-done).want(t, 200, "")
		got := node.get(one, "").want(t, 200, "").Body
		if got["title"] != title || got["start_date"] != all[n]["start_date"] {
			t.Fatalf("%s: %v at %v", one, got["title"], got["start_date"])
		}
	}
	if got := eachOf(happens(k, id, ""), "title"); !slices.Contains(got, "Concert 0") || !slices.Contains(got, "Choir") {
		t.Errorf("titles %v", got)
	}
	// One after the other, both having read the same.
	one := fmt.Sprintf("/events/%v", all[11]["id"])
	tags := map[string]string{}
	for _, path := range []string{one, item("events", id)} {
		tags[path] = k.get(path, "editor").want(t, 200, "").Header.Get("ETag")
	}
	change := func(path string, body object) answer {
		return k.send(request{Method: "PATCH", Path: path, As: "editor", JSON: body, Headers: map[string]string{"If-Match": tags[path]}})
	}
	change(item("events", id), object{"title": "Chorus"}).want(t, 200, "")
	change(item("events", id), object{"title": "Chorus again"}).want(t, 412, "rest_precondition_failed")
	change(one, object{"title": "Late"}).want(t, 412, "rest_precondition_failed")
}

// TestSeriesIDsGo: what is gone is not found, by whatever way it went, and neither is it
// when its series is gone.
func TestSeriesIDsGo(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := weekly(k, nil)
	all := happens(k, id, "")
	paths := make([]string, len(all))
	for i, one := range all {
		paths[i] = fmt.Sprintf("/events/%v", one["id"])
	}
	gone := func(what string, list []string) {
		t.Helper()
		for _, path := range list {
			if a := k.get(path, "editor"); a.Status != 404 {
				t.Errorf("%s: %s is %s", what, path, a)
			}
			if a := k.patch(path, "editor", object{"title": "Late"}); a.Status != 404 && a.Status != 410 {
				t.Errorf("%s: a change of %s is %s", what, path, a)
			}
		}
	}
	k.del(paths[1], "editor").want(t, 200, "")
	gone("taken out", paths[1:2])
	k.patch(item("events", id), "editor", object{"recurrence": object{"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;COUNT=8"}}).want(t, 200, "")
	gone("given no more", paths[8:])
	k.patch(item("events", id), "editor", object{"recurrence": nil}).want(t, 200, "")
	gone("a single event now", paths)
	if e := k.get(item("events", id), "").want(t, 200, "").Body; e["start_date"] != "2029-12-06 19:30:00" {
		t.Errorf("the event is at %v", e["start_date"])
	}
	k.patch(item("events", id), "editor", object{"recurrence": object{"rrule": "FREQ=WEEKLY;COUNT=2"}}).want(t, 200, "")
	again := happens(k, id, "")
	if len(again) != 2 {
		t.Errorf("a series again, it has %d", len(again))
	}
	k.del(item("events", id), "editor").want(t, 200, "")
	k.patch(fmt.Sprintf("/events/%v", again[0]["id"]), "editor", object{"title": "Late"}).want(t, 410, "event-is-in-trash")
	k.del(item("events", id)+"?force=true", "administrator").want(t, 200, "")
	gone("the series deleted", []string{fmt.Sprintf("/events/%v", again[0]["id"]), item("events", id)})
}

// TestSeriesKilled kills Postgres while it stores the 3,650 occurrences of a series, or
// moves them: all of it is there afterwards, or nothing.
func TestSeriesKilled(t *testing.T) {
	t.Parallel()
	cluster := storagetest.Cluster(t)
	if err := migrations.Up(t.Context(), cluster.URL()); err != nil {
		t.Fatal(err)
	}
	k := newKitOn(t, cluster.URL())
	daily := object{"title": "Daily", "start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00", "recurrence": object{"rrule": "FREQ=DAILY"}}
	id := k.made("/events", daily)
	count := k.peek("demo", `SELECT count(*)::text FROM occurrences`)
	for round := range 4 {
		hour := 11 + round
		done := make(chan answer)
		go func() {
			if round%2 == 0 {
				done <- k.patch(item("events", id), "administrator", object{"start_date": fmt.Sprintf("2030-03-01 %d:00:00", hour),
					"end_date": fmt.Sprintf("2030-03-01 %d:00:00", hour+2)})
				return
			}
			done <- k.post("/events", "administrator", daily)
		}()
		time.Sleep(time.Duration(10+40*round) * time.Millisecond)
		cluster.Kill9()
		<-done
		cluster.Restart()
		storagetest.Until(t, "reads after the return", func() bool { return k.get(item("events", id), "").Status == 200 })
		storagetest.Until(t, "a look past the service", func() bool { return k.owner().Ping(t.Context()) == nil })
		each := k.peek("demo", `SELECT COALESCE(string_agg(DISTINCT n || ' at ' || hours, ', '), '') FROM (
			SELECT count(*) AS n, count(DISTINCT start_local::time) AS hours FROM occurrences GROUP BY event_id) x`)
		if each != count+" at 1" {
			t.Errorf("round %d: series have %s, want %s each", round, each, count)
		}
		if wrong := k.peek("demo", wrongDays, k.sites["demo"].ID); wrong != "0" {
			t.Errorf("round %d: %s days are counted wrong", round, wrong)
		}
	}
}

// TestSeriesYearsLater moves the clock on by years, of which nobody wrote anything.
func TestSeriesYearsLater(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.clock = time.Date(2029, 11, 1, 0, 0, 0, 0, time.UTC)
	id := weekly(k, nil)
	before := happens(k, id, "")
	for _, years := range []int{3, 25} {
		k.clock = time.Date(2029+years, 11, 1, 0, 0, 0, 0, time.UTC)
		for range 5 {
			_, err := k.db.PublishDue(t.Context(), k.clock)
			k.must(err)
		}
		day := fmt.Sprintf("%d-10-01", 2029+years+10)
		a := k.get(fmt.Sprintf("/events/%d/occurrences?start_date=%s&end_date=%d-10-28", id, day, 2029+years+10), "").want(t, 200, "")
		if total := fmt.Sprint(a.Body["total"]); total != "2" {
			t.Errorf("%d years later October in ten years has %s", years, total)
		}
		if wrong := k.peek("demo", wrongDays, k.sites["demo"].ID); wrong != "0" {
			t.Errorf("%s days are counted wrong", wrong)
		}
	}
	if got := eachOf(happens(k, id, ""), "id"); !slices.Equal(got, eachOf(before, "id")) {
		t.Errorf("ids are %v, were %v", got, eachOf(before, "id"))
	}
}
