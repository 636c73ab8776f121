// Package letters has the page on which administrators see how many people get letters from the site, and the next
// letter.
package letters

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// Pages are the pages about letters.
type Pages struct{ letters *newsletters.Service }

// New returns the pages.
func New(s *newsletters.Service) *Pages { return &Pages{s} }

// Routes are the routes of these pages, for the administration to add to its own.
func (w *Pages) Routes() []frame.Route {
	return []frame.Route{
		frame.GetPage("/letters", tenancy.ManageSite, w.show),
		frame.GetPage("/letters/preview", tenancy.ManageSite, w.preview),
	}
}

// overview is the page.
type overview struct {
	*newsletters.Numbers

	state string        // why no letters are sent; "": they are
	may   *int64        // letters a month
	next  *mail.Message // the next letter; nil: it would have no events
}

// show shows how many people get letters, but not who they are.
func (w *Pages) show(v *frame.Visit) (*frame.Reply, error) {
	if w.letters == nil {
		return nil, calendar.ErrNotFound
	}
	numbers, err := w.letters.Numbers(v.Ctx)
	if err != nil {
		return nil, err
	}
	site := v.Scope().Site
	o := &overview{Numbers: numbers, may: site.Plan.Letters}
	o.state = w.state(v.Ctx, o)
	if o.next, err = w.letters.Preview(v.Ctx); err != nil {
		return nil, err
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav.letters"), Section: "letters", Body: page(o), Frames: true}, nil
}

// previewPath is the address of the next letter as HTML, for a frame in the page.
const previewPath = frame.AdminRoot + "/letters/preview"

// sandbox and previewPolicy allow the letter only to be shown and to open its links in new windows.
const (
	sandbox       = "allow-popups allow-popups-to-escape-sandbox"
	previewPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: https:; form-action 'none'; base-uri 'none'; " +
		"frame-ancestors 'self'; sandbox " + sandbox
)

// preview sends the next letter as HTML, as readers get it.
func (w *Pages) preview(v *frame.Visit) (*frame.Reply, error) {
	if w.letters == nil {
		return nil, calendar.ErrNotFound
	}
	next, err := w.letters.Preview(v.Ctx)
	if err == nil && next == nil {
		err = calendar.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	html := strings.Replace(next.HTML, "<head>", `<head><base target="_blank"/>`, 1)
	return &frame.Reply{Write: func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentSecurityPolicy, previewPolicy)
		c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
		return c.SendString(html)
	}}, nil
}

// state says why the site sends no letters. It returns "" if it sends them.
func (w *Pages) state(ctx context.Context, o *overview) string {
	site := tenancy.Current(ctx).Site
	switch {
	case !w.letters.Writes():
		return frame.Tell(ctx, "letters.unsent")
	case newsletters.Stopped(site):
		return frame.Tell(ctx, "letters.stopped")
	case site.Settings.Mailing != tenancy.MailingOn:
		return frame.Tell(ctx, "settings.mailing."+string(site.Settings.Mailing))
	case o.may != nil && int64(o.Month) >= *o.may:
		return i18n.T(ctx, "error.limit_reached.letters", map[string]any{"Max": *o.may})
	}
	return ""
}

// coming says when letters go out, and to how many people.
func coming(ctx context.Context, c newsletters.Coming) string {
	return frame.NamedTime(ctx, c.At) + " · " + frame.Tell(ctx, "letters.confirmed") + ": " + frame.Number(ctx, c.To)
}

// month returns the number of letters sent this month, with the limit if there is one.
func (o *overview) month(ctx context.Context) string {
	if o.may == nil {
		return frame.Number(ctx, o.Month)
	}
	return frame.Number(ctx, o.Month) + " / " + frame.Number(ctx, int(*o.may))
}
