package calendar

import (
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Limits of events that somebody should check (ADR 252).
const (
	CheckAhead  = 60 // days before an event begins
	CheckMonths = 6  // months without a change
)

// Check selects the events that somebody should check: those that visitors find in lists, that are not cancelled, do not come
// from a source, and have a date soon, but have not been changed for long. The zero value selects all events.
type Check struct {
	Changed     time.Time // only events that were changed before this moment
	From, Until time.Time // only events with a date that starts in this wall-clock time
	Author      int64     // only this user's events; 0: everybody's
}

// Asked reports whether the check selects anything.
func (c Check) Asked() bool { return !c.Changed.IsZero() }

// Unchecked selects the events that the scope's principal should check at a moment. The limits are whole days, so that they are
// the same until midnight.
func Unchecked(s *tenancy.Scope, now time.Time) Check {
	today := args.DayOf(args.WallTime(now, s.Site.Location))
	c := Check{Changed: args.Resolve(today.AddDate(0, -CheckMonths, 0), s.Site.Location).UTC(), From: today, Until: today.AddDate(0, 0, CheckAhead+1)}
	if !s.Principal.May(tenancy.EditOthers) {
		c.Author = s.Principal.UserID
	}
	return c
}

// Unchecked reports whether an event may be among those that somebody should check. It does not look at dates.
func (s Events) Unchecked(scope *tenancy.Scope, e *Event) bool {
	_, gathered := scope.Site.Sources[e.Origin]
	return e.Status == Publish && !e.Hidden && !e.Happening.Cancelled() && !gathered && e.Elsewhere == nil && e.Series == nil &&
		e.Modified.Before(Unchecked(scope, s.Now()).Changed)
}

// within narrows a query to the events in an area that wait for somebody. What the query already asks for stays.
func (q *EventQuery) within(a tenancy.Area) {
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

// edges are the conditions on the dates of the events.
func (c Check) edges() []Edge {
	return []Edge{{Compare: From, At: c.From}, {Compare: Before, At: c.Until}}
}
