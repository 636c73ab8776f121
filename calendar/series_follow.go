package calendar

import (
	"slices"
	"time"

	"github.com/kalends/kalends/recur"
)

// Follow returns the rules of a series whose start was moved to that of the clock,
// as people mean it: a series on Tuesdays that begins on a Wednesday now is on
// Wednesdays, one on the third Tuesday of the month on that day's place in its
// month. What hits the new start stays. Dates and ends have the new time of day,
// and dates that the rules don't give move along.
func Follow(set recur.Set, was time.Time, clock recur.Clock) recur.Set {
	return moveSet(set, was, clock, true)
}

// moveSet is Follow, with the rules left on their days where those don't follow.
func moveSet(set recur.Set, was time.Time, clock recur.Clock, follow bool) recur.Set {
	before := clock
	before.Start = was
	moved := recur.Set{Rules: slices.Clone(set.Rules)}
	shift := clock.Start.Sub(was)
	hours := clock.Start.Sub(day(clock.Start)) - was.Sub(day(was))
	for i := range moved.Rules {
		if follow {
			moved.Rules[i] = followRule(moved.Rules[i], before, clock)
		}
		if !moved.Rules[i].Until.IsZero() {
			moved.Rules[i].Until = moveUntil(moved.Rules[i].Until, was, clock.Start)
		}
	}
	rules := recur.Set{Rules: moved.Rules}
	moved.Dates = moveDates(set.Dates, rules, clock, hours, shift)
	moved.Except = moveDates(set.Except, rules, clock, hours, shift)
	return moved
}

// moveUntil gives the end of a rule another time of day where that takes it to have
// the same last day as before.
func moveUntil(until, was, now time.Time) time.Time {
	last := day(until)
	hour, before, after := until.Sub(last), was.Sub(day(was)), now.Sub(day(now))
	switch {
	case hour == before, hour > before && hour < after:
		return last.Add(after)
	case hour < before && hour >= after:
		return last.Add(after - time.Second)
	}
	return until
}

// moveDates gives dates another time of day, and moves those along that the rules
// don't give then.
func moveDates(dates []time.Time, rules recur.Set, clock recur.Clock, hours, shift time.Duration) []time.Time {
	list := slices.Clone(dates)
	for i, date := range dates {
		if list[i] = date.Add(hours); !has(rules, clock, list[i]) {
			list[i] = date.Add(shift)
		}
	}
	return list
}

// followRule returns a rule for a start on another day, or as it is where it hits
// that, or didn't hit the start before.
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
		days := int(day(now.Start).Sub(day(before.Start)) / (24 * time.Hour))
		next.ByDay = turned(rule.ByDay, days)
		if !rule.Until.IsZero() && hitsAt(rule, before, rule.Until) {
			next.Until = rule.Until.AddDate(0, 0, days) // the last date moves as the first does
		}
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

// hitsAt reports whether a rule by itself gives a date.
func hitsAt(rule recur.Rule, clock recur.Clock, at time.Time) bool {
	return recur.Set{Rules: []recur.Rule{rule}}.Hits(clock) && has(recur.Set{Rules: []recur.Rule{rule}}, clock, at)
}

// turned returns weekdays so many days later.
func turned(list []recur.Day, days int) []recur.Day {
	later := make([]recur.Day, 0, len(list))
	for _, d := range list {
		later = append(later, recur.Day{N: d.N, Weekday: time.Weekday(((int(d.Weekday)+days)%7 + 7) % 7)})
	}
	slices.SortFunc(later, func(a, b recur.Day) int { return (int(a.Weekday)+6)%7 - (int(b.Weekday)+6)%7 })
	return later
}

// placeInMonth says which weekday of its month a day is: the third Tuesday, or
// counted from the end.
func placeInMonth(at time.Time, fromEnd bool) recur.Day {
	n := (at.Day()-1)/7 + 1
	if fromEnd {
		n = -((daysIn(at)-at.Day())/7 + 1)
	}
	return recur.Day{N: n, Weekday: at.Weekday()}
}

// daysIn returns how many days the month of a day has.
func daysIn(at time.Time) int {
	return time.Date(at.Year(), at.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
