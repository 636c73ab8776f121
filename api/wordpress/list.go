package wordpress

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/api"
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

// pages are the totals of a list.
type pages struct {
	page, perPage, total int
	version              int64
}

// list returns a list, which is a bare array with its totals in headers.
func (v *view) list(path string, l pages, values args.Values, n int, write func(i int)) *api.Answer {
	v.Bytes = append(v.Bytes, '[')
	for i := range n {
		write(i)
	}
	v.Close(']')
	answer := v.Answer(l.version)
	answer.Paged, answer.Family = true, "X-WP-"
	answer.Total, answer.Pages = l.total, (l.total+l.perPage-1)/l.perPage
	links := arguments(values)
	at := func(page int) string {
		return v.Address(path, append(slices.Clip(links), api.Param{Name: "page", Value: strconv.Itoa(page)}))
	}
	if l.page < answer.Pages {
		answer.Next = at(l.page + 1)
	}
	if l.page > 1 && answer.Pages > 0 {
		answer.Previous = at(min(l.page-1, answer.Pages))
	}
	return answer
}

// arguments returns the arguments of a request as links to other pages repeat them.
func arguments(values args.Values) (links []api.Param) {
	for name, value := range values {
		switch given := value.(type) {
		case string:
			if name != "page" && name != "rest_route" {
				links = append(links, api.Param{Name: name, Value: given})
			}
		case []any:
			for _, entry := range given {
				if text, ok := entry.(string); ok {
					links = append(links, api.Param{Name: name + "[]", Value: text})
				}
			}
		}
	}
	slices.SortStableFunc(links, func(a, b api.Param) int { return strings.Compare(a.Name, b.Name) })
	return links
}

// edits returns an error if the request asks for raw fields but the caller may not write.
func (f *paging) edits(ctx context.Context) error {
	if f.Context.Or("") != "edit" {
		return nil
	}
	return tenancy.Current(ctx).Principal.Require(tenancy.EditOwn)
}

// noPage turns the error of a page past the end into WordPress'.
func noPage(err error) error {
	if errors.Is(err, calendar.ErrPage) {
		return ErrPageNumber
	}
	return err
}

// statuses returns the argument as lists of the calendar take it.
func (f *postFilter) statuses() args.Opt[args.Texts] {
	if slices.Contains(f.Status.Or(nil), "any") {
		return args.Opt[args.Texts]{}
	}
	return f.Status
}

// keys returns the items that the filter names one by one, and whether it does.
func (f *postFilter) keys() (keys []calendar.Key, named bool) {
	for _, id := range f.Include.Or(nil) {
		keys = append(keys, calendar.Key{ID: id})
	}
	for _, slug := range f.Slug.Or(nil) {
		if key, ok := api.SlugKey(slug); ok {
			keys = append(keys, key)
		}
	}
	return keys, f.Include.Or(nil) != nil || len(f.Slug.Or(nil)) > 0
}

