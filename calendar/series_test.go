package calendar

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/test/argstest"
)

// seriesOf returns a series by its first start and end and its rule, or dates.
func seriesOf(t *testing.T, zone, start, end, rule string, dates ...string) *Event {
	t.Helper()
	e := &Event{Post: Post{ID: 5, Status: Publish, Slug: "choir"}, Title: "Choir", Timezone: zone, Start: at(start), End: at(end), Recurrence: &recur.Set{}}
	if rule != "" {
		parsed, problems := recur.ParseRule(rule, e.Clock())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		e.Recurrence.Rules = append(e.Recurrence.Rules, parsed)
	}
	for _, date := range dates {
		e.Recurrence.Dates = append(e.Recurrence.Dates, at(date))
	}
	return e
}

// Rule 3.9 for the dates of series: each keeps its local time, unless the clock skips it.
func TestOccurrenceWhenClocksChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		start, end string // of the series on the day before the clocks change
		want, last string
		utc        string
	}{
		"an evening":                  {"2027-03-27 19:00:00", "2027-03-27 22:00:00", "2027-03-28 19:00:00", "2027-03-28 22:00:00", "17:00 20:00"},
		"a night that loses an hour":  {"2027-03-27 01:00:00", "2027-03-27 05:00:00", "2027-03-28 01:00:00", "2027-03-28 05:00:00", "00:00 03:00"},
		"a start that is skipped":     {"2027-03-27 02:30:00", "2027-03-27 05:00:00", "2027-03-28 03:30:00", "2027-03-28 05:00:00", "01:30 03:00"},
		"an end that is skipped":      {"2027-03-27 01:00:00", "2027-03-27 02:30:00", "2027-03-28 01:00:00", "2027-03-28 03:30:00", "00:00 01:30"},
		"both are skipped":            {"2027-03-27 02:15:00", "2027-03-27 02:45:00", "2027-03-28 03:15:00", "2027-03-28 03:45:00", "01:15 01:45"},
		"a start that passes the end": {"2027-03-27 02:30:00", "2027-03-27 03:00:00", "2027-03-28 03:30:00", "2027-03-28 04:00:00", "01:30 02:00"},
		"a start that meets the end":  {"2027-03-27 02:30:00", "2027-03-27 03:30:00", "2027-03-28 03:30:00", "2027-03-28 04:30:00", "01:30 02:30"},
		"a moment":                    {"2027-03-27 02:30:00", "2027-03-27 02:30:00", "2027-03-28 03:30:00", "2027-03-28 03:30:00", "01:30 01:30"},
	} {
		series := seriesOf(t, "Europe/Berlin", c.start, c.end, "FREQ=DAILY")
		original := series.Start.AddDate(0, 0, 1)
		o := series.OccurrenceAt(original)
		utc := o.StartUTC.Format("15:04") + " " + o.EndUTC.Format("15:04")
		if !o.Original.Equal(original) || !o.Start.Equal(at(c.want)) || !o.End.Equal(at(c.last)) || utc != c.utc {
			t.Errorf("%s: %s to %s, UTC %s", name, o.Start, o.End, utc)
		}
	}
	fall := seriesOf(t, "Europe/Berlin", "2027-10-30 02:30:00", "2027-10-30 04:00:00", "FREQ=DAILY").OccurrenceAt(at("2027-10-31 02:30:00"))
	if !fall.StartUTC.Equal(at("2027-10-31 00:30:00")) || !fall.EndUTC.Equal(at("2027-10-31 03:00:00")) {
		t.Errorf("a time that comes twice: %+v", fall)
	}
	whole := seriesOf(t, "Europe/Berlin", "2027-03-27 00:00:00", "2027-03-27 23:59:59", "FREQ=DAILY")
	whole.AllDay = true
	if o := whole.OccurrenceAt(at("2027-03-28 00:00:00")); !o.EndUTC.Equal(at("2027-03-28 21:59:59")) || !o.End.Equal(at("2027-03-28 23:59:59")) {
		t.Errorf("a whole day: %+v", o)
	}
}

