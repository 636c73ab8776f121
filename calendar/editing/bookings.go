package editing

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// The limits of bookings: how many dates of a series are checked, from today on, and how many other events are returned.
const (
	spansBooked  = 100
	mostBookings = 10
)

// Booking is another event at a venue at the same time as an event.
type Booking struct {
	Venue int64
	At    calendar.Occurrence // when the event that is checked takes place
	Other *calendar.Event     // nil: an event that the user may not read
}

// Bookings returns other events at the venues at the same time as an event, earliest first. It returns one date of each other
// series. If the event repeats, it checks spansBooked dates from today on. It leaves out events that are cancelled, postponed,
// only online, or in the trash. Events that the principal may not read have no name; drafts among them are left out. It
// requires the right to edit.
func (s *Service) Bookings(ctx context.Context, e *calendar.Event, venues []int64) ([]Booking, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.ReadEvents, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	if len(venues) == 0 || !takesRoom(e) {
		return nil, nil
	}
	q := calendar.BookedQuery{Venues: venues, Spans: e.Upcoming(s.Now(), spansBooked), But: e.ID, Most: mostBookings}
	if e.Series != nil {
		q.But = e.Series.ID
	}
	if len(q.Spans) == 0 {
		return nil, nil
	}
	found, err := s.store.Events().Booked(ctx, q)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	ids := make(args.IDs, 0, len(found))
	for _, one := range found {
		ids = append(ids, one.Event)
	}
	page, err := s.Events().Board(ctx, &calendar.EventFilter{Include: args.Some(ids)}, len(ids))
	if err != nil {
		return nil, fmt.Errorf("read bookings: %w", err)
	}
	return bookings(scope.Principal, q.Spans, found, page.Items), nil
}

// takesRoom reports whether an event needs its venues.
func takesRoom(e *calendar.Event) bool {
	return e.Attendance.Mode != "online" && e.Happening.Status != "cancelled" && e.Happening.Status != "postponed"
}

// bookings returns the found events with the details that the principal may know. readable are the events that the
// principal may read.
func bookings(p tenancy.Principal, spans []calendar.Occurrence, found []calendar.BookedAt, readable []*calendar.Event) []Booking {
	list := make([]Booking, 0, len(found))
	for _, one := range found {
		b := Booking{Venue: one.Venue, At: spans[one.Span]}
		i := slices.IndexFunc(readable, func(e *calendar.Event) bool { return e.ID == one.Event })
		switch {
		case i >= 0 && (!readable[i].Protected() || calendar.MayEdit(p, &readable[i].Post)):
			b.Other = readable[i]
		case one.Status == calendar.Draft: // other people do not see drafts
			continue
		}
		list = append(list, b)
	}
	return list
}
