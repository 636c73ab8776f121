package public

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// near is a popular filter with its own page, such as "tonight" or "free": a time, a price or an audience.
type near struct{ name, parameter, value string }

// nears are the popular filters, in the order of their chips.
var nears = []near{
	{"tonight", "when", "tonight"},
	{"tomorrow", "when", "tomorrow"},
	{"weekend", "when", "weekend"},
	{"free", "cost", "free"},
	{"children", "for", "children"},
}

// nearPath returns the path of the page of a popular filter.
func nearPath(name string) string { return "/events/" + name + "/" }

// nearby returns the handler of the page of a popular filter.
func (w *Pages) nearby(one near) handler {
	return func(ctx context.Context, a asked) (*shown, error) {
		a.given = url.Values{one.parameter: {one.value}}
		if a.calendar {
			return a.lead(ctx, "/events/?"+a.given.Encode()), nil
		}
		return w.upcoming(ctx, a)
	}
}

// readChildren reads whether a choice selects only events for children: events in a category named after children,
// or below such a category, and events with children as their audience.
func (w *Pages) readChildren(ctx context.Context, c *choice) error {
	if c.values.Get("for") != "children" {
		c.values.Del("for")
		return nil
	}
	var err error
	c.children = true
	c.Children, err = w.forChildren(ctx)
	return err
}

// forChildren returns the categories of events for children, including descendants. The result is not nil unless
// there is an error.
func (w *Pages) forChildren(ctx context.Context) ([]int64, error) {
	page, err := w.calendar.Terms(calendar.Categories).ListLong(ctx, &calendar.CategoryFilter{}, mostInOrder)
	if err != nil {
		return nil, err
	}
	list := []int64{}
	var above []string
	for _, term := range page.Items {
		if isForChildren(ctx, term.Name, term.Slug) {
			above = append(above, term.Path+"/")
		}
	}
	for _, term := range page.Items {
		if slices.ContainsFunc(above, func(path string) bool { return strings.HasPrefix(term.Path+"/", path) }) {
			list = append(list, term.ID)
		}
	}
	return list, nil
}

// isForChildren reports whether a category is for children. It looks for the word for children in the language of the request,
// that of the site, and English.
func isForChildren(ctx context.Context, name, slug string) bool {
	apart := func(text string) []string {
		return strings.FieldsFunc(wording.Fold(text), func(c rune) bool { return !wording.InWord(c) })
	}
	own := append(apart(name), apart(ui.Decoded(slug))...)
	for _, language := range []string{tenancy.Current(ctx).Language, ui.SiteOf(ctx).Language, "en"} {
		comma := func(c rune) bool { return strings.ContainsRune(",،、", c) }
		for word := range strings.FieldsFuncSeq(i18n.Text(language, "public.near.children.words", nil), comma) {
			if word = wording.Fold(strings.TrimSpace(word)); word != "" && slices.Contains(own, word) {
				return true
			}
		}
	}
	return false
}

// nearOf returns the name of a popular filter if the choice selects nothing else, otherwise "".
func (c *choice) nearOf() string {
	if len(c.values) != 1 {
		return ""
	}
	for _, one := range nears {
		if value := c.nearValue(one); value != "" && len(c.values[one.parameter]) == 1 && c.has(one.parameter, value) {
			return one.name
		}
	}
	return ""
}

// nearValue returns the value that selects a popular filter, or "" if the site has no such value.
func (c *choice) nearValue(one near) string {
	if one.parameter == "for" && (c == nil || !c.children) {
		return ""
	}
	return one.value
}

// nearValue is nearValue of the page's choice. Pages without a choice know only the site's categories.
func (p *page) nearValue(one near) string {
	if p.choice == nil && p.children {
		return one.value
	}
	return p.choice.nearValue(one)
}

// nearLink is a chip that links to a popular filter.
type nearLink struct {
	text, href string
	current    bool
}

