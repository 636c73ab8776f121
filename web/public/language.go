package public

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// choosePath is where the addresses begin by which a visitor chooses a language: behind it
// stands the address of the page in that language.
const choosePath = "/language"

// Spoken reports whether a path of the public pages is that of a page that people read in
// their language: not a file, nor a page within one of another site.
func Spoken(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "embed", "oembed", "language", "rss", "feed", "atom", "ical":
		return false
	}
	return !strings.Contains(path, ".") && path != "/events/feed"
}

// choose leads to a page in a language, and has that remembered.
func (w *Pages) choose(ctx context.Context, a asked) (*shown, error) {
	tag := i18n.Canonical(a.param("tag"))
	site := tenancy.Current(ctx).Site
	if tag == "" || site == nil || !site.Offers(tag) {
		return nil, calendar.ErrNotFound
	}
	return &shown{remember: tag}, nil
}

// remember answers who chose a language. A request that another site had the browser send is
// led there, too, but chooses nothing.
func remember(c *fiber.Ctx, a *shown) error {
	_, below, _ := strings.Cut(strings.TrimPrefix(string(c.Request().URI().PathOriginal()), "/"), choosePath[1:]+"/")
	_, below, _ = strings.Cut(below, "/")
	to := "/" + a.remember + "/" + below
	if query := c.Context().URI().QueryString(); len(query) > 0 {
		to += "?" + string(query)
	}
	if c.Get("Sec-Fetch-Site") != "cross-site" {
		ui.RememberLanguage(c, a.remember, tenancy.Current(c.UserContext()).Base.Secure())
	}
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	return c.Redirect(to, fiber.StatusSeeOther)
}
