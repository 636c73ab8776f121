package api

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Errors of WordPress' own API.
var (
	ErrPageNumber = errors.New("page past the end of a list of posts")
	ErrNoTrash    = errors.New("there is no trash for this")
)

// wpPages are the totals of a list.
type wpPages struct {
	page, perPage, total int
	version              int64
}

// wpList returns a list, which is a bare array with its totals in headers.
func (v *view) wpList(path string, l wpPages, values args.Values, n int, write func(i int)) *Answer {
	v.Bytes = append(v.Bytes, '[')
	for i := range n {
		write(i)
	}
	v.Close(']')
	answer := &Answer{
		Body:      v.Bytes,
		ETag:      etag(l.version, v.Bytes),
		Paged:     true,
		wordpress: true,
		Total:     l.total,
		Pages:     (l.total + l.perPage - 1) / l.perPage,
	}
	links := wpArguments(values)
	at := func(page int) string {
		return v.address(listing{collection: path}, append(slices.Clip(links), param{"page", strconv.Itoa(page)}))
	}
	if l.page < answer.Pages {
		answer.Next = at(l.page + 1)
	}
	if l.page > 1 && answer.Pages > 0 {
		answer.Previous = at(min(l.page-1, answer.Pages))
	}
	return answer
}

// wpArguments returns the arguments of a request as links to other pages repeat them.
func wpArguments(values args.Values) (links []param) {
	for name, value := range values {
		switch given := value.(type) {
		case string:
			if name != "page" && name != "rest_route" {
				links = append(links, param{name, given})
			}
		case []any:
			for _, entry := range given {
				if text, ok := entry.(string); ok {
					links = append(links, param{name + "[]", text})
				}
			}
		}
	}
	slices.SortStableFunc(links, func(a, b param) int { return strings.Compare(a.name, b.name) })
	return links
}

// wpEdits returns an error if the request asks for raw fields but the caller may not write.
func (f *wpPaging) wpEdits(ctx context.Context) error {
	if f.Context.Or("") != "edit" {
		return nil
	}
	return scopeOf(ctx).Principal.Require(tenancy.EditOwn)
}

// wpNoPage turns the error of a page past the end into WordPress'.
func wpNoPage(err error) error {
	if errors.Is(err, calendar.ErrPage) {
		return ErrPageNumber
	}
	return err
}

// statuses returns the argument as lists of the calendar take it.
func (f *wpPostFilter) statuses() args.Opt[args.Texts] {
	if slices.Contains(f.Status.Or(nil), "any") {
		return args.Opt[args.Texts]{}
	}
	return f.Status
}

// keys returns the items that the filter names one by one, and whether it does.
func (f *wpPostFilter) keys() (keys []calendar.Key, named bool) {
	for _, id := range f.Include.Or(nil) {
		keys = append(keys, calendar.Key{ID: id})
	}
	for _, slug := range f.Slug.Or(nil) {
		if key, ok := slugKey(slug); ok {
			keys = append(keys, key)
		}
	}
	return keys, f.Include.Given() || f.Slug.Given()
}

// wpNamed reads items one by one and leaves out those that do not exist, that the caller may not read, or that have
// another status.
func wpNamed[T any](f *wpPostFilter, keys []calendar.Key, post func(*T) *calendar.Post, get func(calendar.Key) (*T, error)) ([]*T, error) {
	statuses, limited := f.statuses().Get()
	var items []*T
	for _, key := range keys {
		item, err := get(key)
		switch {
		case unreadable(err):
			continue
		case err != nil:
			return nil, err
		case limited && !slices.Contains(statuses, string(post(item).Status)):
			continue
		}
		items = append(items, item)
	}
	return items, nil
}

// unreadable reports whether an error means that the caller cannot see an item.
func unreadable(err error) bool {
	for _, reason := range []error{calendar.ErrNotFound, calendar.ErrNotReadable, calendar.ErrTrashed, calendar.ErrPassword,
		calendar.ErrWrongType, calendar.ErrGone} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}

