package services

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/test/argstest"
)

// times returns fields with a start and an end, as far as they are given.
func times(start, end string) calendar.EventFields {
	var f calendar.EventFields
	if start != "" {
		f.Start = args.DateArg(start)
	}
	if end != "" {
		f.End = args.DateArg(end)
	}
	return f
}

func zoned(t *testing.T, f calendar.EventFields, zone string) calendar.EventFields {
	t.Helper()
	z, err := args.ParseZone(zone)
	if err != nil {
		t.Fatal(err)
	}
	f.Timezone = args.Some(z)
	return f
}

func allDay(f calendar.EventFields, on bool) calendar.EventFields {
	f.AllDay = args.Some(on)
	return f
}

// written returns the event that some writes make, the first of which creates it, and the problem of the last.
func written(t *testing.T, writes ...calendar.EventFields) (*calendar.Event, error) {
	t.Helper()
	e := &calendar.Event{}
	var err error
	for i, f := range writes {
		if i == 0 && !f.Title.Given() {
			f.Title = args.Some("Choir")
		}
		if err != nil {
			t.Fatalf("write %d: %v", i, err)
		}
		w := &EventWrite{EventFields: &f, scope: editorOf(t), now: noon}
		err = w.Apply(t.Context(), e, i == 0)
	}
	return e, err
}

