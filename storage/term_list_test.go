package storage_test

import (
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// newTermList is a test over categories: 1 Öl, 2 apple under it, 3 Zoo, 4 Berry
// under 2, and the tag 5.
func newTermList(t *testing.T) termTest {
	p := newTermTest(t)
	for _, c := range []calendar.Term{
		{Name: "Öl", Slug: "x-oil", Description: "c"}, {Name: "apple", Slug: "y", Parent: 1, Description: "B"},
		{Name: "Zoo", Slug: "w"}, {Name: "Berry", Slug: "z", Parent: 2, Description: "a"},
	} {
		p.must(p.Create(p.ctx, &c, true))
	}
	p.must(p.tags.Create(p.ctx, &calendar.Term{Name: "Öl", Slug: "x-oil"}, true))
	p.exec(`UPDATE terms SET count = CASE id WHEN 1 THEN 7 WHEN 2 THEN 1 WHEN 4 THEN 1 ELSE 0 END WHERE site_id = $1`, p.site)
	return p
}

func termIDs(items []*calendar.Term) []int64 {
	ids := []int64{}
	for _, t := range items {
		ids = append(ids, t.ID)
	}
	return ids
}

func TestTermOrder(t *testing.T) {
	p := newTermList(t)
	for _, c := range []struct {
		by       string
		up, down []int64
	}{
		{"", []int64{2, 4, 1, 3}, []int64{3, 1, 4, 2}},
		{"name", []int64{2, 4, 1, 3}, []int64{3, 1, 4, 2}},
		{"banana", []int64{2, 4, 1, 3}, []int64{3, 1, 4, 2}},
		{"id", []int64{1, 2, 3, 4}, []int64{4, 3, 2, 1}},
		{"term_group", []int64{1, 2, 3, 4}, []int64{4, 3, 2, 1}},
		{"slug", []int64{3, 1, 2, 4}, []int64{4, 2, 1, 3}},
		{"count", []int64{3, 2, 4, 1}, []int64{1, 4, 2, 3}},
		{"description", []int64{3, 4, 2, 1}, []int64{1, 2, 4, 3}},
		{"parent", []int64{1, 3, 2, 4}, []int64{4, 2, 3, 1}},
	} {
		for _, descending := range []bool{false, true} {
			page, err := p.List(p.ctx, calendar.TermQuery{PerPage: 9, OrderBy: c.by, Descending: descending})
			p.must(err)
			want := c.up
			if descending {
				want = c.down
			}
			p.equal("order by "+c.by, termIDs(page.Items), want)
		}
	}
	page, err := p.List(p.ctx, calendar.TermQuery{PerPage: 9, OrderBy: "include", Include: idRefs(3, 1, 4)})
	p.must(err)
	p.equal("as asked", termIDs(page.Items), []int64{3, 1, 4})
	page, err = p.List(p.ctx, calendar.TermQuery{PerPage: 9, OrderBy: "include", Include: args.Refs{{Text: "w"}, {ID: 2}, {Text: "x-oil"}}})
	p.must(err)
	p.equal("as asked by slug", termIDs(page.Items), []int64{3, 2, 1})
	page, err = p.List(p.ctx, calendar.TermQuery{PerPage: 9, OrderBy: "id", Offset: 2, Page: 7})
	p.must(err)
	p.equal("from the third", termIDs(page.Items), []int64{3, 4})
	p.equal("of all", page.Total, 4)
}

func TestTermFilters(t *testing.T) {
	p := newTermList(t)
	public, draft := p.event(50, calendar.Publish, 1, 0), p.event(51, calendar.Draft, 2, 0)
	for _, event := range []int64{public, draft} {
		p.exec(`INSERT INTO event_terms (site_id, event_id, term_id) VALUES ($1, $2, 3), ($1, $2, 5)`, p.site, event)
	}
	for _, c := range []struct {
		name  string
		query calendar.TermQuery
		want  []int64
	}{
		{"all", calendar.TermQuery{}, []int64{1, 2, 3, 4}},
		{"used", calendar.TermQuery{HideEmpty: true}, []int64{1, 2, 4}},
		{"name", calendar.TermQuery{Search: "ol"}, []int64{1}},
		{"slug within", calendar.TermQuery{Search: "-oi"}, []int64{1}},
		{"not the description", calendar.TermQuery{Search: "c"}, []int64{}},
		{"percent", calendar.TermQuery{Search: "%"}, []int64{}},
		{"slug", calendar.TermQuery{Slug: "y"}, []int64{2}},
		{"no slug", calendar.TermQuery{Slug: "oil"}, []int64{}},
		{"some", calendar.TermQuery{Include: idRefs(4, 1, 4)}, []int64{1, 4}},
		{"none", calendar.TermQuery{Include: idRefs()}, []int64{}},
		{"others", calendar.TermQuery{Exclude: idRefs(4, 1)}, []int64{2, 3}},
		{"some by slug", calendar.TermQuery{Include: args.Refs{{Text: "Z!"}, {ID: 1}, {Text: "y"}}}, []int64{1, 2, 4}},
		{"others by slug", calendar.TermQuery{Exclude: args.Refs{{Text: "X-Oil"}, {ID: 4}}}, []int64{2, 3}},
		{"not none", calendar.TermQuery{Exclude: idRefs()}, []int64{1, 2, 3, 4}},
		{"children", calendar.TermQuery{Parent: 1}, []int64{2}},
		{"no children", calendar.TermQuery{Parent: 4}, []int64{}},
		{"of an event", calendar.TermQuery{Event: public, HideEmpty: true}, []int64{3}},
		{"of one's own", calendar.TermQuery{Event: draft, Viewer: calendar.Viewer{User: 2}}, []int64{3}},
		{"together", calendar.TermQuery{Search: "o", Exclude: idRefs(3), HideEmpty: true}, []int64{1}},
	} {
		c.query.PerPage, c.query.OrderBy = 9, "id"
		page, err := p.List(p.ctx, c.query)
		if err != nil {
			p.Errorf("%s: %v", c.name, err)
			continue
		}
		p.equal(c.name, termIDs(page.Items), c.want)
		p.equal(c.name+": total", page.Total, len(c.want))
		p.equal(c.name+": version", page.Version, p.version.Load())
	}
	page, err := p.tags.List(p.ctx, calendar.TermQuery{PerPage: 9, Event: public})
	p.must(err)
	p.equal("tags of an event", termIDs(page.Items), []int64{5})
}

func TestTermFiltersRefused(t *testing.T) {
	p := newTermList(t)
	draft := p.event(51, calendar.Draft, 2, 0)
	for _, c := range []struct {
		query    calendar.TermQuery
		arg, key string
	}{
		{calendar.TermQuery{Include: idRefs(1, 99)}, "include", "problem.term.id"},
		{calendar.TermQuery{Include: args.Refs{{Text: "nowhere"}}}, "include", "problem.term.id"},
		{calendar.TermQuery{Include: idRefs(5)}, "include", "problem.term.id"},
		{calendar.TermQuery{Exclude: idRefs(5)}, "exclude", "problem.term.id"},
		{calendar.TermQuery{Parent: 99}, "parent", "problem.category.unknown"},
		{calendar.TermQuery{Parent: 5}, "parent", "problem.category.unknown"},
		{calendar.TermQuery{Event: 99}, "event", "problem.event.unknown"},
		{calendar.TermQuery{Event: draft, Viewer: calendar.Viewer{User: 1}}, "event", "problem.event.unknown"},
	} {
		c.query.PerPage = 9
		_, err := p.List(p.ctx, c.query)
		p.refuses(err, c.arg, c.key)
	}
}

func TestTermPages(t *testing.T) {
	p := newTermList(t)
	for n, want := range [][]int64{{1, 2, 3}, {4}, {}, {}} {
		page, err := p.List(p.ctx, calendar.TermQuery{Page: n + 1, PerPage: 3, OrderBy: "id"})
		p.must(err)
		p.equal("page", termIDs(page.Items), want)
		p.equal("total", page.Total, 4)
	}
	page, err := p.List(p.ctx, calendar.TermQuery{PerPage: 9, Slug: "z"})
	p.must(err)
	p.equal("everything of it", page.Items, []*calendar.Term{{ID: 4, Version: 4, Taxonomy: calendar.Categories, Name: "Berry",
		Slug: "z", Description: "a", Parent: 2, Path: "x-oil/y/z", Count: 1}})
	page, err = p.List(p.as(p.newSite("two"), 1), calendar.TermQuery{PerPage: 9})
	p.must(err)
	p.equal("another site's", page.Total, 0)
}

// idRefs are terms by their ids.
func idRefs(ids ...int64) args.Refs {
	refs := make(args.Refs, 0, len(ids))
	for _, id := range ids {
		refs = append(refs, args.Ref{ID: id})
	}
	return refs
}
