package recur_test

import (
	"slices"
	"testing"

	"github.com/kalends/kalends/internal/recur"
)

// Every cell of the table of RFC 5545 §3.3.10, which says whether a part expands or limits a period, or is not
// allowed with it.
func TestTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cell, start, rule, want string }{
		{"BYMONTH limits DAILY", "2027-01-30", "FREQ=DAILY;BYMONTH=1,6", "1/30 31 6/1 2 3"},
		{"BYMONTH limits WEEKLY", "2027-01-18", "FREQ=WEEKLY;BYMONTH=1,6", "1/18 25 6/7 14 21 28 2028 1/3"},
		{"BYMONTH limits MONTHLY", "2027-01-18", "FREQ=MONTHLY;BYMONTH=1,6", "1/18 6/18 2028 1/18"},
		{"BYMONTH expands YEARLY", "2027-01-18", "FREQ=YEARLY;BYMONTH=1,6", "1/18 6/18 2028 1/18"},
		{"BYMONTH expands YEARLY, the 31st is in three of them", "2027-01-31", "FREQ=YEARLY;BYMONTH=1,2,3,4,5", "1/31 3/31 5/31 2028 1/31"},

		{"BYWEEKNO expands YEARLY, to the weekday of the start", "2027-01-06", "FREQ=YEARLY;BYWEEKNO=1,2", "1/6 13 2028 1/5 12 2029 1/3 10"},
		{"BYWEEKNO with BYMONTH", "2026-02-26", "FREQ=YEARLY;BYMONTH=2;BYWEEKNO=9", "2/26 2030 2/28 2031 2/27"},
		{"BYYEARDAY expands YEARLY", "2027-01-01", "FREQ=YEARLY;BYYEARDAY=1,60,-1", "1/1 3/1 12/31 2028 1/1 2/29 12/31"},
		{"BYYEARDAY with BYMONTH", "2027-03-01", "FREQ=YEARLY;BYMONTH=3;BYYEARDAY=1,60", "3/1 2029 3/1 2030 3/1"},
		{"BYYEARDAY with BYWEEKNO", "2027-01-04", "FREQ=YEARLY;BYWEEKNO=1;BYYEARDAY=1,4", "1/4 2028 1/4 2029 1/1 4 2030 1/1 4"},

		{"BYMONTHDAY limits DAILY", "2027-01-29", "FREQ=DAILY;BYMONTHDAY=29,-1", "1/29 31 2/28 3/29 31"},
		{"BYMONTHDAY limits DAILY with BYMONTH", "2027-02-28", "FREQ=DAILY;BYMONTH=2,4;BYMONTHDAY=-1", "2/28 4/30 2028 2/29"},
		{"BYMONTHDAY expands MONTHLY", "2027-01-29", "FREQ=MONTHLY;BYMONTHDAY=29,-1", "1/29 31 2/28 3/29 31"},
		{"BYMONTHDAY expands YEARLY in its months", "2027-01-01", "FREQ=YEARLY;BYMONTH=1,3;BYMONTHDAY=1,-1", "1/1 31 3/1 31 2028 1/1 31 3/1 31"},
		{"BYMONTHDAY expands YEARLY in the month of the start", "2027-02-01", "FREQ=YEARLY;BYMONTHDAY=1,-1", "2/1 28 2028 2/1 29"},
		{"BYMONTHDAY with BYWEEKNO", "2026-02-01", "FREQ=YEARLY;BYWEEKNO=5,9;BYMONTHDAY=1,-1", "2/1 28 3/1 2027 2/1 3/1 2028 1/31 2/1 29 3/1"},
		{"BYMONTHDAY with BYYEARDAY", "2027-01-01", "FREQ=YEARLY;BYYEARDAY=1,-1,40;BYMONTHDAY=1,-1", "1/1 12/31 2028 1/1"},

		{"BYDAY limits DAILY", "2027-01-01", "FREQ=DAILY;BYDAY=FR,SU", "1/1 3 8 10"},
		{"BYDAY expands WEEKLY", "2027-01-01", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SU", "1/1 3 15 17"},
		{"BYDAY expands MONTHLY", "2027-01-01", "FREQ=MONTHLY;BYDAY=1FR,-1SU", "1/1 31 2/5 28"},
		{"note 1: BYDAY limits MONTHLY beside BYMONTHDAY", "2027-08-13", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "8/13 2028 10/13 2029 4/13 7/13"},
		{"note 1: also the Nth", "2026-06-01", "FREQ=MONTHLY;BYMONTHDAY=1,8;BYDAY=1MO,2TU", "6/1 9/8 12/8"},
		{"note 2: BYDAY limits YEARLY beside BYYEARDAY", "2027-01-01", "FREQ=YEARLY;BYYEARDAY=1,2;BYDAY=FR", "1/1 2032 1/2 2037 1/2"},
		{"note 2: and beside BYMONTHDAY", "2025-04-09", "FREQ=YEARLY;BYMONTHDAY=8,9;BYDAY=WE,TH", "4/9 2026 4/8 9 2027 4/8"},
		{"note 2: also the Nth of the year", "2026-06-01", "FREQ=YEARLY;BYMONTHDAY=1,8;BYDAY=22MO,23TU", "6/1 2027 6/8 2032 6/8"},
		{"note 2: BYDAY expands the weeks of BYWEEKNO", "2027-01-05", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=TU,SU", "1/5 10 2028 1/4 9 2029 1/2 7"},
		{"note 2: weeks, in their months", "2024-12-31", "FREQ=YEARLY;BYMONTH=12;BYWEEKNO=1;BYDAY=MO,TU", "12/31 2025 12/29 30 2029 12/31"},
		{"note 2: BYDAY expands the months of BYMONTH", "2027-01-01", "FREQ=YEARLY;BYMONTH=1,2;BYDAY=1FR", "1/1 2/5 2028 1/7 2/4"},
		{"note 2: every one of the year", "2027-01-01", "FREQ=YEARLY;BYDAY=FR", "1/1 8 15 22 29 2/5"},
		{"note 2: the Nth of the year", "2027-01-01", "FREQ=YEARLY;BYDAY=1FR,-1SU", "1/1 12/26 2028 1/7 12/31"},

		{"BYSETPOS limits DAILY", "2027-01-01", "FREQ=DAILY;BYMONTH=1;BYMONTHDAY=1,2;BYSETPOS=-1", "1/1 2 2028 1/1 2"},
		{"BYSETPOS limits WEEKLY", "2027-01-01", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=-1", "1/1 8 15"},
		{"BYSETPOS limits MONTHLY", "2027-01-29", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "1/29 2/26 3/31"},
		{"BYSETPOS limits YEARLY", "2027-12-31", "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "12/31 2028 12/29 2029 12/31"},
	} {
		clock := recur.Clock{Start: at(t, c.start)}
		set := parsed(t, clock, c.rule)
		want, _ := parseDates(t, clock.Start, c.want)
		if got := take(set, clock, clock.Start, len(want)); !slices.Equal(got, want) {
			t.Errorf("%s: %s: %v, want %v", c.cell, c.rule, got, want)
		}
	}

	for _, c := range []struct{ freq, start, times string }{ // BYHOUR and BYMINUTE always expand
		{"DAILY", "2027-01-01 08:15", ""},
		{"WEEKLY;BYDAY=FR", "2027-01-01 08:15", ""},
		{"MONTHLY;BYMONTHDAY=1", "2027-01-01 08:15", ""},
		{"YEARLY;BYMONTH=1", "2027-01-01 08:15", ""},
	} {
		clock := recur.Clock{Start: at(t, c.start)}
		set := parsed(t, clock, "FREQ="+c.freq+";BYHOUR=8,20;BYMINUTE=15,45")
		got := take(set, clock, clock.Start, 5)
		for i, want := range []string{"2027-01-01 08:15", "2027-01-01 08:45", "2027-01-01 20:15", "2027-01-01 20:45"} {
			if !got[i].Equal(at(t, want)) {
				t.Errorf("%s: %v, want %s", c.freq, got[i], want)
			}
		}
		if next := got[4]; next.Hour() != 8 || next.Day() == 1 && next.Month() == 1 && next.Year() == 2027 {
			t.Errorf("%s: then %v", c.freq, next)
		}
	}

	for _, rule := range []string{ // N/A
		"FREQ=DAILY;BYWEEKNO=1", "FREQ=WEEKLY;BYWEEKNO=1", "FREQ=MONTHLY;BYWEEKNO=1",
		"FREQ=DAILY;BYYEARDAY=1", "FREQ=WEEKLY;BYYEARDAY=1", "FREQ=MONTHLY;BYYEARDAY=1", "FREQ=WEEKLY;BYMONTHDAY=1",
		"FREQ=DAILY;BYDAY=1MO", "FREQ=WEEKLY;BYDAY=1MO", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO",
	} {
		if _, problems := recur.ParseRule(rule, recur.Clock{}); len(problems) == 0 {
			t.Errorf("%s is accepted", rule)
		}
	}
}
