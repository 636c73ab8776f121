package recur_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// The dates of several rules, RDATEs and EXDATEs make one list without duplicates.
func TestSet(t *testing.T) {
	t.Parallel()
	berlin := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-01-05 19:30"), Lookup: time.LoadLocation}
	days := recur.Clock{Zone: berlin.Zone, Start: at(t, "2027-01-05"), AllDay: true}
	for _, c := range []struct {
		name  string
		clock recur.Clock
		lines string
		want  string
	}{
		{"two rules count each for itself", berlin, "RRULE:FREQ=WEEKLY;COUNT=3\nRRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=3", "1/5 7 12 19."},
		{"no rule", berlin, "RDATE;TZID=Europe/Berlin:20270301T193000,20270201T193000", "1/5 2/1 3/1."},
		{"dates of a rule are not twice", berlin, "RRULE:FREQ=WEEKLY;COUNT=2\nRDATE:20270112T183000Z", "1/5 12."},
		{"RDATE in another zone", berlin, "RDATE;TZID=America/New_York:20270201T133000", "1/5 2/1."},
		{"RDATE of a day is at the time of DTSTART", berlin, "RDATE;VALUE=DATE:20270201", "1/5 2/1."},
		{"EXDATE in UTC", berlin, "RRULE:FREQ=DAILY;COUNT=4\nEXDATE:20270106T183000Z", "1/5 7 8."},
		{"EXDATE of a day", berlin, "RRULE:FREQ=DAILY;COUNT=4\nEXDATE;VALUE=DATE:20270106", "1/5 7 8."},
		{"EXDATE counts for COUNT", berlin, "RRULE:FREQ=DAILY;COUNT=2\nEXDATE:20270106T193000", "1/5."},
		{"the first may be left out", berlin, "RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20270105T193000", "1/6 7."},
		{"whole days", days, "RRULE:FREQ=DAILY;UNTIL=20270108\nEXDATE;VALUE=DATE:20270107\nRDATE;VALUE=DATE:20270110", "1/5 6 8 10."},
		{"times of whole days are their days", days, "RRULE:FREQ=DAILY;UNTIL=20270107T230000Z\nEXDATE:20270106T000000", "1/5 7."},
		{"a bare rule, folded", berlin, "FREQ=WEEKLY;\r\n COUNT=2", "1/5 12."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			set := parsed(t, c.clock, c.lines)
			want, _ := parseDates(t, c.clock.Start, c.want)
			got := take(set, c.clock, time.Time{}, len(want)+1)
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if last, ok := set.Last(c.clock); !ok || !last.Equal(want[len(want)-1]) {
				t.Errorf("last %v", last)
			}
		})
	}
}

// An EXDATE without a time excludes every date on that day.
func TestWholeDaysLeftOut(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-01-05 19:30")}
	set := parsed(t, clock, "RRULE:FREQ=DAILY;COUNT=9;BYHOUR=8,19,20\nEXDATE;VALUE=DATE:20270107,20270106")
	want := []time.Time{at(t, "2027-01-05 19:30"), at(t, "2027-01-05 20:30"), at(t, "2027-01-08 08:30")}
	if got := take(set, clock, time.Time{}, 9); len(set.Except) != 6 || !slices.Equal(got, want) {
		t.Errorf("got %v without %v", got, set.Except)
	}
}

// Of each day, all dates are found, or its time of DTSTART.
func TestDatesOnDays(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-01-05 19:30")}
	set := parsed(t, clock, "RRULE:FREQ=DAILY;COUNT=9;BYHOUR=8,19,20\nRDATE:20270107T093000\nEXDATE:20270106T083000")
	days := []time.Time{at(t, "2027-01-05"), at(t, "2027-01-06"), at(t, "2027-01-07"), at(t, "2027-01-09")}
	var got []string
	for _, date := range set.OnDays(clock, days) {
		got = append(got, date.Format("2 15:04"))
	}
	if want := []string{"5 19:30", "5 20:30", "6 08:30", "6 19:30", "6 20:30", "7 08:30", "7 09:30", "7 19:30", "7 20:30", "9 19:30"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := set.OnDays(clock, nil); got != nil {
		t.Errorf("on no day: %v", got)
	}
}

// However much is wrong with a text, a hundred problems are reported.
func TestProblemsHaveAnEnd(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: time.UTC, Start: at(t, "2027-01-05 19:30")}
	for _, lines := range []string{"RDATE:" + strings.Repeat("x,", 100_000), strings.Repeat("EXDATE:x\n", 100_000), strings.Repeat("x\n", 100_000)} {
		if _, problems := recur.ParseLines(lines, clock); len(problems) != 100 {
			t.Errorf("%.10q…: %d problems", lines, len(problems))
		}
	}
}

