package layout

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Choice is what a visitor selected in a list, and what can be selected.
type Choice struct {
	calendar.Choice
	At     string     // path of the page
	Values url.Values // as in the address, without empty values
	When   string     // name of a period, or ""
	Facets *calendar.Facets
	names  map[[2]string]string // names of excluded values, by parameter and value
	spans  []span               // periods that can be selected by name; none on pages with their own days
	Found  int

	Area        *Area // of a map; nil: everywhere
	ForChildren bool  // there are events for children, or only such events are selected

	Counts string // Query for the number of events; "" for none

	Embedded bool // of a page embedded in another site
}

// span is a named period: whole days, or hours given as the argument "on".
type span struct {
	name string
	days calendar.Days
	on   string // "" for whole days
}

// choiceNames are the parameters of a choice in the order of its chips.
var choiceNames = []string{"when", "from", "to", "category", "tag", "city", "organizer", "audience", "accessibility", "event_language",
	"cost", "how", "for", "featured",
	"geoloc_lat", "geoloc_lng", "geoloc_radius", "categories_exclude", "tags_exclude", "venue_exclude"}

// excludeNames are the parameters of excluded entries, named as in the API. One parameter may have several values, separated
// by commas.
var excludeNames = choiceNames[len(choiceNames)-3:]

// factNames are the parameters of facts, named as in the API. They may have several values as well.
var factNames = []string{"audience", "accessibility", "event_language"}

// MostChosen is the maximum number of values of one kind.
const MostChosen = 20

// ReadChoice parses the choice on the page with a path.
func (w *Pages) ReadChoice(ctx context.Context, a Asked, at string) (*Choice, error) {
	c := &Choice{At: at, Values: url.Values{}}
	query, err := url.ParseQuery(a.All)
	if err != nil {
		return nil, calendar.ErrNotFound
	}
	for name, list := range query {
		field := ui.SiteOf(ctx).FieldNamed(calendar.ParamField(name))
		switch {
		case slices.Contains(excludeNames, name), slices.Contains(factNames, name), calendar.ParamField(name) != "":
			list = strings.Split(strings.Join(list, ","), ",")
		case name != "search" && !slices.Contains(choiceNames, name):
			continue
		}
		for _, value := range list {
			if field != nil && field.Kind == tenancy.YesNoField {
				value = cmp.Or(map[string]string{"1": "true", "0": "false"}[value], value)
			}
			if value = strings.TrimSpace(value); value != "" && !slices.Contains(c.Values[name], value) &&
				len(c.Values[name]) < MostChosen {
				c.Values.Add(name, Shorten(value))
			}
		}
	}
	for name, list := range a.Given {
		c.At, c.Values[name] = "/events/", list
	}
	if a.Embedded {
		c.OfEmbed(query)
	}
	return c, w.Fill(ctx, c)
}

// Fill reads the values of a choice into a filter for events.
func (w *Pages) Fill(ctx context.Context, c *Choice) error {
	if words := c.Values.Get("search"); words != "" {
		c.Search = args.Some(words)
	}
	c.Categories, c.Tags, c.Cities = refs(c.Values["category"]), refs(c.Values["tag"]), c.Values["city"]
	c.CategoriesExclude, c.TagsExclude = refs(c.Values["categories_exclude"]), refs(c.Values["tags_exclude"])
	var err error
	if c.Organizer, err = ReadIDs(c.Values["organizer"]); err != nil {
		return err
	}
	if c.VenueExclude, err = ReadIDs(c.Values["venue_exclude"]); err != nil {
		return err
	}
	c.Free, c.Taking = c.Values.Get("cost") == "free", c.Values.Get("how")
	if c.Values.Get("featured") == "1" {
		c.Featured = args.Some(true)
	}
	if err = w.readChildren(ctx, c); err != nil {
		return err
	}
	if c.Audience, err = readFacts("audience", c.Values); err != nil {
		return err
	}
	if c.Accessibility, err = readFacts("accessibility", c.Values); err != nil {
		return err
	}
	if c.Spoken, err = readFacts("event_language", c.Values); err != nil {
		return err
	}
	if err = c.readFields(ctx); err != nil {
		return err
	}
	if err = c.readArea(ui.SiteOf(ctx)); err != nil {
		return err
	}
	return c.readDays(ui.DatesIn(ctx), w.Today(ctx))
}