// cut returns one page of items that were read one by one.
func cut[T any](f *wpPaging, items []*T) ([]*T, wpPages) {
	l := wpPages{page: f.Page.Or(1), perPage: f.PerPage.Or(10), total: len(items)}
	from := min((l.page-1)*l.perPage, len(items))
	return items[from:min(from+l.perPage, len(items))], l
}

func (a *API) wpListEvents(ctx context.Context, c call, in *wpEventFilter) (*Answer, error) {
	items, l, err := a.wpEvents(ctx, in)
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.wpShow(&in.wpPaging)
	return v.wpList("tribe_events", l, c.asked, len(items), func(i int) { v.wpEvent(items[i]) }), nil
}

func (a *API) wpEvents(ctx context.Context, in *wpEventFilter) ([]*calendar.Event, wpPages, error) {
	if err := in.wpEdits(ctx); err != nil {
		return nil, wpPages{}, err
	}
	events := a.calendar.Events()
	if keys, named := in.keys(); named {
		items, err := wpNamed(&in.wpPostFilter, keys, func(e *calendar.Event) *calendar.Post { return &e.Post },
			func(key calendar.Key) (*calendar.Event, error) { return events.Get(ctx, key, "") })
		page, l := cut(&in.wpPaging, items)
		return page, l, err
	}
	ever, err := args.ParseDate("0001-01-02")
	if err != nil {
		return nil, wpPages{}, err
	}
	f := &calendar.EventFilter{
		Paging:      calendar.Paging{Page: in.Page},
		StartsAfter: args.Some(ever),
		Search:      in.Search,
		Categories:  in.Categories,
		Tags:        in.Tags,
		Status:      in.statuses(),
		Order:       args.Some(in.Order.Or("desc")),
		OrderBy:     args.Some(in.OrderBy.Or("date")),
		Series:      args.Some(calendar.SeriesFirst),
		Speaking:    in.Speaking,
	}
	l := wpPages{page: in.Page.Or(1), perPage: in.PerPage.Or(10)}
	page, _, err := events.ListLong(ctx, f, l.perPage)
	l.total, l.version = page.Total, page.Version
	return page.Items, l, wpNoPage(err)
}

func (a *API) wpListVenues(ctx context.Context, c call, in *wpPostFilter) (*Answer, error) {
	post := func(p *calendar.Venue) *calendar.Post { return &p.Post }
	return wpPlaces(ctx, a, c, in, a.calendar.Venues(), "tribe_venue", post, (*view).wpVenue)
}

func (a *API) wpListOrganizers(ctx context.Context, c call, in *wpPostFilter) (*Answer, error) {
	post := func(o *calendar.Organizer) *calendar.Post { return &o.Post }
	return wpPlaces(ctx, a, c, in, a.calendar.Organizers(), "tribe_organizer", post, (*view).wpOrganizer)
}

func wpPlaces[T any, F calendar.PlaceFields[T]](ctx context.Context, a *API, c call, in *wpPostFilter,
	places services.Places[T, F], path string, post func(*T) *calendar.Post, write func(*view, *T)) (*Answer, error) {
	if err := in.wpEdits(ctx); err != nil {
		return nil, err
	}
	var items []*T
	l := wpPages{page: in.Page.Or(1), perPage: in.PerPage.Or(10)}
	if keys, named := in.keys(); named {
		all, err := wpNamed(in, keys, post, func(key calendar.Key) (*T, error) { return places.Get(ctx, key) })
		if err != nil {
			return nil, err
		}
		items, l = cut(&in.wpPaging, all)
	} else {
		f := &calendar.PlaceFilter{Paging: calendar.Paging{Page: in.Page}, Search: in.Search, Status: in.statuses(), Speaking: in.Speaking}
		page, err := places.ListLong(ctx, f, l.perPage)
		if err != nil {
			return nil, wpNoPage(err)
		}
		items, l.total, l.version = page.Items, page.Total, page.Version
	}
	v := a.newView(ctx)
	v.wpShow(&in.wpPaging)
	return v.wpList(path, l, c.asked, len(items), func(i int) { write(v, items[i]) }), nil
}

