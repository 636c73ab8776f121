package rest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// days makes events on the 1st, 2nd and 3rd of March 2030, from 10 to 12 and,
// named with an n, from 22 to 2 at night, and returns their names by id.
func days(k *kit.Kit) map[string]string {
	names := map[string]string{}
	for day := 1; day <= 3; day++ {
		for suffix, hours := range map[string][2]string{"": {"10:00", "12:00"}, "n": {"22:00", "02:00"}} {
			end := day
			if suffix == "n" {
				end++
			}
			name := fmt.Sprint(day, suffix)
			id := k.Event(kit.Object{"title": name, "start_date": fmt.Sprintf("2030-03-%02d %s", day, hours[0]),
				"end_date": fmt.Sprintf("2030-03-%02d %s", end, hours[1])})
			names[fmt.Sprint(id)] = name
		}
	}
	return names
}

// TestDateFilters: whole days of the event's own clock, as rule 5.2; exact
// moments with strict_dates.
func TestDateFilters(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	names := days(k)
	for _, c := range []struct{ query, want string }{
		{"", "1 1n 2 2n 3 3n"},
		{"start_date=2030-03-02", "2 2n 3 3n"},
		{"start_date=2030-03-02 15:00", "2 2n 3 3n"},
		{"start_date=2030-03-02T23:30:00-10:00", "2 2n 3 3n"}, // the written day counts
		{"end_date=2030-03-02", "1 1n 2"},
		{"end_date=2030-03-02 00:00:00", "1 1n 2"},
		{"start_date=2030-03-02&end_date=2030-03-02", "2"},
		{"start_date=2030-03-02&end_date=2030-03-03", "2 2n 3"},
		{"start_date=2030-03-03&end_date=2030-03-01", ""},
		{"starts_after=2030-03-01", "2 2n 3 3n"},
		{"starts_after=2030-03-01 05:00", "2 2n 3 3n"},
		{"starts_before=2030-03-01", "1 1n"},
		{"starts_before=2030-03-01 05:00", "1 1n"},
		{"ends_after=2030-03-02", "2n 3 3n"},
		{"ends_before=2030-03-02", "1 1n 2"},
		{"ends_before=2030-03-02 11:00", "1 1n 2"},
		{"starts_after=2030-03-01&ends_before=2030-03-03", "2 2n 3"},
		{"starts_after=2030-03-01&start_date=2030-03-03", "3 3n"},
		{"starts_after=yesterday&starts_before=2030-03-02", "1 1n 2 2n"},
		{"strict_dates=true&start_date=2030-03-02 10:00:00", "2 2n 3 3n"},
		{"strict_dates=true&start_date=2030-03-02 10:00:01", "2n 3 3n"},
		{"strict_dates=true&start_date=2030-03-02T09:00:00Z", "2 2n 3 3n"},
		{"strict_dates=true&end_date=2030-03-02 12:00:00", "1 1n 2"},
		{"strict_dates=1&end_date=2030-03-02 11:59:59", "1 1n"},
		{"strict_dates=yes&starts_after=2030-03-02 10:00:00", "2n 3 3n"},
		{"strict_dates=on&starts_before=2030-03-02 10:00:00", "1 1n"},
		{"strict_dates=true&ends_before=2030-03-02 02:00:00", "1"},
		{"strict_dates=true&ends_after=2030-03-03 02:00:00", "3 3n"},
		{"strict_dates=false&starts_after=2030-03-02 05:00", "3 3n"},
		{"strict_dates=nonsense&starts_after=2030-03-02 05:00", "3 3n"},
	} {
		a := k.Get("/events?"+encoded(c.query), "").Want(t, 200, "")
		if got := a.Named(names); got != c.want {
			t.Errorf("%s: %s, want %s", c.query, got, c.want)
		}
		a.Has(t, "total", len(strings.Fields(c.want)), "total_pages", min(1, len(strings.Fields(c.want))))
	}
	for _, name := range []string{"start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"} {
		for _, bad := range []string{"", "never", "2030-02-30"} {
			k.Get(kit.Query("/events", name, bad), "").Refused(t, name)
		}
	}
}

// encoded makes a readable query a valid one.
func encoded(q string) string {
	return strings.NewReplacer(" ", "%20", "+", "%2B", `"`, "%22").Replace(q)
}

// TestLastSecond: ends_before reaches 23:59:58, all-day events end a second later
// (rule 5.2).
func TestLastSecond(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.Event(kit.Object{"title": "58", "end_date": "2030-03-01 23:59:58"})
	allDay := k.Event(kit.Object{"title": "59", "all_day": true})
	k.Get("/events?ends_before=2030-03-01", "").Has(t, "events.#", 1, "events.0.title", "58")
	k.Get("/events?ends_after=2030-03-01", "").Has(t, "events.#", 0)
	k.Get("/events?end_date=2030-03-01", "").Has(t, "events.#", 2)
	k.Get("/events?starts_after=2030-02-28", "").Has(t, "events.#", 2, "events.0.id", allDay)
}

