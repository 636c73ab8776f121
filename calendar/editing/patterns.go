package editing

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Patterns returns up to most events that a new one may resemble, each title once: first what the principal has
// entered last, then what the site has most often. For a series, it returns the last date. It requires the right to
// edit.
func (s *Service) Patterns(ctx context.Context, most int) ([]*calendar.Event, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.ReadEvents, tenancy.EditOwn)
	if err != nil {
		return nil, err
	}
	found := most
	if !scope.Principal.May(tenancy.EditOthers | tenancy.Publish) {
		found *= 2 // some of which may be hidden from the principal
	}
	ids, err := s.store.Events().Patterns(ctx, s.Now(), found)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	page, err := s.Events().Board(ctx, &calendar.EventFilter{Include: args.Some(args.IDs(ids))}, len(ids))
	if err != nil {
		return nil, fmt.Errorf("read patterns: %w", err)
	}
	list := slices.DeleteFunc(page.Items, func(e *calendar.Event) bool {
		return e.Protected() && !calendar.MayEdit(scope.Principal, &e.Post)
	})
	slices.SortFunc(list, func(a, b *calendar.Event) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	return list[:min(most, len(list))], nil
}
