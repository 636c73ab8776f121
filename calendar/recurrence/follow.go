package recurrence

import (
	"slices"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
)

// Follow adapts the rules of a series whose start moved from was to the start of clock, as people expect: a series
// on Tuesdays that now begins on a Wednesday moves to Wednesdays, one on the third Tuesday to the new day's
// position in its month. Rules that already yield the new start are kept. UNTIL moves as far as the last date does,
// and added and excluded dates move with the series.
func Follow(set recur.Set, was time.Time, clock recur.Clock) recur.Set {
	return follow(set, was, clock, mover.until)
}

// FollowDays is Follow for rules whose last day was chosen together with the start: that day is kept.
func FollowDays(set recur.Set, was time.Time, clock recur.Clock) recur.Set {
	return follow(set, was, clock, mover.sameUntil)
}

func follow(set recur.Set, was time.Time, clock recur.Clock, until func(m mover, was, is recur.Rule) time.Time) recur.Set {
	before := clock
	before.Start = was
	m := newMover(before, clock)
	moved := recur.Set{Rules: slices.Clone(set.Rules)}
	for i, rule := range set.Rules {
		next := followRule(rule, before, clock)
		if !rule.Until.IsZero() {
			next.Until = until(m, rule, next)
		}
		moved.Rules[i] = next
	}
	rules, is := recur.Set{Rules: set.Rules}, recur.Set{Rules: moved.Rules}
	moved.Dates, moved.Except = m.dates(set.Dates, rules, is), m.dates(set.Except, rules, is)
	return moved
}

// moveUntil changes the time of day of a rule's UNTIL if necessary to keep the same last day.
func moveUntil(until, was, now time.Time) time.Time {
	last := args.DayOf(until)
	hour, before, after := until.Sub(last), was.Sub(args.DayOf(was)), now.Sub(args.DayOf(now))
	switch {
	case hour == before, hour > before && hour < after:
		return last.Add(after)
	case hour < before && hour >= after:
		return last.Add(after - time.Second)
	}
	return until
}

// followRule adapts a rule to a start on another day. It returns the rule unchanged if it yields the new start or did
// not yield the old one.
func followRule(rule recur.Rule, before, now recur.Clock) recur.Rule {
	hits := func(r recur.Rule, clock recur.Clock) bool {
		r.Until = time.Time{}
		return recur.Set{Rules: []recur.Rule{r}}.Hits(clock)
	}
	if hits(rule, now) || !hits(rule, before) {
		return rule
	}
	next := rule
	switch {
	case rule.Freq == recur.Weekly:
		days := int(args.DayOf(now.Start).Sub(args.DayOf(before.Start)) / (24 * time.Hour))
		next.ByDay = turned(rule.ByDay, days)
	case len(rule.ByMonthDay) == 1 && len(rule.ByDay) == 0:
		next.ByMonthDay = []int{now.Start.Day()}
		if rule.ByMonthDay[0] < 0 {
			next.ByMonthDay[0] = now.Start.Day() - daysIn(now.Start) - 1
		}
	case len(rule.ByDay) == 1 && len(rule.ByMonthDay) == 0:
		place := placeInMonth(now.Start, rule.ByDay[0].N < 0 || len(rule.BySetPos) == 1 && rule.BySetPos[0] < 0)
		next.ByDay = []recur.Day{place}
		if rule.ByDay[0].N == 0 {
			next.ByDay = []recur.Day{{Weekday: place.Weekday}}
		}
		if len(rule.BySetPos) == 1 {
			next.BySetPos = []int{place.N}
		}
	}
	if len(rule.ByMonth) == 1 && rule.Freq == recur.Yearly {
		next.ByMonth = []int{int(now.Start.Month())}
	}
	if !hits(next, now) {
		return rule
	}
	return next
}

// turned shifts weekdays by a number of days.
func turned(list []recur.Day, days int) []recur.Day {
	later := make([]recur.Day, 0, len(list))
	for _, d := range list {
		later = append(later, recur.Day{N: d.N, Weekday: time.Weekday(((int(d.Weekday)+days)%7 + 7) % 7)})
	}
	slices.SortFunc(later, func(a, b recur.Day) int { return (int(a.Weekday)+6)%7 - (int(b.Weekday)+6)%7 })
	return later
}

// placeInMonth returns the position of a day among the same weekdays of its month, such as the third Tuesday,
// optionally counted from the end.
func placeInMonth(at time.Time, fromEnd bool) recur.Day {
	n := (at.Day()-1)/7 + 1
	if fromEnd {
		n = -((daysIn(at)-at.Day())/7 + 1)
	}
	return recur.Day{N: n, Weekday: at.Weekday()}
}

// daysIn returns the number of days in the month of a date.
func daysIn(at time.Time) int {
	return time.Date(at.Year(), at.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// Yields reports whether the rules yield a start.
func Yields(set recur.Set, clock recur.Clock, at time.Time) bool {
	for start := range set.All(clock, at) {
		return start.Equal(at)
	}
	return false
}
