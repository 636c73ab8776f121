package api

import (
	"context"
	"mime"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/feeds"
)

// feed answers with the events of a filter as a calendar file.
func (a *API) feed(ctx context.Context, _ call, in *calendar.FeedFilter) (*Answer, error) {
	doc, err := feeds.Calendar(ctx, a.calendar.Events(), in, feeds.About{Path: "/events/"})
	return &Answer{feed: doc}, err
}

// sendFeed sends a feed: what is short whole, and for those who keep answers; what is
// long piece by piece, as it is made.
func sendFeed(c *fiber.Ctx, a *Answer) error {
	held := c.Get(fiber.HeaderIfNoneMatch)
	if whole, ok := c.Locals(feeds.Held).(string); ok {
		held = whole
	}
	address := scopeOf(c.UserContext()).Base.Origin + c.OriginalURL()
	made, err := a.feed.Answer(c.UserContext(), address, func(tag string) bool { return Matches(held, tag) })
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, a.feed.Kind)
	c.Set(fiber.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": a.feed.Name}))
	c.Set(fiber.HeaderETag, made.ETag)
	switch {
	case made.Body != nil:
		a.Body, a.ETag, a.Until = made.Body, made.ETag, a.feed.Until
		c.Locals(Made, a)
		if Matches(held, made.ETag) {
			return c.SendStatus(fiber.StatusNotModified)
		}
		c.Response().SetBodyRaw(made.Body)
	case made.Stream == nil:
		return c.SendStatus(fiber.StatusNotModified)
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
