package calendar

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/tenancy"
)

// Board is List for those who keep the calendar: hidden events too, of all
// times unless the filter says which, and pages of any length. Others get
// ErrUnauthenticated or ErrForbidden.
func (s Events) Board(ctx context.Context, f *EventFilter, perPage int) (Page[Event], error) {
	q, err := s.board(ctx, f)
	if err != nil {
		return Page[Event]{}, err
	}
	return s.onBoard(ctx, q, perPage)
}

// Shelf is Board with one entry for each series, which tells when it happens next
// within the dates asked for. A series is found by what its occurrences have of
// their own, too.
func (s Events) Shelf(ctx context.Context, f *EventFilter, perPage int) (Page[Event], error) {
	q, err := s.shelf(ctx, f)
	if err != nil {
		return Page[Event]{}, err
	}
	return s.onBoard(ctx, q, perPage)
}

func (s Events) onBoard(ctx context.Context, q EventQuery, perPage int) (Page[Event], error) {
	q.PerPage = perPage
	page, err := s.store.Events().List(ctx, q)
	if err != nil {
		return page, fmt.Errorf("list events: %w", err)
	}
	for _, e := range page.Items {
		hideUnreadable(tenancy.Current(ctx).Principal, e)
	}
	return page, nil
}

// Counts returns how many entries of each status Shelf would list, whatever
// status the filter asks for.
func (s Events) Counts(ctx context.Context, f *EventFilter) (map[Status]int, error) {
	q, err := s.shelf(ctx, f)
	if err != nil {
		return nil, err
	}
	q.Statuses = Statuses()
	counts, err := s.store.Events().Counts(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("count events: %w", err)
	}
	return counts, nil
}

func (s Events) shelf(ctx context.Context, f *EventFilter) (EventQuery, error) {
	q, err := s.board(ctx, f)
	if err == nil {
		q.Whole = day(wall(s.Now(), tenancy.Current(ctx).Site.Location))
	}
	return q, err
}

func (s Events) board(ctx context.Context, f *EventFilter) (EventQuery, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return EventQuery{}, err
	}
	if !scope.Principal.MayRead(tenancy.EditOwn) {
		return EventQuery{}, scope.Principal.Require(tenancy.EditOwn)
	}
	q, err := f.query(scope, s.Now())
	if err != nil {
		return q, err
	}
	q.WithHidden = true
	q.Edges = slices.DeleteFunc(q.Edges, func(e Edge) bool { // of the window that lists have by themselves
		return e.Compare == From && !f.Start.Given() || e.Compare == Until && !f.End.Given()
	})
	return q, nil
}
