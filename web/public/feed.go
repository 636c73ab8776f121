package public

import (
	"context"
	"errors"
	"path"
	"reflect"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/feeds"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// feedTable is the argument table of feeds.
var feedTable = args.TableOf(reflect.TypeFor[calendar.FeedFilter]())

// feedFilter parses the filter of a feed from the query.
func feedFilter(a asked) (*calendar.FeedFilter, error) {
	values := args.Values{}
	args.ReadForm(values, a.all)
	f := &calendar.FeedFilter{}
	return f, feedTable.Parse(values, args.Reading, f)
}

// feed reports whether a request is for a feed.
func (a *asked) feed() bool {
	return a.calendar || slices.Contains([]string{".ics", ".rss", ".atom", ".json"}, path.Ext(a.path))
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

// calendarOf returns the events of a page as an iCalendar file, narrowed by the filters of the query.
func (w *Pages) calendarOf(ctx context.Context, a asked, about feeds.About, narrow func(*calendar.FeedFilter)) (*shown, error) {
	f, err := feedFilter(a)
	if err != nil {
		return nil, err
	}
	narrow(f)
	doc, err := feeds.Calendar(ctx, w.calendar.Events(), f, about)
	return &shown{feed: doc}, err
}

// daysOf restricts a feed to the days of a page.
func daysOf(first, last time.Time) func(*calendar.FeedFilter) {
	return func(f *calendar.FeedFilter) { f.Start, f.End = args.DayArg(first), args.DayArg(last) }
}

// news returns the most recently published events that match a filter.
func (w *Pages) news(form feeds.Form) handler {
	return func(ctx context.Context, a asked) (*shown, error) {
		f, err := feedFilter(a)
		if err != nil {
			return nil, err
		}
		when := func(e *calendar.Event) string { return ui.DatesIn(ctx).Span(e.Start, e.End, e.AllDay, 0) }
		doc, err := feeds.News(ctx, w.calendar.Events(), form, f, feeds.About{Path: "/events/"}, a.address, when)
		return &shown{feed: doc}, err
	}
}

// eventCalendar returns one event as an iCalendar file.
func (w *Pages) eventCalendar(ctx context.Context, e *calendar.Event) (*shown, error) {
	doc, err := feeds.Event(ctx, w.calendar.Events(), e)
	return &shown{feed: doc}, err
}

// sendFeed sends a feed: a short one at once, so that it can be cached, and a long one piece by piece as it is
// generated.
func sendFeed(c *fiber.Ctx, doc *feeds.Document) error {
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
		c.Locals(Made, &Answer{ETag: made.ETag, Until: doc.Until})
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
