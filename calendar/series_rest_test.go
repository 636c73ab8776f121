package calendar

import (
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/internal/recur"
)

// The rules of a series from one of its dates on restore the whole series, including its count and earlier
// exceptions.
func TestRestAndWhole(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 3, 19, 0, 0, 0, time.UTC) // a Tuesday
	week := func(n int) time.Time { return start.AddDate(0, 0, 7*n) }
	e := &Event{Timezone: "UTC", Start: start, End: start.Add(time.Hour), Recurrence: &recur.Set{
		Rules:  []recur.Rule{{Freq: recur.Weekly, Count: 10, WeekStart: time.Monday, ByDay: []recur.Day{{Weekday: time.Tuesday}}}},
		Except: []time.Time{week(1), week(6)}}}
	rest, given := e.Rest(week(3))
	if !given || rest.Rules[0].Count != 7 || !slices.Equal(rest.Except, []time.Time{week(6)}) {
		t.Fatalf("the rest is %+v, %t", rest, given)
	}
	whole := e.Whole(rest, week(3), week(3))
	if whole.Rules[0].Count != 10 || !slices.Equal(whole.Except, e.Recurrence.Except) {
		t.Errorf("the whole is %+v", whole)
	}
	later := recurrence.Follow(rest, week(3), recur.Clock{Zone: time.UTC, Start: week(3).AddDate(0, 0, 1)})
	whole = e.Whole(later, week(3), week(3).AddDate(0, 0, 1))
	want := []time.Time{week(1).AddDate(0, 0, 1), week(6).AddDate(0, 0, 1)}
	if whole.Rules[0].Count != 10 || whole.Rules[0].ByDay[0].Weekday != time.Wednesday || !slices.Equal(whole.Except, want) {
		t.Errorf("a day later the whole is %+v", whole)
	}
	added := *e
	set := *e.Recurrence
	set.Dates = []time.Time{week(2).AddDate(0, 0, 2)}
	added.Recurrence = &set
	if _, given := added.Rest(set.Dates[0]); given {
		t.Error("a date that was added is given by the rule")
	}
}
