package public

import (
	"context"
	"net/url"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

// frame is what every view shows above the events.
type frame struct {
	view   string // one of views
	choice *choice
	day    time.Time // the day shown, or the first one
	steps  *steps    // of views of certain days; otherwise nil
}

// steps lead to the days before and after.
type steps struct {
	label, previous, next string // text keys
	before, after         string // paths, or ""
	now                   string // path of the current period
	within                bool   // of an embedded page, which shows them itself
}

// views are the kinds of views of events.
var views = []string{"list", "photo", "month", "week", "day", "map"}

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

// dayOf returns the path of the page of a day with the choice. For an embedded view, that is on the site itself.
func (f *frame) dayOf(day time.Time) string {
	return dayPath(day) + f.choice.outside().only()
}

// outside returns the path of an embedded view on the site itself.
func (f *frame) outside(ctx context.Context) string {
	return (&frame{choice: f.choice.outside(), day: f.day}).viewPath(ctx, f.view)
}

// outside returns what is selected, without how an embedded view looks.
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
	c.Coming()
	p.searched(ctx, a)
	sought, err := w.seek(ctx, a, c)
	if err != nil {
		return nil, err
	}
	c, l, found := sought.choice, sought.agenda, sought.page
	if sought.over {
		p.description = ""
	}
	if err := w.count(ctx, c); err != nil {
		return nil, err
	}
	p.query, p.feeds = c.query(l.page), c.subscription()
	if c.any() {
		p.robots = "noindex, nofollow"
	}
	f := &frame{view: view, choice: c, day: w.today(ctx)}
	if c.Days != nil && !c.Days.First.IsZero() {
		f.day = c.Days.First
	}
	body := listPage(p, f, l)
	if view == "photo" {
		body = photoPage(p, f, l)
	}
	answer := w.listed(ctx, p, body, found.Version, l)
	answer.changes(w.moves(ctx, c))
	if c.facets != nil {
		answer.changes(c.facets.Ends)
	}
	return answer, nil
}

// chosen reads one page of the selected events and groups it by month.
func (w *Pages) chosen(ctx context.Context, a asked, c *choice) (*agenda, *calendar.Page[calendar.Event], error) {
	number, err := pageNumber(a)
	if err != nil {
		return nil, nil, err
	}
	c.Page = args.Some(number)
	page, q, err := w.calendar.Events().Choose(ctx, &c.Choice)
	if err != nil {
		return nil, nil, err
	}
	c.found = page.Total
	l := &agenda{page: number, pages: (page.Total + q.PerPage - 1) / q.PerPage, total: page.Total, search: c.Search.Or(""), choice: c}
	l.link()
	from := w.today(ctx)
	if c.Days != nil && c.Days.First.After(from) {
		from = c.Days.First
	}
	l.fill(ui.DatesIn(ctx), page.Items, from)
	return l, &page, nil
}
