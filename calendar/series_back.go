package calendar

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// RemovedDate is an occurrence that was taken out of its series.
type RemovedDate struct {
	ID       int64
	Series   Post // what of the series tells who may put it back
	Title    string
	AllDay   bool
	Original time.Time
	By       tenancy.Entry // of the history: who removed it, and when
}

// TrashedBy returns of each of several items of a kind that lie in the trash how they got there, as far as the
// history knows, to those who may edit.
func (c *Calendar) TrashedBy(ctx context.Context, kind string, ids []int64) (map[int64]tenancy.Entry, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return map[int64]tenancy.Entry{}, nil
	}
	last, err := c.store.History().Last(ctx, kind, "trash", ids)
	if err != nil {
		return nil, fmt.Errorf("trashed by: %w", err)
	}
	for id, e := range last {
		e.Address, e.Key, e.Before = "", "", nil
		last[id] = e
	}
	return last, nil
}

// Removed returns the dates that were taken out of series and that the principal may
// put back, the last first, and how many more there may be.
func (s Events) Removed(ctx context.Context, most int) ([]RemovedDate, int, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, 0, err
	}
	if err := scope.Principal.Require(tenancy.EditOwn); err != nil {
		return nil, 0, err
	}
	list, total, err := s.store.Events().Removed(ctx, viewer(scope.Principal), most)
	if err != nil {
		return nil, 0, fmt.Errorf("removed dates: %w", err)
	}
	more := total - len(list)
	return slices.DeleteFunc(list, func(d RemovedDate) bool { return !MayEdit(scope.Principal, &d.Series) }), more, nil
}
