package lists

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// nearby returns the handler of the page of a popular filter.
func (w *Pages) nearby(one layout.Near) layout.Handler {
	return func(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
		a.Given = url.Values{one.Parameter: {one.Value}}
		if a.Calendar {
			return a.Lead(ctx, "/events/?"+a.Given.Encode()), nil
		}
		return w.Upcoming(ctx, a)
	}
}

// asNear gives a page the address of a popular filter's own page if its choice is just this filter. Search engines
// may index that page.
func asNear(ctx context.Context, p *layout.Page, c *layout.Choice, l *Agenda) {
	name := c.NearOf()
	if name == "" {
		return
	}
	p.Path, p.Title, p.Robots = layout.NearPath(name), ui.Say(ctx, "near.title."+name), ""
	p.Description, p.Query = layout.Describe(ctx, ui.Say(ctx, "near.title."+name)), (&Agenda{}).Query(l.Page)
	if l.total == 0 && l.shelf.total() == 0 {
		p.Robots = "noindex"
	}
}

// shelf holds the events on show.
type shelf struct {
	events []*calendar.Event
	all    int
	rest   string    // path of all of them
	today  time.Time // the day on which they are shown
	soon   bool      // so few events stand above them that their pictures are on the first screen
}

// eager reports whether the picture of an event loads with priority: it is the largest part of the first screen, as on the last days of a
// month.
func (s *shelf) eager(e *calendar.Event) bool {
	first := slices.IndexFunc(s.events, pictured)
	return s.soon && first >= 0 && s.events[first] == e
}

// fewAbove is how many events stand above a shelf at most that begins on the first screen.
const fewAbove = 3

func (s *shelf) total() int {
	if s == nil {
		return 0
	}
	return s.all
}

// onShelf is the number of events on a shelf. The page onShow has all of them.
const onShelf = 8

// shelfOf returns the events on show of a choice, in the order in which they end.
func (w *Pages) shelfOf(ctx context.Context, c *layout.Choice, filter calendar.EventFilter) (
	*shelf, *calendar.Page[calendar.Event], error) {
	long := c.Choice
	long.EventFilter = filter
	long.Brief, long.Once = 0, true
	long.LongerThan, long.OrderBy = args.Some(layout.OnShowAfter), args.Some("end_date")
	long.Page, long.PerPage = args.Some(1), args.Some(onShelf)
	page, _, err := w.calendar.Events().Choose(ctx, &long)
	if err != nil {
		return nil, nil, err
	}
	return &shelf{events: page.Items, all: page.Total, rest: layout.OnShowPath + c.Query(1), today: w.layout.Today(ctx)}, &page, nil
}

// onShow shows all events on show.
func (w *Pages) onShow(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if a.Calendar {
		return a.Lead(ctx, "/events/?longer_than=3"), nil
	}
	p := &layout.Page{
		Title:       ui.Say(ctx, "onshow"),
		Path:        layout.OnShowPath,
		Rest:        "/events?longer_than=3",
		Section:     "list",
		Description: layout.Describe(ctx, ui.Say(ctx, "onshow")),
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
