package services

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Twins returns groups of items that may be the same. It is restricted to principals who may merge them.
func (s Places[T, F]) Twins(ctx context.Context) ([]calendar.Twins, error) {
	if _, err := tenancy.Permitted(ctx, s.kind.Access, calendar.MergeRight); err != nil {
		return nil, err
	}
	list, err := s.of().Twins(ctx)
	if err != nil {
		return nil, fmt.Errorf("find duplicates: %w", err)
	}
	return list, nil
}

// Apart remembers that items are not the same as each other, so that Twins does not name them because of each other. It is restricted to
// principals who may merge any of them, and returns *args.Problems for fewer than two items or too many.
func (s Places[T, F]) Apart(ctx context.Context, ids []int64) error {
	switch scope, err := tenancy.Permitted(ctx, s.kind.Access, calendar.MergeRight); {
	case err != nil:
		return err
	case !MayPartTwins(scope.Principal):
		return tenancy.ErrOutside
	case len(ids) < 2:
		return args.Invalid("others", "problem.merge.others", nil)
	case len(ids) > mostMerged+1:
		return args.Invalid("others", "problem.merge.many", map[string]any{"Max": mostMerged})
	}
	if err := s.of().Apart(ctx, ids); err != nil {
		return fmt.Errorf("tell %ss apart: %w", s.kind.Name, err)
	}
	return nil
}

// MayPartTwins reports whether a principal may say that items are not the same, which is said for everybody.
func MayPartTwins(p tenancy.Principal) bool { return p.May(calendar.MergeRight) && p.Area.Whole() }

// TwinTerms returns groups of terms with the same name, ignoring case and accents.
func TwinTerms(list []*calendar.Term) [][]*calendar.Term {
	places := map[string]int{}
	var groups [][]*calendar.Term
	for _, t := range list {
		name := wording.FoldName(t.Name)
		at, known := places[name]
		if !known {
			at = len(groups)
			places[name], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], t)
	}
	return slices.DeleteFunc(groups, func(g []*calendar.Term) bool { return len(g) < 2 })
}

// Linked returns the number of events of any status that each item is linked to, and of those linked to any of them.
func (s Places[T, F]) Linked(ctx context.Context, ids []int64) (map[int64]int, int, error) {
	return linkedTo(ctx, s.of().Linked, calendar.MergeRight, ids)
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
func (s Terms) Former(ctx context.Context, slug string) (*calendar.Term, error) {
	t, err := s.store.Terms(s.taxonomy).Former(ctx, slug)
	if err != nil {
		return nil, fmt.Errorf("get term: %w", err)
	}
	t.Speak(tenancy.Current(ctx))
	return t, nil
}