// Where clocks change, dates stay the nominal wall-clock times; UNTIL and EXDATE in UTC refer to the instants at
// which these take place.
func TestChangeOfClocks(t *testing.T) {
	t.Parallel()
	forward := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-03-27 02:30")} // 02:30 is skipped on 28 March
	set := parsed(t, forward, "RRULE:FREQ=DAILY;UNTIL=20270328T013000Z")
	if got := take(set, forward, time.Time{}, 9); len(got) != 2 || !got[1].Equal(at(t, "2027-03-28 02:30")) {
		t.Errorf("UNTIL at what a skipped time becomes: %v", got)
	}
	set = parsed(t, forward, "RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20270328T013000Z")
	if got := take(set, forward, time.Time{}, 9); len(got) != 2 || !got[1].Equal(at(t, "2027-03-29 02:30")) {
		t.Errorf("EXDATE of what a skipped time becomes: %v", got)
	}
	for _, c := range []struct {
		zone, start string
		ends        map[string]int // how many dates there are up to an UNTIL
	}{
		{"America/Nuuk", "2027-03-26 23:45", map[string]int{ // on 27 March, clocks skip the hour before midnight
			"20270328T004459Z": 1, "20270328T010000Z": 1, "20270328T014459Z": 1, "20270328T014500Z": 2}},
		{"Pacific/Apia", "2011-12-29 01:30", map[string]int{ // where there was no 30 December
			"20111230T100000Z": 1, "20111230T112959Z": 1, "20111230T113000Z": 3}},
	} {
		clock := recur.Clock{Zone: zone(t, c.zone), Start: at(t, c.start)}
		for until, want := range c.ends {
			set = parsed(t, clock, "RRULE:FREQ=DAILY;UNTIL="+until)
			again := parsed(t, clock, set.Rules[0].Text(clock))
			if got := take(set, clock, time.Time{}, 9); len(got) != want || len(take(again, clock, time.Time{}, 9)) != want {
				t.Errorf("%s, UNTIL=%s: %v, want %d", c.zone, until, got, want)
			}
		}
	}
	back := recur.Clock{Zone: forward.Zone, Start: at(t, "2027-10-30 02:30")} // twice on 31 October
	for until, want := range map[string]int{"20271031T002959Z": 1, "20271031T003000Z": 2, "20271031T010000Z": 2, "20271031T013000Z": 2} {
		set = parsed(t, back, "RRULE:FREQ=DAILY;UNTIL="+until)
		if got := take(set, back, time.Time{}, 9); len(got) != want {
			t.Errorf("UNTIL=%s: %v, want %d", until, got, want)
		}
		again, problems := recur.ParseRule(set.Rules[0].Text(back), back)
		if len(problems) > 0 || len(take(recur.Set{Rules: []recur.Rule{again}}, back, time.Time{}, 9)) != want {
			t.Errorf("UNTIL=%s reads back as %s", until, set.Rules[0].Text(back))
		}
	}
}

// Everything that cannot be stored is reported with its code.
func TestCheck(t *testing.T) {
	t.Parallel()
	berlin := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-01-05 19:30")}
	var long strings.Builder
	var tuesdays []string
	for n := range 53 {
		tuesdays = append(tuesdays, strconv.Itoa(n+1)+"TU")
	}
	for range recur.MaxRules {
		long.WriteString("RRULE:FREQ=YEARLY;BYDAY=" + strings.Join(tuesdays, ",") + "\n")
	}
	for _, c := range []struct{ lines, part, code string }{
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "RRULE", recur.Never},
		{"FREQ=MONTHLY;BYDAY=6TU", "RRULE", recur.Never},
		{"FREQ=MONTHLY;BYDAY=TU;BYSETPOS=6", "RRULE", recur.Never},
		{"FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29", "RRULE", recur.Never}, // only odd years
		{"FREQ=DAILY;INTERVAL=7;BYDAY=WE", "RRULE", recur.Never},
		{"FREQ=DAILY;UNTIL=20270105T182959Z", "UNTIL", recur.UntilEarly},
		{"FREQ=WEEKLY;BYDAY=WE", "DTSTART", recur.StartMissed},
		{"FREQ=DAILY;BYHOUR=9", "DTSTART", recur.StartMissed},
		{"FREQ=DAILY;BYHOUR=19,20;BYMINUTE=30,31,32,33,34,35,36,37,38,39,40,41,42", "RRULE", recur.TooManyADay},
		{"RRULE:FREQ=DAILY;COUNT=2\nEXDATE:20270105T193000,20270106T193000", "EXDATE", recur.Never},
		{long.String(), "RRULE", recur.TooLong},
	} {
		set, problems := recur.ParseLines(c.lines, berlin)
		if len(problems) > 0 {
			t.Fatalf("%.60s: %+v", c.lines, problems)
		}
		if problems = set.Check(berlin); len(problems) == 0 || problems[0].Part != c.part || problems[0].Code != c.code {
			t.Errorf("%.60s: %+v, want %s of %s", c.lines, problems, c.code, c.part)
		}
	}
	for _, lines := range []string{
		"FREQ=YEARLY;INTERVAL=1000000",
		"RRULE:FREQ=DAILY\nEXDATE:20270106T193100", // not in the series: without effect
		"FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
		"FREQ=DAILY;BYHOUR=19,20;BYMINUTE=30,31,32,33,34,35,36,37,38,39,40,41,42;BYSETPOS=1",
		"FREQ=DAILY;COUNT=1000000000",
		"FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=5;UNTIL=20270105T183000Z",
	} {
		parsed(t, berlin, lines)
	}
}

