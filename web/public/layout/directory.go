package layout

import (
	"bytes"
	"context"
	"net/url"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Directory is the home page of the platform: a list of the sites that chose to be listed. It belongs to no site,
// sets no cookies, and is the same for all visitors with the same language.
type Directory struct {
	Sites       []*tenancy.Site
	Total       int // number of found sites
	Search      string
	Page, Pages int
	SignIn      string                     // path of the page on which people choose one of their sites
	Address     func(*tenancy.Site) string // of the pages of a site
}

// directoryFresh is how long browsers and proxies may cache the page without revalidation, in seconds.
const directoryFresh = 60

// ShowDirectory responds with the home page of the platform in the language of the scope, or 304.
func ShowDirectory(c *fiber.Ctx, d *Directory) error {
	ctx := c.UserContext()
	p := &Page{Title: ui.Say(ctx, "directory.title"), Path: "/", Description: d.text(ctx), words: d.Search}
	if d.Page > 1 {
		p.Query = "?page=" + strconv.Itoa(d.Page)
	}
	if d.Search != "" {
		p.Robots = "noindex"
	}
	p.finish(ctx)
	var b bytes.Buffer
	body := directoryLayout(p, d)
	if err := body.Render(ctx, &b); err != nil {
		return err
	}
	publicHeaders(c, &Shown{Page: p, Body: body})
	tag := tagOf(0, b.Bytes())
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, "public, max-age="+strconv.Itoa(directoryFresh))
	if tagMatches(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	return c.Send(b.Bytes())
}

// text says which sites the page lists.
func (d *Directory) text(ctx context.Context) string {
	host := "\u2066" + tenancy.Current(ctx).Base.Host() + "\u2069" // an address runs from left to right
	return ui.SayWith(ctx, "directory.text", "Host", host)
}

// languages are the addresses of the page in all languages of the interface.
func (d *Directory) languages() []pageLanguage {
	var list []pageLanguage
	for _, tag := range i18n.Languages() {
		list = append(list, pageLanguage{tag, i18n.NativeName(tag), "/" + tag + d.at(d.Page)})
	}
	return list
}

// At returns the address of a page of the list, without language.
func (d *Directory) at(page int) string {
	q := url.Values{}
	if d.Search != "" {
		q.Set("search", d.Search)
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return "/"
	}
	return "/?" + q.Encode()
}

// Words returns the name and tagline of a site, in the language of the page if the site has them in that language.
func (d *Directory) words(ctx context.Context, site *tenancy.Site) tenancy.SiteWords {
	return site.WordsIn(tenancy.Current(ctx).Language)
}
