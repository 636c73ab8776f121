package calendar

import (
	"cmp"
	"context"
	"slices"

	"github.com/kalends/kalends/tenancy"
)

// MostKept is how many events a visitor may keep.
const MostKept = 200

// Kept returns the events of a filter that a visitor has kept, by start: single events and dates of series by their own IDs,
// and series as their first date that matches. It lists at most MostKept of each.
func (s Events) Kept(ctx context.Context, f *EventFilter, ids, series []int64) (Page[Event], error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return Page[Event]{}, err
	}
	all := Page[Event]{Version: scope.Site.Version}
	for n, some := range [][]int64{ids, series} {
		if len(some) == 0 {
			continue
		}
		page, _, err := s.list(ctx, f, func(q *EventQuery) error {
			q.Include, q.First, q.Page, q.PerPage = some, n == 1, 1, MostKept
			return nil
		})
		if err != nil {
			return all, err
		}
		all.Items, all.Version = append(all.Items, page.Items...), min(all.Version, page.Version)
	}
	all.Total = len(all.Items)
	slices.SortStableFunc(all.Items, func(a, b *Event) int { return cmp.Or(a.StartUTC.Compare(b.StartUTC), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}
