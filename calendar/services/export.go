package services

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Export reads all events that match a filter piece by piece, as editors see them. It omits protected events,
// because the copy would be readable without the password.
type Export struct {
	Protected int   // protected events omitted so far
	Version   int64 // version of the site, never later than that of the events

	scope *tenancy.Scope
	store calendar.EventStore
	ids   []int64        // still to be read, in order
	all   []int64        // ascending
	also  map[int64]bool // series found through changed occurrences
}

// Export starts reading the events that Shelf lists, on all pages: single events, and each series once with all
// occurrences that differ. It returns ErrUnauthenticated or ErrForbidden to principals who are not editors.
func (s Events) Export(ctx context.Context, f *calendar.EventFilter) (*Export, error) {
	q, err := s.board(ctx, f)
	if err != nil {
		return nil, err
	}
	x := &Export{scope: tenancy.Current(ctx), store: s.store.Events(), also: map[int64]bool{}}
	if x.ids, x.Version, err = x.store.Matching(ctx, q); err != nil {
		return nil, fmt.Errorf("export events: %w", err)
	}
	x.all = slices.Sorted(slices.Values(x.ids))
	return x, nil
}

// Next returns the next events, or none at the end.
func (x *Export) Next(ctx context.Context) ([]FeedEvent, error) {
	for len(x.ids) > 0 {
		some := x.ids[:min(feedPage, len(x.ids))]
		x.ids = x.ids[len(some):]
		list, err := x.read(ctx, some)
		if len(list) > 0 || err != nil {
			return list, err
		}
	}
	return nil, nil
}

// read returns events by id. An occurrence that differs is included in its series.
func (x *Export) read(ctx context.Context, ids []int64) ([]FeedEvent, error) {
	events, exceptions, err := x.store.Several(ctx, ids)
	var series []int64
	for _, e := range events {
		if e.Series != nil && !x.has(e.Series.ID) {
			x.also[e.Series.ID] = true
			series = append(series, e.Series.ID)
		}
	}
	if len(series) > 0 && err == nil {
		var more, differ []*calendar.Event
		more, differ, err = x.store.Several(ctx, series)
		events, exceptions = append(events, more...), append(exceptions, differ...)
	}
	if err != nil {
		return nil, fmt.Errorf("export events: %w", err)
	}
	of := map[int64][]*calendar.Event{}
	for _, e := range exceptions {
		hideUnreadable(x.scope.Principal, e)
		of[e.Series.ID] = append(of[e.Series.ID], e)
	}
	list := make([]FeedEvent, 0, len(events))
	for _, e := range events {
		switch {
		case e.Series != nil || !calendar.MayRead(x.scope.Principal, &e.Post): // included in its series, or changed since
		case e.Protected():
			x.Protected++
		default:
			hideUnreadable(x.scope.Principal, e)
			list = append(list, FeedEvent{Event: e, Exceptions: of[e.ID]})
		}
	}
	return list, nil
}

// has reports whether an event was read, by itself or as a series.
func (x *Export) has(id int64) bool {
	_, found := slices.BinarySearch(x.all, id)
	return found || x.also[id]
}
