package services

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Board is List for editors: it includes hidden events, covers all times unless the filter has dates, and allows
// pages of any length. It returns ErrUnauthenticated or ErrForbidden to others.
func (s Events) Board(ctx context.Context, f *calendar.EventFilter, perPage int) (calendar.Page[calendar.Event], error) {
	q, err := s.board(ctx, f)
	if err != nil {
		return calendar.Page[calendar.Event]{}, err
	}
	return s.onBoard(ctx, q, perPage)
}

// Shelf is Board with one entry per series, with its next occurrence within the filter's dates. It also finds a
// series of which only some occurrences match the filter.
func (s Events) Shelf(ctx context.Context, f *calendar.EventFilter, perPage int) (calendar.Page[calendar.Event], error) {
	q, err := s.shelf(ctx, f)
	if err != nil {
		return calendar.Page[calendar.Event]{}, err
	}
	return s.onBoard(ctx, q, perPage)
}

func (s Events) onBoard(ctx context.Context, q calendar.EventQuery, perPage int) (calendar.Page[calendar.Event], error) {
	q.PerPage = perPage
	page, err := s.store.Events().List(ctx, q)
	if err != nil {
		return page, fmt.Errorf("list events: %w", err)
	}
	ids := make([]int64, len(page.Items))
	for i, e := range page.Items {
		ids[i] = e.ID
	}
	outside, err := s.Outside(ctx, ids)
	for _, e := range page.Items {
		e.Outside = outside[e.ID]
		hideUnreadable(tenancy.Current(ctx).Principal, e)
	}
	return page, err
}

// Counts returns the number of entries in Shelf for each status, ignoring the filter's status.
func (s Events) Counts(ctx context.Context, f *calendar.EventFilter) (map[calendar.Status]int, error) {
	q, err := s.shelf(ctx, f)
	if err != nil {
		return nil, err
	}
	q.Statuses = calendar.Statuses()
	counts, err := s.store.Events().Counts(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("count events: %w", err)
	}
	return counts, nil
}

func (s Events) shelf(ctx context.Context, f *calendar.EventFilter) (calendar.EventQuery, error) {
	q, err := s.board(ctx, f)
	if err == nil {
		q.Whole = args.DayOf(args.WallTime(s.Now(), tenancy.Current(ctx).Site.Location))
		q.Shown = f.Shown
	}
	return q, err
}

func (s Events) board(ctx context.Context, f *calendar.EventFilter) (calendar.EventQuery, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return calendar.EventQuery{}, err
	}
	if !scope.Principal.MayRead(tenancy.EditOwn) {
		return calendar.EventQuery{}, scope.Principal.Require(tenancy.EditOwn)
	}
	q, err := f.Query(scope, s.Now())
	if err != nil {
		return q, err
	}
	q.WithHidden = true
	q.Edges = slices.DeleteFunc(q.Edges, func(e calendar.Edge) bool { // of the default window
		return e.Compare == calendar.From && !f.Start.Given() || e.Compare == calendar.Until && !f.End.Given()
	})
	if over, given := f.Ended.Get(); given {
		edge := calendar.Edge{End: true, Compare: calendar.After, At: s.Now().UTC(), Instant: true}
		if over {
			edge.Compare, edge.At = calendar.Before, edge.At.Add(time.Second)
		}
		q.Edges, q.Until = append(q.Edges, edge), s.Now()
	}
	if f.Lacks.Check.Asked() {
		q.Edges = append(q.Edges, f.Lacks.Check.Edges()...)
	}
	if f.Lacks.Check.Asked() || f.Reviewed(scope.Principal) {
		q.Within(scope.Principal.Area)
	}
	return q, nil
}

// Unchecked reports whether an event may need checking. It does not check the dates.
func (s Events) Unchecked(scope *tenancy.Scope, e *calendar.Event) bool {
	_, gathered := scope.Site.Sources[e.Origin]
	return e.Status == calendar.Publish && !e.Hidden && !e.Happening.Cancelled() && !gathered && e.Elsewhere == nil && e.Series == nil &&
		e.Modified.Before(calendar.Unchecked(scope, s.Now()).Changed)
}
