package public

import (
	"context"
	"errors"
	"path"
	"reflect"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// feedTable is the argument table of feeds.
var feedTable = args.TableOf(reflect.TypeFor[calendar.FeedFilter]())

// feedFilter parses the filter of a feed from the query: the arguments of the API, and those of pages. It also returns the
// time at which the filter changes, or the zero time if it does not.
func (w *Pages) feedFilter(ctx context.Context, a asked) (*calendar.FeedFilter, time.Time, error) {
	values := args.Values{}
	args.ReadForm(values, a.all)
	f := &calendar.FeedFilter{}
	if err := feedTable.Parse(values, args.Reading, f); err != nil {
		return nil, time.Time{}, err
	}
	c, err := w.readChoice(ctx, a, "/events/")
	if err != nil {
		return nil, time.Time{}, err
	}
	c.Feed(f)
	if c.when != "" { // a period relative to today
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

// feed reports whether a request is for a feed.
func (a *asked) feed() bool {
	return a.calendar || slices.Contains([]string{".ics", ".rss", ".atom", ".json", ".csv", ".xlsx"}, path.Ext(a.path))
}

// asCalendar makes a page return an iCalendar file of its events.
func asCalendar(show handler) handler {
	return func(ctx context.Context, a asked) (*shown, error) {
		a.calendar = true
		return show(ctx, a)
	}
}

// calendarFeed returns the events that match any filter as an iCalendar file.
func (w *Pages) calendarFeed(ctx context.Context, a asked) (*shown, error) {
	return w.calendarOf(ctx, a, feeds.About{Path: "/events/"}, func(*calendar.FeedFilter) {})
}

// table returns the events that match any filter as a table, as CSV or as a workbook.
func (w *Pages) table(workbook bool) handler {
	return func(ctx context.Context, a asked) (*shown, error) {
		f, end, err := w.feedFilter(ctx, a)
		if err != nil {
			return nil, err
		}
		doc, err := feeds.Table(ctx, w.calendar.Events(), f, workbook)
		return &shown{feed: until(doc, end)}, err
	}
}

// calendarOf returns the events of a page as an iCalendar file, limited by the filters in the query.
func (w *Pages) calendarOf(ctx context.Context, a asked, about feeds.About, narrow func(*calendar.FeedFilter)) (*shown, error) {
	f, end, err := w.feedFilter(ctx, a)
	if err != nil {
		return nil, err
	}
	narrow(f)
	about.Said = w.inFeeds(ctx)
	doc, err := feeds.Calendar(ctx, w.calendar.Events(), f, about)
	return &shown{feed: until(doc, end)}, err
}

// daysOf restricts a feed to the days of a page.
func daysOf(first, last time.Time) func(*calendar.FeedFilter) {
	return func(f *calendar.FeedFilter) { f.Start, f.End = args.DayArg(first), args.DayArg(last) }
}

// news returns the most recently published events that match a filter.
func (w *Pages) news(form feeds.Form) handler {
	return func(ctx context.Context, a asked) (*shown, error) {
		f, end, err := w.feedFilter(ctx, a)
		if err != nil {
			return nil, err
		}
		doc, err := feeds.News(ctx, w.calendar.Events(), form, f, feeds.About{Path: "/events/", Said: w.inFeeds(ctx)}, a.address)
		return &shown{feed: until(doc, end)}, err
	}
}

// inFeeds returns the functions with which feeds format texts like pages.
func (w *Pages) inFeeds(ctx context.Context) feeds.Said {
	d := ui.DatesIn(ctx)
	return feeds.Said{
		Title:    func(e *calendar.Event) string { return newsTitle(ctx, e, w.calendar.Now()) },
		When:     func(e *calendar.Event) string { return d.Event(e, 0) },
		Hours:    d.HoursOf,
		Deadline: func(wall time.Time) string { return deadline(d, wall) },
	}
}

// newsTitle is the title of an event in a newsreader, which may show nothing else: the time, the title and the place.
func newsTitle(ctx context.Context, e *calendar.Event, now time.Time) string {
	place := ""
	if len(e.Venues) > 0 && !e.Masked {
		place = ui.PlaceLine(ctx, &e.Venues[0])
	}
	return ui.Joined(shortly(ctx, e, now), headline(ctx, e), place)
}

// eventCalendar returns one event as an iCalendar file.
func (w *Pages) eventCalendar(ctx context.Context, e *calendar.Event) (*shown, error) {
	doc, err := feeds.Event(ctx, w.calendar.Events(), e, w.inFeeds(ctx))
	return &shown{feed: doc, counted: numbers.Of{Event: numbers.About(e), Kind: numbers.Calendars}}, err
}

// sendFeed sends a feed. A short feed is sent whole, so that it can be cached. A long one is streamed as it is generated.
func sendFeed(c *fiber.Ctx, doc *feeds.Document, of numbers.Of) error {
	held := c.Get(fiber.HeaderIfNoneMatch)
	whole, kept := c.Locals(feeds.Held).(string)
	if kept {
		held = whole
	}
	unchanged := feeds.Unchanged(held, c.Get(fiber.HeaderIfModifiedSince), doc.Changed)
	address := tenancy.Current(c.UserContext()).Base.Origin + c.OriginalURL()
	made, err := doc.Answer(c.UserContext(), address, func(tag string) bool { return tagMatches(held, tag) })
	if err != nil {
		return err
	}
	publicHeaders(c, &shown{kind: doc.Kind, name: doc.Name})
	c.Set(fiber.HeaderCacheControl, "public, max-age=0, must-revalidate")
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	c.Set(fiber.HeaderETag, made.ETag)
	if told := feeds.Told(doc.Changed); told != "" {
		c.Set(fiber.HeaderLastModified, told)
	}
	switch {
	case made.Body != nil:
		c.Locals(Made, &Answer{ETag: made.ETag, Until: doc.Until, Counted: of})
		if tagMatches(held, made.ETag) || unchanged && !kept {
			return c.SendStatus(fiber.StatusNotModified)
		}
		return c.Send(made.Body)
	case made.Stream == nil:
		return c.SendStatus(fiber.StatusNotModified)
	case unchanged:
		return errors.Join(made.Stream.Close(), c.SendStatus(fiber.StatusNotModified))
	case c.Method() == fiber.MethodHead:
		return made.Stream.Close()
	}
	if c.Get(fiber.HeaderAcceptEncoding) != "" && c.AcceptsEncodings("gzip") == "gzip" {
		made.Stream.Compress()
		c.Set(fiber.HeaderContentEncoding, "gzip")
	}
	made.Stream.Deadline = c.Context().Conn().SetWriteDeadline
	c.Context().SetBodyStream(made.Stream, -1)
	return nil
}

func (s *subscription) news(ctx context.Context, suffix string) string {
	return tenancy.Current(ctx).Base.Pages() + "/events." + suffix + s.query
}
