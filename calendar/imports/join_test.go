package imports

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
)

// on is a file with an event at noon of each of some days.
func on(days string) *reading.File {
	return &reading.File{Entries: func(yield func(reading.Entry) bool) {
		for n, day := range strings.Fields(days) {
			start := day + " 12:00:00"
			e := reading.Entry{Number: n + 1, ID: int64(n + 1), UID: fmt.Sprintf("site?id=%d", n+1), Title: "Meeting", Start: start,
				Values: args.Values{"title": "Meeting", "start_date": start, "end_date": day + " 13:00:00", "slug": day}}
			if !yield(e) {
				return
			}
		}
	}}
}

func TestRulesOfSingleEvents(t *testing.T) {
	t.Parallel()
	for days, want := range map[string]string{
		"2030-01-07 2030-01-14 2030-01-21":                       "FREQ=WEEKLY;INTERVAL=1;COUNT=3 []",
		"2030-01-21 2030-01-07 2030-01-14":                       "FREQ=WEEKLY;INTERVAL=1;COUNT=3 []",
		"2030-01-07 2030-01-21 2030-02-04":                       "FREQ=WEEKLY;INTERVAL=2;COUNT=3 []",
		"2030-01-07 2030-01-14 2030-01-28 2030-02-04":            "FREQ=WEEKLY;INTERVAL=1;COUNT=5 [2030-01-21 12:00:00]",
		"2030-01-07 2030-01-08 2030-01-09":                       "FREQ=DAILY;INTERVAL=1;COUNT=3 []",
		"2030-01-05 2030-02-05 2030-03-05":                       "FREQ=MONTHLY;INTERVAL=1;COUNT=3 []",
		"2030-01-08 2030-02-12 2030-03-12 2030-04-09":            "FREQ=MONTHLY;INTERVAL=1;COUNT=4;BYDAY=2TU []",
		"2028-06-01 2029-06-01 2030-06-01":                       "FREQ=MONTHLY;INTERVAL=12;COUNT=3 []",
		"2030-01-31 2030-02-28 2030-03-31":                       "", // the end of the month is a guess
		"2030-01-07 2030-01-14":                                  "",
		"2030-01-07 2030-01-08 2030-06-20":                       "",
		"2030-01-07 2030-01-07 2030-01-14 2030-01-21":            "",
		"2030-03-25 2030-04-01 2030-04-08 2030-04-15 2030-07-01": "",
	} {
		got := ""
		for _, g := range groupsOf(on(days)) {
			got += fmt.Sprint(g.rule, " ", g.except)
			if g.except == nil {
				got = strings.Replace(got, "<nil>", "[]", 1)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", days, got, want)
		}
	}
	other := on("2030-01-07 2030-01-14 2030-01-21")
	if g := groupsOf(&reading.File{Entries: func(yield func(reading.Entry) bool) {
		for e := range other.Entries {
			e.Values["description"] = time.Duration(e.Number).String()
			if !yield(e) {
				return
			}
		}
	}}); len(g) != 0 {
		t.Errorf("events with different texts are a series: %v", g[0].rule)
	}
}