// Rules 3.8, 3.9 and 3.10: what start, end, time zone and all_day make of an event.
func TestTimesOfEvent(t *testing.T) {
	t.Parallel()
	evening := times("2027-06-01 19:00", "2027-06-01 22:00")
	for name, c := range map[string]struct {
		writes     []calendar.EventFields
		start, end string // local
		utc        string // of start and end
	}{
		"times are in the site's time zone": {[]calendar.EventFields{evening}, "2027-06-01 19:00:00", "2027-06-01 22:00:00", "17:00 20:00"},
		"or in the one that is given": {[]calendar.EventFields{zoned(t, evening, "America/New_York")},
			"2027-06-01 19:00:00", "2027-06-01 22:00:00", "23:00 02:00"},
		"an offset is converted": {[]calendar.EventFields{times("2027-06-01T19:00:00-04:00", "2027-06-01T22:00:00Z")},
			"2027-06-02 01:00:00", "2027-06-02 00:00:00", "refused end_date"},
		"an offset in another zone": {[]calendar.EventFields{zoned(t, times("2027-06-01T17:00:00Z", "2027-06-01T20:00:00Z"), "America/New_York")},
			"2027-06-01 13:00:00", "2027-06-01 16:00:00", "17:00 20:00"},
		"a new zone keeps the local time": {[]calendar.EventFields{evening, zoned(t, calendar.EventFields{}, "Asia/Tokyo")},
			"2027-06-01 19:00:00", "2027-06-01 22:00:00", "10:00 13:00"},
		"no zone is that of the site": {[]calendar.EventFields{zoned(t, evening, "Asia/Tokyo"), {Timezone: args.Null[args.Zone]()}},
			"2027-06-01 19:00:00", "2027-06-01 22:00:00", "17:00 20:00"},
		"an empty zone is that of the site": {[]calendar.EventFields{zoned(t, evening, "Asia/Tokyo"), {Timezone: args.Some(args.Zone{})}},
			"2027-06-01 19:00:00", "2027-06-01 22:00:00", "17:00 20:00"},
		"a start alone keeps the end":                 {[]calendar.EventFields{evening, times("2027-06-01 20:00", "")}, "2027-06-01 20:00:00", "2027-06-01 22:00:00", "18:00 20:00"},
		"an end alone keeps the start":                {[]calendar.EventFields{evening, times("", "2027-06-01 23:00")}, "2027-06-01 19:00:00", "2027-06-01 23:00:00", "17:00 21:00"},
		"a start after the end is refused":            {[]calendar.EventFields{evening, times("2027-06-01 23:00", "")}, "", "", "refused end_date"},
		"an event may end when it begins":             {[]calendar.EventFields{times("2027-06-01 19:00", "2027-06-01 19:00")}, "2027-06-01 19:00:00", "2027-06-01 19:00:00", "17:00 17:00"},
		"all day is from midnight to the last second": {[]calendar.EventFields{allDay(evening, true)}, "2027-06-01 00:00:00", "2027-06-01 23:59:59", "22:00 21:59"},
		"all day on several days":                     {[]calendar.EventFields{allDay(times("2027-06-01", "2027-06-03"), true)}, "2027-06-01 00:00:00", "2027-06-03 23:59:59", "22:00 21:59"},
		"all day in another zone": {[]calendar.EventFields{allDay(evening, true), zoned(t, calendar.EventFields{}, "Asia/Tokyo")},
			"2027-06-01 00:00:00", "2027-06-01 23:59:59", "15:00 14:59"},
		"all day later on": {[]calendar.EventFields{evening, allDay(calendar.EventFields{}, true)}, "2027-06-01 00:00:00", "2027-06-01 23:59:59", "22:00 21:59"},
		"all day when clocks skip midnight": {[]calendar.EventFields{zoned(t, allDay(times("2027-03-28", "2027-03-28"), true), "Asia/Beirut")},
			"2027-03-28 00:00:00", "2027-03-28 23:59:59", "22:00 20:59"},
		"a time that clocks skip moves forward": {[]calendar.EventFields{times("2027-03-28 02:30", "2027-03-28 05:00")},
			"2027-03-28 03:30:00", "2027-03-28 05:00:00", "01:30 03:00"},
		"the first of a time that comes twice": {[]calendar.EventFields{times("2027-10-31 02:30", "2027-10-31 05:00")},
			"2027-10-31 02:30:00", "2027-10-31 05:00:00", "00:30 04:00"},
		"the second one can be given by its offset": {[]calendar.EventFields{times("2027-10-31T02:30:00+01:00", "2027-10-31 05:00")},
			"2027-10-31 02:30:00", "2027-10-31 05:00:00", "00:30 04:00"},
		"a new zone whose clocks skip the time moves it, too": {[]calendar.EventFields{zoned(t, times("2027-03-28 02:30", "2027-03-28 05:00"), "UTC"), zoned(t, calendar.EventFields{}, "Europe/Berlin")},
			"2027-03-28 03:30:00", "2027-03-28 05:00:00", "01:30 03:00"},
	} {
		e, err := written(t, c.writes...)
		if list := argstest.Wrong(err); c.utc == "refused end_date" {
			if !slices.Equal(list, []string{"end_date"}) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		utc := fmt.Sprintf("%s %s", e.StartUTC.Format("15:04"), e.EndUTC.Format("15:04"))
		if start, end := e.Start.Format(time.DateTime), e.End.Format(time.DateTime); start != c.start || end != c.end || utc != c.utc {
			t.Errorf("%s: %s to %s, UTC %s", name, start, end, utc)
		}
	}
}

// Rule 13.1: the rules of a series name the nominal time, also where its first date is moved by the clocks.
func TestNewZoneOfSeriesKeepsItsTime(t *testing.T) {
	t.Parallel()
	f := zoned(t, times("2027-03-28 02:30", "2027-03-28 05:00"), "UTC")
	f.Recurrence = args.Some(args.TextOrObject{Value: "FREQ=WEEKLY;COUNT=2"})
	e, err := written(t, f, zoned(t, calendar.EventFields{}, "Europe/Berlin"))
	if err != nil || !e.Start.Equal(at("2027-03-28 02:30:00")) {
		t.Fatalf("the series begins at %s, %v", e.Start, err)
	}
	dates := e.Next(time.Time{}, 5)
	if len(dates) != 2 || !dates[0].Start.Equal(at("2027-03-28 03:30:00")) || !dates[1].Start.Equal(at("2027-04-04 02:30:00")) {
		t.Errorf("its dates are %v", dates)
	}
}

// A write to a whole series that names the times of one of its dates moves all of them by as much.
func TestTimesOfWholeSeriesByOneDate(t *testing.T) {
	t.Parallel()
	third := calendar.Event{Start: at("2027-06-15 19:00:00"), End: at("2027-06-15 22:00:00")}
	long := calendar.Event{Start: at("2027-06-15 19:00:00"), End: at("2027-06-16 02:00:00")}
	for name, c := range map[string]struct {
		at         calendar.Event
		write      calendar.EventFields
		start, end string
	}{
		"an hour later":                   {third, times("2027-06-15 20:00", "2027-06-15 23:00"), "2027-06-01 20:00:00", "2027-06-01 23:00:00"},
		"a day later":                     {third, times("2027-06-16 19:00", "2027-06-16 22:00"), "2027-06-02 19:00:00", "2027-06-02 22:00:00"},
		"longer":                          {third, times("", "2027-06-15 23:30"), "2027-06-01 19:00:00", "2027-06-01 23:30:00"},
		"nothing moved":                   {third, times("2027-06-15 19:00", "2027-06-15 22:00"), "2027-06-01 19:00:00", "2027-06-01 22:00:00"},
		"a long date, an hour later":      {long, times("2027-06-15 20:00", "2027-06-16 03:00"), "2027-06-01 20:00:00", "2027-06-01 23:00:00"},
		"a long date, as short as can be": {long, times("", "2027-06-15 20:00"), "2027-06-01 19:00:00", "2027-06-01 20:00:00"},
	} {
		e, err := written(t, times("2027-06-01 19:00", "2027-06-01 22:00"))
		if err != nil {
			t.Fatal(err)
		}
		w := &EventWrite{EventFields: &c.write, scope: editorOf(t), now: noon, at: &c.at}
		if err := w.times(e, false); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if start, end := e.Start.Format(time.DateTime), e.End.Format(time.DateTime); start != c.start || end != c.end {
			t.Errorf("%s: %s to %s", name, start, end)
		}
	}
}

// All problems of a write are told at once.
func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	f := times("2027-06-01 19:00", "2027-06-01 18:00")
	f.Title, f.Cost, f.Parent = args.Some(" "), args.Some[any]([]any{[]any{}}), args.Some[int64](5)
	w := &EventWrite{EventFields: &f, scope: editorOf(t), now: noon}
	got := argstest.Wrong(w.Apply(t.Context(), &calendar.Event{Post: calendar.Post{ID: 5}}, false))
	if slices.Sort(got); !slices.Equal(got, []string{"cost", "end_date", "post_parent", "title"}) {
		t.Errorf("%v", got)
	}
}

