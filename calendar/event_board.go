package calendar

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Board is List for editors: it includes hidden events, covers all times unless the filter has dates, and allows
// pages of any length. It returns ErrUnauthenticated or ErrForbidden to others.
func (s Events) Board(ctx context.Context, f *EventFilter, perPage int) (Page[Event], error) {
	q, err := s.board(ctx, f)
	if err != nil {
		return Page[Event]{}, err
	}
	return s.onBoard(ctx, q, perPage)
}

// Shelf is Board with one entry per series, with its next occurrence within the filter's dates. It also finds a
// series of which only some occurrences match the filter.
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

// Reviewed reports whether the filter asks for what waits for the principal's review: pending events, of editors with an area those in it.
func (f *EventFilter) Reviewed(p tenancy.Principal) bool {
	return p.May(tenancy.EditOthers|tenancy.Publish) && slices.Equal(f.Status.Or(nil), args.Texts{string(Pending)})
}

// Counts returns the number of entries in Shelf for each status, ignoring the filter's status.
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
		q.Whole = args.DayOf(args.WallTime(s.Now(), tenancy.Current(ctx).Site.Location))
		q.Shown = f.Shown
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
	q.Edges = slices.DeleteFunc(q.Edges, func(e Edge) bool { // of the default window
		return e.Compare == From && !f.Start.Given() || e.Compare == Until && !f.End.Given()
	})
	if f.Lacks.Check.Asked() {
		q.Edges = append(q.Edges, f.Lacks.Check.edges()...)
	}
	if f.Lacks.Check.Asked() || f.Reviewed(scope.Principal) {
		q.within(scope.Principal.Area)
	}
	return q, nil
}