// Only one rule without dates is reported, because proving each takes a walk through 400 years.
func TestOneNever(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Start: at(t, "2027-01-05 19:30")}
	set, problems := recur.ParseLines(strings.Repeat("FREQ=DAILY;BYDAY=MO;BYSETPOS=2\n", recur.MaxRules), clock)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if problems := set.Check(clock); len(problems) != 1 || problems[0].Code != recur.Never {
		t.Errorf("%d problems: %+v", len(problems), problems[0])
	}
}

// Lines that cannot be read are reported with their code.
func TestRefusedLines(t *testing.T) {
	t.Parallel()
	berlin := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-01-05 19:30")}
	var many strings.Builder
	for i := range 2001 {
		many.WriteString("RDATE:" + berlin.Start.AddDate(0, 0, i).Format("20060102T150405") + "\n")
	}
	for _, c := range []struct{ lines, part, code string }{
		{"EXRULE:FREQ=DAILY", "EXRULE", recur.Obsolete},
		{"DTEND:20270105T203000", "DTEND", recur.Unknown},
		{"DTSTART:20270105T193001\nRRULE:FREQ=DAILY", "DTSTART", recur.OtherStart},
		{"DTSTART:20270106\nRRULE:FREQ=DAILY", "DTSTART", recur.OtherStart},
		{"DTSTART:soon\nRRULE:FREQ=DAILY", "DTSTART", recur.Syntax},
		{"RDATE:99991231T233000Z", "RDATE", recur.OutOfRange}, // year 10000 in Berlin
		{"RRULE:FREQ=HOURLY", "FREQ", recur.Unsupported},
		{"RDATE:", "RDATE", recur.Empty},
		{many.String(), "RDATE", recur.TooManyDates},
		{strings.Repeat("RRULE:FREQ=DAILY\n", recur.MaxRules+1), "RRULE", recur.TooManyRules},
		{strings.ReplaceAll(many.String(), "RDATE", "EXDATE"), "EXDATE", recur.TooManyDates},
		{"RDATE:tomorrow", "RDATE", recur.Syntax},
		{"RDATE:20270230T193000", "RDATE", recur.Syntax},
		{"EXDATE;TZID=Middle-earth/Shire:20270105T193000", "EXDATE", recur.NoZone},
		{"RDATE;VALUE=PERIOD:20270201T183000Z/PT2H", "RDATE", recur.Period},
		{"every tuesday", "RRULE", recur.Syntax},
	} {
		if _, problems := recur.ParseLines(c.lines, berlin); len(problems) == 0 || problems[0].Part != c.part || problems[0].Code != c.code {
			t.Errorf("%.60s: %+v, want %s of %s", c.lines, problems, c.code, c.part)
		}
	}
}

