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
