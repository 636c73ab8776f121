package public

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// frame is the part of a view above the events.
type frame struct {
	view   string // one of views
	choice *choice
	day    time.Time // the day shown, or the first one
	steps  *steps    // of views of certain days; otherwise nil
	strip  bool      // the page shows the days to come above the events
}

// daysOfStrip is the number of days in the strip above upcoming events.
const daysOfStrip = 14

// shownAs returns the text for the button of the views: the name of the current view, if it is one of them.
func (f *frame) shownAs(ctx context.Context) string {
	switch {
	case f.view == "onshow":
		return "view.list"
	case !slices.Contains(f.views(ctx), f.view):
		return "views"
	}
	return "view." + f.view
}

// shownOn returns the path of the page with the events on show on these days, with the same choice.
func (f *frame) shownOn(first, last time.Time) string {
	c := choice{values: url.Values{}}
	for name, list := range f.choice.outside().values {
		if name != "when" {
			c.values[name] = list
		}
	}
	c.values.Set("from", first.Format(time.DateOnly))
	c.values.Set("to", last.Format(time.DateOnly))
	return onShowPath + c.query(1)
}

// steps are links to the previous and the next period.
type steps struct {
	label, previous, next string // text keys
	before, after         string // paths, or ""
	now                   string // path of the current period
	within                bool   // of an embedded page, which shows them itself
}

// views are the kinds of views of events. The last one is the map.
var views = []string{"list", "photo", "month", "week", "day", "map"}

// views returns the views that a site offers: it has a map only if the site has map tiles.
func (f *frame) views(ctx context.Context) []string {
	if ui.SiteOf(ctx).Settings.Map.Tiles != "" {
		return views
	}
	return views[:len(views)-1]
}

// viewPath returns the path of a view at a day with the choice.
func (f *frame) viewPath(ctx context.Context, view string) string {
	switch view {
	case "month":
		return monthPath(ui.DatesIn(ctx), f.day) + f.choice.only()
	case "week":
		return weekPath(f.day) + f.choice.only()
	case "day":
		return dayPath(f.day) + f.choice.only()
	case "map":
		return mapPath + f.choice.query(1)
	case "photo":
		return photoPath + f.choice.query(1)
	}
	return "/events/" + f.choice.query(1)
}

// dayOf returns the path of the page of a day with the same choice. For an embedded view, the path leads to the site itself.
func (f *frame) dayOf(day time.Time) string {
	return dayPath(day) + f.choice.outside().only()
}

// outside returns the path of an embedded view on the site itself.
func (f *frame) outside(ctx context.Context) string {
	return (&frame{choice: f.choice.outside(), day: f.day}).viewPath(ctx, f.view)
}

// outside returns the choice without the colors of an embedded view.
func (c *choice) outside() *choice {
	whole := choice{values: url.Values{}}
	for name, list := range c.values {
		if name != "theme" && name != "accent" {
			whole.values[name] = list
		}
	}
	return &whole
}

const photoPath = "/events/photo/"

func weekPath(day time.Time) string { return "/events/week/" + day.Format(time.DateOnly) + "/" }

// jump redirects to a day in the current view.
func (w *Pages) jump(ctx context.Context, a asked) (*shown, error) {
	day, err := time.Parse(time.DateOnly, a.query("on"))
	if err != nil || !ui.Within(day) {
		return &shown{redirect: ui.Href(ctx, "/events/"), passing: true}, nil //nolint:nilerr // an invalid day leads to the list
	}
	c, err := w.readChoice(ctx, a, "/events/")
	if err != nil {
		return nil, err
	}
	view := a.query("view")
	f := &frame{choice: c, day: day}
	path := f.viewPath(ctx, view)
	if view != "month" && view != "week" && view != "day" {
		c.values.Del("when")
		c.values.Set("from", day.Format(time.DateOnly))
		path = f.viewPath(ctx, view)
	}
	return &shown{redirect: ui.Href(ctx, path), passing: true}, nil
}

// photo shows images of upcoming events.
func (w *Pages) photo(ctx context.Context, a asked) (*shown, error) {
	if a.calendar {
		return w.calendarFeed(ctx, a)
	}
	p := &page{title: ui.Say(ctx, "upcoming"), path: photoPath, rest: "/events", section: "list",
		description: ui.SayWith(ctx, "description.list", "Site", ui.SiteName(ctx))}
	return w.showList(ctx, a, p, "photo")
}

// showList shows the selected upcoming events as a list or as images.
func (w *Pages) showList(ctx context.Context, a asked, p *page, view string) (*shown, error) {
	p.path = a.at(p.path)
	c, err := w.readChoice(ctx, a, p.path)
	if err != nil {
		return nil, err
	}
	if to := c.tidy(ctx, a); to != nil {
		return to, nil
	}
	p.tint(c.values)
	c.listed(view)
	p.searched(ctx, a)
	sought, err := w.seek(ctx, a, c)
	if err != nil {
		return nil, err
	}
	c, l, found := sought.choice, sought.agenda, sought.page
	if sought.over {
		p.description = ""
	}
	if err := w.count(ctx, c, sought); err != nil {
		return nil, err
	}
	p.choice, p.query, p.feeds = c, c.query(l.page), c.subscription()
	if c.any() {
		p.robots = "noindex, nofollow"
	}
	version := found.Version
	if view == "list" || view == "photo" {
		if version, err = w.beside(ctx, c, l, version); err != nil {
			return nil, err
		}
	}
	if version, err = w.lacking(ctx, p, l, version); err != nil {
		return nil, err
	}
	if a.front {
		if version, err = w.frontOf(ctx, l, version); err != nil {
			return nil, err
		}
	}
	c.counts = "?view=" + view
	f := &frame{view: view, choice: c, day: w.today(ctx)}
	if view == "list" && !a.embedded {
		p.asNear(ctx, c, l)
		f.strip = !c.any() && !c.Search.Given() && l.page == 1
	}
	if first := w.daysOf(ctx, c).First; !first.IsZero() {
		f.day = first
	}
	body := listPage(p, f, l)
	if view != "list" {
		body = photoPage(p, f, l)
	}
	answer := w.listed(ctx, p, body, version, l)
	answer.changes(w.moves(ctx, c))
	if c.facets != nil {
		answer.changes(c.facets.Ends)
	}
	return answer, nil
}

