package rest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/kit"
)

// TestSeriesAreLists checks that lists contain each occurrence with an id, an address and its place in the series,
// but not the series itself.
func TestSeriesAreLists(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	category := k.Made("/categories", kit.Object{"name": "Music"})
	id := kit.Weekly(k, kit.Object{"categories": []int64{category}})
	single := k.Event(kit.Object{"title": "Alone", "start_date": "2029-12-07 10:00:00", "end_date": "2029-12-07 11:00:00"})
	list := kit.Happens(k, id, "")
	starts := kit.EachOf(list, "start_date")
	if want := []string{"2029-12-06 19:30:00", "2029-12-20 19:30:00", "2030-01-17 19:30:00"}; !slices.Equal(starts[:3], want) {
		t.Errorf("starts %v, want %v", starts[:3], want)
	}
	ids := kit.EachOf(list, "id")
	slices.Sort(ids)
	if len(slices.Compact(ids)) != len(list) || slices.Contains(ids, fmt.Sprint(id)) {
		t.Errorf("ids %v are not their own", ids)
	}
	one := list[1]
	if url := fmt.Sprint(one["url"]); !strings.HasSuffix(url, "/event/choir/2029-12-20/") {
		t.Errorf("address %s", url)
	}
	if got := fmt.Sprint(one["series"].(map[string]any)["id"]); got != fmt.Sprint(id) {
		t.Errorf("series %s, want %d", got, id)
	}
	if utc := kit.EachOf(list, "utc_start_date")[8]; utc != "2030-04-11 17:30:00" {
		t.Errorf("in summer it starts at %s in UTC", utc)
	}
	alone := k.Get(fmt.Sprintf("/events/%v", one["id"]), "").Want(t, 200, "").Body
	for key, value := range one {
		if fmt.Sprint(alone[key]) != fmt.Sprint(value) {
			t.Errorf("%s is %v alone, %v in the list", key, alone[key], value)
		}
	}
	count := func(query string, want int) {
		t.Helper()
		a := k.Get("/events?start_date=2029-12-01&end_date=2030-12-01&"+query, "").Want(t, 200, "")
		if got := fmt.Sprint(a.Body["total"]); got != fmt.Sprint(want) {
			t.Errorf("%s: %s in all, want %d", query, got, want)
		}
	}
	count("", len(list)+1)
	count("series=first", 2)
	count(fmt.Sprintf("series=%d", id), len(list))
	count("recurring=false", 1)
	count("recurring=true", len(list))
	count("categories=music", len(list))
	count("search=choir", len(list))
	count(fmt.Sprintf("include=%v,%d", one["id"], single), 2)
	if got := k.Get(kit.Item("categories", category), "").Want(t, 200, "").Body["count"]; fmt.Sprint(got) != "1" {
		t.Errorf("the category has %v events, want 1: a series counts once", got)
	}
	if _, has := k.Get(kit.Item("events", single), "").Body["series"]; has {
		t.Error("what happens once has a series")
	}
}

