package calendar

import (
	"slices"
	"time"

	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/internal/recur"
)

// Rest returns the rules of a series from one of its dates on. It returns false if no rule yields that date, because
// it was added.
func (e *Event) Rest(original time.Time) (recur.Set, bool) {
	series, rest := *e, *e
	divide(&series, &rest, original)
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
