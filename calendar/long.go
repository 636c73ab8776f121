package calendar

import "context"

// ListLong is List with any page length. The API's limit protects against strangers; our own pages need whole months
// or site maps, and are generated once per version of the site.
func (s Events) ListLong(ctx context.Context, f *EventFilter, perPage int) (Page[Event], EventQuery, error) {
	return s.list(ctx, f, func(q *EventQuery) error {
		q.PerPage = perPage
		return nil
	})
}

// ListLong is List with any page length.
func (s Terms) ListLong(ctx context.Context, f *CategoryFilter, perPage int) (Page[Term], error) {
	page, _, err := s.list(ctx, f, perPage)
	return page, err
}