// TestSeriesAreEdited changes one occurrence, what follows, and all.
func TestSeriesAreEdited(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	twice := k.Post("/events", "editor", kit.Object{"title": "Twice", "start_date": "2029-12-06 19:30:00", "end_date": "2029-12-06 21:30:00",
		"recurrence": kit.Object{"rrule": []string{"FREQ=WEEKLY", "FREQ=MONTHLY", "RRULE:FREQ=WEEKLY;INTERVAL=1"}}}).Want(t, 201, "")
	if rules := fmt.Sprint(twice.Body["recurrence"].(map[string]any)["rrule"]); rules != "[FREQ=WEEKLY FREQ=MONTHLY]" {
		t.Errorf("a rule that is there twice: %s", rules)
	}
	id := kit.Weekly(k, nil)
	before := kit.Happens(k, id, "")
	second := fmt.Sprintf("/events/%v", before[1]["id"])

	one := k.Patch(second, "editor", kit.Object{"title": "Concert", "start_date": "2029-12-20 18:00:00"}).Want(t, 200, "").Body
	if one["title"] != "Concert" || one["start_date"] != "2029-12-20 18:00:00" || one["slug"] != "choir" {
		t.Errorf("one: %v %v %v", one["title"], one["start_date"], one["slug"])
	}
	if got := kit.EachOf(kit.Happens(k, id, ""), "id"); !slices.Equal(got, kit.EachOf(before, "id")) {
		t.Errorf("ids after one was changed: %v", got)
	}

	k.Patch(kit.Item("events", id), "editor", kit.Object{"description": "Sing along", "start_date": "2029-12-06 20:00:00",
		"end_date": "2029-12-06 22:00:00"}).Want(t, 200, "")
	all := kit.Happens(k, id, "")
	if got := kit.EachOf(all, "id"); !slices.Equal(got, kit.EachOf(before, "id")) {
		t.Errorf("another time of day made other ids: %v, was %v", got, kit.EachOf(before, "id"))
	}
	if all[1]["title"] != "Concert" || all[1]["start_date"] != "2029-12-20 18:00:00" || !strings.Contains(fmt.Sprint(all[1]["description"]), "Sing") {
		t.Errorf("the exception has %v at %v: %v", all[1]["title"], all[1]["start_date"], all[1]["description"])
	}
	if all[2]["start_date"] != "2030-01-17 20:00:00" {
		t.Errorf("the third starts at %v", all[2]["start_date"])
	}

	rest := k.Patch(fmt.Sprintf("/events/%v", all[3]["id"]), "editor", kit.Object{"applies_to": "following", "title": "Big choir"}).Want(t, 200, "").Body
	restID := int64(rest["id"].(float64))
	first, later := kit.Happens(k, id, ""), kit.Happens(k, restID, "")
	if len(first) != 3 || fmt.Sprint(append(kit.EachOf(first, "id"), kit.EachOf(later, "id")...)) != fmt.Sprint(kit.EachOf(before, "id")) {
		t.Errorf("after the split %v and %v, were %v", kit.EachOf(first, "id"), kit.EachOf(later, "id"), kit.EachOf(before, "id"))
	}
	if first[2]["title"] != "Choir" || later[0]["title"] != "Big choir" || later[0]["start_date"] != all[3]["start_date"] {
		t.Errorf("after the split %v, then %v at %v", first[2]["title"], later[0]["title"], later[0]["start_date"])
	}

	k.Patch(second, "editor", kit.Object{"applies_to": "all", "title": "Chorus", "exceptions": "reset"}).Want(t, 200, "")
	reset := kit.Happens(k, id, "")
	if got := kit.EachOf(reset, "title"); !slices.Equal(got, []string{"Chorus", "Chorus", "Chorus"}) {
		t.Errorf("after a reset: %v", got)
	}
	if got := kit.EachOf(reset, "id"); !slices.Equal(got, kit.EachOf(first, "id")) {
		t.Errorf("a reset made other ids: %v", got)
	}
}

// TestSeriesLoseDates takes dates out and puts them back, with the same id.
func TestSeriesLoseDates(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := kit.Weekly(k, nil)
	before := kit.Happens(k, id, "")
	second := fmt.Sprintf("/events/%v", before[1]["id"])
	k.Del(second, "editor").Want(t, 200, "")
	k.Get(second, "editor").Want(t, 404, "rest-event-not-found")
	k.Del(second, "editor").Want(t, 410, "event-is-in-trash")
	if got := len(kit.Happens(k, id, "")); got != len(before)-1 {
		t.Errorf("%d are left of %d", got, len(before))
	}
	k.Patch(second, "editor", kit.Object{"status": "publish"}).Want(t, 200, "")
	if got := kit.EachOf(kit.Happens(k, id, ""), "id"); !slices.Equal(got, kit.EachOf(before, "id")) {
		t.Errorf("it came back as %v, was %v", got, kit.EachOf(before, "id"))
	}
	k.Del(fmt.Sprintf("/events/%v?applies_to=following", before[2]["id"]), "editor").Want(t, 200, "")
	if got := kit.EachOf(kit.Happens(k, id, ""), "id"); !slices.Equal(got, kit.EachOf(before[:2], "id")) {
		t.Errorf("left are %v", got)
	}
	k.Del(kit.Item("events", id), "editor").Want(t, 200, "")
	k.Get(second, "").Want(t, 403, "event-no-longer-available")
	k.Patch(kit.Item("events", id), "editor", kit.Object{"status": "publish", "recurrence": nil}).Want(t, 200, "")
	a := k.Get("/events?start_date=2029-12-01&end_date=2030-12-01", "").Want(t, 200, "")
	if got := fmt.Sprint(a.Body["total"]); got != "1" {
		t.Errorf("a series that is none any more is %s events", got)
	}
}

