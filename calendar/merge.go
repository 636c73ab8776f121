package calendar

import (
	"context"
	"fmt"
	"slices"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Merging says which entries of a kind become one.
type Merging struct {
	Keep   int64   // the one that stays
	Others []int64 // those that go; what they were linked to is then linked to Keep
	// Take says by field whose value Keep takes; where nothing is said it keeps
	// its own. The fields are VenueMerge, OrganizerMerge and TermMerge.
	Take map[string]int64
	// Seen are the versions of the entries when somebody looked at them. One
	// that has another by now is an ErrPrecondition; 0 is any.
	Seen map[int64]int64
}

// mostMerged bounds how many entries go at once.
const mostMerged = 50

// The fields of Merging.Take, in the order in which people compare them.
var (
	VenueMerge     = venueKind.fields
	OrganizerMerge = organizerKind.fields
	TermMerge      = []string{"name", "color", "description"}
)

// check refuses what can't be merged, whatever the entries are.
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

// seen returns the condition on the version of an entry.
func (m Merging) seen(id int64) Condition {
	return func(version int64) error {
		if was := m.Seen[id]; was != 0 && was != version {
			return ErrPrecondition
		}
		return nil
	}
}

// Merge makes one item of several and returns it and how many events were linked
// anew. It needs the right to change every one of them and others' work:
// ErrForbidden. ErrNotFound when one isn't there (any more), ErrGone when one is in
// the trash, ErrPrecondition when one is not as it was seen.
func (s Places[T, F]) Merge(ctx context.Context, m Merging) (*T, int, error) {
	post := s.kind.post
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, 0, err
	}
	if err := scope.Principal.Require(MergeRight); err != nil {
		return nil, 0, err
	}
	if err := m.check(s.kind.fields); err != nil {
		return nil, 0, err
	}
	kept, moved, err := s.of().Merge(ctx, m.Keep, m.Others, func(keep *T, others []*T) error {
		all := append([]*T{keep}, others...)
		for _, one := range all {
			p := post(one)
			if err := editable(scope.Principal, p, m.seen(p.ID)); err != nil {
				return err
			}
			if p.Trashed() {
				return ErrGone
			}
		}
		was := s.kind.words(keep).said()
		for _, one := range others {
			for field, id := range m.Take {
				if id == post(one).ID {
					s.kind.take(keep, one, field)
				}
			}
		}
		said := s.kind.words(keep).said()
		post(keep).outdate(was, said)
		for _, one := range others {
			post(keep).inherit(&post(one).Translated, said.says(s.kind.words(one).said()))
		}
		post(keep).Modified = s.Now()
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("merge: %w", err)
	}
	return kept, moved, nil
}

// MergeRight is the right to merge venues and organizers: it changes events of
// everybody.
const MergeRight = tenancy.EditOwn | tenancy.EditOthers | tenancy.Publish

// Merge makes one term of several and returns it and how many events were
// linked anew. The children of the others become its own; should it have stood
// below one of them, it moves up to where that one stood. It needs the right to
// manage the terms.
func (s Terms) Merge(ctx context.Context, m Merging) (*Term, int, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, 0, err
	}
	if err := scope.Principal.Require(s.taxonomy.Right()); err != nil {
		return nil, 0, err
	}
	if err := m.check(TermMerge); err != nil {
		return nil, 0, err
	}
	kept, moved, err := s.store.Terms(s.taxonomy).Merge(ctx, m.Keep, m.Others, func(keep *Term, others []*Term) error {
		if err := m.seen(keep.ID)(keep.Version); err != nil {
			return err
		}
		was := keep.words().said()
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
		said := keep.words().said()
		keep.outdate(was, said)
		for _, one := range others {
			keep.inherit(&one.Translated, said.says(one.words().said()))
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

// said are the texts that are translated, but for the slug and the prices.
func (w wording) said() Text {
	text := Text{Title: *w.title, Description: *w.description}
	if w.excerpt != nil {
		text.Excerpt = *w.excerpt
	}
	return text
}

// outdate marks the texts in other languages when what they were made from says
// something else than it did.
func (t *Translated) outdate(was, now Text) {
	if t.Texts.raw != nil && !was.says(now) {
		t.Texts = t.Texts.Outdated(func(string) bool { return false })
	}
}

// inherit adds another item's texts in the languages that there are none in. They are
// outdated unless both items say the same in the site's own language.
func (t *Translated) inherit(from *Translated, same bool) {
	all := t.Texts.All()
	for language, text := range from.Texts.All() {
		if _, there := all[language]; !there {
			text.Outdated = text.Outdated || !same
			all[language] = text
		}
	}
	t.Texts = TextsOf(all)
}
