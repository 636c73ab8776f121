package lists

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// Others implements calendar.EventStore.
func (s *Lists) Others(ctx context.Context, q calendar.OthersQuery) (*calendar.OtherIDs, error) {
	c, err := s.coming(ctx, comingSince(q.After), func(int64, *pgx.Batch) {})
	if err != nil {
		return nil, err
	}
	shown := map[int64]bool{q.But: true}
	has := func(list func(*entry) []int64, id int64) func(*entry) bool {
		return func(e *entry) bool { return slices.Contains(list(e), id) }
	}
	found, entries := &calendar.OtherIDs{}, c.after(q.After)
	if q.Venue != 0 {
		found.Venue = first(entries, q.Each, shown, has(func(e *entry) []int64 { return e.venues }, q.Venue))
	}
	if q.Organizer != 0 {
		found.Organizer = first(entries, q.Each, shown, has(func(e *entry) []int64 { return e.organizers }, q.Organizer))
	}
	if q.Category != 0 {
		within := c.below(q.Category)
		found.Category = first(entries, q.Each, shown, func(e *entry) bool { return anyIn(e.terms, within) })
	}
	return found, nil
}

// first returns the first n entries that fit and are not masked. It returns at most one date of each series, and
// nothing in shown.
func first(entries []*entry, n int, shown map[int64]bool, fits func(*entry) bool) (ids []int64) {
	for _, e := range entries {
		if len(ids) == n {
			break
		}
		if !e.masked && !shown[e.series] && fits(e) {
			shown[e.series] = true
			ids = append(ids, e.id)
		}
	}
	return ids
}
