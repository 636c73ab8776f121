package services

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// TrashedBy returns the history entries that moved items of a kind to the trash, if they are known. It is restricted to
// principals who may edit.
func (c *Calendar) TrashedBy(ctx context.Context, kind string, ids []int64) (map[int64]tenancy.Entry, error) {
	if _, err := tenancy.Permitted(ctx, tenancy.WriteEvents, tenancy.EditOwn); err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return map[int64]tenancy.Entry{}, nil
	}
	last, err := c.store.History().Last(ctx, kind, "trash", ids)
	if err != nil {
		return nil, fmt.Errorf("read who trashed items: %w", err)
	}
	for id, e := range last {
		e.Address, e.Key, e.Before = "", "", nil
		last[id] = e
	}
	return last, nil
}

// Removed returns the occurrences removed from series that the principal may restore, latest first, and how many more
// there may be.
func (s Events) Removed(ctx context.Context, most int) ([]calendar.RemovedDate, int, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteEvents, tenancy.EditOwn)
	if err != nil {
		return nil, 0, err
	}
	list, total, err := s.store.Events().Removed(ctx, calendar.ViewerOf(scope.Principal), most)
	if err != nil {
		return nil, 0, fmt.Errorf("removed dates: %w", err)
	}
	more := total - len(list)
	return slices.DeleteFunc(list, func(d calendar.RemovedDate) bool { return !calendar.MayEdit(scope.Principal, &d.Series) }), more, nil
}