// What was planned at first is remembered when an event is rescheduled, as long as it is.
func TestRescheduledEvent(t *testing.T) {
	t.Parallel()
	status := func(f calendar.EventFields, text string) calendar.EventFields {
		f.EventStatus = args.Some(text)
		return f
	}
	plan, moved, again := times("2027-06-01 19:00", "2027-06-01 22:00"), times("2027-06-02 19:00", "2027-06-02 22:00"), times("2027-06-03 19:00", "2027-06-03 22:00")
	for name, c := range map[string]struct {
		writes []calendar.EventFields
		status string
		was    string
	}{
		"moved and said so":                    {[]calendar.EventFields{plan, status(moved, "rescheduled")}, "rescheduled", "2027-06-01 17:00:00"},
		"moved again, it was the first":        {[]calendar.EventFields{plan, status(moved, "rescheduled"), again}, "rescheduled", "2027-06-01 17:00:00"},
		"said before it was moved":             {[]calendar.EventFields{plan, status(calendar.EventFields{}, "rescheduled"), moved}, "rescheduled", "2027-06-01 17:00:00"},
		"moved without a word":                 {[]calendar.EventFields{plan, moved}, "", ""},
		"created as such":                      {[]calendar.EventFields{status(plan, "rescheduled")}, "rescheduled", ""},
		"no longer":                            {[]calendar.EventFields{plan, status(moved, "rescheduled"), status(calendar.EventFields{}, "scheduled")}, "", ""},
		"null is scheduled":                    {[]calendar.EventFields{plan, status(moved, "rescheduled"), {EventStatus: args.Null[string]()}}, "", ""},
		"cancelled afterwards":                 {[]calendar.EventFields{plan, status(moved, "rescheduled"), status(calendar.EventFields{}, "cancelled")}, "cancelled", ""},
		"cancelled as Americans write it":      {[]calendar.EventFields{plan, status(calendar.EventFields{}, "canceled")}, "cancelled", ""},
		"moved to another zone, same as local": {[]calendar.EventFields{plan, zoned(t, status(calendar.EventFields{}, "rescheduled"), "Asia/Tokyo")}, "rescheduled", "2027-06-01 17:00:00"},
	} {
		e, err := written(t, c.writes...)
		was := ""
		if !e.PreviousStart.IsZero() {
			was = e.PreviousStart.Format(time.DateTime)
		}
		if err != nil || e.Happening.Status != c.status || was != c.was {
			t.Errorf("%s: %q, previously %q, %v", name, e.Happening.Status, was, err)
		}
	}
}

