package layout

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Near is a popular filter with its own page, such as "tonight" or "free": a time, a price or an audience.
type Near struct{ Name, Parameter, Value string }

// Nears are the popular filters, in the order of their chips.
var Nears = []Near{
	{"tonight", "when", "tonight"},
	{"tomorrow", "when", "tomorrow"},
	{"weekend", "when", "weekend"},
	{"free", "cost", "free"},
	{"children", "for", "children"},
}

// NearPath returns the path of the page of a popular filter.
func NearPath(name string) string { return "/events/" + name + "/" }

// OnShowPath is the path of the page with everything on show.
const OnShowPath = "/events/on-show/"

// OnShowAfter is the number of days above which an event counts as on show, and not as an event of particular days.
const OnShowAfter = calendar.OnShowAfter

// NearOf returns the name of a popular filter if the choice selects nothing else, otherwise "".
func (c *Choice) NearOf() string {
	if len(c.Values) != 1 {
		return ""
	}
	for _, one := range Nears {
		if value := c.nearValue(one); value != "" && len(c.Values[one.Parameter]) == 1 && c.has(one.Parameter, value) {
			return one.Name
		}
	}
	return ""
}

// nearValue returns the value that selects a popular filter, or "" if the site has no such value.
func (c *Choice) nearValue(one Near) string {
	if one.Parameter == "for" && (c == nil || !c.ForChildren) {
		return ""
	}
	return one.Value
}

// nearValue is nearValue of the page's choice. Pages without a choice, and those whose events are few, know only the site's categories.
func (p *Page) nearValue(one Near) string {
	if one.Parameter == "for" && p.ForChildren {
		return one.Value
	}
	return p.Choice.nearValue(one)
}

// nearLink is a chip that links to a popular filter.
type nearLink struct {
	text, href string
	current    bool
}

// nearLinks returns the chips of a page. They add to the selection of the page or, if nothing is selected, link to
// the filters' own pages.
func (p *Page) nearLinks(ctx context.Context) (list []nearLink) {
	for _, one := range Nears {
		value := p.nearValue(one)
		if value == "" {
			continue
		}
		link := nearLink{text: ui.Say(ctx, "near."+one.Name), href: NearPath(one.Name)}
		if c := p.Choice; c != nil && (c.Any() || c.Search.Given()) {
			at := c.At
			if one.Parameter == "when" && len(c.spans) == 0 {
				at = "/events/"
			}
			if link.current = c.has(one.Parameter, value); link.current {
				link.href = at + c.without(one.Parameter, value)
			} else {
				link.href = at + c.instead(one.Parameter, value)
			}
		}
		list = append(list, link)
	}
	return list
}

// instead returns the query with a parameter replaced. If the parameter is "when", it removes the days.
func (c *Choice) instead(name, value string) string {
	other := Choice{Values: url.Values{}}
	for key, list := range c.Values {
		if key != name && (name != "when" || key != "from" && key != "to") {
			other.Values[key] = list
		}
	}
	other.Values.Set(name, value)
	return other.Query(1)
}

// readChildren reads whether a choice selects only events for children: events in a category named after children,
// or below such a category, and events with children as their audience.
func (w *Pages) readChildren(ctx context.Context, c *Choice) error {
	if c.Values.Get("for") != "children" {
		c.Values.Del("for")
		return nil
	}
	var err error
	c.ForChildren = true
	c.Children, err = w.ForChildren(ctx)
	return err
}

// ForChildren returns the categories of events for children, including descendants. The result is not nil unless
// there is an error.
func (w *Pages) ForChildren(ctx context.Context) ([]int64, error) {
	page, err := w.calendar.Terms(calendar.Categories).ListLong(ctx, &calendar.CategoryFilter{}, MostInOrder)
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

// MostInOrder is the maximum number of entries that are sorted in the order of the language (ADR 69). Larger indexes
// show the newest venues and organizers first, and terms in the order of the API.
const MostInOrder = 1000
