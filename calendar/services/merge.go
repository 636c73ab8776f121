package services

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Merging describes which items to merge.
type Merging struct {
	Keep   int64   // the item that remains
	Others []int64 // the items that are removed; their links move to Keep
	// Take maps fields to the item whose value Keep takes over. Keep retains the fields that are not listed. The
	// fields are those of VenueMerge, OrganizerMerge and TermMerge.
	Take map[string]int64
	// Seen are the versions of the items at the time of the decision. If an item has another version, merging fails
	// with ErrPrecondition. 0 accepts any version.
	Seen map[int64]int64
}

// mostMerged is the maximum number of items removed together.
const mostMerged = 50

// The fields of Merging.Take in the order in which pages show them.
var (
	VenueMerge     = calendar.VenueKind.Fields
	OrganizerMerge = calendar.OrganizerKind.Fields
	TermMerge      = []string{"name", "color", "description"}
)

// check rejects invalid mergings, independent of the items.
func (m Merging) check(fields []string) error {
	found := &args.Problems{}
	switch {
	case m.Keep < 1 || slices.Contains(m.Others, m.Keep):
		found.Invalid("keep", "problem.merge.keep", nil)
	case len(m.Others) == 0:
		found.Invalid("others", "problem.merge.others", nil)
	case len(m.Others) > mostMerged:
		found.Invalid("others", "problem.merge.many", map[string]any{"Max": mostMerged})
	}
	for field, id := range m.Take {
		if !slices.Contains(fields, field) || id != m.Keep && !slices.Contains(m.Others, id) {
			found.Invalid("take", "problem.merge.take", nil)
			break
		}
	}
	return found.Err()
}

// seen returns the condition on the version of an item.
func (m Merging) seen(id int64) calendar.Condition {
	return func(version int64) error {
		if was := m.Seen[id]; was != 0 && was != version {
			return calendar.ErrPrecondition
		}
		return nil
	}
}

// Merge merges several items into one. It returns this item and the number of relinked events. Without the
// permission to edit every item and others' work, it returns ErrForbidden. It returns ErrNotFound if an item no
// longer exists, ErrGone if one is in the trash, and ErrPrecondition if one has changed since it was seen.
func (s Places[T, F]) Merge(ctx context.Context, m Merging) (*T, int, error) {
	post := s.kind.Post
	scope, err := tenancy.Permitted(ctx, s.kind.Access, calendar.MergeRight)
	if err != nil {
		return nil, 0, err
	}
	if err := m.check(s.kind.Fields); err != nil {
		return nil, 0, err
	}
	kept, moved, err := s.of().Merge(ctx, m.Keep, m.Others, func(keep *T, others []*T) error {
		all := append([]*T{keep}, others...)
		for _, one := range all {
			p := post(one)
			if err := calendar.Editable(scope.Principal, p, m.seen(p.ID)); err != nil {
				return err
			}
			if p.Trashed() {
				return calendar.ErrGone
			}
		}
		was := s.kind.Text(keep)
		for _, one := range others {
			for field, id := range m.Take {
				if id == post(one).ID {
					s.kind.Take(keep, one, field)
				}
			}
		}
		now := s.kind.Text(keep)
		post(keep).Outdate(was, now)
		for _, one := range others {
			own := s.kind.Text(one)
			post(keep).Inherit(&post(one).Translated, own, alike(now, own))
		}
		post(keep).Modified = s.Now()
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("merge: %w", err)
	}
	return kept, moved, nil
}

// Merge merges several terms into one. It returns this term and the number of relinked events. It gets the children
// of the removed terms; if it was below one of them, it moves up to that term's parent. It requires permission to
// manage terms.
func (s Terms) Merge(ctx context.Context, m Merging) (*calendar.Term, int, error) {
	if _, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right()); err != nil {
		return nil, 0, err
	}
	if err := m.check(TermMerge); err != nil {
		return nil, 0, err
	}
	kept, moved, err := s.store.Terms(s.taxonomy).Merge(ctx, m.Keep, m.Others, func(keep *calendar.Term, others []*calendar.Term) error {
		if err := m.seen(keep.ID)(keep.Version); err != nil {
			return err
		}
		was := keep.Text()
		for _, one := range others {
			if err := m.seen(one.ID)(one.Version); err != nil {
				return err
			}
			for field, id := range m.Take {
				if id == one.ID {
					takeOfTerm(keep, one, field)
				}
			}
		}
		now := keep.Text()
		keep.Outdate(was, now)
		for _, one := range others {
			own := one.Text()
			keep.Inherit(&one.Translated, own, alike(now, own))
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("merge: %w", err)
	}
	return kept, moved, nil
}

func takeOfTerm(to, from *calendar.Term, field string) {
	switch field {
	case "name":
		to.Name = from.Name
	case "color":
		to.Color = from.Color
	case "description":
		to.Description = from.Description
	}
}

// alike reports whether two items have the same title, description and excerpt.
func alike(a, b translations.Text) bool {
	return a.Title == b.Title && a.Description == b.Description && a.Excerpt == b.Excerpt
}
