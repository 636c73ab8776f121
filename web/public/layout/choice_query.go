package layout

import (
	"context"
	"maps"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// Within makes a choice select the events of these days instead of the days that the visitor selected.
func (c *Choice) Within(days calendar.Days) {
	c.Days, c.On, c.spans, c.When = nil, args.Opt[string]{}, nil, ""
	c.EndsAfter, c.StartsBefore = args.DayArg(days.First.AddDate(0, 0, -1)), args.DayArg(days.Last)
}

// countedAt returns the attribute that tells the script of the filter where to read the number of events.
func (c *Choice) countedAt(ctx context.Context) templ.Attributes {
	if c.Counts == "" {
		return nil
	}
	return templ.Attributes{"data-count": ui.Href(ctx, CountPath+"/") + c.Counts}
}

// ProgrammeOf returns the path of the programme of these days with what the visitor selected.
func (c *Choice) ProgrammeOf(days calendar.Days) string {
	query := url.Values{}
	maps.Copy(query, c.Values)
	query.Set("from", days.First.Format(time.DateOnly))
	query.Set("to", days.Last.Format(time.DateOnly))
	return ProgrammePath + "?" + query.Encode()
}

// Quoted returns the values of a choice with each search word in quotes, so that no word is read as a filter.
func (c *Choice) Quoted() url.Values {
	values := maps.Clone(c.Values)
	values.Set("search", `"`+strings.Join(strings.Fields(c.Search.Or("")), `" "`)+`"`)
	return values
}

// Listed makes a choice select the events of a list: those that are not over and, depending on the view, those of
// particular days or those on show.
func (c *Choice) Listed(view string) {
	c.Coming()
	c.Brief = OnShowAfter
	if view == "onshow" {
		c.Brief, c.LongerThan, c.OrderBy = 0, args.Some(OnShowAfter), args.Some("end_date")
	}
	if c.Search.Given() { // a search shows every event that contains its words
		c.Brief = 0
	}
}

// Outside returns the choice without the colors of an embedded view.
func (c *Choice) Outside() *Choice {
	whole := Choice{Values: url.Values{}}
	for name, list := range c.Values {
		if name != "theme" && name != "accent" {
			whole.Values[name] = list
		}
	}
	return &whole
}

// OfEmbed reads the parameters that only embedded pages have: several slugs in one parameter, and colors, which
// links to other embedded pages repeat.
func (c *Choice) OfEmbed(query url.Values) {
	c.Embedded = true
	for from, to := range map[string]string{"categories": "category", "tags": "tag"} {
		for slug := range strings.SplitSeq(query.Get(from), ",") {
			if slug = strings.TrimSpace(slug); slug != "" && len(c.Values[to]) < MostChosen && !c.has(to, slug) {
				c.Values.Add(to, Shorten(slug))
			}
		}
	}
	if theme := query.Get("theme"); theme == "light" || theme == "dark" {
		c.Values.Set("theme", theme)
	}
	if accent := "#" + strings.TrimPrefix(query.Get("accent"), "#"); ui.AccentAddress(accent) != "" {
		c.Values.Set("accent", accent[1:])
	}
}
