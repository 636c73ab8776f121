package web

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/public/layout"
)

// mostPages is the limit for page numbers of the directory in URLs.
const mostPages = 100_000

// Home responds with the home page of the platform: the directory of sites, and the link to sign in.
func (w *Web) Home(c *fiber.Ctx) error {
	ctx := c.UserContext()
	d := &layout.Directory{Search: searched(c.Query("search")), Page: 1, SignIn: frame.LobbyRoot}
	if n, err := strconv.Atoi(c.Query("page")); err == nil && n > 1 && n < mostPages {
		d.Page = n
	}
	found, err := w.platform.Directory.List(ctx, d.Search, d.Page)
	if err != nil {
		return err
	}
	d.Sites, d.Total = found.Items, found.Total
	d.Pages = (found.Total + platform.DirectoryPage - 1) / platform.DirectoryPage
	if d.Page > max(d.Pages, 1) {
		return fiber.ErrNotFound
	}
	base := tenancy.Current(ctx).Base
	d.Address = func(site *tenancy.Site) string {
		return w.platform.Resolver.Sent(&tenancy.Scope{Site: site, Base: base})
	}
	return layout.ShowDirectory(c, d)
}

// searched cleans the text of a search: without control characters and invalid text, and at most 200 characters
// long.
func searched(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return frame.Cut(strings.TrimSpace(text), 200)
}