// nearLinks returns the chips of a page. They add to the selection of the page or, if nothing is selected, link to
// the filters' own pages.
func (p *page) nearLinks(ctx context.Context) (list []nearLink) {
	for _, one := range nears {
		value := p.nearValue(one)
		if value == "" {
			continue
		}
		link := nearLink{text: ui.Say(ctx, "near."+one.name), href: nearPath(one.name)}
		if c := p.choice; c != nil && (c.any() || c.Search.Given()) {
			at := c.at
			if one.parameter == "when" && len(c.spans) == 0 {
				at = "/events/"
			}
			if link.current = c.has(one.parameter, value); link.current {
				link.href = at + c.without(one.parameter, value)
			} else {
				link.href = at + c.instead(one.parameter, value)
			}
		}
		list = append(list, link)
	}
	return list
}

// instead returns the query with a parameter replaced. If the parameter is "when", it removes the days.
func (c *choice) instead(name, value string) string {
	other := choice{values: url.Values{}}
	for key, list := range c.values {
		if key != name && (name != "when" || key != "from" && key != "to") {
			other.values[key] = list
		}
	}
	other.values.Set(name, value)
	return other.query(1)
}

// asNear gives a page the address of a popular filter's own page if its choice is just this filter. Search engines
// may index that page.
func (p *page) asNear(ctx context.Context, c *choice, l *agenda) {
	name := c.nearOf()
	if name == "" {
		return
	}
	p.path, p.title, p.robots = nearPath(name), ui.Say(ctx, "near.title."+name), ""
	p.description, p.query = describe(ctx, ui.Say(ctx, "near.title."+name)), (&agenda{}).query(l.page)
	if l.total == 0 && l.shelf.total() == 0 {
		p.robots = "noindex"
	}
}

// onShowAfter is the number of days above which an event counts as on show, and not as an event of particular days.
const onShowAfter = calendar.OnShowAfter

// onShowPath is the path of the page with everything on show.
const onShowPath = "/events/on-show/"

// shelf holds the events on show.
type shelf struct {
	events []*calendar.Event
	all    int
	rest   string    // path of all of them
	today  time.Time // the day on which they are shown
}

func (s *shelf) total() int {
	if s == nil {
		return 0
	}
	return s.all
}

// onShelf is the number of events on a shelf. The page onShow has all of them.
const onShelf = 8

// shelfOf returns the events on show of a choice, in the order in which they end.
func (w *Pages) shelfOf(ctx context.Context, c *choice, filter calendar.EventFilter) (*shelf, *calendar.Page[calendar.Event], error) {
	long := c.Choice
	long.EventFilter = filter
	long.Brief, long.Once = 0, true
	long.LongerThan, long.OrderBy = args.Some(onShowAfter), args.Some("end_date")
	long.Page, long.PerPage = args.Some(1), args.Some(onShelf)
	page, _, err := w.calendar.Events().Choose(ctx, &long)
	if err != nil {
		return nil, nil, err
	}
	return &shelf{events: page.Items, all: page.Total, rest: onShowPath + c.query(1), today: w.today(ctx)}, &page, nil
}

// onShow shows all events on show.
func (w *Pages) onShow(ctx context.Context, a asked) (*shown, error) {
	if a.calendar {
		return a.lead(ctx, "/events/?longer_than=3"), nil
	}
	p := &page{
		title:       ui.Say(ctx, "onshow"),
		path:        onShowPath,
		rest:        "/events?longer_than=3",
		section:     "list",
		description: describe(ctx, ui.Say(ctx, "onshow")),
	}
	return w.showList(ctx, a, p, "onshow")
}

// showTime is the period of an event on show, or only the end if it has begun.
func (s *shelf) showTime(ctx context.Context, e *calendar.Event) string {
	d := ui.DatesIn(ctx)
	if !args.DayOf(e.Start).After(s.today) {
		return ui.SayWith(ctx, "filter.until", "Date", d.Short(ui.LastDay(e.Start, e.End)))
	}
	return d.ShortSpan(e.Start, ui.LastDay(e.Start, e.End))
}
