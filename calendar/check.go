package calendar

import (
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Limits for events that need checking (ADR 252).
const (
	CheckAhead  = 60 // days before an event begins
	CheckMonths = 6  // months without a change
)

// Check selects the events that need checking: events in public lists that are not cancelled and not from a source,
// and that have a date soon but have not been changed for a long time. The zero value selects all events.
type Check struct {
	Changed     time.Time // only events last changed before this time
	From, Until time.Time // only events with a date that starts in this range of wall-clock times
	Author      int64     // only this user's events; 0: everybody's
}

// Asked reports whether the check selects anything.
func (c Check) Asked() bool { return !c.Changed.IsZero() }

// Unchecked selects the events that the scope's principal should check. The limits are whole days, so they do not
// change until midnight.
func Unchecked(s *tenancy.Scope, now time.Time) Check {
	today := args.DayOf(args.WallTime(now, s.Site.Location))
	c := Check{
		Changed: args.Resolve(today.AddDate(0, -CheckMonths, 0), s.Site.Location).UTC(),
		From:    today,
		Until:   today.AddDate(0, 0, CheckAhead+1),
	}
	if !s.Principal.May(tenancy.EditOthers) {
		c.Author = s.Principal.UserID
	}
	return c
}

// Within narrows a query to the events in an area that wait for somebody. What the query already asks for stays.
func (q *EventQuery) Within(a tenancy.Area) {
	if len(q.Categories) == 0 {
		for _, id := range a.Categories {
			q.Categories = append(q.Categories, args.Ref{ID: id})
		}
	}
	if len(q.Venues) == 0 {
		q.Venues = a.Venues
	}
	if len(q.Organizers) == 0 {
		q.Organizers = a.Organizers
	}
}

// Edges are the conditions on the dates of the events.
func (c Check) Edges() []Edge {
	return []Edge{{Compare: From, At: c.From}, {Compare: Before, At: c.Until}}
}
