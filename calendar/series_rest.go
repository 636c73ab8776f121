package calendar

import (
	"slices"
	"time"

	"github.com/kalends/kalends/recur"
)

// Rest returns the rules of a series from one of its dates on, and false where no
// rule gives that date: it was added.
func (e *Event) Rest(original time.Time) (recur.Set, bool) {
	series, rest := *e, *e
	divide(&series, &rest, original)
	return *rest.Recurrence, rest.Start.Equal(original)
}

// Whole returns the rules of a whole series, of those it is to have from one of its
// dates on (Rest). That date starts now, and started at was before; all others move
// with it. What the series has before that date stays.
func (e *Event) Whole(rest recur.Set, was, now time.Time) recur.Set {
	clock := e.Clock()
	clock.Start = e.Start.Add(now.Sub(was))
	before := Follow(*e.Recurrence, e.Start, clock)
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
	except := append(until(before.Except, now), rest.Except...)
	set.Except = slices.DeleteFunc(except, func(at time.Time) bool { return !set.Has(clock, at) })
	return set
}
