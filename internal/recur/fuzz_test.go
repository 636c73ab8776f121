package recur_test

import (
	"testing"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// A text that parses without a problem has a canonical form that parses to itself, and can be checked and expanded.
func FuzzParseRule(f *testing.F) {
	for _, s := range []string{
		"FREQ=DAILY", "RRULE:FREQ=WEEKLY;BYDAY=MO,-1FR;COUNT=3", "FREQ=YEARLY;BYWEEKNO=-1;BYSETPOS=2;UNTIL=20300101T000000Z",
		"FREQ=MONTHLY;INTERVAL=7;BYMONTHDAY=31;BYHOUR=1,2;BYMINUTE=5;WKST=SU", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;UNTIL=99991231",
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string, allDay bool) {
		c := recur.Clock{Zone: berlin, AllDay: allDay, Start: time.Date(2027, 10, 31, 2, 30, 0, 0, time.UTC)}
		rule, problems := recur.ParseRule(text, c)
		if len(problems) > 0 {
			return
		}
		canonical := rule.Text(c)
		again, problems := recur.ParseRule(canonical, c)
		if len(problems) > 0 || again.Text(c) != canonical {
			t.Fatalf("%q: %q reads as %q %+v", text, canonical, again.Text(c), problems)
		}
		set := recur.Set{Rules: []recur.Rule{rule}}
		set.Check(c)
		ascending(t, take(set, c, time.Time{}, 10))
	})
}

// ParseLines terminates on any input.
func FuzzParseLines(f *testing.F) {
	for _, s := range []string{
		"RRULE:FREQ=DAILY\r\nEXDATE;TZID=Europe/Berlin:20270102T193000,20270103T193000", "RDATE;VALUE=DATE:20270102",
		"EXDATE;VALUE=DATE-TIME:20270102T183000Z\nRDATE;VALUE=PERIOD:20270102T183000Z/PT1H", "rrule;x-a=\"b:c\":freq=weekly;\n byday=mo",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := recur.Clock{Zone: time.UTC, Start: time.Date(2027, 1, 1, 19, 30, 0, 0, time.UTC), Lookup: time.LoadLocation}
		set, problems := recur.ParseLines(text, c)
		if len(problems) == 0 {
			set.Check(c)
			ascending(t, take(set, c, c.Start, 10))
		}
	})
}

func ascending(t *testing.T, dates []time.Time) {
	t.Helper()
	for i := 1; i < len(dates); i++ {
		if !dates[i-1].Before(dates[i]) {
			t.Fatalf("%v is not before %v", dates[i-1], dates[i])
		}
	}
}
