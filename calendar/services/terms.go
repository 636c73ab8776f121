package services

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Terms is the service over a site's categories or tags.
type Terms struct {
	*Calendar
	taxonomy calendar.Taxonomy
}

// Terms returns the service over the terms of a taxonomy.
func (c *Calendar) Terms(t calendar.Taxonomy) Terms { return Terms{c, t} }

// List returns one page of terms, which is the same for everyone.
func (s Terms) List(ctx context.Context, f *calendar.CategoryFilter) (calendar.Page[calendar.Term], calendar.TermQuery, error) {
	return s.list(ctx, f, 0)
}

// list is List with another page length unless long is 0.
func (s Terms) list(ctx context.Context, f *calendar.CategoryFilter, long int) (calendar.Page[calendar.Term], calendar.TermQuery, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return calendar.Page[calendar.Term]{}, calendar.TermQuery{}, err
	}
	page, perPage := f.Pages(scope.Site)
	if long > 0 {
		perPage = long
	}
	q := calendar.TermQuery{Page: page, PerPage: perPage, Search: wording.Fold(f.Search.Or("")),
		OrderBy: f.OrderBy.Or("name"), Descending: !strings.EqualFold(f.Order.Or("asc"), "asc"),
		Offset: f.Offset.Or(0), HideEmpty: f.HideEmpty.Or(true), Parent: f.Parent.Or(0), Event: f.Event.Or(f.Post.Or(0)),
		Viewer: calendar.ViewerOf(scope.Principal), Opener: calendar.OpenerOf(scope.Principal, ""), Texts: f.Asked(scope, f.Translated)}
	if slug, ok := f.Slug.Get(); ok {
		q.Slug = cmp.Or(wording.SoughtSlug(slug), slug) // only symbols: matches no term
	}
	if refs, ok := f.Include.Get(); ok {
		q.Include = append(args.Refs{}, refs...)
	}
	if refs, ok := f.Exclude.Get(); ok {
		q.Exclude = append(args.Refs{}, refs...)
	}
	found, err := s.store.Terms(s.taxonomy).List(ctx, q)
	if err != nil {
		if f.Post.Given() && !f.Event.Given() {
			err = args.Renamed("event", "post", err)
		}
		return found, q, fmt.Errorf("list terms: %w", err)
	}
	for _, t := range found.Items {
		t.Speak(scope)
	}
	return found, q, nil
}

// Get returns one term.
func (s Terms) Get(ctx context.Context, id int64) (*calendar.Term, error) {
	t, err := s.store.Terms(s.taxonomy).Get(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("get term: %w", err)
	}
	t.Speak(tenancy.Current(ctx))
	return t, nil
}

// Create creates a term. It returns *ExistsError if the name exists and no slug was given (rule 12.1).
func (s Terms) Create(ctx context.Context, f *calendar.CategoryFields) (*calendar.Term, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right())
	if err != nil {
		return nil, err
	}
	t, err := s.prepare(scope, f)
	if err != nil {
		return nil, err
	}
	if err := s.store.Terms(s.taxonomy).Create(ctx, t, f.Slug.Or("") != ""); err != nil {
		return nil, fmt.Errorf("create term: %w", err)
	}
	t.Speak(scope)
	return t, nil
}

// CreateMissing creates the terms whose names do not exist, all or none of them. It returns the new version of the
// site, or 0 if all names exist.
func (s Terms) CreateMissing(ctx context.Context, names []string) (int64, error) {
	list := make([]*calendar.Term, 0, len(names))
	for _, name := range names {
		t, err := s.Prepare(ctx, &calendar.CategoryFields{TagFields: calendar.TagFields{Name: args.Some(name)}})
		if err != nil {
			return 0, err
		}
		list = append(list, t)
	}
	version, err := s.store.Terms(s.taxonomy).CreateMissing(ctx, list)
	if err != nil {
		return 0, fmt.Errorf("create terms: %w", err)
	}
	return version, nil
}

// Prepare returns the term that Create would create. It stores nothing.
func (s Terms) Prepare(ctx context.Context, f *calendar.CategoryFields) (*calendar.Term, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right())
	if err != nil {
		return nil, err
	}
	return s.prepare(scope, f)
}

func (s Terms) prepare(scope *tenancy.Scope, f *calendar.CategoryFields) (*calendar.Term, error) {
	t := &calendar.Term{Taxonomy: s.taxonomy}
	return t, f.Apply(scope, t, true)
}

// Update changes the given fields of a term and nothing else.
func (s Terms) Update(ctx context.Context, id int64, f *calendar.CategoryFields, cond calendar.Condition) (*calendar.Term, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right())
	if err != nil {
		return nil, err
	}
	t, err := s.store.Terms(s.taxonomy).Update(ctx, id, func(t *calendar.Term) error {
		if err := cond.Check(t.Version); err != nil {
			return err
		}
		return f.Apply(scope, t, false)
	})
	if err != nil {
		return nil, fmt.Errorf("update term: %w", err)
	}
	t.Speak(scope)
	return t, nil
}

// Delete removes a term immediately, without the trash, and returns its last state. Children of a category move up
// to its parent (rule 4.7).
func (s Terms) Delete(ctx context.Context, id int64, cond calendar.Condition) (*calendar.Term, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right())
	if err != nil {
		return nil, err
	}
	t, err := s.store.Terms(s.taxonomy).Delete(ctx, id, func(t *calendar.Term) error { return cond.Check(t.Version) })
	if err != nil {
		return nil, fmt.Errorf("delete term: %w", err)
	}
	t.Speak(scope)
	return t, nil
}

// Check returns everything wrong with a Create if id is 0, or otherwise with an Update of that term. It includes
// conflicts with other terms, which need the database.
func (s Terms) Check(ctx context.Context, id int64, f *calendar.CategoryFields) error {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right())
	if err != nil {
		return err
	}
	t := &calendar.Term{Taxonomy: s.taxonomy}
	if id != 0 {
		if t, err = s.Get(ctx, id); err != nil {
			return err
		}
	}
	was, found := *t, &args.Problems{}
	if err := found.Add(f.Apply(scope, t, id == 0)); err != nil {
		return err
	}
	rivals, err := s.store.Terms(s.taxonomy).Rivals(ctx, t)
	if err != nil {
		return fmt.Errorf("check term: %w", err)
	}
	if id == 0 && rivals.Namesake != 0 && f.Slug.Or("") == "" {
		found.Invalid("name", "problem.name.taken", nil)
	}
	if id != 0 && rivals.Slug && t.Slug != was.Slug {
		found.Invalid("slug", "problem.slug.taken", nil)
	}
	if id != 0 && rivals.Loop && t.Parent != was.Parent {
		found.Invalid("parent", "problem.parent.loop", nil)
	}
	return found.Err()
}