// Rule 3.4: null clears, absence keeps, and what goes without saying isn't stored.
func TestFieldsOfEvent(t *testing.T) {
	t.Parallel()
	full := times("2027-06-01 19:00", "2027-06-01 22:00")
	full.Description, full.Website, full.Featured, full.Cost = args.Some("<p>Songs</p>"), args.Some[args.URL]("https://example.org/"), args.Some(true), args.Some[any]("5")
	full.Attendance, full.VirtualURL, full.VirtualShown = args.Some("online"), args.Some[args.URL]("https://example.org/live"), args.Some("never")
	full.StatusReason, full.Password = args.Some("Storm"), args.Some("secret")
	full.Tickets = args.Some(args.Objects[calendar.TicketFields]{{Name: args.Some("Seat"), Price: args.Some(0.0), Currency: args.Some("eur"), Until: args.DateArg("2027-06-01 12:00")}})
	e, err := written(t, full, calendar.EventFields{Sticky: args.Some(true)})
	if err != nil {
		t.Fatal(err)
	}
	if e.Description == "" || e.Website == "" || !e.Featured || !e.Sticky || len(e.Cost) != 1 || e.Attendance != (calendar.Attendance{Mode: "online", URL: "https://example.org/live", Shown: "never"}) ||
		e.Happening.Reason != "Storm" || !e.Opens("secret") || e.Opens("Secret") || e.Opens("") || len(e.Tickets) != 1 {
		t.Errorf("a write of one field changes others: %+v", e)
	}
	ticket := e.Tickets[0]
	if ticket.Price == nil || *ticket.Price != 0 || ticket.Currency != "EUR" || ticket.Available != nil || !ticket.Until.Equal(at("2027-06-01 10:00:00")) {
		t.Errorf("the ticket is %+v", ticket)
	}
	none := calendar.EventFields{Description: args.Null[string](), Website: args.Null[args.URL](), Featured: args.Null[bool](), Cost: args.Null[any](), Attendance: args.Some("offline"),
		VirtualURL: args.Null[args.URL](), VirtualShown: args.Some("always"), StatusReason: args.Some(""), Password: args.Some(""), Tickets: args.Null[args.Objects[calendar.TicketFields]]()}
	e, err = written(t, full, none)
	if err != nil || e.Description != "" || e.Website != "" || e.Featured || e.Cost != nil || e.Attendance != (calendar.Attendance{}) || e.Happening != (calendar.Happening{}) ||
		e.Protected() || e.Opens("secret") || e.Tickets != nil {
		t.Errorf("cleared, it is %+v, %v", e, err)
	}
}