// The address of a date has the time only where a day may have several, and leads back to the date.
func TestAddressOfDate(t *testing.T) {
	t.Parallel()
	const start, end = "2027-03-27 19:30:15", "2027-03-27 20:00:00"
	for name, c := range map[string]struct {
		e    *Event
		want bool
	}{
		"one a day":                     {seriesOf(t, "UTC", start, end, "FREQ=DAILY"), false},
		"dates at the same time of day": {seriesOf(t, "UTC", start, end, "FREQ=DAILY", "2027-05-01 19:30:15"), false},
		"a date at another time of day": {seriesOf(t, "UTC", start, end, "FREQ=DAILY", "2027-05-01 12:00:00"), true},
		"two hours":                     {seriesOf(t, "UTC", start, end, "FREQ=DAILY;BYHOUR=9,19"), true},
		"one hour":                      {seriesOf(t, "UTC", start, end, "FREQ=DAILY;BYHOUR=19"), false},
		"two minutes":                   {seriesOf(t, "UTC", start, end, "FREQ=DAILY;BYMINUTE=0,30"), true},
		"an event that happens once":    {&Event{Start: at(start)}, false},
	} {
		if got := c.e.SeveralADay(); got != c.want {
			t.Errorf("%s: several %t", name, got)
		}
	}
	two := seriesOf(t, "UTC", start, end, "FREQ=DAILY")
	if two.Recurrence.Rules = append(two.Recurrence.Rules, recur.Rule{Freq: recur.Weekly}); !two.SeveralADay() {
		t.Error("two rules never meet on a day")
	}
	s := &Series{OriginalStart: at(start)}
	for _, several := range []bool{false, true} {
		span, ok := ParseDay(s.Day(several))
		if !ok || s.OriginalStart.Before(span.From) || !s.OriginalStart.Before(span.To) || several != (span.To.Sub(span.From) == time.Minute) {
			t.Errorf("%s leads to %+v", s.Day(several), span)
		}
	}
	for _, text := range []string{"", "2027-02-30", "2027-03-27-2460", "2027-03-27-19", "choir"} {
		if span, ok := ParseDay(text); ok {
			t.Errorf("%q is %+v", text, span)
		}
	}
}

// Rule 13.3: what may differ in an occurrence and what is the whole series'. A field of an event that is added belongs to
// one of the two.
func TestEveryFieldIsTheSeriesOrTheOccurrences(t *testing.T) {
	t.Parallel()
	neither := []string{"Post", "Start", "End", "StartUTC", "EndUTC", "Masked", "Recurrence", "StoredUntil", "LastStart", "Several", "Exceptions", "Series", "Coming",
		"PreviousStart", "UID", "Origin", "Elsewhere", "Sequence"}
	seen := map[string]bool{}
	fields := reflect.TypeFor[Event]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		if slices.Contains(neither, name) {
			continue
		}
		was, e := &Event{}, &Event{Series: &Series{}}
		fillAny(reflect.ValueOf(e).Elem().Field(i))
		whole := CheckOccurrence(was, e)
		e.Differ(was)
		if (whole == nil) == (len(e.Series.Changed) == 0) {
			t.Errorf("%s: of the whole: %v, of one: %v", name, whole, e.Series.Changed)
		}
		for _, argument := range e.Series.Changed {
			seen[argument] = true
			if OfWhole(argument) {
				t.Errorf("%s is the whole series', too", argument)
			}
		}
		for _, argument := range argstest.Wrong(whole) {
			if !OfWhole(argument) {
				t.Errorf("%s isn't the whole series'", argument)
			}
		}
		// What differs is kept when the series changes; what doesn't comes from the series.
		one := &Event{Series: &Series{Changed: e.Series.Changed}}
		one.Inherit(e, Occurrence{})
		if got := reflect.ValueOf(one).Elem().Field(i); whole == nil && !got.IsZero() {
			t.Errorf("%s isn't kept", name)
		}
		one = &Event{Series: &Series{}}
		one.Inherit(e, Occurrence{})
		if got := reflect.ValueOf(one).Elem().Field(i).Interface(); !reflect.DeepEqual(got, reflect.ValueOf(e).Elem().Field(i).Interface()) {
			t.Errorf("%s isn't inherited", name)
		}
	}
	if !seen["seo_title"] || !seen["seo_description"] || !seen["event_status"] {
		t.Errorf("only %v", seen)
	}
}

