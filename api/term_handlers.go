package api

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/calendar"
)

func (a *API) listCategories(ctx context.Context, _ Call, in *calendar.CategoryFilter) (*Answer, error) {
	return a.listTerms(ctx, calendar.Categories, in)
}

func (a *API) listTags(ctx context.Context, _ Call, in *calendar.TagFilter) (*Answer, error) {
	return a.listTerms(ctx, calendar.Tags, &calendar.CategoryFilter{TagFilter: *in})
}

// listTerms returns terms, with the totals first (rule 4.4).
func (a *API) listTerms(ctx context.Context, t calendar.Taxonomy, in *calendar.CategoryFilter) (*Answer, error) {
	page, q, err := a.calendar.Terms(t).List(ctx, in)
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.whole = q.Texts.Whole
	collection := taxonomyNames[t].collection
	l := Listing{Collection: collection, Page: q.Page, PerPage: q.PerPage, Total: page.Total,
		Links: termLinks(q, v.Scope.Site.Settings.PerPage)}
	v.Bytes = append(v.Bytes, '{')
	v.Text("rest_url", v.Root+"/"+collection+"/")
	v.totals(l)
	v.Open(collection, '[')
	for _, term := range page.Items {
		v.term(term, false)
	}
	v.Close(']')
	answer := v.neighbours(l, page.Version)
	return answer, nil
}

func (a *API) createCategory(ctx context.Context, _ Call, in *calendar.CategoryFields) (*Answer, error) {
	return a.createTerm(ctx, calendar.Categories, in)
}

func (a *API) createTag(ctx context.Context, c Call, in *tagWrite) (*Answer, error) {
	fields, err := in.fields(c)
	if err != nil {
		return nil, err
	}
	return a.createTerm(ctx, calendar.Tags, fields)
}

func (a *API) createTerm(ctx context.Context, t calendar.Taxonomy, in *calendar.CategoryFields) (*Answer, error) {
	term, err := a.calendar.Terms(t).Create(ctx, in)
	if err != nil {
		return nil, err
	}
	answer, err := termAnswer(ctx, term, nil, nil)
	if err == nil {
		answer.Location = NewView(scopeOf(ctx)).linkedTerms(t) + "/" + strconv.FormatInt(term.ID, 10)
	}
	return answer, err
}

func (a *API) getCategory(ctx context.Context, c Call, in *speaking) (*Answer, error) {
	term, err := a.calendar.Terms(calendar.Categories).Get(ctx, c.Key.ID)
	return termAnswer(ctx, term, &in.Speaking, err)
}

func (a *API) getTag(ctx context.Context, c Call, in *speaking) (*Answer, error) {
	term, err := a.calendar.Terms(calendar.Tags).Get(ctx, c.Key.ID)
	return termAnswer(ctx, term, &in.Speaking, err)
}

func (a *API) updateCategory(ctx context.Context, c Call, in *calendar.CategoryFields) (*Answer, error) {
	return a.updateTerm(ctx, c, calendar.Categories, in)
}

func (a *API) updateTag(ctx context.Context, c Call, in *tagWrite) (*Answer, error) {
	fields, err := in.fields(c)
	if err != nil {
		return nil, err
	}
	return a.updateTerm(ctx, c, calendar.Tags, fields)
}

func (a *API) updateTerm(ctx context.Context, c Call, t calendar.Taxonomy, in *calendar.CategoryFields) (*Answer, error) {
	if c.Unchanged {
		term, err := a.calendar.Terms(t).Unchanged(ctx, c.Key.ID, c.Condition)
		return termAnswer(ctx, term, nil, err)
	}
	term, err := a.calendar.Terms(t).Update(ctx, c.Key.ID, in, c.Condition)
	return termAnswer(ctx, term, nil, err)
}

func (a *API) deleteCategory(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	term, err := a.calendar.Terms(calendar.Categories).Delete(ctx, c.Key.ID, c.Condition)
	return termAnswer(ctx, term, nil, err)
}

func (a *API) deleteTag(ctx context.Context, c Call, _ *Nothing) (*Answer, error) {
	term, err := a.calendar.Terms(calendar.Tags).Delete(ctx, c.Key.ID, c.Condition)
	return termAnswer(ctx, term, nil, err)
}

// termAnswer returns a term. For a read, how says in which languages it shows texts.
func termAnswer(ctx context.Context, t *calendar.Term, how *calendar.Speaking, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	v := NewView(scopeOf(ctx))
	v.whole = how != nil && how.Whole()
	v.term(t, true)
	return v.Answer(t.Version).titled(&t.Translated), nil
}

// tagWrite are the arguments of a tag write. A parent is rejected as rest_taxonomy_not_hierarchical (rule 4.1).
type tagWrite struct{ calendar.TagFields }

func (in *tagWrite) fields(c Call) (*calendar.CategoryFields, error) {
	if parent := c.Values["parent"]; parent != nil {
		return nil, ErrNotHierarchical
	}
	return &calendar.CategoryFields{TagFields: in.TagFields}, nil
}
