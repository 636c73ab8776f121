package public

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// category shows the upcoming events in a category, whose path includes its ancestors.
func (w *Pages) category(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	path := strings.Split(strings.Trim(a.Param("*"), "/"), "/")
	return w.categoryOf(ctx, a, path[len(path)-1])
}

// categoryFeed returns a category as an iCalendar file. Its address has only the slug, without ancestors.
func (w *Pages) categoryFeed(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	return w.categoryOf(ctx, a, a.Param("slug"))
}

func (w *Pages) categoryOf(ctx context.Context, a layout.Asked, slug string) (*layout.Shown, error) {
	term, err := w.layout.Term(ctx, calendar.Categories, slug)
	if err != nil {
		return nil, err
	}
	return w.showTerm(ctx, a, term, "/events/?categories=",
		func(f *calendar.EventFilter, refs args.Refs) { f.Categories = args.Some(refs) })
}

// tag shows the upcoming events with a tag.
func (w *Pages) tag(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	term, err := w.layout.Term(ctx, calendar.Tags, a.Param("slug"))
	if err != nil {
		return nil, err
	}
	return w.showTerm(ctx, a, term, "/events/?tags=", func(f *calendar.EventFilter, refs args.Refs) { f.Tags = args.Some(refs) })
}

func (w *Pages) showTerm(ctx context.Context, a layout.Asked, term *calendar.Term, rest string,
	by func(*calendar.EventFilter, args.Refs)) (*layout.Shown, error) {
	if to := layout.Moved(ctx, a, ui.TermPath(term)); to != nil {
		return to, nil
	}
	if a.Calendar {
		return w.lists.CalendarOf(ctx, a, feeds.About{Title: term.Name, Path: ui.TermPath(term), File: term.Slug},
			func(f *calendar.FeedFilter) { by(&f.EventFilter, args.Refs{{ID: term.ID}}) })
	}
	f := &calendar.EventFilter{}
	by(f, args.Refs{{ID: term.ID}})
	kind := map[calendar.Taxonomy]string{calendar.Categories: "category", calendar.Tags: "tag"}[term.Taxonomy]
	l, found, err := w.lists.ComingTo(ctx, a, f, layout.OnShowPath+"?"+url.Values{kind: {term.Slug}}.Encode())
	if err != nil {
		return nil, err
	}
	p := &layout.Page{
		Title:       term.Name,
		Path:        ui.TermPath(term),
		Edit:        "/admin/tags/" + layout.IDText(term.ID),
		Query:       l.Query(l.Page),
		Rest:        rest + wording.EncodedSlug(term.Slug),
		Description: cmp.Or(layout.Excerpt("", term.Description), layout.Describe(ctx, term.Name)),
	}
	p.In = func(language string) string { return ui.TermPath(term.In(ui.SiteOf(ctx), language)) }
	p.Feeds = layout.SubscriptionTo("tag", term.Slug, term.Name, "tags", term.ID, "tag", term.Slug)
	if term.Taxonomy == calendar.Categories {
		p.Edit = "/admin/categories/" + layout.IDText(term.ID)
		p.Feeds = layout.SubscriptionTo("category", term.Slug, term.Name, "categories", term.ID, "category", term.Slug)
	}
	t := &termView{Term: term}
	version := found.Version
	if term.Taxonomy == calendar.Categories {
		if version, err = w.around(ctx, t, version); err != nil {
			return nil, err
		}
	}
	return w.lists.Listed(ctx, p, termPage(p, t, l), version, l), nil
}

// termView is a tag, or a category with the categories above and below it.
type termView struct {
	*calendar.Term
	above []*calendar.Term // from the top
	below []*calendar.Term // categories below with events, in the order of the language
}

// around reads the categories above and below a category. It returns the lowest version at which it read.
func (w *Pages) around(ctx context.Context, t *termView, version int64) (int64, error) {
	f := &calendar.CategoryFilter{Parent: args.Some(t.ID)}
	below, err := w.calendar.Terms(calendar.Categories).ListLong(ctx, f, layout.MostInOrder)
	if err != nil {
		return 0, err
	}
	t.below, version = below.Items, min(version, below.Version)
	i18n.InOrder(tenancy.Current(ctx).Language, t.below, func(one *calendar.Term) string { return one.Name })
	for one := t.Term; one.Parent != 0 && len(t.above) < strings.Count(t.Path, "/"); {
		f := &calendar.CategoryFilter{}
		f.Include, f.HideEmpty = args.Some(args.Refs{{ID: one.Parent}}), args.Some(false)
		page, _, err := w.calendar.Terms(calendar.Categories).List(ctx, f)
		if err != nil {
			return 0, err
		}
		if len(page.Items) == 0 {
			break
		}
		one, version = page.Items[0], min(version, page.Version)
		t.above = append([]*calendar.Term{one}, t.above...)
	}
	return version, nil
}
