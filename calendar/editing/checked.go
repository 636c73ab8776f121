package editing

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// LastWrites returns the entry of the last write of each of several events that the principal may edit, by ID, as
// far as it is known. The entries do not include where the writes came from.
func (c *Service) LastWrites(ctx context.Context, list []*calendar.Event) (map[int64]tenancy.Entry, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	versions := map[int64]int64{}
	for _, e := range list {
		if calendar.MayEdit(scope.Principal, &e.Post) {
			versions[e.ID] = e.Version
		}
	}
	found, err := c.store.History().At(ctx, "event", versions)
	if err != nil {
		return nil, fmt.Errorf("last writes: %w", err)
	}
	for id, e := range found {
		e.Address, e.Key = "", ""
		found[id] = e
	}
	return found, nil
}