// An occurrence whose fields are set to those of the series again doesn't differ, once what was written is all the same.
func TestOccurrenceBackInSeries(t *testing.T) {
	t.Parallel()
	series := seriesOf(t, "Europe/Berlin", "2027-06-01 19:00:00", "2027-06-01 22:00:00", "FREQ=WEEKLY")
	original := at("2027-06-08 19:00:00")
	occurrence := func(changed ...string) *Event {
		e := *series
		e.Occur(9, original, original, original.Add(3*time.Hour))
		e.Series.Changed = changed
		return &e
	}
	for name, c := range map[string]struct {
		was, now func(*Event)
		changed  []string
		left     []string
	}{
		"the title is that of the series again":                    {func(e *Event) { e.Title = "X" }, func(*Event) {}, []string{"title"}, nil},
		"another title differs still":                              {func(e *Event) { e.Title = "X" }, func(e *Event) { e.Title = "Y" }, []string{"title"}, []string{"title"}},
		"what wasn't written stays, even if it is the same by now": {func(*Event) {}, func(*Event) {}, []string{"title"}, []string{"title"}},
		"back at its time":                                         {func(e *Event) { e.Start = e.Start.Add(time.Hour) }, func(*Event) {}, []string{"start_date"}, nil},
		"half back":                                                {func(e *Event) { e.Start, e.End = e.Start.Add(time.Hour), e.End.Add(time.Hour) }, func(e *Event) { e.End = e.End.Add(time.Hour) }, []string{"start_date"}, []string{"start_date"}},
		"one of two is back":                                       {func(e *Event) { e.Title, e.Cost = "X", []string{"5"} }, func(e *Event) { e.Cost = []string{"5"} }, []string{"cost", "title"}, []string{"cost"}},
	} {
		was, now := occurrence(c.changed...), occurrence(c.changed...)
		c.was(was)
		c.now(now)
		if none := now.Series.Back(was, now, series); !slices.Equal(now.Series.Changed, c.left) || none != (len(c.left) == 0) {
			t.Errorf("%s: %v differ", name, now.Series.Changed)
		}
	}
}

// Rule 13.2: an occurrence follows its series to another time, unless it has one of its own, and to another zone.
func TestInheritedTimes(t *testing.T) {
	t.Parallel()
	series := seriesOf(t, "America/New_York", "2027-06-01 20:00:00", "2027-06-01 22:00:00", "FREQ=WEEKLY")
	when := series.OccurrenceAt(at("2027-06-08 20:00:00"))
	one := &Event{Start: at("2027-06-08 19:00:00"), End: at("2027-06-08 21:00:00"), Timezone: "Europe/Berlin", Series: &Series{ID: 1}}
	own := &Event{Start: at("2027-06-09 12:00:00"), End: at("2027-06-09 13:00:00"), Timezone: "Europe/Berlin", Series: &Series{ID: 1, Changed: []string{"start_date"}}}
	one.Inherit(series, when)
	own.Inherit(series, when)
	if !one.Start.Equal(when.Start) || !one.EndUTC.Equal(at("2027-06-09 02:00:00")) || one.Series.ID != 5 || !one.Series.OriginalStart.Equal(when.Original) {
		t.Errorf("it is at %s", one.Start)
	}
	if !own.Start.Equal(at("2027-06-09 12:00:00")) || !own.StartUTC.Equal(at("2027-06-09 16:00:00")) || own.Timezone != "America/New_York" {
		t.Errorf("one with a time of its own is at %s, UTC %s", own.Start, own.StartUTC)
	}
}

// Rule 13.4: how many dates are stored.
func TestStoredDates(t *testing.T) {
	t.Parallel()
	horizon := at("2037-06-01 00:00:00")
	const start, end = "2027-06-01 19:00:00", "2027-06-01 22:00:00"
	for name, c := range map[string]struct {
		rule  string
		most  int
		n     int
		until string // "" if that is all
	}{
		"ten years of a weekly one":      {"FREQ=WEEKLY", StoredAtOnce, 522, "2037-06-02 18:59:59"},
		"twenty of a rare one":           {"FREQ=YEARLY;INTERVAL=3", StoredAtOnce, 20, "2087-06-01 18:59:59"},
		"all of one that ends":           {"FREQ=DAILY;COUNT=4000", StoredAtOnce, 4000, ""},
		"no more at once than there may": {"FREQ=DAILY;COUNT=4000", 100, 100, "2027-09-09 18:59:59"},
		"exactly what there may":         {"FREQ=DAILY;COUNT=100", 100, 100, ""},
	} {
		list, until := seriesOf(t, "UTC", start, end, c.rule).Starts(horizon, c.most)
		text := ""
		if !until.IsZero() {
			text = until.Format(time.DateTime)
		}
		if len(list) != c.n || text != c.until {
			t.Errorf("%s: %d until %q", name, len(list), text)
		}
	}
	weekly := seriesOf(t, "UTC", start, end, "FREQ=WEEKLY")
	list, until := weekly.Starts(horizon, 100)
	more, _ := weekly.More(until, horizon, len(list), 1000)
	if next := list[99].AddDate(0, 0, 7); len(more) != 422 || !more[0].Equal(next) {
		t.Errorf("%d more, from %s", len(more), more[0])
	}
	if none, again := weekly.More(until, horizon, len(list), 0); len(none) != 0 || !again.Equal(until) {
		t.Errorf("without room: %d until %s", len(none), again)
	}
	if none, _ := weekly.More(until, horizon, MostStored+1, 1000); len(none) != 0 {
		t.Errorf("beyond the most: %d", len(none))
	}
	if stored := Horizon(noon); !ExtendAt(stored).Equal(at("2027-03-01 00:00:01")) {
		t.Errorf("what is stored until %s is extended at %s", stored, ExtendAt(stored))
	}
}

