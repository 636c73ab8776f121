package rest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

// TestSeriesLimits: what is too much is refused in every language, with the number.
func TestSeriesLimits(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	dates := make([]string, 2001)
	for i := range dates {
		dates[i] = time.Date(2030, 1, 1, 19, 30, 0, 0, time.UTC).AddDate(0, 0, i).Format(kit.WallForm)
	}
	numbers := func(to int) string {
		list := make([]string, to)
		for i := range list {
			list[i] = fmt.Sprint(i)
		}
		return strings.Join(list, ",")
	}
	for _, language := range kit.Walked {
		for name, c := range map[string]struct {
			recurrence kit.Object
			number     string
		}{
			"text":             {kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=" + strings.Repeat("TH,", 2000) + "TH"}, "4096"},
			"dates":            {kit.Object{"rdate": dates}, "2000"},
			"dates left out":   {kit.Object{"rrule": "FREQ=DAILY", "exdate": dates}, "2000"},
			"a million a year": {kit.Object{"rrule": "FREQ=DAILY;BYHOUR=" + numbers(24) + ";BYMINUTE=" + numbers(60)}, "24"},
		} {
			a := k.Send(kit.Request{Method: "POST", Path: "/events", As: "editor", Headers: map[string]string{"Accept-Language": language},
				JSON: kit.Object{"title": name, "start_date": "2029-12-06 19:30:00", "end_date": "2029-12-06 20:00:00", "recurrence": c.recurrence}})
			a.Want(t, 400, "rest_invalid_param")
			digits := strings.NewReplacer(",", "", ".", "", "\u00a0", "", "\u202f", "", "٬", "").Replace(fmt.Sprint(a.Body["data"].(map[string]any)["params"]))
			if !strings.Contains(digits, c.number) {
				t.Errorf("%s, %s: %s doesn't say %s", language, name, digits, c.number)
			}
		}
	}
	if total := fmt.Sprint(k.Get("/events?start_date=2029-01-01&end_date=2040-01-01", "").Body["total"]); total != "0" {
		t.Errorf("%s events are there", total)
	}
}

// TestSeriesExceptionsLimit: 5,000 dates of a series may differ from it, and not one more;
// those that differ can still be changed.
func TestSeriesExceptionsLimit(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := kit.Weekly(k, kit.Object{"recurrence": kit.Object{"rrule": "FREQ=DAILY"}})
	all := kit.EachOf(kit.Happens(k, id, ""), "id")
	k.Patch("/events/"+all[0], "editor", kit.Object{"title": "First"}).Want(t, 200, "")
	if n := k.Peek("demo", `
		WITH more AS (
			INSERT INTO events
			SELECT (jsonb_populate_record(e, jsonb_build_object('id', 1000000 + n, 'slug', 'choir/' || n,
			                                                    'original_start', e.original_start + n * interval '1 year'))).*
			FROM events e, generate_series(1, 4999) n
			WHERE e.site_id = $1
			  AND e.series_id IS NOT NULL
			RETURNING 1)
		SELECT count(*)::text FROM more`, k.Sites["demo"].ID); n != "4999" {
		t.Fatalf("%s dates were made", n)
	}
	k.Exec("ANALYZE events") // as it happens by itself within seconds wherever people run it
	a := k.Patch("/events/"+all[1], "editor", kit.Object{"title": "One more"}).Want(t, 400, "rest_invalid_param")
	if text := fmt.Sprint(a.Body["data"].(map[string]any)["params"]); !strings.Contains(text, "5000") && !strings.Contains(text, "5,000") {
		t.Errorf("%s doesn't say how many", text)
	}
	k.Patch("/events/"+all[0], "editor", kit.Object{"title": "Still"}).Want(t, 200, "")
}

// TestSeriesAtOnce: somebody edits an occurrence while somebody else changes the rule.
// Both changes are there in the end, whoever comes first; with If-Match the second one
// is told.
func TestSeriesAtOnce(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	node := k.SecondNode()
	id := kit.Weekly(k, nil)
	all := kit.Happens(k, id, "")
	for n := range 10 {
		one := fmt.Sprintf("/events/%v", all[n]["id"])
		title := fmt.Sprintf("Concert %d", n)
		done := make(chan kit.Answer)
		go func() { done <- k.Patch(one, "editor", kit.Object{"title": title}) }()
		rule := []string{"FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", "FREQ=WEEKLY;BYDAY=TH"}[n%2]
		other := node.Patch(kit.Item("events", id), "editor", kit.Object{"recurrence": kit.Object{"rrule": rule, "exdate": []string{"2030-01-03"}}})
		other.Want(t, 200, "")
		(<-done).Want(t, 200, "")
		got := node.Get(one, "").Want(t, 200, "").Body
		if got["title"] != title || got["start_date"] != all[n]["start_date"] {
			t.Fatalf("%s: %v at %v", one, got["title"], got["start_date"])
		}
	}
	if got := kit.EachOf(kit.Happens(k, id, ""), "title"); !slices.Contains(got, "Concert 0") || !slices.Contains(got, "Choir") {
		t.Errorf("titles %v", got)
	}
	// One after the other, both having read the same.
	one := fmt.Sprintf("/events/%v", all[11]["id"])
	tags := map[string]string{}
	for _, path := range []string{one, kit.Item("events", id)} {
		tags[path] = k.Get(path, "editor").Want(t, 200, "").Header.Get("ETag")
	}
	change := func(path string, body kit.Object) kit.Answer {
		return k.Send(kit.Request{Method: "PATCH", Path: path, As: "editor", JSON: body, Headers: map[string]string{"If-Match": tags[path]}})
	}
	change(kit.Item("events", id), kit.Object{"title": "Chorus"}).Want(t, 200, "")
	change(kit.Item("events", id), kit.Object{"title": "Chorus again"}).Want(t, 412, "rest_precondition_failed")
	change(one, kit.Object{"title": "Late"}).Want(t, 412, "rest_precondition_failed")
}

// TestSeriesIDsGo: what is gone is not found, by whatever way it went, and neither is it
// when its series is gone.
func TestSeriesIDsGo(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := kit.Weekly(k, nil)
	all := kit.Happens(k, id, "")
	paths := make([]string, len(all))
	for i, one := range all {
		paths[i] = fmt.Sprintf("/events/%v", one["id"])
	}
	gone := func(what string, list []string) {
		t.Helper()
		for _, path := range list {
			if a := k.Get(path, "editor"); a.Status != 404 {
				t.Errorf("%s: %s is %s", what, path, a)
			}
			if a := k.Patch(path, "editor", kit.Object{"title": "Late"}); a.Status != 404 && a.Status != 410 {
				t.Errorf("%s: a change of %s is %s", what, path, a)
			}
		}
	}
	k.Del(paths[1], "editor").Want(t, 200, "")
	gone("taken out", paths[1:2])
	k.Patch(kit.Item("events", id), "editor", kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;COUNT=8"}}).Want(t, 200, "")
	gone("given no more", paths[8:])
	k.Patch(kit.Item("events", id), "editor", kit.Object{"recurrence": nil}).Want(t, 200, "")
	gone("a single event now", paths)
	if e := k.Get(kit.Item("events", id), "").Want(t, 200, "").Body; e["start_date"] != "2029-12-06 19:30:00" {
		t.Errorf("the event is at %v", e["start_date"])
	}
	k.Patch(kit.Item("events", id), "editor", kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=2"}}).Want(t, 200, "")
	again := kit.Happens(k, id, "")
	if len(again) != 2 {
		t.Errorf("a series again, it has %d", len(again))
	}
	k.Del(kit.Item("events", id), "editor").Want(t, 200, "")
	k.Patch(fmt.Sprintf("/events/%v", again[0]["id"]), "editor", kit.Object{"title": "Late"}).Want(t, 410, "event-is-in-trash")
	k.Del(kit.Item("events", id)+"?force=true", "administrator").Want(t, 200, "")
	gone("the series deleted", []string{fmt.Sprintf("/events/%v", again[0]["id"]), kit.Item("events", id)})
}

// TestSeriesKilled kills Postgres while it stores the 3,650 occurrences of a series, or
// moves them: all of it is there afterwards, or nothing.
func TestSeriesKilled(t *testing.T) {
	t.Parallel()
	cluster := storagetest.Cluster(t)
	if err := migrations.Up(t.Context(), cluster.URL()); err != nil {
		t.Fatal(err)
	}
	k := kit.NewOn(t, cluster.URL())
	daily := kit.Object{"title": "Daily", "start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00", "recurrence": kit.Object{"rrule": "FREQ=DAILY"}}
	id := k.Made("/events", daily)
	count := k.Peek("demo", `SELECT count(*)::text FROM occurrences`)
	for round := range 4 {
		hour := 11 + round
		done := make(chan kit.Answer)
		go func() {
			if round%2 == 0 {
				done <- k.Patch(kit.Item("events", id), "administrator", kit.Object{"start_date": fmt.Sprintf("2030-03-01 %d:00:00", hour),
					"end_date": fmt.Sprintf("2030-03-01 %d:00:00", hour+2)})
				return
			}
			done <- k.Post("/events", "administrator", daily)
		}()
		time.Sleep(time.Duration(10+40*round) * time.Millisecond)
		cluster.Kill9()
		<-done
		cluster.Restart()
		storagetest.Until(t, "reads after the return", func() bool { return k.Get(kit.Item("events", id), "").Status == 200 })
		storagetest.Until(t, "a look past the service", func() bool { return k.Owner().Ping(t.Context()) == nil })
		each := k.Peek("demo", `SELECT COALESCE(string_agg(DISTINCT n || ' at ' || hours, ', '), '') FROM (
			SELECT count(*) AS n, count(DISTINCT start_local::time) AS hours FROM occurrences GROUP BY event_id) x`)
		if each != count+" at 1" {
			t.Errorf("round %d: series have %s, want %s each", round, each, count)
		}
		if wrong := k.Peek("demo", kit.WrongDays, k.Sites["demo"].ID); wrong != "0" {
			t.Errorf("round %d: %s days are counted wrong", round, wrong)
		}
	}
}

// TestSeriesYearsLater moves the clock on by years, of which nobody wrote anything.
func TestSeriesYearsLater(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 11, 1, 0, 0, 0, 0, time.UTC)
	id := kit.Weekly(k, nil)
	before := kit.Happens(k, id, "")
	for _, years := range []int{3, 25} {
		k.Clock = time.Date(2029+years, 11, 1, 0, 0, 0, 0, time.UTC)
		for range 5 {
			_, err := k.DB.PublishDue(t.Context(), k.Clock)
			k.Must(err)
		}
		day := fmt.Sprintf("%d-10-01", 2029+years+10)
		a := k.Get(fmt.Sprintf("/events/%d/occurrences?start_date=%s&end_date=%d-10-28", id, day, 2029+years+10), "").Want(t, 200, "")
		if total := fmt.Sprint(a.Body["total"]); total != "2" {
			t.Errorf("%d years later October in ten years has %s", years, total)
		}
		if wrong := k.Peek("demo", kit.WrongDays, k.Sites["demo"].ID); wrong != "0" {
			t.Errorf("%s days are counted wrong", wrong)
		}
	}
	if got := kit.EachOf(kit.Happens(k, id, ""), "id"); !slices.Equal(got, kit.EachOf(before, "id")) {
		t.Errorf("ids are %v, were %v", got, kit.EachOf(before, "id"))
	}
}