func (a *API) wpListMedia(ctx context.Context, c call, in *wpMediaFilter) (*Answer, error) {
	images := a.calendar.Images()
	var items []*calendar.Image
	l := wpPages{page: in.Page.Or(1), perPage: in.PerPage.Or(10)}
	if ids, named := in.Include.Get(); named {
		var all []*calendar.Image
		for _, id := range ids {
			image, err := images.Get(ctx, id)
			if err == nil {
				all = append(all, image)
			} else if !unreadable(err) {
				return nil, err
			}
		}
		items, l = cut(&in.wpPaging, all)
	} else {
		page, err := images.List(ctx, services.ImageFilter{Search: in.Search.Or(""), Page: l.page, PerPage: l.perPage})
		if err != nil {
			return nil, wpNoPage(err)
		}
		items, l.total, l.version = page.Items, page.Total, page.Version
	}
	v := a.newView(ctx)
	v.wpShow(&in.wpPaging)
	return v.wpList("media", l, c.asked, len(items), func(i int) { v.wpImage(items[i]) }), nil
}

// wpListTerms lists the terms of a taxonomy.
func (a *API) wpListTerms(t wpTaxonomy) Handler[wpTermFilter] {
	return func(ctx context.Context, c call, in *wpTermFilter) (*Answer, error) {
		items, l, err := a.wpTerms(ctx, t, in)
		if err != nil {
			return nil, err
		}
		v := a.newView(ctx)
		v.wpShow(&in.wpPaging)
		return v.wpList(t.path, l, c.asked, len(items), func(i int) { v.wpTerm(items[i]) }), nil
	}
}

// mostTerms is how many terms are searched for those without a parent.
const mostTerms = 10_000

func (a *API) wpTerms(ctx context.Context, t wpTaxonomy, in *wpTermFilter) ([]*calendar.Term, wpPages, error) {
	if err := in.wpEdits(ctx); err != nil {
		return nil, wpPages{}, err
	}
	terms := a.calendar.Terms(t.Taxonomy)
	f := &calendar.CategoryFilter{TagFilter: calendar.TagFilter{
		Paging:    calendar.Paging{Page: in.Page},
		Search:    in.Search,
		Include:   in.Include,
		Exclude:   in.Exclude,
		Order:     args.Some(in.Order.Or("asc")),
		OrderBy:   args.Some(in.OrderBy.Or("name")),
		HideEmpty: args.Some(in.HideEmpty.Or(false)),
		Post:      in.Post,
		Offset:    in.Offset,
		Speaking:  in.Speaking,
	}}
	l := wpPages{page: in.Page.Or(1), perPage: in.PerPage.Or(10)}
	parent, below := in.Parent.Get()
	switch slugs, named := in.Slug.Get(); {
	case named:
		var all []*calendar.Term
		f.Page = args.Opt[int]{}
		for _, slug := range slugs {
			f.Slug = args.Some(slug)
			page, err := terms.ListLong(ctx, f, l.perPage)
			if err != nil {
				return nil, l, err
			}
			all = append(all, page.Items...)
		}
		items, l := cut(&in.wpPaging, all)
		return items, l, nil
	case below && parent == 0 && t.Taxonomy == calendar.Categories:
		f.Page = args.Opt[int]{}
		page, err := terms.ListLong(ctx, f, mostTerms)
		top := slices.DeleteFunc(page.Items, func(t *calendar.Term) bool { return t.Parent != 0 })
		items, l := cut(&in.wpPaging, top)
		return items, l, err
	case below && parent != 0:
		f.Parent = in.Parent
	}
	page, err := terms.ListLong(ctx, f, l.perPage)
	l.total, l.version = page.Total, page.Version
	return page.Items, l, err
}

func (a *API) wpMe(ctx context.Context, _ call, _ *wpReading) (*Answer, error) {
	p := scopeOf(ctx).Principal
	if p.Anonymous() {
		return nil, tenancy.ErrUnauthenticated
	}
	v := a.newView(ctx)
	v.wpUser(p)
	answer := v.answer(0)
	return answer, nil
}