// refs converts slugs to an argument.
func refs(slugs []string) args.Opt[args.Refs] {
	if len(slugs) == 0 {
		return args.Opt[args.Refs]{}
	}
	list := make(args.Refs, 0, len(slugs))
	for _, slug := range slugs {
		list = append(list, args.Ref{Text: slug})
	}
	return args.Some(list)
}

// readFacts converts the words of a fact to an argument.
func readFacts(name string, values url.Values) (args.Opt[args.Texts], error) {
	words, known := values[name], calendar.EventFieldNamed(name).Choices()
	if slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(known, word) }) {
		return args.Opt[args.Texts]{}, calendar.ErrNotFound
	}
	if len(words) == 0 {
		return args.Opt[args.Texts]{}, nil
	}
	return args.Some(args.Texts(words)), nil
}

// ReadIDs converts IDs to an argument.
func ReadIDs(texts []string) (args.Opt[args.IDs], error) {
	var ids args.IDs
	for _, text := range texts {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id < 1 {
			return args.Opt[args.IDs]{}, calendar.ErrNotFound
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return args.Opt[args.IDs]{}, nil
	}
	return args.Some(ids), nil
}

// readDays parses the period. Explicit days take precedence over a name.
func (c *Choice) readDays(l ui.Dates, today time.Time) error {
	var days calendar.Days
	for name, day := range map[string]*time.Time{"from": &days.First, "to": &days.Last} {
		text := c.Values.Get(name)
		if text == "" {
			continue
		}
		var err error
		if *day, err = time.Parse(time.DateOnly, text); err != nil || !ui.Within(*day) {
			return calendar.ErrNotFound
		}
	}
	c.spans = spansFrom(l, today)
	if days != (calendar.Days{}) {
		c.Values.Del("when")
		c.Days = &days
		return nil
	}
	for _, one := range c.spans {
		if one.name == c.Values.Get("when") {
			c.choose(&one)
		}
	}
	if c.When == "" {
		c.Values.Del("when")
	}
	return nil
}

// choose selects a named period.
func (c *Choice) choose(s *span) {
	if c.When = s.name; s.on != "" {
		c.On = args.Some(s.on)
		return
	}
	c.Days = &s.days
}

// Timed reports whether a period or days are selected.
func (c *Choice) Timed() bool { return c.Days != nil || c.On.Given() }

// spansFrom returns the named periods relative to a day. The remainder of a week that has begun counts as this week.
func spansFrom(l ui.Dates, today time.Time) []span {
	month, nextWeek := l.MonthFrom(today, 1), ui.WeekOf(today, l.WeekStart()).AddDate(0, 0, 7)
	return []span{
		{name: "today", days: calendar.Days{First: today, Last: today}},
		{name: "tonight", on: "tonight"},
		{name: "tomorrow", days: calendar.Days{First: today.AddDate(0, 0, 1), Last: today.AddDate(0, 0, 1)}},
		{name: "weekend", on: "weekend"},
		{name: "week", days: calendar.Days{First: today, Last: ui.WeekOf(today, l.WeekStart()).AddDate(0, 0, 6)}},
		{name: "nextweek", days: calendar.Days{First: nextWeek, Last: nextWeek.AddDate(0, 0, 6)}},
		{name: "month", days: calendar.Days{First: month, Last: l.MonthEnd(month)}},
	}
}

// Any reports whether anything except search words is selected.
func (c *Choice) Any() bool {
	return len(c.fieldNames()) > 0 || slices.ContainsFunc(choiceNames, func(name string) bool { return c.Values.Has(name) })
}

// Narrow reports whether a list shows less than everything to come: what is selected, found, or on show. Such a list may lack events
// for children that the site has.
func (c *Choice) Narrow() bool { return c.Any() || c.Search.Given() || c.LongerThan.Given() }

// has reports whether a value is selected.
func (c *Choice) has(name, value string) bool { return slices.Contains(c.Values[name], value) }

// Query returns the query of a page of the choice, or "" for page 1 without a choice.
func (c *Choice) Query(page int) string {
	values := url.Values{}
	maps.Copy(values, c.Values)
	if page > 1 {
		values.Set("page", strconv.Itoa(page))
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// without returns the query with one value deselected.
func (c *Choice) without(name, value string) string {
	rest := Choice{Values: url.Values{}}
	for key, list := range c.Values {
		for _, one := range list {
			if key != name || one != value {
				rest.Values.Add(key, one)
			}
		}
	}
	return rest.Query(1)
}

// with returns the query with one more value selected.
func (c *Choice) with(name, value string) string {
	more := Choice{Values: maps.Clone(c.Values)}
	more.Values[name] = append(slices.Clone(c.Values[name]), value)
	return more.Query(1)
}

// Only returns the query of everything except days, for pages that have their own days.
func (c *Choice) Only() string {
	rest := Choice{Values: url.Values{}}
	for key, list := range c.Values {
		if key != "when" && key != "from" && key != "to" {
			rest.Values[key] = list
		}
	}
	return rest.Query(1)
}

// Kept returns the selected names and values except days, in a fixed order.
func (c *Choice) Kept() (list [][2]string) {
	for _, name := range slices.Concat([]string{"search"}, choiceNames[3:], c.fieldNames()) {
		for _, value := range c.Values[name] {
			list = append(list, [2]string{name, value})
		}
	}
	return list
}

// Words returns the query with only the search words.
func (c *Choice) Words() string {
	rest := Choice{Values: url.Values{}}
	if text := c.Values.Get("search"); text != "" {
		rest.Values.Set("search", text)
	}
	return rest.Query(1)
}

// Tidy redirects from an address with redundant parameters, such as empty form fields, to its shortest form. It
// returns nil if there are no such parameters.
func (c *Choice) Tidy(ctx context.Context, a Asked) *Shown {
	query, err := url.ParseQuery(a.All)
	if err != nil {
		return nil
	}
	for name, values := range query {
		if (slices.Contains(choiceNames, name) || calendar.ParamField(name) != "") && slices.Contains(values, "") {
			return &Shown{Redirect: ui.Href(ctx, c.At+c.Query(1)), Passing: true}
		}
	}
	return nil
}

// wholeDays returns the named periods of whole days, whose events are counted. It returns none while hours are selected,
// because the counts would cover only these hours.
func (c *Choice) wholeDays() []calendar.Days {
	var days []calendar.Days
	for _, one := range c.spans {
		if one.on == "" && !c.On.Given() {
			days = append(days, one.days)
		}
	}
	return days
}

// Count reads the values that can be selected, with counts. If a search finds only past events, there are none. over
// says so.
func (w *Pages) Count(ctx context.Context, c *Choice, over bool) (err error) {
	if c.Embedded { // embedded pages have no filter
		return nil
	}
	if over && !c.Any() {
		c.Facets = &calendar.Facets{Days: make([]int, len(c.wholeDays()))}
		return nil
	}
	c.Facets, err = w.calendar.Events().Facets(ctx, &c.Choice, c.wholeDays())
	if err != nil {
		return err
	}
	for _, one := range c.Facets.Categories {
		c.ForChildren = c.ForChildren || isForChildren(ctx, one.Name, one.Slug)
	}
	for _, one := range c.Facets.Audience {
		c.ForChildren = c.ForChildren || slices.Contains(calendar.ForChildren, one.Slug)
	}
	if err := w.nameExcluded(ctx, c); err != nil {
		return err
	}
	for _, list := range [][]calendar.Facet{c.Facets.Categories, c.Facets.Tags, c.Facets.Cities, c.Facets.Organizers} {
		i18n.InOrder(tenancy.Current(ctx).Language, list, func(f calendar.Facet) string { return f.Name })
		slices.SortStableFunc(list, func(a, b calendar.Facet) int { return cmp.Compare(b.Count, a.Count) })
	}
	return nil
}

// Subscription returns the subscription to the selected events. It uses the parameters of the API or, if the API
// has none, those of pages.
func (c *Choice) Subscription() *Subscription {
	query := url.Values{}
	for name, as := range map[string]string{"search": "search", "category": "categories", "tag": "tags", "organizer": "organizer"} {
		if list := c.Values[name]; len(list) > 0 {
			query.Set(as, strings.Join(list, ","))
		}
	}
	for _, name := range append([]string{"city", "cost", "how", "for", "when", "from", "to"}, areaNames...) {
		if list := c.Values[name]; len(list) > 0 {
			query[name] = list
		}
	}
	for _, name := range slices.Concat(factNames, excludeNames, c.fieldNames()) {
		if list := c.Values[name]; len(list) > 0 {
			query.Set(name, strings.Join(list, ","))
		}
	}
	if c.Featured.Given() {
		query.Set("featured", "true")
	}
	text := ""
	if len(query) > 0 {
		text = "?" + query.Encode()
	}
	return &Subscription{Calendar: "/events.ics" + text, query: text, Paper: ProgrammePath + c.Query(1), mail: ByMailPath(c.Only())}
}
