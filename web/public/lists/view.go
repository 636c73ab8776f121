package lists

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// frame is the part of a view above the events.
type frame struct {
	view   string // one of views
	choice *layout.Choice
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
	c := layout.Choice{Values: url.Values{}}
	for name, list := range f.choice.Outside().Values {
		if name != "when" {
			c.Values[name] = list
		}
	}
	c.Values.Set("from", first.Format(time.DateOnly))
	c.Values.Set("to", last.Format(time.DateOnly))
	return layout.OnShowPath + c.Query(1)
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
		return MonthPath(ui.DatesIn(ctx), f.day) + f.choice.Only()
	case "week":
		return weekPath(f.day) + f.choice.Only()
	case "day":
		return DayPath(f.day) + f.choice.Only()
	case "map":
		return layout.MapPath + f.choice.Query(1)
	case "photo":
		return layout.PhotoPath + f.choice.Query(1)
	}
	return "/events/" + f.choice.Query(1)
}

// dayOf returns the path of the page of a day with the same choice. For an embedded view, the path leads to the site itself.
func (f *frame) dayOf(day time.Time) string {
	return DayPath(day) + f.choice.Outside().Only()
}

// outside returns the path of an embedded view on the site itself.
func (f *frame) outside(ctx context.Context) string {
	return (&frame{choice: f.choice.Outside(), day: f.day}).viewPath(ctx, f.view)
}

func weekPath(day time.Time) string { return "/events/week/" + day.Format(time.DateOnly) + "/" }

// jump redirects to a day in the current view.
func (w *Pages) jump(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	day, err := time.Parse(time.DateOnly, a.Query("on"))
	if err != nil || !ui.Within(day) {
		return &layout.Shown{Redirect: ui.Href(ctx, "/events/"), Passing: true}, nil //nolint:nilerr // an invalid day leads to the list
	}
	c, err := w.layout.ReadChoice(ctx, a, "/events/")
	if err != nil {
		return nil, err
	}
	view := a.Query("view")
	f := &frame{choice: c, day: day}
	path := f.viewPath(ctx, view)
	if view != "month" && view != "week" && view != "day" {
		c.Values.Del("when")
		c.Values.Set("from", day.Format(time.DateOnly))
		path = f.viewPath(ctx, view)
	}
	return &layout.Shown{Redirect: ui.Href(ctx, path), Passing: true}, nil
}

// photo shows images of upcoming events.
func (w *Pages) photo(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if a.Calendar {
		return w.calendarFeed(ctx, a)
	}
	p := &layout.Page{Title: ui.Say(ctx, "upcoming"), Path: layout.PhotoPath, Rest: "/events", Section: "list",
		Description: ui.SayWith(ctx, "description.list", "Site", ui.SiteName(ctx))}
	return w.showList(ctx, a, p, "photo")
}

