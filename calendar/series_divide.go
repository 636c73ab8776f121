package calendar

import (
	"slices"
	"time"

	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
)

// Rest returns the rules of a series from one of its dates on. It returns false if no rule yields that date, because
// it was added.
func (e *Event) Rest(original time.Time) (recur.Set, bool) {
	series, rest := *e, *e
	Divide(&series, &rest, original)
	return *rest.Recurrence, rest.Start.Equal(original)
}

// Whole returns the rules of a whole series, given the new rules for the rest of it from one of its dates (see
// Rest). That date moves from was to now, and all other dates move with it. Rules before that date are kept.
func (e *Event) Whole(rest recur.Set, was, now time.Time) recur.Set {
	clock := e.Clock()
	clock.Start = e.Start.Add(now.Sub(was))
	before := recurrence.Follow(*e.Recurrence, e.Start, clock)
	set := recur.Set{Rules: slices.Clone(rest.Rules), Dates: append(until(before.Dates, now), rest.Dates...)}
	for i, rule := range set.Rules {
		if rule.Count == 0 {
			continue
		}
		rule.Count = 0
		for at := range (recur.Set{Rules: []recur.Rule{rule}}).All(clock, clock.Start) {
			if !at.Before(now) {
				break
			}
			set.Rules[i].Count++
		}
	}
	set.Except = set.Among(clock, append(until(before.Except, now), rest.Except...))
	return set
}

// Divide leaves the dates before a start to series, and moves the dates from that start on to rest. It reports
// whether there are dates before the start.
func Divide(series, rest *Event, at time.Time) bool {
	set, clock := *series.Recurrence, series.Clock()
	before := recur.Set{Dates: until(set.Dates, at), Except: until(set.Except, at)}
	after := recur.Set{Dates: from(set.Dates, at), Except: from(set.Except, at)}
	var anchor time.Time // first date of a rule if none yields at: periods count from it
	hit := false
	for _, rule := range set.Rules {
		n, next := passed(set, rule, clock, at)
		first, last := rule, rule
		first.Count, first.Until = 0, at.Add(-time.Second)
		if rule.Count > 0 {
			if last.Count = rule.Count - n; last.Count <= 0 {
				before.Rules = append(before.Rules, rule)
				continue
			}
		}
		if !rule.Until.IsZero() && rule.Until.Before(at) {
			before.Rules = append(before.Rules, rule)
			continue
		}
		before.Rules = append(before.Rules, first)
		if next.IsZero() {
			continue
		}
		if hit = hit || next.Equal(at); anchor.IsZero() || next.Before(anchor) {
			anchor = next
		}
		after.Rules = append(after.Rules, last)
	}
	series.Recurrence, rest.Recurrence = &before, &after
	rest.Start = at
	if !anchor.IsZero() && !hit {
		rest.Start = anchor
		if !slices.ContainsFunc(after.Dates, at.Equal) {
			after.Dates = append(after.Dates, at)
		}
	}
	if len(set.Rules) > 1 {
		reconcile(&after, set, clock, rest.Start, at)
	}
	rest.End = rest.Start.Add(series.End.Sub(series.Start))
	if !series.Start.Before(at) && !beginEarlier(series) {
		return false
	}
	place := clock.Zone
	rest.StartUTC, rest.EndUTC = args.Resolve(rest.Start, place).UTC(), args.Resolve(rest.End, place).UTC()
	series.Several, rest.Several = series.SeveralADay(), rest.SeveralADay()
	return len(series.Next(time.Time{}, 1)) > 0
}

// passed returns the number of dates of one rule before a time, and its next date, or zero if there is none. A start
// that only other rules yield does not count.
func passed(set recur.Set, rule recur.Rule, clock recur.Clock, at time.Time) (n int, next time.Time) {
	alone := recur.Set{Rules: []recur.Rule{rule}}
	foreign := !alone.Hits(clock) && set.Hits(clock)
	if foreign && rule.Count > 0 {
		alone.Rules[0].Count++ // on its own it would count the start
	}
	for date := range alone.All(clock, clock.Start) {
		switch {
		case foreign && date.Equal(clock.Start):
		case !date.Before(at):
			return n, date
		default:
			n++
		}
	}
	return n, time.Time{}
}

// mostReconciled is the maximum number of dates compared when dividing a series.
const mostReconciled = 5000

// reconcile adds and excludes dates of the rest of a series so that it has the same dates as the whole had from a
// time on. With several rules this is needed because each counts its periods from the start, which has changed.
func reconcile(after *recur.Set, set recur.Set, clock recur.Clock, start, at time.Time) {
	now := clock
	now.Start = start
	until := at.AddDate(yearsAhead, 0, 0)
	dates := func(set recur.Set, clock recur.Clock) map[time.Time]bool {
		found := map[time.Time]bool{}
		for date := range set.All(clock, at) {
			if date.After(until) || len(found) == mostReconciled {
				break
			}
			found[date] = true
		}
		return found
	}
	want, have := dates(set, clock), dates(*after, now)
	if len(want) == mostReconciled || len(have) == mostReconciled {
		return
	}
	for date := range want {
		if !have[date] {
			after.Dates = append(after.Dates, date)
		}
	}
	for date := range have {
		if !want[date] {
			after.Except = append(after.Except, date)
		}
	}
	slices.SortFunc(after.Dates, time.Time.Compare)
	slices.SortFunc(after.Except, time.Time.Compare)
}

// beginEarlier makes a series that is cut at or before its start begin with the first of its added dates, because
// its rules yield no more. It reports whether there is an added date.
func beginEarlier(series *Event) bool {
	set := series.Recurrence
	set.Rules = nil
	if len(set.Dates) == 0 {
		return false
	}
	length, place := series.End.Sub(series.Start), series.Clock().Zone
	series.Start = slices.MinFunc(set.Dates, time.Time.Compare)
	series.End = series.Start.Add(length)
	series.StartUTC, series.EndUTC = args.Resolve(series.Start, place).UTC(), args.Resolve(series.End, place).UTC()
	return true
}

func until(list []time.Time, at time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(list), func(t time.Time) bool { return !t.Before(at) })
}

func from(list []time.Time, at time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(list), func(t time.Time) bool { return t.Before(at) })
}
