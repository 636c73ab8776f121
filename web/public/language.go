package public

import (
	"cmp"
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// choosePath is the prefix of addresses that choose a language. It is followed by the path of the page in that
// language.
const choosePath = "/language"

// Spoken reports whether a path is that of a page with languages, and not of a file or an embedded page.
func Spoken(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "embed", "oembed", "language", "rss", "feed", "atom", "ical":
		return false
	}
	return !strings.Contains(path, ".") && path != "/events/feed"
}

// choose redirects to a page in a language and remembers the choice.
func (w *Pages) choose(ctx context.Context, a asked) (*shown, error) {
	tag := cmp.Or(i18n.Canonical(a.param("tag")), tenancy.PathLanguage(a.param("tag")))
	site := tenancy.Current(ctx).Site
	if tag == "" || site == nil || !i18n.Offers(site, tag) {
		return nil, calendar.ErrNotFound
	}
	return &shown{remember: tag}, nil
}

// remember sets the language cookie and redirects. It sets no cookie if another site initiated the request.
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