// showList shows the selected upcoming events as a list or as images.
func (w *Pages) showList(ctx context.Context, a layout.Asked, p *layout.Page, view string) (*layout.Shown, error) {
	p.Path = a.At(p.Path)
	c, err := w.layout.ReadChoice(ctx, a, p.Path)
	if err != nil {
		return nil, err
	}
	if to := c.Tidy(ctx, a); to != nil {
		return to, nil
	}
	p.Tint(c.Values)
	c.Listed(view)
	p.Searched(ctx, a)
	sought, err := w.seek(ctx, a, c)
	if err != nil {
		return nil, err
	}
	c, l, found := sought.choice, sought.agenda, sought.page
	if sought.over {
		p.Description = ""
	}
	if err := w.layout.Count(ctx, c, sought.over); err != nil {
		return nil, err
	}
	p.Choice, p.Query, p.Feeds = c, c.Query(l.Page), c.Subscription()
	if c.Any() {
		p.Robots = "noindex, nofollow"
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
	if a.Front {
		if version, err = w.frontOf(ctx, l, version); err != nil {
			return nil, err
		}
	}
	c.Counts = "?view=" + view
	f := &frame{view: view, choice: c, day: w.layout.Today(ctx)}
	if view == "list" && !a.Embedded {
		asNear(ctx, p, c, l)
		f.strip = !c.Any() && !c.Search.Given() && l.Page == 1
	}
	if first := w.daysOf(ctx, c).First; !first.IsZero() {
		f.day = first
	}
	body := listPage(p, f, l)
	if view != "list" {
		body = photoPage(p, f, l)
	}
	answer := w.Listed(ctx, p, body, version, l)
	answer.Changes(w.moves(ctx, c))
	if c.Facets != nil {
		answer.Changes(c.Facets.Ends)
	}
	return answer, nil
}

// beside adds the events on show to the first page of a list and, if nothing is selected, today's events that are
// over. It returns the lowest version at which it read.
func (w *Pages) beside(ctx context.Context, c *layout.Choice, l *Agenda, version int64) (int64, error) {
	if l.Page > 1 || c.Search.Given() {
		return version, nil
	}
	s, page, err := w.shelfOf(ctx, c, c.EventFilter)
	if err != nil {
		return 0, err
	}
	l.shelf, version = s, min(version, page.Version)
	s.soon = len(l.Months) == 0 || len(l.Months[0].Events) <= fewAbove
	if c.Embedded || c.Any() {
		return version, nil
	}
	was := &calendar.Choice{}
	was.EndsBefore, was.EndsAfter, was.StrictDates = args.DateArg("+1 second"), args.DateArg("today"), args.Some(args.Truthy(true))
	was.Brief, was.PerPage = layout.OnShowAfter, args.Some(mostEarlier)
	past, _, err := w.calendar.Events().Choose(ctx, was)
	if err != nil {
		return 0, err
	}
	for _, e := range past.Items {
		l.earlier = append(l.earlier, Entry{Event: e, Day: args.DayOf(e.Start)})
	}
	return min(version, past.Version), nil
}

// mostRules is for how many series on a page of a list the rules are shown.
const mostRules = 8

// rules adds to the entries of a list the rules of their series.
func (w *Pages) rules(ctx context.Context, l *Agenda) error {
	known := map[int64]string{}
	for _, m := range l.Months {
		for i := range m.Events {
			e := &m.Events[i]
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
					rule = ui.Capital(ui.DatesIn(ctx).Recurrence(*series.Recurrence, series.Clock(), ""))
				}
				known[e.Series.ID] = rule
			}
			e.rule = rule
		}
	}
	return nil
}

// ComingTo lists the upcoming events of a venue, an organizer or a term, and the events on show there. rest is the
// path of all events on show there, or "".
func (w *Pages) ComingTo(
	ctx context.Context,
	a layout.Asked,
	f *calendar.EventFilter,
	rest string,
) (*Agenda, *calendar.Page[calendar.Event], error) {
	c := &layout.Choice{Values: url.Values{}}
	c.EventFilter, c.Brief = *f.Coming(), layout.OnShowAfter
	l, page, err := w.chosen(ctx, a, c)
	if err != nil || l.Page > 1 {
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
func (w *Pages) chosen(ctx context.Context, a layout.Asked, c *layout.Choice) (*Agenda, *calendar.Page[calendar.Event], error) {
	number, err := PageNumber(a)
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
	c.Found = page.Total
	l := &Agenda{Page: number, Pages: (page.Total + q.PerPage - 1) / q.PerPage, total: page.Total, search: c.Search.Or(""), choice: c}
	l.Link()
	from := latest(w.layout.Today(ctx), w.daysOf(ctx, c).First)
	if !c.Once && !c.Search.Given() {
		page.Items = eachOnce(page.Items)
	}
	l.Fill(ui.DatesIn(ctx), page.Items, from)
	return l, &page, w.rules(ctx, l)
}