// TestSeriesAreRefused has a clear answer for rules that make no sense.
func TestSeriesAreRefused(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	many := make([]string, 2001)
	for i := range many {
		many[i] = time.Date(2030, 1, 1, 19, 30, 0, 0, time.UTC).AddDate(0, 0, i).Format("2006-01-02 15:04:05")
	}
	for name, recurrence := range map[string]any{
		"hourly":       kit.Object{"rrule": "FREQ=HOURLY"},
		"never":        kit.Object{"rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"},
		"no frequency": kit.Object{"rrule": "BYDAY=MO"},
		"both ends":    kit.Object{"rrule": "FREQ=DAILY;COUNT=3;UNTIL=20300101"},
		"early end":    kit.Object{"rrule": "FREQ=WEEKLY;UNTIL=20290101"},
		"no date":      kit.Object{"rrule": "FREQ=WEEKLY", "rdate": []string{"soon"}},
		"no rule":      kit.Object{"rrule": ""},
		"a blank rule": kit.Object{"rrule": " ", "rdate": []string{"2029-12-06 19:30:00"}},
		"too many":     kit.Object{"rdate": many},
		"too long":     kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=" + strings.Repeat("TH,", 2000) + "TH"},
		"unknown":      kit.Object{"repeat": "daily"},
		"seconds":      kit.Object{"rrule": "FREQ=DAILY;BYSECOND=0"},
		"every minute": kit.Object{"rrule": "FREQ=DAILY;BYMINUTE=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,30"},
		"nothing left": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=1", "exdate": []string{"2029-12-06 19:30:00"}},
		"no times":     kit.Object{"rrule": "FREQ=WEEKLY;COUNT=0"},
		"every hour":   kit.Object{"every": "hour"},
		"a list":       []int{1},
		"no zone":      "DTSTART;TZID=Nowhere/Else:20291206T193000\nRRULE:FREQ=DAILY",
		"a number":     7,
	} {
		a := k.Post("/events", "editor", kit.Object{"title": name, "start_date": "2029-12-06 19:30:00",
			"end_date": "2029-12-06 21:30:00", "recurrence": recurrence}).Want(t, 400, "rest_invalid_param")
		if params := fmt.Sprint(a.Body["data"].(map[string]any)["params"]); !strings.Contains(params, "recurrence") {
			t.Errorf("%s: %s", name, params)
		}
	}
	outside := k.Post("/events", "editor", kit.Object{"title": "Excluded", "start_date": "2029-12-06 19:30:00", "end_date": "2029-12-06 21:30:00",
		"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;COUNT=3", "exdate": []string{"2029-12-07 19:30:00"}}}).Want(t, 201, "")
	if dates := kit.Happens(k, outside.ID(), ""); len(dates) != 3 { // the excluded date is not part of the series: no effect
		t.Errorf("%d dates", len(dates))
	}
	missed := k.Post("/events", "editor", kit.Object{"title": "Missed", "start_date": "2029-12-07 19:30:00", "end_date": "2029-12-07 21:30:00",
		"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=TH"}}).Want(t, 400, "rest_invalid_param")
	near := fmt.Sprint(missed.Body["data"].(map[string]any)["details"].(map[string]any)["nearest"])
	if !strings.Contains(near, "2029-12-06 19:30:00") || !strings.Contains(near, "2029-12-13 19:30:00") {
		t.Errorf("nearest dates: %s", near)
	}
	id := kit.Weekly(k, nil)
	one := fmt.Sprintf("/events/%v", kit.Happens(k, id, "")[0]["id"])
	k.Patch(one, "editor", kit.Object{"status": "draft"}).Want(t, 400, "rest_invalid_param")
	k.Patch(one, "editor", kit.Object{"recurrence": kit.Object{"rrule": "FREQ=DAILY"}}).Want(t, 400, "rest_invalid_param")
	k.Patch(one, "contributor", kit.Object{"title": "Mine"}).Want(t, 403, "rest_forbidden")
	k.Patch(one+"?applies_to=following", "contributor", kit.Object{"title": "Mine"}).Want(t, 403, "rest_forbidden")
	k.Del(one, "contributor").Want(t, 403, "rest_forbidden")
}

