package public

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

// choice is what a visitor selected in a list, and what can be selected.
type choice struct {
	calendar.Choice
	at     string     // path of the page
	values url.Values // as in the address, without empty values
	when   string     // name of a period, or ""
	facets *calendar.Facets
	names  map[[2]string]string // names of excluded values, by parameter and value
	spans  []span               // periods that can be selected by name; none on pages with their own days
	found  int

	area     *area // of a map; nil: everywhere
	children bool  // there are events for children, or only such events are selected

	counts string // query for the number of events; "" for none

	embedded bool // of a page embedded in another site
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

// mostChosen is the maximum number of values of one kind.
const mostChosen = 20

// readChoice parses the choice on the page with a path.
func (w *Pages) readChoice(ctx context.Context, a asked, at string) (*choice, error) {
	c := &choice{at: at, values: url.Values{}}
	query, err := url.ParseQuery(a.all)
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
			if value = strings.TrimSpace(value); value != "" && !slices.Contains(c.values[name], value) &&
				len(c.values[name]) < mostChosen {
				c.values.Add(name, shorten(value))
			}
		}
	}
	for name, list := range a.given {
		c.at, c.values[name] = "/events/", list
	}
	if a.embedded {
		c.ofEmbed(query)
	}
	return c, w.fill(ctx, c)
}

