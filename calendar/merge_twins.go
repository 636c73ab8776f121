package calendar

import (
	"context"
	"fmt"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
)

// mostTwins is the maximum number of possible duplicates returned.
const mostTwins = 200

// Twins returns groups of possible duplicates: items with the same name, ignoring case and accents, and for venues
// the same city. It is restricted to principals who may merge them.
func (s Places[T, F]) Twins(ctx context.Context) ([][]*T, error) {
	if _, err := tenancy.Permitted(ctx, s.kind.access, MergeRight); err != nil {
		return nil, err
	}
	list, err := s.of().Twins(ctx, mostTwins)
	if err != nil {
		return nil, fmt.Errorf("find duplicates: %w", err)
	}
	return together(list, s.kind.twin), nil
}

// TwinTerms returns groups of terms with the same name, ignoring case and accents.
func TwinTerms(list []*Term) [][]*Term {
	return together(list, func(t *Term) string { return wording.FoldName(t.Name) })
}

// together groups items with the same key and omits single ones.
func together[T any](list []*T, key func(*T) string) [][]*T {
	places := map[string]int{}
	var groups [][]*T
	for _, item := range list {
		k := key(item)
		at, known := places[k]
		if !known {
			at = len(groups)
			places[k], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], item)
	}
	several := groups[:0]
	for _, g := range groups {
		if len(g) > 1 {
			several = append(several, g)
		}
	}
	return several
}

// Linked returns the number of events of any status that each item is linked to, and of those linked to any of them.
func (s Places[T, F]) Linked(ctx context.Context, ids []int64) (map[int64]int, int, error) {
	return linkedTo(ctx, s.of().Linked, MergeRight, ids)
}

// Linked is Places.Linked for terms.
func (s Terms) Linked(ctx context.Context, ids []int64) (map[int64]int, int, error) {
	return linkedTo(ctx, s.store.Terms(s.taxonomy).Linked, s.taxonomy.Right(), ids)
}

func linkedTo(ctx context.Context, linked func(context.Context, []int64) (map[int64]int, int, error), right tenancy.Permission, ids []int64,
) (map[int64]int, int, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, 0, err
	}
	if err := scope.Principal.Require(right); err != nil {
		return nil, 0, err
	}
	each, all, err := linked(ctx, ids)
	if err != nil {
		return nil, 0, fmt.Errorf("count links: %w", err)
	}
	return each, all, nil
}

// Former returns the term that once had an unused slug, or that it was merged into.
func (s Terms) Former(ctx context.Context, slug string) (*Term, error) {
	t, err := s.store.Terms(s.taxonomy).Former(ctx, slug)
	if err != nil {
		return nil, fmt.Errorf("get term: %w", err)
	}
	t.Speak(tenancy.Current(ctx))
	return t, nil
}