// TestSeriesAreReadAgain takes lines as calendar files have them, with other zones
// and with the last moment of all, and can read what it has stored.
func TestSeriesAreReadAgain(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for lines, want := range map[string]string{
		"RRULE:FREQ=DAILY;UNTIL=99991231T235959Z":                                              "FREQ=DAILY;UNTIL=99991231T225959Z",
		"DTSTART;TZID=America/New_York:20291206T133000\r\nRRULE:FREQ=WEEKLY;\r\n COUNT=3":      "FREQ=WEEKLY;COUNT=3",
		"RRULE:FREQ=DAILY;COUNT=3\nEXDATE;TZID=us/eastern:20291207T133000":                     "FREQ=DAILY;COUNT=3",
		"RRULE:FREQ=YEARLY;BYMONTHDAY=6":                                                       "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=6",
		"RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13\nEXDATE;TZID=Europe/Berlin:20291206T193000": "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR",
	} {
		id := kit.Weekly(k, kit.Object{"recurrence": lines})
		for range 2 {
			recurrence, _ := k.Get(kit.Item("events", id), "editor").Want(t, 200, "").Body["recurrence"].(map[string]any)
			if recurrence["rrule"] != want {
				t.Errorf("%s reads as %v, want %s", lines, recurrence["rrule"], want)
			}
		}
		if len(kit.Happens(k, id, "")) == 0 {
			t.Errorf("%s: no occurrences", lines)
		}
		k.Del(kit.Item("events", id)+"?force=true", "editor").Want(t, 200, "")
	}
	k.Post("/events", "editor", kit.Object{"title": "Too late", "start_date": "9999-12-30 12:00:00", "end_date": "9999-12-30 13:00:00",
		"timezone": "Europe/Berlin", "recurrence": "RDATE:99991231T233000Z"}).Want(t, 400, "rest_invalid_param")
	long := kit.Object{"title": "Half a millennium", "start_date": "2027-01-01 12:00:00", "end_date": "2527-01-01 13:00:00"}
	id := k.Made("/events", long) // alone it may
	k.Patch(kit.Item("events", id), "editor", kit.Object{"recurrence": "FREQ=DAILY;COUNT=2"}).Refused(t, "end_date")
	id = k.Made("/events", kit.Object{"title": "Daily", "start_date": "2027-01-01 12:00:00", "end_date": "2027-01-01 13:00:00", "recurrence": "FREQ=DAILY;COUNT=2"})
	k.Patch(kit.Item("events", id), "editor", kit.Object{"end_date": "2527-01-01 13:00:00"}).Refused(t, "end_date")
}