// UNTIL is an instant: a date that a clock change shifts past it is not part of the series.
func TestUntilAtChangeOfClocks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		start, until, last string
	}{
		{"2027-03-26 02:30", "20270328T005959Z", "2027-03-27 02:30"},
		{"2027-03-26 02:30", "20270328T010000Z", "2027-03-27 02:30"}, // 03:00 daylight time
		{"2027-03-26 02:30", "20270328T012959Z", "2027-03-27 02:30"},
		{"2027-03-26 02:30", "20270328T013000Z", "2027-03-28 02:30"}, // takes place at 03:30
		{"2027-03-26 03:00", "20270328T010000Z", "2027-03-28 03:00"},
		{"2027-10-29 02:30", "20271031T002959Z", "2027-10-30 02:30"},
		{"2027-10-29 02:30", "20271031T003000Z", "2027-10-31 02:30"}, // the first of two
		{"2027-10-29 02:30", "20271031T013000Z", "2027-10-31 02:30"},
		{"2027-10-29 02:30", "20271031T012959Z", "2027-10-31 02:30"},
	} {
		clock := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, c.start)}
		set := parsed(t, clock, "FREQ=DAILY;UNTIL="+c.until)
		for range 2 {
			if last, _ := set.Last(clock); !last.Equal(at(t, c.last)) {
				t.Errorf("%s until %s: last is %v, want %s", c.start, c.until, last, c.last)
			}
			set = parsed(t, clock, set.Rules[0].Text(clock))
		}
	}
}

// DTSTART is accepted among the lines if it equals the start of the series.
func TestStartAmongLines(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{
		Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-01-05 19:30"),
		Lookup: time.LoadLocation,
	}
	for _, line := range []string{
		"DTSTART:20270105T193000", "DTSTART;TZID=Europe/Berlin:20270105T193000", "dtstart;value=date:20270105",
		"DTSTART:20270105T183000Z", "DTSTART;TZID=America/New_York:20270105T133000",
	} {
		set, problems := recur.ParseLines(line+"\r\nRRULE:FREQ=DAILY;\r\n COUNT=3", clock)
		if len(problems) > 0 || len(set.Rules) != 1 || set.Rules[0].Count != 3 {
			t.Errorf("%s: %+v %+v", line, set, problems)
		}
	}
}

// A start that no rule yields can be excluded by an EXDATE, as in RFC 5545's example of every Friday the 13th from
// Tuesday, 2 September 1997.
func TestStartLeftOut(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: zone(t, "America/New_York"), Start: at(t, "1997-09-02 09:00")}
	set := parsed(t, clock, "EXDATE;TZID=America/New_York:19970902T090000\nRRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13")
	want, _ := parseDates(t, clock.Start, "1998 2/13 3/13 11/13 1999 8/13 2000 10/13")
	if got := take(set, clock, time.Time{}, 5); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Dates outside the valid years are reported, however they got into a set.
func TestDatesBeyondYears(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Start: at(t, "9999-12-30 12:00")}
	set := recur.Set{Dates: []time.Time{clock.Start.AddDate(0, 0, 2)}, Except: []time.Time{clock.Start.AddDate(0, 0, 3)}}
	for _, part := range []string{"RDATE", "EXDATE"} {
		if !slices.ContainsFunc(set.Check(clock), func(p recur.Problem) bool { return p.Part == part && p.Code == recur.OutOfRange }) {
			t.Errorf("%s: %+v", part, set.Check(clock))
		}
	}
}

// A yearly rule with a day of the month but no month takes the month from DTSTART (RFC 5545 §3.3.10).
func TestMonthOfStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ start, rule, want string }{
		{"2022-08-20", "FREQ=YEARLY;WKST=SU;INTERVAL=1;BYMONTHDAY=20", "8/20 2023 8/20 2024 8/20"},
		{"2024-02-29", "FREQ=YEARLY;BYMONTHDAY=29", "2/29 2028 2/29 2032 2/29"},
		{"2024-02-01", "FREQ=YEARLY;BYMONTHDAY=-29,-1", "2/1 29 2025 2/28 2026 2/28"},
		{"2025-04-09", "FREQ=YEARLY;BYMONTHDAY=8,9;BYDAY=WE,TH", "4/9 2026 4/8 9 2027 4/8"},
		{"2026-06-01", "FREQ=YEARLY;BYMONTHDAY=1,8;BYDAY=22MO,23TU,25MO,36TU", "6/1 2027 6/8 2032 6/8"},
		{"2025-01-01", "FREQ=YEARLY;BYYEARDAY=-1,1;BYMONTHDAY=-1,1", "1/1 12/31 2026 1/1 12/31"},
		{"2026-02-01", "FREQ=YEARLY;BYWEEKNO=5,9;BYMONTHDAY=1,-1", "2/1 28 3/1"},
		{"2026-06-15", "FREQ=YEARLY;BYMONTHDAY=15;BYSETPOS=1", "6/15 2027 6/15"},
	} {
		clock := recur.Clock{Start: at(t, c.start)}
		want, _ := parseDates(t, clock.Start, c.want)
		set := parsed(t, clock, c.rule)
		if got := take(set, clock, time.Time{}, len(want)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.rule, got, want)
		}
		set = parsed(t, clock, set.Rules[0].Text(clock))
		if got := take(set, clock, time.Time{}, len(want)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", set.Rules[0].Text(clock), got, want)
		}
	}
}