// listed makes a choice select the events of a list: those that are not over and, depending on the view, those of
// particular days or those on show.
func (c *choice) listed(view string) {
	c.Coming()
	c.Brief = onShowAfter
	if view == "onshow" {
		c.Brief, c.LongerThan, c.OrderBy = 0, args.Some(onShowAfter), args.Some("end_date")
	}
	if c.Search.Given() { // a search shows all events with its words
		c.Brief = 0
	}
}

// beside adds the events on show to the first page of a list and, if nothing is selected, today's events that are
// over. It returns the lowest version at which it read.
func (w *Pages) beside(ctx context.Context, c *choice, l *agenda, version int64) (int64, error) {
	if l.page > 1 || c.Search.Given() {
		return version, nil
	}
	s, page, err := w.shelfOf(ctx, c, c.EventFilter)
	if err != nil {
		return 0, err
	}
	l.shelf, version = s, min(version, page.Version)
	if c.embedded || c.any() {
		return version, nil
	}
	was := &calendar.Choice{}
	was.EndsBefore, was.EndsAfter, was.StrictDates = args.DateArg("+1 second"), args.DateArg("today"), args.Some(args.Truthy(true))
	was.Brief, was.PerPage = onShowAfter, args.Some(mostEarlier)
	past, _, err := w.calendar.Events().Choose(ctx, was)
	if err != nil {
		return 0, err
	}
	for _, e := range past.Items {
		l.earlier = append(l.earlier, agendaEntry{Event: e, day: args.DayOf(e.Start)})
	}
	return min(version, past.Version), nil
}

// mostRules is for how many series on a page of a list the rules are shown.
const mostRules = 8

// rules adds to the entries of a list the rules of their series.
func (w *Pages) rules(ctx context.Context, l *agenda) error {
	known := map[int64]string{}
	for _, m := range l.months {
		for i := range m.events {
			e := &m.events[i]
			if e.Series == nil || e.Masked {
				continue
			}
			rule, read := known[e.Series.ID]
			if !read && len(known) < mostRules {
				series, err := w.calendar.Events().Get(ctx, calendar.Key{ID: e.Series.ID}, "")
				if errors.Is(err, calendar.ErrUnavailable) {
					return err
				}
				if err == nil && series.Recurring() { // on any error, the list just shows no rule
					rule = ui.Capital(i18n.Recurrence(ui.DatesIn(ctx).Tag, *series.Recurrence, series.Clock()))
				}
				known[e.Series.ID] = rule
			}
			e.rule = rule
		}
	}
	return nil
}

// comingTo lists the upcoming events of a venue, an organizer or a term, and the events on show there. rest is the
// path of all events on show there, or "".
func (w *Pages) comingTo(
	ctx context.Context,
	a asked,
	f *calendar.EventFilter,
	rest string,
) (*agenda, *calendar.Page[calendar.Event], error) {
	c := &choice{values: url.Values{}}
	c.EventFilter, c.Brief = *f.Coming(), onShowAfter
	l, page, err := w.chosen(ctx, a, c)
	if err != nil || l.page > 1 {
		return l, page, err
	}
	s, shown, err := w.shelfOf(ctx, c, c.EventFilter)
	if err != nil {
		return nil, nil, err
	}
	l.shelf, page.Version = s, min(page.Version, shown.Version)
	l.shelf.rest = rest
	if page.Total+shown.Total == 0 {
		l.none = &nothing{bare: true}
	}
	return l, page, nil
}

// mostEarlier is how many of today's past events are shown.
const mostEarlier = 20

// chosen reads one page of the selected events and groups it by month.
func (w *Pages) chosen(ctx context.Context, a asked, c *choice) (*agenda, *calendar.Page[calendar.Event], error) {
	number, err := pageNumber(a)
	if err != nil {
		return nil, nil, err
	}
	c.Page = args.Some(number)
	page, q, err := w.calendar.Events().Choose(ctx, &c.Choice)
	if err == nil && !c.Search.Given() && manyDates(&page) {
		c.Once = true
		page, q, err = w.calendar.Events().Choose(ctx, &c.Choice)
	}
	if err != nil {
		return nil, nil, err
	}
	c.found = page.Total
	l := &agenda{page: number, pages: (page.Total + q.PerPage - 1) / q.PerPage, total: page.Total, search: c.Search.Or(""), choice: c}
	l.link()
	from := latest(w.today(ctx), w.daysOf(ctx, c).First)
	if !c.Once && !c.Search.Given() {
		page.Items = eachOnce(page.Items)
	}
	l.fill(ui.DatesIn(ctx), page.Items, from)
	return l, &page, w.rules(ctx, l)
}
