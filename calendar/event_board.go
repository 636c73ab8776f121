package calendar

import (
	"context"
	"fmt"

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

// Counts returns how many events of each status Board would list, whatever
// status the filter asks for.
func (s Events) Counts(ctx context.Context, f *EventFilter) (map[Status]int, error) {
	q, err := s.board(ctx, f)
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
	dated := false
	for _, d := range f.dates() {
		dated = dated || d.value.Given()
	}
	if !dated {
		q.Edges = nil
	}
	return q, nil
}