// fill reads the values of a choice into a filter for events.
func (w *Pages) fill(ctx context.Context, c *choice) error {
	if words := c.values.Get("search"); words != "" {
		c.Search = args.Some(words)
	}
	c.Categories, c.Tags, c.Cities = refs(c.values["category"]), refs(c.values["tag"]), c.values["city"]
	c.CategoriesExclude, c.TagsExclude = refs(c.values["categories_exclude"]), refs(c.values["tags_exclude"])
	var err error
	if c.Organizer, err = readIDs(c.values["organizer"]); err != nil {
		return err
	}
	if c.VenueExclude, err = readIDs(c.values["venue_exclude"]); err != nil {
		return err
	}
	c.Free, c.Taking = c.values.Get("cost") == "free", c.values.Get("how")
	if c.values.Get("featured") == "1" {
		c.Featured = args.Some(true)
	}
	if err = w.readChildren(ctx, c); err != nil {
		return err
	}
	if c.Audience, err = readFacts("audience", c.values); err != nil {
		return err
	}
	if c.Accessibility, err = readFacts("accessibility", c.values); err != nil {
		return err
	}
	if c.Spoken, err = readFacts("event_language", c.values); err != nil {
		return err
	}
	if err = c.readFields(ctx); err != nil {
		return err
	}
	if err = c.readArea(ui.SiteOf(ctx)); err != nil {
		return err
	}
	return c.readDays(ui.DatesIn(ctx), w.today(ctx))
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

// readIDs converts IDs to an argument.
func readIDs(texts []string) (args.Opt[args.IDs], error) {
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
func (c *choice) readDays(l ui.Dates, today time.Time) error {
	var days calendar.Days
	for name, day := range map[string]*time.Time{"from": &days.First, "to": &days.Last} {
		text := c.values.Get(name)
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
		c.values.Del("when")
		c.Days = &days
		return nil
	}
	for _, one := range c.spans {
		if one.name == c.values.Get("when") {
			c.choose(&one)
		}
	}
	if c.when == "" {
		c.values.Del("when")
	}
	return nil
}

// choose selects a named period.
func (c *choice) choose(s *span) {
	if c.when = s.name; s.on != "" {
		c.On = args.Some(s.on)
		return
	}
	c.Days = &s.days
}

// timed reports whether a period or days are selected.
func (c *choice) timed() bool { return c.Days != nil || c.On.Given() }

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

// any reports whether anything except search words is selected.
func (c *choice) any() bool {
	return len(c.fieldNames()) > 0 || slices.ContainsFunc(choiceNames, func(name string) bool { return c.values.Has(name) })
}

// has reports whether a value is selected.
func (c *choice) has(name, value string) bool { return slices.Contains(c.values[name], value) }

// query returns the query of a page of the choice, or "" for page 1 without a choice.
func (c *choice) query(page int) string {
	values := url.Values{}
	maps.Copy(values, c.values)
	if page > 1 {
		values.Set("page", strconv.Itoa(page))
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// without returns the query with one value deselected.
func (c *choice) without(name, value string) string {
	rest := choice{values: url.Values{}}
	for key, list := range c.values {
		for _, one := range list {
			if key != name || one != value {
				rest.values.Add(key, one)
			}
		}
	}
	return rest.query(1)
}

// with returns the query with one more value selected.
func (c *choice) with(name, value string) string {
	more := choice{values: maps.Clone(c.values)}
	more.values[name] = append(slices.Clone(c.values[name]), value)
	return more.query(1)
}

// only returns the query of everything except days, for pages that have their own days.
func (c *choice) only() string {
	rest := choice{values: url.Values{}}
	for key, list := range c.values {
		if key != "when" && key != "from" && key != "to" {
			rest.values[key] = list
		}
	}
	return rest.query(1)
}

// kept returns the selected names and values except days, in a fixed order.
func (c *choice) kept() (list [][2]string) {
	for _, name := range slices.Concat([]string{"search"}, choiceNames[3:], c.fieldNames()) {
		for _, value := range c.values[name] {
			list = append(list, [2]string{name, value})
		}
	}
	return list
}

// words returns the query with only the search words.
func (c *choice) words() string {
	rest := choice{values: url.Values{}}
	if text := c.values.Get("search"); text != "" {
		rest.values.Set("search", text)
	}
	return rest.query(1)
}

// tidy redirects from an address with redundant parameters, such as empty form fields, to its shortest form. It
// returns nil if there are no such parameters.
func (c *choice) tidy(ctx context.Context, a asked) *shown {
	query, err := url.ParseQuery(a.all)
	if err != nil {
		return nil
	}
	for name, values := range query {
		if (slices.Contains(choiceNames, name) || calendar.ParamField(name) != "") && slices.Contains(values, "") {
			return &shown{redirect: ui.Href(ctx, c.at+c.query(1)), passing: true}
		}
	}
	return nil
}

// wholeDays returns the named periods of whole days, whose events are counted. It returns none while hours are selected,
// because the counts would cover only these hours.
func (c *choice) wholeDays() []calendar.Days {
	var days []calendar.Days
	for _, one := range c.spans {
		if one.on == "" && !c.On.Given() {
			days = append(days, one.days)
		}
	}
	return days
}

// count reads the values that can be selected, with counts. If a search finds only past events, there are none. s
// is the result of the search, or nil.
func (w *Pages) count(ctx context.Context, c *choice, s *sought) (err error) {
	if c.embedded { // embedded pages have no filter
		return nil
	}
	if s != nil && s.over && !c.any() {
		c.facets = &calendar.Facets{Days: make([]int, len(c.wholeDays()))}
		return nil
	}
	c.facets, err = w.calendar.Events().Facets(ctx, &c.Choice, c.wholeDays())
	if err != nil {
		return err
	}
	for _, one := range c.facets.Categories {
		c.children = c.children || isForChildren(ctx, one.Name, one.Slug)
	}
	for _, one := range c.facets.Audience {
		c.children = c.children || slices.Contains(calendar.ForChildren, one.Slug)
	}
	if err := w.nameExcluded(ctx, c); err != nil {
		return err
	}
	for _, list := range [][]calendar.Facet{c.facets.Categories, c.facets.Tags, c.facets.Cities, c.facets.Organizers} {
		i18n.InOrder(tenancy.Current(ctx).Language, list, func(f calendar.Facet) string { return f.Name })
		slices.SortStableFunc(list, func(a, b calendar.Facet) int { return cmp.Compare(b.Count, a.Count) })
	}
	return nil
}

// subscription returns the subscription to the selected events. It uses the parameters of the API or, if the API
// has none, those of pages.
func (c *choice) subscription() *subscription {
	query := url.Values{}
	for name, as := range map[string]string{"search": "search", "category": "categories", "tag": "tags", "organizer": "organizer"} {
		if list := c.values[name]; len(list) > 0 {
			query.Set(as, strings.Join(list, ","))
		}
	}
	for _, name := range append([]string{"city", "cost", "how", "for", "when", "from", "to"}, areaNames...) {
		if list := c.values[name]; len(list) > 0 {
			query[name] = list
		}
	}
	for _, name := range slices.Concat(factNames, excludeNames, c.fieldNames()) {
		if list := c.values[name]; len(list) > 0 {
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
	s := &subscription{calendar: "/events.ics" + text, query: text, paper: programmePath + c.query(1), mail: byMailPath(c.only())}
	if c.Children != nil { // which letters do not select by
		s.mail = ""
	}
	return s
}
