package lists

import (
	"context"
	"reflect"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// feedTable is the argument table of feeds.
var feedTable = args.TableOf(reflect.TypeFor[calendar.FeedFilter]())

// feedFilter parses the filter of a feed from the query: the arguments of the API, and those of pages. It also returns the
// time at which the filter changes, or the zero time if it does not.
func (w *Pages) feedFilter(ctx context.Context, a layout.Asked) (*calendar.FeedFilter, time.Time, error) {
	values := args.Values{}
	args.ReadForm(values, a.All)
	f := &calendar.FeedFilter{}
	if err := feedTable.Parse(values, args.Reading, f); err != nil {
		return nil, time.Time{}, err
	}
	c, err := w.layout.ReadChoice(ctx, a, "/events/")
	if err != nil {
		return nil, time.Time{}, err
	}
	c.Feed(f)
	if c.When != "" { // a period relative to today
		return f, w.moves(ctx, c), nil
	}
	return f, time.Time{}, nil
}

// until limits how long a document is valid, unless it ends earlier.
func until(doc *feeds.Document, end time.Time) *feeds.Document {
	if doc != nil && !end.IsZero() && (doc.Until.IsZero() || end.Before(doc.Until)) {
		doc.Until = end
	}
	return doc
}

// AsCalendar makes a page return an iCalendar file of its events.
func AsCalendar(show layout.Handler) layout.Handler {
	return func(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
		a.Calendar = true
		return show(ctx, a)
	}
}

// calendarFeed returns the events that match any filter as an iCalendar file.
func (w *Pages) calendarFeed(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	return w.CalendarOf(ctx, a, feeds.About{Path: "/events/"}, func(*calendar.FeedFilter) {})
}

// table returns the events that match any filter as a table, as CSV or as a workbook.
func (w *Pages) table(workbook bool) layout.Handler {
	return func(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
		f, end, err := w.feedFilter(ctx, a)
		if err != nil {
			return nil, err
		}
		doc, err := feeds.Table(ctx, w.calendar.Events(), f, workbook)
		return &layout.Shown{Feed: until(doc, end)}, err
	}
}

// CalendarOf returns the events of a page as an iCalendar file, limited by the filters in the query.
func (w *Pages) CalendarOf(ctx context.Context, a layout.Asked, about feeds.About, narrow func(*calendar.FeedFilter)) (
	*layout.Shown, error) {
	f, end, err := w.feedFilter(ctx, a)
	if err != nil {
		return nil, err
	}
	narrow(f)
	about.Said = w.inFeeds(ctx)
	doc, err := feeds.Calendar(ctx, w.calendar.Events(), f, about)
	return &layout.Shown{Feed: until(doc, end)}, err
}

// daysOf restricts a feed to the days of a page.
func daysOf(first, last time.Time) func(*calendar.FeedFilter) {
	return func(f *calendar.FeedFilter) { f.Start, f.End = args.DayArg(first), args.DayArg(last) }
}

// news returns the most recently published events that match a filter.
func (w *Pages) news(form feeds.Form) layout.Handler {
	return func(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
		f, end, err := w.feedFilter(ctx, a)
		if err != nil {
			return nil, err
		}
		doc, err := feeds.News(ctx, w.calendar.Events(), form, f, feeds.About{Path: "/events/", Said: w.inFeeds(ctx)}, a.Address)
		return &layout.Shown{Feed: until(doc, end)}, err
	}
}

// inFeeds returns the functions with which feeds format texts like pages.
func (w *Pages) inFeeds(ctx context.Context) feeds.Said {
	d := ui.DatesIn(ctx)
	return feeds.Said{
		Title:    func(e *calendar.Event) string { return newsTitle(ctx, e, w.calendar.Now()) },
		When:     func(e *calendar.Event) string { return d.Event(e, 0) },
		Hours:    d.HoursOf,
		Deadline: func(wall time.Time) string { return Deadline(d, wall) },
	}
}

// newsTitle is the title of an event in a newsreader, which may show nothing else: the time, the title and the place.
func newsTitle(ctx context.Context, e *calendar.Event, now time.Time) string {
	place := ""
	if len(e.Venues) > 0 && !e.Masked {
		place = ui.PlaceLine(ctx, &e.Venues[0])
	}
	return ui.Joined(Shortly(ctx, e, now), Headline(ctx, e), place)
}

// EventCalendar returns one event as an iCalendar file.
func (w *Pages) EventCalendar(ctx context.Context, e *calendar.Event) (*layout.Shown, error) {
	doc, err := feeds.Event(ctx, w.calendar.Events(), e, w.inFeeds(ctx))
	return &layout.Shown{Feed: doc, Counted: numbers.Of{Event: numbers.About(e), Kind: numbers.Calendars}}, err
}

// Deadline formats a deadline, which may be the end of a day.
func Deadline(d ui.Dates, wall time.Time) string {
	if calendar.WholeDay(wall) {
		return d.Day(wall)
	}
	return d.At(d.Day(wall), d.Time(wall))
}

// Headline returns the title of an event for places that show nothing else about it. It mentions if the event does
// not take place.
func Headline(ctx context.Context, e *calendar.Event) string { return ui.Titled(ctx, e, e.Title) }

// Shortly returns when a single event begins, with the weekday.
func Shortly(ctx context.Context, e *calendar.Event, now time.Time) string {
	d := ui.DatesIn(ctx)
	if e.AllDay || e.End.Sub(e.Start) >= 24*time.Hour {
		return ui.Capital(d.Span(e.Start, e.End, true, d.YearOf(ui.WallAt(now, ui.SiteOf(ctx).Location))))
	}
	return ui.Capital(d.At(d.Day(e.Start), d.Time(e.Start)))
}
