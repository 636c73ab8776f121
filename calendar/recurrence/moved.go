package recurrence

import (
	"reflect"
	"slices"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
)

// mover computes the new dates of rules whose series' start moves.
type mover struct {
	before, now recur.Clock
	shift       time.Duration // of the start
	hours       time.Duration // of its time of day alone
}

func newMover(before, now recur.Clock) mover {
	day := func(at time.Time) time.Duration { return at.Sub(args.DayOf(at)) }
	return mover{before, now, now.Start.Sub(before.Start), day(now.Start) - day(before.Start)}
}

// until returns the UNTIL of a changed rule. The last date moves as far as the first, so that the series keeps the same number
// of dates. If the rule itself did not change and yields the old dates from the new start on, UNTIL keeps its day.
func (m mover) until(was, is recur.Rule) time.Time {
	same := m.sameUntil(was, is)
	last, ok := lastOf(was, m.before)
	if !ok {
		return same
	}
	endless := open(is)
	if reflect.DeepEqual(was, is) && Yields(endless, m.now, last.Add(m.hours)) {
		return same
	}
	goal := nearest(endless, m.now, last.Add(m.shift))
	is.Until = same
	if now, ok := lastOf(is, m.now); ok && now.Equal(goal) {
		return same
	}
	return same.Add(args.DayOf(goal).Sub(args.DayOf(last)))
}

// sameUntil returns the UNTIL of a rule that keeps its last day.
func (m mover) sameUntil(was, _ recur.Rule) time.Time {
	return moveUntil(was.Until, m.before.Start, m.now.Start)
}

// dates moves dates of a series. A date that the old rules yielded moves to the corresponding date of the new rules. Other
// dates move as far as the start, or stay on their day if the new rules yield it.
func (m mover) dates(dates []time.Time, was, is recur.Set) []time.Time {
	list := make([]time.Time, len(dates))
	for i, date := range dates {
		list[i] = date.Add(m.hours)
	}
	old, kept, stay := has(was, m.before, dates), has(unchanged(was, is), m.before, dates), has(is, m.now, list)
	for i, date := range dates {
		if !stay(list[i]) || old(date) && !kept(date) {
			list[i] = date.Add(m.shift)
		}
	}
	given := has(is, m.now, list)
	ends := recur.Set{Rules: rulesWithoutEnd(is)}
	for i, date := range dates {
		if old(date) && !given(list[i]) {
			list[i] = nearest(ends, m.now, list[i])
		}
	}
	return eachOnce(list)
}

// has returns a function that reports whether a date of list is one that the rules yield.
func has(set recur.Set, clock recur.Clock, list []time.Time) func(time.Time) bool {
	found := set.Among(clock, list)
	return func(at time.Time) bool {
		_, ok := slices.BinarySearchFunc(found, at, time.Time.Compare)
		return ok
	}
}

// unchanged returns the rules that are equal in both sets, apart from COUNT and UNTIL.
func unchanged(was, is recur.Set) recur.Set {
	var kept recur.Set
	before, now := rulesWithoutEnd(was), rulesWithoutEnd(is)
	for i := range before {
		if reflect.DeepEqual(before[i], now[i]) {
			kept.Rules = append(kept.Rules, was.Rules[i])
		}
	}
	return kept
}

// rulesWithoutEnd returns the rules of a set without COUNT and UNTIL.
func rulesWithoutEnd(set recur.Set) []recur.Rule {
	rules := slices.Clone(set.Rules)
	for i := range rules {
		rules[i].Count, rules[i].Until = 0, time.Time{}
	}
	return rules
}

// open returns a set of a rule without its end.
func open(rule recur.Rule) recur.Set {
	return recur.Set{Rules: rulesWithoutEnd(recur.Set{Rules: []recur.Rule{rule}})}
}

// lastOf returns the last date of a rule with UNTIL. It looks back from UNTIL in growing steps, so that it reads few dates,
// however many there are.
func lastOf(rule recur.Rule, clock recur.Clock) (last time.Time, ok bool) {
	set := recur.Set{Rules: []recur.Rule{rule}}
	for back := 24 * time.Hour; !ok; back *= 4 {
		from := rule.Until.Add(-back)
		if first := from.Before(clock.Start) || back > farBack; first {
			from = clock.Start
		}
		for at := range set.All(clock, from) {
			last, ok = at, true
		}
		if from.Equal(clock.Start) {
			break
		}
	}
	return last, ok && !last.After(rule.Until)
}

// farBack is the distance from UNTIL beyond which lastOf reads all dates: no rule skips more years.
const farBack = 120 * 365 * 24 * time.Hour

// nearest returns the date of endless rules that is nearest to a time; the earlier if two are equally near. It returns the
// time itself if there is no date within two years.
func nearest(set recur.Set, clock recur.Clock, to time.Time) time.Time {
	const around = 366 * 24 * time.Hour
	found, best := to, 2*around
	for back := 24 * time.Hour; back/4 < best; back *= 4 { // a date nearer than best may be further back than the search began
		for at := range set.All(clock, to.Add(-back)) {
			if gap := at.Sub(to).Abs(); gap < best {
				found, best = at, gap
			} else if at.After(to) {
				break
			}
		}
	}
	return found
}