// oneByOne reads items one by one and leaves out those that do not exist, that the caller may not read, or that have
// another status.
func oneByOne[T any](f *postFilter, keys []calendar.Key, post func(*T) *calendar.Post, get func(calendar.Key) (*T, error)) ([]*T, error) {
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
func cut[T any](f *paging, items []*T) ([]*T, pages) {
	l := pages{page: f.Page.Or(1), perPage: f.PerPage.Or(10), total: len(items)}
	from := min((l.page-1)*l.perPage, len(items))
	return items[from:min(from+l.perPage, len(items))], l
}

func (w *API) listEvents(ctx context.Context, c api.Call, in *eventFilter) (*api.Answer, error) {
	items, l, err := w.events(ctx, in)
	if err != nil {
		return nil, err
	}
	v := w.view(ctx)
	v.show(&in.paging)
	return v.list("tribe_events", l, c.Asked, len(items), func(i int) { v.event(items[i]) }), nil
}

func (w *API) events(ctx context.Context, in *eventFilter) ([]*calendar.Event, pages, error) {
	if err := in.edits(ctx); err != nil {
		return nil, pages{}, err
	}
	events := w.calendar.Events()
	if keys, named := in.keys(); named {
		items, err := oneByOne(&in.postFilter, keys, func(e *calendar.Event) *calendar.Post { return &e.Post },
			func(key calendar.Key) (*calendar.Event, error) { return events.Get(ctx, key, "") })
		page, l := cut(&in.paging, items)
		return page, l, err
	}
	ever, err := args.ParseDate("0001-01-02")
	if err != nil {
		return nil, pages{}, err
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
	l := pages{page: in.Page.Or(1), perPage: in.PerPage.Or(10)}
	page, _, err := events.ListLong(ctx, f, l.perPage)
	l.total, l.version = page.Total, page.Version
	return page.Items, l, noPage(err)
}

func (w *API) listVenues(ctx context.Context, c api.Call, in *postFilter) (*api.Answer, error) {
	post := func(p *calendar.Venue) *calendar.Post { return &p.Post }
	return listPlaces(ctx, w, c, in, w.calendar.Venues(), "tribe_venue", post, (*view).venue)
}

func (w *API) listOrganizers(ctx context.Context, c api.Call, in *postFilter) (*api.Answer, error) {
	post := func(o *calendar.Organizer) *calendar.Post { return &o.Post }
	return listPlaces(ctx, w, c, in, w.calendar.Organizers(), "tribe_organizer", post, (*view).organizer)
}

func listPlaces[T any, F calendar.PlaceFields[T]](ctx context.Context, w *API, c api.Call, in *postFilter,
	places services.Places[T, F], path string, post func(*T) *calendar.Post, write func(*view, *T)) (*api.Answer, error) {
	if err := in.edits(ctx); err != nil {
		return nil, err
	}
	var items []*T
	l := pages{page: in.Page.Or(1), perPage: in.PerPage.Or(10)}
	if keys, named := in.keys(); named {
		all, err := oneByOne(in, keys, post, func(key calendar.Key) (*T, error) { return places.Get(ctx, key) })
		if err != nil {
			return nil, err
		}
		items, l = cut(&in.paging, all)
	} else {
		f := &calendar.PlaceFilter{Paging: calendar.Paging{Page: in.Page}, Search: in.Search, Status: in.statuses(), Speaking: in.Speaking}
		page, err := places.ListLong(ctx, f, l.perPage)
		if err != nil {
			return nil, noPage(err)
		}
		items, l.total, l.version = page.Items, page.Total, page.Version
	}
	v := w.view(ctx)
	v.show(&in.paging)
	return v.list(path, l, c.Asked, len(items), func(i int) { write(v, items[i]) }), nil
}

func (w *API) listMedia(ctx context.Context, c api.Call, in *mediaFilter) (*api.Answer, error) {
	images := w.calendar.Images()
	var items []*calendar.Image
	l := pages{page: in.Page.Or(1), perPage: in.PerPage.Or(10)}
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
		items, l = cut(&in.paging, all)
	} else {
		page, err := images.List(ctx, services.ImageFilter{Search: in.Search.Or(""), Page: l.page, PerPage: l.perPage})
		if err != nil {
			return nil, noPage(err)
		}
		items, l.total, l.version = page.Items, page.Total, page.Version
	}
	v := w.view(ctx)
	v.show(&in.paging)
	return v.list("media", l, c.Asked, len(items), func(i int) { v.image(items[i]) }), nil
}

// listTerms lists the terms of a taxonomy.
func (w *API) listTerms(t calendar.Taxonomy) api.Handler[termFilter] {
	return func(ctx context.Context, c api.Call, in *termFilter) (*api.Answer, error) {
		items, l, err := w.terms(ctx, t, in)
		if err != nil {
			return nil, err
		}
		v := w.view(ctx)
		v.show(&in.paging)
		return v.list(api.WordPressTerms(t), l, c.Asked, len(items), func(i int) { v.term(items[i]) }), nil
	}
}

// mostTerms is the number of terms among which those without a parent are looked for.
const mostTerms = 10_000

func (w *API) terms(ctx context.Context, t calendar.Taxonomy, in *termFilter) ([]*calendar.Term, pages, error) {
	if err := in.edits(ctx); err != nil {
		return nil, pages{}, err
	}
	terms := w.calendar.Terms(t)
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
	l := pages{page: in.Page.Or(1), perPage: in.PerPage.Or(10)}
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
		items, l := cut(&in.paging, all)
		return items, l, nil
	case below && parent == 0 && t == calendar.Categories:
		f.Page = args.Opt[int]{}
		page, err := terms.ListLong(ctx, f, mostTerms)
		top := slices.DeleteFunc(page.Items, func(t *calendar.Term) bool { return t.Parent != 0 })
		items, l := cut(&in.paging, top)
		return items, l, err
	case below && parent != 0:
		f.Parent = in.Parent
	}
	page, err := terms.ListLong(ctx, f, l.perPage)
	l.total, l.version = page.Total, page.Version
	return page.Items, l, err
}

func (w *API) me(ctx context.Context, _ api.Call, _ *reading) (*api.Answer, error) {
	p := tenancy.Current(ctx).Principal
	if p.Anonymous() {
		return nil, tenancy.ErrUnauthenticated
	}
	v := w.view(ctx)
	v.user(p)
	answer := v.Answer(0)
	return answer, nil
}
