package newsletters

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// Limits of what a letter lists. Everything else is behind its link.
const (
	mostListed = 40  // events in all
	mostOnShow = 6   // events on show; those that end first are listed
	mostRead   = 300 // events read, from which those of a letter are chosen
)

// list fills an issue with the events of its days, each day with its share, and with some events on show. If an
// item in the filter no longer exists, it leaves the issue empty.
func (s *Service) list(ctx context.Context, i *Issue, c *calendar.Choice, at time.Time) error {
	c.Once = true
	c.EndsAfter, c.StartsBefore = args.DayArg(i.Days.First.AddDate(0, 0, -1)), args.DayArg(i.Days.Last)
	running := *c
	running.LongerThan, running.OrderBy, running.PerPage = args.Some(calendar.OnShowAfter), args.Some("end_date"), args.Some(mostOnShow)
	c.Brief = calendar.OnShowAfter
	dated, err := s.Calendar.Events().Long(ctx, c, mostRead)
	var shown calendar.Page[calendar.Event]
	if err == nil {
		shown, _, err = s.Calendar.Events().Choose(ctx, &running)
	}
	if errors.Is(err, calendar.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("events of a letter: %w", err)
	}
	past := func(e *calendar.Event) bool { return e.Masked || e.EndUTC.Before(at) }
	found, on := slices.DeleteFunc(dated.Items, past), slices.DeleteFunc(shown.Items, past)
	hidden := len(dated.Items) - len(found) + len(shown.Items) - len(on)
	i.Events = append(shared(found, i.Days.First, mostListed-len(on)), on...)
	i.More = dated.Total + shown.Total - hidden - len(i.Events)
	return nil
}

// shared returns at most n events in order, with an equal share for each day as far as the day has events: first
// its featured events, then events spread over the day. Events that began before first belong to the day first.
func shared(events []*calendar.Event, first time.Time, n int) []*calendar.Event {
	if len(events) <= n {
		return events
	}
	var days [][]int // indexes, by day
	of := map[time.Time]int{}
	for i, e := range events {
		day := args.DayOf(e.Start)
		if day.Before(first) {
			day = first
		}
		at, there := of[day]
		if !there {
			at = len(days)
			of[day], days = at, append(days, nil)
		}
		days[at] = append(days[at], i)
	}
	slices.SortFunc(days, func(a, b []int) int { return len(a) - len(b) }) // short days leave room for long ones
	var chosen []int
	for d, day := range days {
		share := min(len(day), (n-len(chosen))/(len(days)-d))
		slices.SortStableFunc(day, func(a, b int) int { return featuredFirst(events[a], events[b]) })
		lead := 0
		for lead < share && events[day[lead]].Featured {
			lead++
		}
		chosen = append(chosen, day[:lead]...)
		rest := day[lead:]
		for k := range share - lead {
			chosen = append(chosen, rest[k*len(rest)/(share-lead)])
		}
	}
	slices.Sort(chosen)
	list := make([]*calendar.Event, 0, len(chosen))
	for _, i := range chosen {
		list = append(list, events[i])
	}
	return list
}

// featuredFirst orders featured events before others.
func featuredFirst(a, b *calendar.Event) int {
	switch {
	case a.Featured == b.Featured:
		return 0
	case a.Featured:
		return -1
	}
	return 1
}