// For a start that no rule yields, Nearest returns dates on both sides.
func TestNearest(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Zone: zone(t, "Europe/Berlin"), Start: at(t, "2027-01-06 19:30")}
	for _, c := range []struct{ rule, want string }{
		{"FREQ=WEEKLY;BYDAY=TU", "1/5 12 2026 12/29"},
		{"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR;COUNT=4", "1/5 8 1"},
		{"FREQ=MONTHLY;BYDAY=1MO", "1/4 2/1 2026 12/7"},
		{"FREQ=WEEKLY;BYDAY=SU,MO,TU", "1/5 4 10"},
		{"FREQ=WEEKLY;BYDAY=TH,FR,SA", "1/7 8 2"},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2028 2/29 2024 2/29 2032 2/29"},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", ""},
	} {
		rule, problems := recur.ParseRule(c.rule, clock)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		set := recur.Set{Rules: []recur.Rule{rule}}
		want, _ := parseDates(t, clock.Start, c.want)
		got := set.Nearest(clock, 3)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.rule, got, want)
		}
		for _, d := range got {
			moved := clock
			moved.Start = d
			if !set.Hits(moved) {
				t.Errorf("%s is not named by %s", d, c.rule)
			}
		}
	}
}

// A series can be entered anywhere, and its dates end with the year 9999.
func TestFarAhead(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Start: at(t, "2027-01-05 19:30")}
	for lines, want := range map[string]string{
		"FREQ=DAILY":                   "9999 12/30 31.",
		"FREQ=DAILY;INTERVAL=2":        "9999 12/30.",
		"FREQ=WEEKLY":                  "",
		"FREQ=DAILY;COUNT=1000000000":  "9999 12/30 31.",
		"FREQ=YEARLY;INTERVAL=4":       "",
		"FREQ=MONTHLY;BYDAY=TU,FR":     "9999 12/31.",
		"FREQ=YEARLY;BYYEARDAY=-1,5":   "9999 12/31.",
		"FREQ=WEEKLY;BYDAY=TU;COUNT=9": "",
	} {
		wanted, _ := parseDates(t, clock.Start, want)
		if got := take(parsed(t, clock, lines), clock, at(t, "9999-12-30"), 9); !slices.Equal(got, wanted) {
			t.Errorf("%s: %v, want %v", lines, got, wanted)
		}
	}
}

// Counting from far away skips cycles of the calendar, and finds the same dates as counting one by one.
func TestCountFarAhead(t *testing.T) {
	t.Parallel()
	clock := recur.Clock{Start: at(t, "1000-02-05 19:30")}
	for _, lines := range []string{
		"FREQ=DAILY;BYMONTH=2;BYDAY=WE;COUNT=20000", "FREQ=WEEKLY;INTERVAL=3;BYDAY=WE,FR;COUNT=90000", "FREQ=YEARLY;BYMONTHDAY=5;BYMONTH=2;COUNT=5000",
		"FREQ=MONTHLY;BYMONTHDAY=4,5,6,31;BYSETPOS=2,-1;COUNT=40001", "FREQ=YEARLY;BYWEEKNO=6;BYDAY=WE,TH;COUNT=9001", "FREQ=DAILY;INTERVAL=7;COUNT=300000",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=5,29;COUNT=4999\nRRULE:FREQ=DAILY;INTERVAL=5;BYMONTH=7;COUNT=1000000000",
	} {
		set := parsed(t, clock, lines)
		all := take(set, clock, time.Time{}, 5_000_000)
		if last, ok := set.Last(clock); !ok || !last.Equal(all[len(all)-1]) {
			t.Errorf("%s: last %v, want %v", lines, last, all[len(all)-1])
		}
		for _, i := range []int{1, 3000, len(all) - 2, len(all) - 1} {
			if got := take(set, clock, all[i], 3); !slices.Equal(got, all[i:min(i+3, len(all))]) {
				t.Errorf("%s from %v: %v", lines, all[i], got)
			}
		}
		want := []time.Time{all[0], all[2000], all[2001], all[len(all)/2], all[len(all)-1]}
		asked := append(slices.Clone(want), all[2000].Add(time.Minute), all[len(all)-1].AddDate(0, 0, 1))
		if got := set.Among(clock, asked); !slices.Equal(got, want) {
			t.Errorf("%s: among %v are %v", lines, asked, got)
		}
	}
}