// TestSeriesGoOn stores more occurrences of endless series over time. Three nodes whose daily jobs coincide do so
// once, like a single node on another site: no date is stored twice, no id lost, and no history entry or version
// added.
func TestSeriesGoOn(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	alone := kit.New(t)
	alone.Clock = k.Clock
	const series = 25 // more than one transaction takes
	for range series {
		kit.Weekly(k, nil)
		kit.Weekly(alone, nil)
	}
	edited := kit.EachOf(kit.Happens(k, 1, ""), "id")[2]
	k.Patch("/events/"+edited, "editor", kit.Object{"title": "Concert"}).Want(t, 200, "")
	stored := func(k *kit.Kit) string {
		return k.Peek("demo", `SELECT string_agg(concat_ws(' ', start_local, end_utc, dates), ', ' ORDER BY start_local) FROM (
			SELECT start_local, end_utc, count(*) AS dates FROM occurrences GROUP BY start_local, end_utc) x`)
	}
	site := k.Sites["demo"].ID
	version := func() string { return k.Peek("demo", `SELECT version::text FROM sites WHERE id = $1`, site) }
	changes := k.Peek("demo", `SELECT count(*)::text FROM changes`)
	before, was, ids := stored(k), version(), kit.EachOf(kit.Happens(k, 1, ""), "id")
	later := k.Clock.AddDate(1, 0, 0)
	nodes := []*kit.Kit{k, k.SecondNode(), k.SecondNode()}
	extend := func() (total int) {
		done := make(chan int)
		for _, node := range nodes {
			go func() {
				n, err := node.DB.PublishDue(t.Context(), later)
				if err != nil {
					t.Error(err)
				}
				done <- n
			}()
		}
		for range nodes {
			total += <-done
		}
		return total
	}
	if n := extend(); n != series {
		t.Errorf("%d series go on, want %d", n, series)
	}
	once := version()
	if n := extend(); n != 0 || version() != once {
		t.Errorf("the second time %d series go on, version %s, was %s", n, version(), once)
	}
	_, err := alone.DB.PublishDue(t.Context(), later)
	k.Must(err)
	if after := stored(k); after == before || after != stored(alone) {
		t.Errorf("a year later there are %s\nbefore %s\nby one node %s", after, before, stored(alone))
	}
	if once == was {
		t.Errorf("the version is still %s", was)
	}
	if now := k.Peek("demo", `SELECT count(*)::text FROM changes`); now != changes {
		t.Errorf("%s changes in the history, before %s", now, changes)
	}
	if wrong := k.Peek("demo", kit.WrongDays, site); wrong != "0" {
		t.Errorf("%s days are counted wrong", wrong)
	}
	if now := kit.EachOf(kit.Happens(k, 1, ""), "id"); !slices.Equal(now, ids) || k.Get("/events/"+edited, "").At("title") != "Concert" {
		t.Errorf("ids are %v, were %v", now, ids)
	}
}

// TestSeriesAreRestored brings back what a series was, its rules among it.
func TestSeriesAreRestored(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := kit.Weekly(k, nil)
	before := kit.Happens(k, id, "")
	version := k.Peek("demo", `SELECT version::text FROM sites WHERE id = $1`, k.Sites["demo"].ID)
	k.Patch(kit.Item("events", id), "editor", kit.Object{"title": "Other", "start_date": "2029-12-07 18:00:00", "end_date": "2029-12-07 19:00:00",
		"recurrence": kit.Object{"every": "month", "on": "first friday"}}).Want(t, 200, "")
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: k.Sites["demo"], Principal: tenancy.Principal{UserID: 1, Role: tenancy.Administrator}})
	then, err := strconv.ParseInt(version, 10, 64)
	k.Must(err)
	if _, err := k.Editing.Restore(ctx, "event", id, then, "", nil); err != nil {
		t.Fatal(err)
	}
	after := kit.Happens(k, id, "")
	if got, want := kit.EachOf(after, "start_date"), kit.EachOf(before, "start_date"); !slices.Equal(got, want) {
		t.Errorf("restored to %v, want %v", got, want)
	}
	if got, want := kit.EachOf(after, "id"), kit.EachOf(before, "id"); !slices.Equal(got, want) {
		t.Errorf("restored with ids %v, want %v", got, want)
	}
}

