package calendar

import "context"

// ListLong is List with a page length of the caller's choice. The limit of the
// interface is for strangers; a month of a calendar or a site map is asked for
// by our own pages, which are made once for each version of the site.
func (s Events) ListLong(ctx context.Context, f *EventFilter, perPage int) (Page[Event], EventQuery, error) {
	return s.list(ctx, f, func(q *EventQuery) { q.PerPage = perPage })
}

// ListLong is List with a page length of the caller's choice.
func (s Terms) ListLong(ctx context.Context, f *CategoryFilter, perPage int) (Page[Term], error) {
	page, _, err := s.list(ctx, f, perPage)
	return page, err
}