// TestOwnClock: whole days are those of each event's own wall clock; strict
// dates are instants.
func TestOwnClock(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	tokyo := k.Event(kit.Object{"timezone": "Asia/Tokyo", "start_date": "2030-03-02 01:00", "end_date": "2030-03-02 02:00"})
	york := k.Event(kit.Object{"timezone": "America/New_York", "start_date": "2030-03-01 22:00", "end_date": "2030-03-01 23:00"})
	a, b := fmt.Sprint(york), fmt.Sprint(tokyo)
	for q, want := range map[string]string{
		"start_date=2030-03-02": b,
		"end_date=2030-03-01":   a,
		"":                      a + "," + b, // by the wall clock
		"strict_dates=1&start_date=2030-03-02 03:59:59": a, // 22:00 in New York is 04:00 in Berlin
		"strict_dates=1&end_date=2030-03-01 18:00:00":   b,
	} {
		if got := k.Get("/events?"+encoded(q), "").IDs("events"); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
}

// TestDefaultWindow: from today 00:00:00 to today in two years, on the site's
// clock; relative filters and include drop it (rule 5.1).
func TestDefaultWindow(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	at := func(start, end string) string {
		return fmt.Sprint(k.Event(kit.Object{"start_date": start, "end_date": end}))
	}
	past := at("2030-02-19 10:00", "2030-02-19 11:00")
	running := at("2030-02-19 10:00", "2030-02-25 10:00")
	midnight := at("2030-02-20 00:00", "2030-02-20 01:00")
	last := at("2032-02-20 20:00", "2032-02-20 23:59:59")
	beyond := at("2032-02-20 20:00", "2032-02-21 00:00")
	for q, want := range map[string]string{
		"":                         midnight + "," + last,
		"end_date=2040-01-01":      midnight + "," + last + "," + beyond,
		"start_date=2030-01-01":    past + "," + running + "," + midnight + "," + last,
		"start_date=2035-01-01":    "",
		"starts_before=2030-02-19": past + "," + running,
		"ends_after=2030-02-20":    running + "," + last + "," + beyond,
		"include=" + past:          past,
		"include=" + past + "," + beyond + ",999999":                       past + "," + beyond,
		"include=" + past + "&starts_after=2031-01-01&end_date=2000-01-01": past,
		"include[]=" + beyond + "&include[]=" + midnight:                   midnight + "," + beyond,
	} {
		a := k.Get("/events?"+q, "").Want(t, 200, "")
		if got := a.IDs("events"); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
	// in Berlin it is already the 21st
	k.Clock = k.Clock.Add(11*60*60*1e9 + 1)
	if got := k.Get("/events", "").IDs("events"); got != last+","+beyond {
		t.Errorf("after midnight: %s", got)
	}
}

// TestPeriods: named periods are those of the site's clock (rule 5.11). What takes no time is in the one that it starts with, and
// what ends as one begins is not.
func TestPeriods(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.Clock = time.Date(2030, 2, 20, 12, 0, 0, 0, time.UTC) // a Wednesday
	names := map[string]string{}
	for _, e := range [][3]string{
		{"over", "2030-02-20 15:00", "2030-02-20 17:00"}, {"moment", "2030-02-20 17:00", "2030-02-20 17:00"},
		{"concert", "2030-02-20 19:00", "2030-02-20 21:00"}, {"late", "2030-02-21 04:59", "2030-02-21 05:30"},
		{"early", "2030-02-21 05:00", "2030-02-21 06:00"}, {"show", "2030-02-01 10:00", "2030-03-31 18:00"},
		{"friday", "2030-02-22 16:00", "2030-02-22 17:30"}, {"monday", "2030-02-25 00:00", "2030-02-25 01:00"},
	} {
		names[fmt.Sprint(k.Event(kit.Object{"title": e[0], "start_date": e[1], "end_date": e[2]}))] = e[0]
	}
	for _, c := range []struct{ query, want string }{
		{"on=tonight", "show moment concert late"},
		{"on=today", "show over moment concert"},
		{"on=tomorrow", "show late early"},
		{"on=weekend", "show friday"},
		{"on=week", "show over moment concert late early friday"},
		{"on=week&longer_than=1", "show"},
		{"longer_than=58&starts_after=2030-01-01", "show"},
		{"longer_than=59&starts_after=2030-01-01", ""},
		{"on=tonight&starts_after=2030-02-20", "late"},
		{"on=tonight&order=desc", "late concert moment show"},
		{"on=week&series=first", "show over moment concert late early friday"},
	} {
		ids, _ := follow(k, "/events?per_page=2&"+c.query, "events", "")
		var got []string
		for _, id := range ids {
			got = append(got, names[id])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.query, got, c.want)
		}
	}
	file := string(k.Get("/events.ics?on=tonight&longer_than=0", "").Want(t, 200, "").Raw)
	if strings.Count(file, "BEGIN:VEVENT") != 3 || !strings.Contains(file, ":concert\r\n") || strings.Contains(file, ":friday\r\n") {
		t.Errorf("the calendar file of tonight: %s", file)
	}
	k.Get("/events?on=yesterday", "").Refused(t, "on")
	k.Get("/events?longer_than=-1", "").Refused(t, "longer_than")
	k.Get("/changes?on=today", "administrator").Refused(t, "on")
	k.Get("/changes?longer_than=1", "administrator").Refused(t, "longer_than")
}

// TestExclusionsGoOn: what a list leaves out, its next pages leave out, too.
func TestExclusionsGoOn(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for i := range 6 {
		k.Event(kit.Object{"title": fmt.Sprint(i), "categories": []string{[]string{"Music", "Film"}[i%2]}, "tags": []string{[]string{"loud", "calm", "dark"}[i%3]},
			"venue": kit.Object{"venue": []string{"Hall", "Inn"}[i%2]}})
	}
	hall := k.Get("/venues/by-slug/hall", "").Body["id"]
	for query, n := range map[string]int{"categories_exclude=music": 3, "tags_exclude=loud": 4, fmt.Sprint("venue_exclude=", hall): 3} {
		if ids, pages := follow(k, "/events?per_page=1&"+query, "events", ""); len(ids) != n || pages != n {
			t.Errorf("%s: %v on %d pages", query, ids, pages)
		}
	}
}
