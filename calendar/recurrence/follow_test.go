package recurrence

import (
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// TestRulesFollowTheStart moves the start of series. What the rule says about the day follows, and nothing else.
func TestRulesFollowTheStart(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		start, err := time.Parse("2006-01-02 15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return start
	}
	for _, c := range []struct{ lines, from, to, want string }{
		// 3 March 2026 is a Tuesday, the first of its month.
		{"RRULE:FREQ=WEEKLY;BYDAY=TU", "2026-03-03 19:00", "2026-03-04 19:00", "FREQ=WEEKLY;BYDAY=WE"},
		{"RRULE:FREQ=WEEKLY;BYDAY=TU", "2026-03-03 19:00", "2026-03-10 18:00", "FREQ=WEEKLY;BYDAY=TU"},
		{"RRULE:FREQ=WEEKLY;BYDAY=TU", "2026-03-03 19:00", "2026-03-01 19:00", "FREQ=WEEKLY;BYDAY=SU"},
		{"RRULE:FREQ=WEEKLY;BYDAY=TU,TH", "2026-03-03 19:00", "2026-03-05 19:00", "FREQ=WEEKLY;BYDAY=TU,TH"},
		{"RRULE:FREQ=WEEKLY;BYDAY=TU,TH", "2026-03-03 19:00", "2026-03-04 19:00", "FREQ=WEEKLY;BYDAY=WE,FR"},
		{"RRULE:FREQ=WEEKLY;INTERVAL=2", "2026-03-03 19:00", "2026-03-04 19:00", "FREQ=WEEKLY;INTERVAL=2"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260331T190000;BYDAY=TU", "2026-03-03 19:00", "2026-03-04 19:30", "FREQ=WEEKLY;UNTIL=20260401T193000Z;BYDAY=WE"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260330T235959;BYDAY=TU", "2026-03-03 19:00", "2026-03-04 19:00", "FREQ=WEEKLY;UNTIL=20260330T235959Z;BYDAY=WE"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260331T235959;BYDAY=TU", "2026-03-03 19:00", "2026-03-03 20:00", "FREQ=WEEKLY;UNTIL=20260331T235959Z;BYDAY=TU"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260331T193000;BYDAY=TU", "2026-03-03 19:00", "2026-03-03 20:00", "FREQ=WEEKLY;UNTIL=20260331T200000Z;BYDAY=TU"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260331T183000;BYDAY=TU", "2026-03-03 19:00", "2026-03-03 10:00", "FREQ=WEEKLY;UNTIL=20260331T095959Z;BYDAY=TU"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=3", "2026-03-03 19:00", "2026-03-05 19:00", "FREQ=MONTHLY;BYMONTHDAY=5"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=-1", "2026-03-31 19:00", "2026-03-30 19:00", "FREQ=MONTHLY;BYMONTHDAY=-2"},
		{"RRULE:FREQ=MONTHLY;BYMONTHDAY=3,17", "2026-03-03 19:00", "2026-03-05 19:00", "FREQ=MONTHLY;BYMONTHDAY=3,17"},
		{"RRULE:FREQ=MONTHLY;BYDAY=1TU", "2026-03-03 19:00", "2026-03-11 19:00", "FREQ=MONTHLY;BYDAY=2WE"},
		{"RRULE:FREQ=MONTHLY;BYDAY=-1TU", "2026-03-31 19:00", "2026-03-27 19:00", "FREQ=MONTHLY;BYDAY=-1FR"},
		{"RRULE:FREQ=MONTHLY;BYDAY=TU", "2026-03-03 19:00", "2026-03-04 19:00", "FREQ=MONTHLY;BYDAY=WE"},
		{"RRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=1", "2026-03-03 19:00", "2026-03-11 19:00", "FREQ=MONTHLY;BYDAY=WE;BYSETPOS=2"},
		{"RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-03-31 19:00", "2026-03-30 19:00", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3", "2026-03-03 19:00", "2026-04-05 19:00", "FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=5"},
		{"RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=1TU", "2026-03-03 19:00", "2026-04-08 19:00", "FREQ=YEARLY;BYMONTH=4;BYDAY=2WE"},
		// The last date moves as the first does: UNTIL goes with it, whether it is the date or the end of its day.
		{"RRULE:FREQ=WEEKLY;UNTIL=20260330T235959", "2026-03-02 19:00", "2026-03-03 19:00", "FREQ=WEEKLY;UNTIL=20260331T235959Z"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260330T190000", "2026-03-02 19:00", "2026-03-03 20:00", "FREQ=WEEKLY;UNTIL=20260331T200000Z"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260331T235959;BYDAY=TU", "2026-03-03 19:00", "2026-03-04 19:00", "FREQ=WEEKLY;UNTIL=20260401T235959Z;BYDAY=WE"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260330T235959;BYDAY=TU", "2026-03-03 19:00", "2026-03-02 19:00", "FREQ=WEEKLY;UNTIL=20260329T235959Z;BYDAY=MO"},
		{"RRULE:FREQ=WEEKLY;UNTIL=20260330T235959;BYDAY=TU", "2026-03-03 19:00", "2026-03-10 19:00", "FREQ=WEEKLY;UNTIL=20260330T235959Z;BYDAY=TU"},
		{"RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20260331T235959;BYDAY=TU", "2026-03-03 19:00", "2026-03-10 19:00", "FREQ=WEEKLY;INTERVAL=2;UNTIL=20260407T235959Z;BYDAY=TU"},
		{"RRULE:FREQ=DAILY;UNTIL=20260310T190000", "2026-03-03 19:00", "2026-03-04 19:00", "FREQ=DAILY;UNTIL=20260310T190000Z"},
		{"RRULE:FREQ=DAILY;INTERVAL=2;UNTIL=20260311T235959", "2026-03-03 19:00", "2026-03-04 19:00", "FREQ=DAILY;INTERVAL=2;UNTIL=20260312T235959Z"},
		{"RRULE:FREQ=MONTHLY;UNTIL=20260615T235959", "2026-03-15 19:00", "2026-03-16 19:00", "FREQ=MONTHLY;UNTIL=20260616T235959Z"},
		{"RRULE:FREQ=MONTHLY;UNTIL=20260616T235959;BYDAY=1TU", "2026-03-03 19:00", "2026-03-26 19:00", "FREQ=MONTHLY;UNTIL=20260709T235959Z;BYDAY=4TH"},
		{"RRULE:FREQ=MONTHLY;UNTIL=20260616T235959;BYDAY=3TU", "2026-03-17 19:00", "2026-03-11 19:00", "FREQ=MONTHLY;UNTIL=20260616T235959Z;BYDAY=2WE"},
		{"RRULE:FREQ=YEARLY;UNTIL=20280303T190000", "2026-03-03 19:00", "2026-03-04 19:00", "FREQ=YEARLY;UNTIL=20280304T190000Z"},
		{"RRULE:FREQ=DAILY;UNTIL=99981231T190000", "2026-03-03 19:00", "2026-03-03 20:00", "FREQ=DAILY;UNTIL=99981231T200000Z"},
		{"RRULE:FREQ=DAILY;BYMONTH=3", "2026-03-03 19:00", "2026-04-08 19:00", "FREQ=DAILY;BYMONTH=3"},
	} {
		clock := recur.Clock{Zone: time.UTC, Start: at(c.from)}
		set, problems := recur.ParseLines(c.lines, clock)
		if problems != nil {
			t.Fatalf("%s: %v", c.lines, problems)
		}
		clock.Start = at(c.to)
		if got := Follow(set, at(c.from), clock).Rules[0].Text(clock); got != c.want {
			t.Errorf("%s from %s to %s: %s, want %s", c.lines, c.from, c.to, got, c.want)
		}
	}
}

// Excluded and added dates follow the rule and the time of day. Two that then are one are there once.
func TestDatesFollowTheStart(t *testing.T) {
	t.Parallel()
	day := func(month time.Month, day, hour int) time.Time {
		return time.Date(2026, month, day, hour, 0, 0, 0, time.UTC)
	}
	set := recur.Set{Rules: []recur.Rule{{Freq: recur.Weekly, WeekStart: time.Monday, ByDay: []recur.Day{{Weekday: time.Tuesday}}}},
		Dates: []time.Time{day(3, 17, 19), day(3, 18, 19), day(3, 21, 19)}, Except: []time.Time{day(3, 17, 19)}}
	got := Follow(set, day(3, 3, 19), recur.Clock{Zone: time.UTC, Start: day(3, 4, 20)})
	if !slices.Equal(got.Dates, []time.Time{day(3, 18, 20), day(3, 22, 20)}) || !slices.Equal(got.Except, []time.Time{day(3, 18, 20)}) {
		t.Errorf("added %v, left out %v", got.Dates, got.Except)
	}
	if set.Rules[0].ByDay[0].Weekday != time.Tuesday || set.Except[0] != day(3, 17, 19) {
		t.Error("the rules that were given are changed")
	}
}

// What a series leaves out stays left out: a date of its rules becomes the one that it moves to, not one that no rule yields.
func TestExcludedDatesMove(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 17, 19, 0, 0, 0, time.UTC) // the third Tuesday
	clock := recur.Clock{Zone: time.UTC, Start: start}
	set, problems := recur.ParseLines("RRULE:FREQ=MONTHLY;BYDAY=3TU\nEXDATE:20260421T190000Z", clock)
	if problems != nil {
		t.Fatal(problems)
	}
	clock.Start = start.AddDate(0, 0, -6) // the second Wednesday
	got := Follow(set, start, clock)
	if want := time.Date(2026, 4, 8, 19, 0, 0, 0, time.UTC); len(got.Except) != 1 || !got.Except[0].Equal(want) {
		t.Errorf("left out is %v, want %v", got.Except, want)
	}
}

// A series that counts is moved in one walk, however many dates far ahead it leaves out. With a walk for each, this test takes minutes.
func TestCountedSeriesMoves(t *testing.T) {
	t.Parallel()
	was := time.Date(2, 1, 1, 10, 0, 0, 0, time.UTC)
	clock := recur.Clock{Zone: time.UTC, Start: was}
	set, problems := recur.ParseLines("RRULE:FREQ=DAILY;COUNT=3000000", clock)
	if problems != nil {
		t.Fatal(problems)
	}
	for i := range recur.MaxDates {
		set.Except = append(set.Except, was.AddDate(6000, 0, i))
	}
	clock.Start = was.Add(time.Hour)
	moved := Follow(set, was, clock)
	for i, at := range moved.Except {
		if !at.Equal(set.Except[i].Add(time.Hour)) {
			t.Fatalf("%v became %v", set.Except[i], at)
		}
	}
}