// Rule 14.1: calendars are told anew of another time, place or status, and not of another text.
func TestRescheduled(t *testing.T) {
	t.Parallel()
	was := seriesOf(t, "UTC", "2027-06-01 19:00:00", "2027-06-01 22:00:00", "FREQ=WEEKLY")
	for name, c := range map[string]struct {
		change func(*Event)
		want   bool
	}{
		"nothing":        {func(*Event) {}, false},
		"the title":      {func(e *Event) { e.Title, e.Description = "X", "Y" }, false},
		"the start":      {func(e *Event) { e.Start = e.Start.Add(-time.Hour) }, true},
		"the end":        {func(e *Event) { e.End = e.End.Add(time.Hour) }, true},
		"the time zone":  {func(e *Event) { e.Timezone = "Asia/Tokyo" }, true},
		"it is all day":  {func(e *Event) { e.AllDay = true }, true},
		"cancelled":      {func(e *Event) { e.Happening.Status = "cancelled" }, true},
		"another reason": {func(e *Event) { e.Happening.Reason = "Storm" }, false},
		"withdrawn":      {func(e *Event) { e.Status = Draft }, true},
		"hidden":         {func(e *Event) { e.Hidden = true }, true},
		"another venue":  {func(e *Event) { e.Venues = []Venue{{Post: Post{ID: 2}}} }, true},
		"its rules":      {func(e *Event) { e.Recurrence = nil }, true},
	} {
		e := *was
		if c.change(&e); Rescheduled(was, &e) != c.want {
			t.Errorf("%s: rescheduled: %t", name, !c.want)
		}
	}
}

// Where an event is attended online is told to the public when it is to be, and to its editors always.
func TestWhoLearnsTheAddressOnline(t *testing.T) {
	t.Parallel()
	series := seriesOf(t, "UTC", "2027-06-01 19:00:00", "2027-06-01 22:00:00", "FREQ=WEEKLY")
	for _, c := range []struct {
		shown   string
		series  bool
		editor  bool
		now     time.Duration // from the start
		told    bool
		changes bool
	}{
		{"", false, false, -time.Hour, true, false},
		{"always", false, false, -time.Hour, true, false},
		{"never", false, false, time.Hour, false, false},
		{"never", false, true, -time.Hour, true, false},
		{"started", false, false, -time.Second, false, true},
		{"started", false, false, 0, true, false},
		{"started", false, true, -time.Hour, true, false},
		{"started", true, false, time.Hour, false, false},
	} {
		e := &Event{StartUTC: noon, Attendance: Attendance{URL: "https://x", Shown: c.shown}}
		if c.series {
			e.Recurrence = series.Recurrence
		}
		address, changes := e.OnlineAt(noon.Add(c.now), c.editor)
		if (address != "") != c.told || changes.Equal(noon) != c.changes {
			t.Errorf("%+v: %q, %s", c, address, changes)
		}
	}
}

// A date that was moved tells when it was planned, if that is said and not the same moment.
func TestPreviousStart(t *testing.T) {
	t.Parallel()
	original := at("2027-06-08 19:00:00")
	for name, c := range map[string]struct {
		e    Event
		want time.Time
	}{
		"a rescheduled date":                          {Event{Happening: Happening{Status: "rescheduled"}, Series: &Series{OriginalStart: original}, StartUTC: original}, at("2027-06-08 17:00:00")},
		"one that stays":                              {Event{Happening: Happening{Status: "rescheduled"}, Series: &Series{OriginalStart: original}, StartUTC: at("2027-06-08 17:00:00")}, time.Time{}},
		"one that was moved in silence":               {Event{Series: &Series{OriginalStart: original}, StartUTC: original}, time.Time{}},
		"a rescheduled event":                         {Event{Happening: Happening{Status: "rescheduled"}, PreviousStart: noon}, noon},
		"one whose first start is known":              {Event{Happening: Happening{Status: "rescheduled"}, PreviousStart: noon, Series: &Series{OriginalStart: original}}, noon},
		"a rescheduled event, from when nobody knows": {Event{Happening: Happening{Status: "rescheduled"}}, time.Time{}},
	} {
		c.e.Timezone = "Europe/Berlin"
		if got := c.e.Previously(); !got.Equal(c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
