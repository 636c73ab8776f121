package api

import (
	"context"
	"errors"
	"mime"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
)

// The media types of feeds and tables of events.
const (
	feedMedia  = "text/calendar"
	tableMedia = "text/csv"
)

// feed returns the events that match a filter as an iCalendar file.
func (a *API) feed(ctx context.Context, _ Call, in *calendar.FeedFilter) (*Answer, error) {
	ctx, err := feeds.Dated(ctx, a.calendar.Events())
	if err != nil {
		return nil, err
	}
	doc, err := feeds.Calendar(ctx, a.calendar.Events(), in, feeds.About{Path: "/events/"})
	return &Answer{feed: doc}, err
}

// table returns a handler that returns the events that match a filter as a table, as CSV or as a workbook.
func (a *API) table(workbook bool) func(context.Context, Call, *calendar.FeedFilter) (*Answer, error) {
	return func(ctx context.Context, _ Call, in *calendar.FeedFilter) (*Answer, error) {
		ctx, err := feeds.Dated(ctx, a.calendar.Events())
		if err != nil {
			return nil, err
		}
		doc, err := feeds.Table(ctx, a.calendar.Events(), in, workbook)
		return &Answer{feed: doc}, err
	}
}

// sendFeed sends a feed: a short feed as a whole, so that it can be cached, and a long feed piece by piece as it is
// generated.
func sendFeed(c *fiber.Ctx, a *Answer) error {
	held := c.Get(fiber.HeaderIfNoneMatch)
	whole, kept := c.Locals(feeds.Held).(string)
	if kept {
		held = whole
	}
	unchanged := feeds.Unchanged(held, c.Get(fiber.HeaderIfModifiedSince), a.feed.Changed)
	address := scopeOf(c.UserContext()).Base.Origin + c.OriginalURL()
	made, err := a.feed.Answer(c.UserContext(), address, func(tag string) bool { return Matches(held, tag) })
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, a.feed.Kind)
	c.Set(fiber.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": a.feed.Name}))
	c.Set(fiber.HeaderETag, made.ETag)
	if told := feeds.Told(a.feed.Changed); told != "" {
		c.Set(fiber.HeaderLastModified, told)
	}
	switch {
	case made.Body != nil:
		a.Body, a.ETag, a.Until = made.Body, made.ETag, a.feed.Until
		c.Locals(Made, a)
		if Matches(held, made.ETag) || unchanged && !kept {
			return c.SendStatus(fiber.StatusNotModified)
		}
		c.Response().SetBodyRaw(made.Body)
	case made.Stream == nil:
		return c.SendStatus(fiber.StatusNotModified)
	case unchanged:
		return errors.Join(made.Stream.Close(), c.SendStatus(fiber.StatusNotModified))
	case c.Method() == fiber.MethodHead:
		return made.Stream.Close()
	default:
		if c.Get(fiber.HeaderAcceptEncoding) != "" && c.AcceptsEncodings("gzip") == "gzip" {
			made.Stream.Compress()
			c.Set(fiber.HeaderContentEncoding, "gzip")
		}
		made.Stream.Deadline = c.Context().Conn().SetWriteDeadline
		c.Context().SetBodyStream(made.Stream, -1)
	}
	return nil
}
