package services

import (
	"context"

	"github.com/kalends/kalends/calendar"
)

// ListLong is List with any page length. The API's limit protects against strangers; our own pages need whole months
// or site maps, and are generated once per version of the site.
func (s Events) ListLong(ctx context.Context, f *calendar.EventFilter,
	perPage int) (calendar.Page[calendar.Event], calendar.EventQuery, error) {
	return s.list(ctx, f, func(q *calendar.EventQuery) error {
		q.PerPage = perPage
		return nil
	})
}

// ListLong is List with any page length.
func (s Terms) ListLong(ctx context.Context, f *calendar.CategoryFilter, perPage int) (calendar.Page[calendar.Term], error) {
	page, _, err := s.list(ctx, f, perPage)
	return page, err
}
