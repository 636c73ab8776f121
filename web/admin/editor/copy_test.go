package editor

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// moment reads a wall-clock time.
func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateTime, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A copy is proposed on the same day of the week at the same time: a week later, or the next such day if that is past.
func TestCopyIsProposedOnTheNextSuchDay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ start, now, want string }{
		{"2030-02-04 19:30:00", "2030-01-01 12:00:00", "2030-02-11 19:30:00"}, // to come
		{"2030-02-04 19:30:00", "2030-02-08 12:00:00", "2030-02-11 19:30:00"}, // a few days ago
		{"2030-02-04 19:30:00", "2030-02-11 19:30:00", "2030-02-11 19:30:00"}, // to the minute
		{"2030-02-04 19:30:00", "2030-02-11 19:30:01", "2030-02-18 19:30:00"},
		{"2020-02-03 19:30:00", "2030-02-05 12:00:00", "2030-02-11 19:30:00"}, // years ago: a Monday again
		{"2030-02-04 19:30:05", "2030-02-08 12:00:00", "2030-02-11 19:30:05"},
		{"2028-02-22 00:00:00", "2028-02-01 00:00:00", "2028-02-29 00:00:00"},
		{"1900-01-01 08:00:00", "2030-02-05 12:00:00", "2030-02-11 08:00:00"},
	} {
		if got := copiedTo(moment(t, c.start), moment(t, c.now)).Format(time.DateTime); got != c.want {
			t.Errorf("of %s at %s: %s, want %s", c.start, c.now, got, c.want)
		}
	}
}

// Whether the time of a copy is past is decided by the clock where the event takes place: in Auckland it is the next day already.
func TestCopyIsProposedByTheClockOfTheEvent(t *testing.T) {
	t.Parallel()
	now := moment(t, "2030-02-10 22:00:00") // in UTC; 11:00 on the 11th in Auckland
	for zone, want := range map[string]string{"Pacific/Auckland": "2030-02-18 10:00:00", "America/New_York": "2030-02-11 10:00:00"} {
		e := &calendar.Event{Timezone: zone}
		if got := copiedTo(moment(t, "2030-02-04 10:00:00"), ui.WallAt(now, ui.ZoneOf(e))).Format(time.DateTime); got != want {
			t.Errorf("%s: %s, want %s", zone, got, want)
		}
	}
}

// The small form of an event stores the times that it shows. A script moves the end while the start is typed.
func TestTimesOfTheListAreStoredAsShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, was, typed string // start and end, as the form has them
		allDay           bool
		want             string
	}{
		{"a later start", "2030-02-04T19:30 2030-02-04T21:00", "2030-02-04T20:00 2030-02-04T21:00", false, "2030-02-04T20:00 2030-02-04T21:00"},
		{"both", "2030-02-04T19:30 2030-02-04T21:00", "2030-02-05T20:00 2030-02-05T23:00", false, "2030-02-05T20:00 2030-02-05T23:00"},
		{"seconds", "2030-02-04T19:30:05 2030-02-04T21:00:10", "2030-02-05T19:30:05 2030-02-05T21:00:10", false, "2030-02-05T19:30:05 2030-02-05T21:00:10"},
		{"other days", "2030-02-04T00:00 2030-02-06T23:59", "2030-02-10 2030-02-10", true, "2030-02-10T00:00 2030-02-10T23:59"},
		{"a time for a day", "2030-02-04T00:00 2030-02-04T23:59", "2030-02-04T08:00 2030-02-04", true, "2030-02-04T08:00 2030-02-04T23:59"},
		{"no day", "2030-02-04T19:30 2030-02-04T21:00", "soon 2030-02-04T21:00", false, "soon 2030-02-04T21:00"},
		{"nothing", "2030-02-04T19:30 2030-02-04T21:00", " 2030-02-04T21:00", false, " 2030-02-04T21:00"},
	} {
		form := func(both string) *frame.Form {
			at := strings.LastIndexByte(both, ' ')
			return &frame.Form{Values: url.Values{"start_date": {both[:at]}, "end_date": {both[at+1:]}}}
		}
		f := form(c.typed)
		settleRow(f, form(c.was), c.allDay)
		if got := f.Get("start_date") + " " + f.Get("end_date"); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	f := &frame.Form{Values: url.Values{"title": {"Choir"}}}
	settleRow(f, &frame.Form{Values: url.Values{"start_date": {"2030-02-04T19:30"}, "end_date": {"2030-02-04T21:00"}}}, false)
	if f.Has("start_date") || f.Has("end_date") {
		t.Errorf("a form without times got some: %v", f.Values)
	}
}
