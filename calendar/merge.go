package calendar

import (
	"context"
	"fmt"
	"slices"

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
	VenueMerge     = venueKind.fields
	OrganizerMerge = organizerKind.fields
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
func (m Merging) seen(id int64) Condition {
	return func(version int64) error {
		if was := m.Seen[id]; was != 0 && was != version {
			return ErrPrecondition
		}
		return nil
	}
}

// Merge merges several items into one. It returns this item and the number of relinked events. Without the
// permission to edit every item and others' work, it returns ErrForbidden. It returns ErrNotFound if an item no
// longer exists, ErrGone if one is in the trash, and ErrPrecondition if one has changed since it was seen.
func (s Places[T, F]) Merge(ctx context.Context, m Merging) (*T, int, error) {
	post := s.kind.post
	scope, err := tenancy.Permitted(ctx, s.kind.access, MergeRight)
	if err != nil {
		return nil, 0, err
	}
	if err := m.check(s.kind.fields); err != nil {
		return nil, 0, err
	}
	kept, moved, err := s.of().Merge(ctx, m.Keep, m.Others, func(keep *T, others []*T) error {
		all := append([]*T{keep}, others...)
		for _, one := range all {
			p := post(one)
			if err := Editable(scope.Principal, p, m.seen(p.ID)); err != nil {
				return err
			}
			if p.Trashed() {
				return ErrGone
			}
		}
		words := s.kind.words(keep)
		was := words.text()
		for _, one := range others {
			for field, id := range m.Take {
				if id == post(one).ID {
					s.kind.take(keep, one, field)
				}
			}
		}
		words = s.kind.words(keep)
		now := words.text()
		post(keep).outdate(was, now)
		for _, one := range others {
			other := s.kind.words(one)
			post(keep).inherit(&post(one).Translated, other.text(), alike(now, other.text()))
		}
		post(keep).Modified = s.Now()
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("merge: %w", err)
	}
	return kept, moved, nil
}

// MergeRight is the permission to merge venues and organizers. Merging changes the events of all authors.
const MergeRight = tenancy.EditOwn | tenancy.EditOthers | tenancy.Publish

// Merge merges several terms into one. It returns this term and the number of relinked events. It gets the children
// of the removed terms; if it was below one of them, it moves up to that term's parent. It requires permission to
// manage terms.
func (s Terms) Merge(ctx context.Context, m Merging) (*Term, int, error) {
	if _, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right()); err != nil {
		return nil, 0, err
	}
	if err := m.check(TermMerge); err != nil {
		return nil, 0, err
	}
	kept, moved, err := s.store.Terms(s.taxonomy).Merge(ctx, m.Keep, m.Others, func(keep *Term, others []*Term) error {
		if err := m.seen(keep.ID)(keep.Version); err != nil {
			return err
		}
		words := keep.words()
		was := words.text()
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
		now := words.text()
		keep.outdate(was, now)
		for _, one := range others {
			other := one.words()
			keep.inherit(&one.Translated, other.text(), alike(now, other.text()))
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("merge: %w", err)
	}
	return kept, moved, nil
}

func takeOfTerm(to, from *Term, field string) {
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

// outdate marks the translations as outdated if their source text changed.
func (t *Translated) outdate(was, now translations.Text) {
	if !t.Texts.None() && !was.SameAs(now) {
		t.Texts = t.Texts.Outdated(was, now)
	}
}

// inherit adds another item's translations in languages that t lacks. They are marked as outdated unless both items
// have the same texts in the site's own language.
func (t *Translated) inherit(from *Translated, own translations.Text, same bool) {
	all := t.Texts.All()
	_, others := from.Texts.Apart(own)
	for language, text := range others {
		if _, there := all[language]; !there {
			text.Outdated = text.Outdated || !same
			all[language] = text
		}
	}
	t.Texts = translations.Of(all)
}