// TestSeriesKeepEditedDates moves what happens every day by a day: dates that somebody
// edited stay, the first, too, whose day the series hasn't any more.
func TestSeriesKeepEditedDates(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := kit.Weekly(k, kit.Object{"recurrence": kit.Object{"every": "day", "count": 6}})
	all := kit.EachOf(kit.Happens(k, id, ""), "id")
	for _, n := range []int{0, 2, 5} {
		k.Patch("/events/"+all[n], "editor", kit.Object{"title": "Guests " + all[n]}).Want(t, 200, "")
	}
	k.Patch(kit.Item("events", id), "editor", kit.Object{"start_date": "2029-12-07 19:30:00", "end_date": "2029-12-07 21:30:00"}).Want(t, 200, "")
	for _, n := range []int{0, 2, 5} {
		if got := k.Get("/events/"+all[n], "").Want(t, 200, "").At("title"); got != "Guests "+all[n] {
			t.Errorf("date %d is %v", n, got)
		}
	}
	if got := kit.EachOf(kit.Happens(k, id, ""), "start_date"); len(got) != 7 || got[0] != "2029-12-06 19:30:00" {
		t.Errorf("it happens %v", got)
	}
}

// TestSeriesMoveAlong moves a series by an hour that has a date an hour later on one of its days: each date keeps its ID and
// what somebody edited, although one is where another was before.
func TestSeriesMoveAlong(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := kit.Weekly(k, kit.Object{"recurrence": kit.Object{"rrule": "FREQ=DAILY;COUNT=4", "rdate": []string{"2029-12-07 20:30:00"}}})
	all := kit.EachOf(kit.Happens(k, id, ""), "id")
	k.Patch("/events/"+all[2], "editor", kit.Object{"title": "Late show", "start_date": "2029-12-07 22:00:00", "end_date": "2029-12-07 23:00:00"}).Want(t, 200, "")
	k.Patch(kit.Item("events", id), "editor", kit.Object{"start_date": "2029-12-06 20:30:00", "end_date": "2029-12-06 22:30:00"}).Want(t, 200, "")
	list := kit.Happens(k, id, "")
	if got := kit.EachOf(list, "id"); !slices.Equal(got, all) {
		t.Errorf("IDs %v, want %v", got, all)
	}
	want := []string{"2029-12-06 20:30:00", "2029-12-07 20:30:00", "2029-12-07 22:00:00", "2029-12-08 20:30:00", "2029-12-09 20:30:00"}
	if got := kit.EachOf(list, "start_date"); !slices.Equal(got, want) {
		t.Errorf("starts %v, want %v", got, want)
	}
	late := list[2]
	if got := late["series"].(map[string]any)["original_start"]; got != "2029-12-07 21:30:00" || late["title"] != "Late show" {
		t.Errorf("%v, in place of %v", late["title"], got)
	}
}

// A preview lists every date that would be stored, including one added before the start.
func TestPreviewHasEveryDate(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	fields := kit.Object{"title": "Choir", "start_date": "2030-01-08 19:30:00", "end_date": "2030-01-08 21:30:00", "timezone": "Europe/Berlin",
		"recurrence": "RRULE:FREQ=WEEKLY;COUNT=3\r\nRDATE:20291201T193000\r\nEXDATE;TZID=America/New_York:20300115T133000"}
	want := []string{"2029-12-01 19:30:00", "2030-01-08 19:30:00", "2030-01-22 19:30:00"}
	preview, _ := k.Post("/events/preview", "editor", fields).Want(t, 200, "").Body["occurrences"].([]any)
	var got []string
	for _, one := range preview {
		occurrence, _ := one.(map[string]any)
		got = append(got, fmt.Sprint(occurrence["start_date"]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("preview %v, want %v", got, want)
	}
	if got := kit.EachOf(kit.Happens(k, k.Made("/events", fields), ""), "start_date"); !slices.Equal(got, want) {
		t.Errorf("stored %v, want %v", got, want)
	}
}
