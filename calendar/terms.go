package calendar

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Terms is the service over a site's categories or tags.
type Terms struct {
	*Calendar
	taxonomy Taxonomy
}

// Terms returns the service over the terms of a taxonomy.
func (c *Calendar) Terms(t Taxonomy) Terms { return Terms{c, t} }

// Right returns the permission needed to create, change and delete terms.
func (t Taxonomy) Right() tenancy.Permission {
	if t == Tags {
		return tenancy.EditOwn | tenancy.ManageTags
	}
	return tenancy.EditOwn | tenancy.ManageCategories
}

// List returns one page of terms, which is the same for everyone.
func (s Terms) List(ctx context.Context, f *CategoryFilter) (Page[Term], TermQuery, error) {
	return s.list(ctx, f, 0)
}

// list is List with another page length unless long is 0.
func (s Terms) list(ctx context.Context, f *CategoryFilter, long int) (Page[Term], TermQuery, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return Page[Term]{}, TermQuery{}, err
	}
	page, perPage := f.Pages(scope.Site)
	if long > 0 {
		perPage = long
	}
	q := TermQuery{Page: page, PerPage: perPage, Search: wording.Fold(f.Search.Or("")),
		OrderBy: f.OrderBy.Or("name"), Descending: !strings.EqualFold(f.Order.Or("asc"), "asc"),
		Offset: f.Offset.Or(0), HideEmpty: f.HideEmpty.Or(true), Parent: f.Parent.Or(0), Event: f.Event.Or(f.Post.Or(0)),
		Viewer: viewer(scope.Principal), Opener: opener(scope.Principal, ""), Texts: f.asked(scope, f.Translated)}
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
func (s Terms) Get(ctx context.Context, id int64) (*Term, error) {
	t, err := s.store.Terms(s.taxonomy).Get(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("get term: %w", err)
	}
	t.Speak(tenancy.Current(ctx))
	return t, nil
}

// Create creates a term. It returns *ExistsError if the name exists and no slug was given (rule 12.1).
func (s Terms) Create(ctx context.Context, f *CategoryFields) (*Term, error) {
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
	list := make([]*Term, 0, len(names))
	for _, name := range names {
		t, err := s.Prepare(ctx, &CategoryFields{TagFields: TagFields{Name: args.Some(name)}})
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
func (s Terms) Prepare(ctx context.Context, f *CategoryFields) (*Term, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right())
	if err != nil {
		return nil, err
	}
	return s.prepare(scope, f)
}

func (s Terms) prepare(scope *tenancy.Scope, f *CategoryFields) (*Term, error) {
	t := &Term{Taxonomy: s.taxonomy}
	return t, f.apply(scope, t, true)
}

// Update changes the given fields of a term and nothing else.
func (s Terms) Update(ctx context.Context, id int64, f *CategoryFields, cond Condition) (*Term, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right())
	if err != nil {
		return nil, err
	}
	t, err := s.store.Terms(s.taxonomy).Update(ctx, id, func(t *Term) error {
		if err := cond.Check(t.Version); err != nil {
			return err
		}
		return f.apply(scope, t, false)
	})
	if err != nil {
		return nil, fmt.Errorf("update term: %w", err)
	}
	t.Speak(scope)
	return t, nil
}

// Delete removes a term immediately, without the trash, and returns its last state. Children of a category move up
// to its parent (rule 4.7).
func (s Terms) Delete(ctx context.Context, id int64, cond Condition) (*Term, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right())
	if err != nil {
		return nil, err
	}
	t, err := s.store.Terms(s.taxonomy).Delete(ctx, id, func(t *Term) error { return cond.Check(t.Version) })
	if err != nil {
		return nil, fmt.Errorf("delete term: %w", err)
	}
	t.Speak(scope)
	return t, nil
}

// Check returns everything wrong with a Create if id is 0, or otherwise with an Update of that term. It includes
// conflicts with other terms, which need the database.
func (s Terms) Check(ctx context.Context, id int64, f *CategoryFields) error {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteTerms, s.taxonomy.Right())
	if err != nil {
		return err
	}
	t := &Term{Taxonomy: s.taxonomy}
	if id != 0 {
		if t, err = s.Get(ctx, id); err != nil {
			return err
		}
	}
	was, found := *t, &args.Problems{}
	if err := found.Add(f.apply(scope, t, id == 0)); err != nil {
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

// apply applies the write to t and returns all problems with it.
func (f *CategoryFields) apply(s *tenancy.Scope, t *Term, isNew bool) error {
	found, was := &args.Problems{}, t.Text()
	own := translations.Write{Title: f.Name, Description: f.Description, Slug: f.Slug}
	said, err := translations.ByLanguage(s, f.ContentLanguage, f.Translations, &own, "name", isNew)
	if err := found.Add(err); err != nil {
		return err
	}
	if name, ok := own.Title.Get(); ok {
		if t.Name = wording.CleanTerm(name); t.Name == "" {
			found.Invalid("name", "problem.blank", nil)
		}
	}
	if own.Description.Given() {
		t.Description = wording.CleanInline(own.Description.Or(""))
	}
	if slug, ok := own.Slug.Get(); ok && slug != "" {
		t.Slug = wording.Slug(slug)
	}
	if t.Slug == "" {
		t.Slug = wording.SlugOf(t.Name, s.Site.Language)
	}
	f.Parent.Patch(&t.Parent, 0)
	r, now := &translations.Update{Said: said, Name: "name", Clean: wording.CleanTerm, Inline: true}, t.Text()
	t.Texts, err = r.Apply(t.Texts, was, &now)
	t.Name, t.Description, t.Slug = now.Title, now.Description, now.Slug
	if err := found.Add(err, f.paint(t)); err != nil {
		return err
	}
	return found.Err()
}

// paint sets or removes the color of a category.
func (f *CategoryFields) paint(t *Term) error {
	if !f.Color.Given() {
		return nil
	}
	color := strings.ToLower(strings.TrimSpace(f.Color.Or("")))
	if color != "" && (t.Taxonomy != Categories || !colorPattern.MatchString(color)) {
		return args.Invalid("color", "problem.color", nil)
	}
	t.Color = color
	return nil
}

var colorPattern = regexp.MustCompile(`^#[0-9a-f]{6}$`)
