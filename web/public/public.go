// Package public implements the public pages of a site.
package public

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Route is a public page.
type Route struct {
	Path string // without language
	show handler
}

// handler returns the response to a request.
type handler func(context.Context, asked) (*shown, error)

// Pages implements the public pages.
type Pages struct {
	calendar    *services.Calendar
	submissions *submissions.Service // nil: not accepted
	letters     *newsletters.Service // nil: none are sent
	numbers     *numbers.Service     // nil: nothing is counted
	artist      Artist               // nil: there are no cards
	cards       bounded.Cache[string, []byte]
	document    func(context.Context) []byte
}

// New returns the public pages of a calendar. document returns the OpenAPI document of the API in the language of the context.
// If it is nil, there is no API reference.
func New(c *services.Calendar, s *submissions.Service, l *newsletters.Service, n *numbers.Service, artist Artist,
	document func(context.Context) []byte) *Pages {
	return &Pages{calendar: c, submissions: s, letters: l, numbers: n, artist: artist, cards: drawn(), document: document}
}

// Mount adds the public pages to an app.
func (w *Pages) Mount(app fiber.Router) {
	for _, route := range w.Routes() {
		app.Get(route.Path, w.publicly(route.show))
	}
	for _, route := range w.Forms() {
		app.Post(route.Path, w.publicly(route.show))
	}
	for _, route := range w.Routes() {
		app.All(route.Path, readOnly)
	}
}

// Forms returns the routes that accept a form: a password, a report, a submission or a subscription.
func (w *Pages) Forms() []Route {
	return []Route{
		{"/event/:slug/mistake", w.report(w.ofEvent)},
		{"/event/:slug/:day/mistake", w.report(w.ofEvent)},
		{"/venue/:slug/mistake", w.report(w.ofVenue)},
		{"/organizer/:slug/mistake", w.report(w.ofOrganizer)},
		{"/event/:slug", w.unlock},
		{"/event/:slug/:day", w.unlock},
		{"/submit", w.submit},
		{"/submit/sent", w.changeSent},
		{"/events/by-mail", w.subscribeByMail},
		{"/events/by-mail/confirm", w.confirmByMail},
		{"/events/by-mail/leave", w.leaveByMail},
		{clickPath, w.click},
	}
}

// Routes returns the routes of the public pages.
func (w *Pages) Routes() []Route {
	list := make([]Route, 0, 64)
	for _, from := range slices.Sorted(maps.Keys(elsewhere)) {
		list = append(list, Route{from, leads(elsewhere[from])})
	}
	return append(list, w.pages()...)
}

// pages returns the routes other than redirects.
func (w *Pages) pages() []Route {
	return []Route{
		{"/", w.home},
		{"/events.ics", w.calendarFeed},
		{"/events.csv", w.table(false)},
		{"/events.xlsx", w.table(true)},
		{"/events.rss", w.news(feeds.Forms[0])},
		{"/events.atom", w.news(feeds.Forms[1])},
		{"/events.json", w.news(feeds.Forms[2])},
		{"/category/:slug.ics", asCalendar(w.categoryFeed)},
		{"/tag/:slug.ics", asCalendar(w.tag)},
		{"/event/:slug.ics", asCalendar(w.event)},
		{"/venue/:slug.ics", asCalendar(w.venue)},
		{"/organizer/:slug.ics", asCalendar(w.organizer)},
		{"/events", w.upcoming},
		{"/events/list", w.upcoming},
		{"/events/past", w.past},
		{"/events/month", w.month},
		{"/events/month/:month", w.month},
		{"/events/week", w.week},
		{"/events/week/:day", w.week},
		{"/events/day", w.day},
		{"/events/day/:day", w.day},
		{"/events/photo", w.photo},
		{"/events/map", w.showMap},
		{"/events/map/found", w.atPin},
		{"/events/found", w.found},
		{countPath, w.counted},
		{"/events/go", w.jump},
		{"/events/category/*", w.category},
		{"/events/tag/:slug", w.tag},
		{"/events/tonight", w.nearby(nears[0])},
		{"/events/tomorrow", w.nearby(nears[1])},
		{"/events/weekend", w.nearby(nears[2])},
		{"/events/free", w.nearby(nears[3])},
		{"/events/children", w.nearby(nears[4])},
		{"/events/on-show", w.onShow},
		{"/events/kept", w.kept},
		{"/events/kept.ics", w.keptCalendar},
		{"/events/programme", w.programme},
		{"/events/programme.txt", w.programmeText},
		{"/events/programme.docx", w.programmeDocument},
		{"/events/by-mail", w.askByMail},
		{"/events/by-mail/confirm", w.askConfirm},
		{"/events/by-mail/leave", w.askLeave},
		{"/events/:when", w.dated},
		{"/events/:when/:month", w.dated},
		{"/events/:when/:month/:day", w.dated},
		{"/venues/:slug", leadsBelow("/venue/")},
		{"/organizers/:slug", leadsBelow("/organizer/")},
		{"/categories/:slug", leadsBelow("/events/category/")},
		{"/category/:slug", leadsBelow("/events/category/")},
		{"/tags/:slug", leadsBelow("/tag/")},
		{"/tag/:slug", w.tag},
		{"/event/:slug/event.ics", asCalendar(w.event)},
		{"/event/:slug/poster", w.poster},
		{"/event/:slug/:day/poster", w.poster},
		{"/event/:slug/card.png", w.cardPicture},
		{"/event/:slug/card.jpg", w.cardPicture},
		{"/event/:slug/:day/card.png", w.cardPicture},
		{"/event/:slug/:day/card.jpg", w.cardPicture},
		{"/event/:slug/mistake", w.askReport(w.ofEvent)},
		{"/event/:slug/:day/mistake", w.askReport(w.ofEvent)},
		{"/venue/:slug/mistake", w.askReport(w.ofVenue)},
		{"/organizer/:slug/mistake", w.askReport(w.ofOrganizer)},
		{"/event/:slug", w.event},
		{"/event/:slug/:day", w.event},
		{"/venue/:slug", w.venue},
		{"/organizer/:slug", w.organizer},
		{"/venues", w.venues},
		{"/organizers", w.organizers},
		{"/categories", w.categories},
		{"/tags", w.tags},
		{"/preview/:token", w.preview},
		{"/submit", w.askSubmission},
		{"/submit/sent", w.sent},
		{"/api-reference", w.reference},
		{"/api-reference/:resource", w.reference},
		{"/embed", embedded(w.upcoming)},
		{"/embed/list", embedded(w.upcoming)},
		{"/embed/month", embedded(w.month)},
		{"/embed/month/:month", embedded(w.month)},
		{"/embed/week", embedded(w.week)},
		{"/embed/week/:day", embedded(w.week)},
		{"/embed/event/:slug", embedded(w.card)},
		{"/embed/event/:slug/:day", embedded(w.card)},
		{"/embed.js", w.embedScript},
		{"/oembed", w.oEmbed},
		{"/language/:tag/*", w.choose},
		{"/favicon.ico", w.favicon},
		{"/apple-touch-icon.png", w.icon("/apple-touch-icon.png")},
		{"/icon-192.png", w.icon("/icon-192.png")},
		{"/icon-512.png", w.icon("/icon-512.png")},
		{"/manifest.webmanifest", w.manifest},
		{"/robots.txt", w.robots},
		{"/llms.txt", w.llms},
		{recipesPath, w.recipes},
		{"/.well-known/api-catalog", w.apiCatalog},
		{"/sitemap.xml", w.sitemap},
	}
}

// Owns reports whether a path without language belongs to the public pages.
func Owns(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "", "events", "event", "venue", "organizer", "tag", "category", "preview", "venues", "organizers", "tags",
		"categories", "submit", "robots.txt", "llms.txt", "build.md", ".well-known", "favicon.ico", "apple-touch-icon.png",
		"icon-192.png", "icon-512.png", "manifest.webmanifest", "embed", "embed.js", "oembed", "api-reference", "language",
		"sitemap.xml", "events.ics", "events.rss", "events.atom", "events.json", "events.csv", "events.xlsx":
		return true
	}
	return elsewhere["/"+first] != "" && strings.Trim(path, "/") == first
}

// asked is a parsed request for a page.
type asked struct {
	path     string // decoded, without language
	param    func(name string) string
	query    func(name string) string
	all      string     // the query as sent
	address  string     // complete, as sent
	calendar bool       // an iCalendar file is requested instead of a page
	embedded bool       // the page is embedded in another site
	front    bool       // the request is for the front page of the site
	given    url.Values // filter values given by the path of the address
	password string     // from the form of a protected event
	agent    string     // the visitor's User-Agent
	form     url.Values
	files    map[string][]*args.File
	foreign  bool // the form was sent by a page of another origin
}

// shown is the response to a request: a page, a file or a redirect.
type shown struct {
	page     *page           // the frame of body
	body     templ.Component // nil for a file or redirect
	file     []byte
	feed     *feeds.Document
	kind     string // media type of file
	name     string // name to save the file as, or ""
	redirect string // path including language
	passing  bool   // the redirect is temporary
	remember string // the chosen language, or ""
	status   int    // 0 means 200
	version  int64
	until    time.Time  // when time alone changes it; zero: never
	counted  numbers.Of // what a visit to the page counts for
	secret   bool       // only for this visitor
	unseen   bool       // the address must not leak to search engines or linked sites
	open     bool       // scripts of other sites may read it
	lasting  bool       // the address changes with what it shows
}

// Made is the key of the fiber local with the Answer, for the cache.
const Made = "page"

// Answer is the metadata of a page that anyone may see.
type Answer struct {
	ETag    string
	Until   time.Time  // when time alone changes it; zero: never
	Counted numbers.Of // what a visit to the page counts for
}

// publicly converts a handler to a Fiber handler.
func (w *Pages) publicly(show handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if !aPage(c) {
			return c.Next()
		}
		request, err := readAsked(c)
		if err != nil {
			return err
		}
		ctx := c.UserContext()
		if request.feed() {
			if ctx, err = feeds.Dated(ctx, w.calendar.Events()); err != nil {
				return err
			}
		}
		a, err := show(ctx, request)
		if err != nil {
			return told(err)
		}
		w.complete(ctx, a)
		switch {
		case a.remember != "":
			return remember(c, a)
		case a.redirect != "" && a.passing:
			return c.Redirect(a.redirect, fiber.StatusFound)
		case a.redirect != "":
			return c.Redirect(a.redirect, fiber.StatusMovedPermanently)
		}
		return sendShown(c, a)
	}
}

// complete adds to a page what all pages have.
func (w *Pages) complete(ctx context.Context, a *shown) {
	if a.page != nil {
		w.inSeason(ctx, a)
	}
	if a.page != nil && a.page.choice == nil {
		young, _ := w.forChildren(ctx) // on an error, a chip is left out
		a.page.children = len(young) > 0
	}
	if a.page != nil && a.page.feeds != nil {
		a.page.feeds.letters, a.page.feeds.ping = w.letters.Open(ctx), w.clicked(ctx, a.page.feeds.event, "calendar")
	}
}

// readOnly rejects methods that pages do not support.
func readOnly(c *fiber.Ctx) error {
	if !aPage(c) {
		return c.Next()
	}
	c.Set(fiber.HeaderAllow, "GET, HEAD")
	return fiber.ErrMethodNotAllowed
}

// aPage reports whether the middleware classified the request as one for a page. Others can match the same routes.
func aPage(c *fiber.Ctx) bool {
	_, err := tenancy.From(c.UserContext())
	return err == nil
}

// readAsked reads a request. It returns the errors of ui.ReadQuery and ui.ReadPosted, and ErrNotFound if the path is not
// readable text.
func readAsked(c *fiber.Ctx) (asked, error) {
	query, err := ui.ReadQuery(c)
	if err != nil {
		return asked{}, err
	}
	a := asked{
		path:    ui.Decoded(c.Path()),
		param:   func(name string) string { return ui.Decoded(c.Params(name)) },
		query:   query.Get,
		all:     string(c.Context().URI().QueryString()),
		address: tenancy.Current(c.UserContext()).Base.Origin + c.OriginalURL(),
	}
	if !args.Readable(a.path) {
		return asked{}, calendar.ErrNotFound
	}
	a.calendar = query.Get("ical") == "1"
	if c.Method() == fiber.MethodPost {
		form, err := ui.ReadPosted(c)
		if err != nil {
			return asked{}, err
		}
		a.agent = c.Get(fiber.HeaderUserAgent)
		a.password, a.form, a.files, a.foreign = form.Values.Get("password"), form.Values, form.Files, ui.Abroad(c)
	}
	return a, nil
}

// sendShown sends a response, or 304 if the client already has it.
func sendShown(c *fiber.Ctx, a *shown) error {
	if a.feed != nil {
		return sendFeed(c, a.feed, a.counted)
	}
	body, err := a.bytes(c.UserContext())
	if err != nil {
		return err
	}
	publicHeaders(c, a)
	if a.unseen {
		c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
		c.Set("X-Robots-Tag", "noindex, nofollow")
	}
	if a.status == 0 {
		a.status = fiber.StatusOK
	}
	if a.secret || a.status != fiber.StatusOK {
		c.Set(fiber.HeaderCacheControl, "private, no-store")
		return c.Status(a.status).Send(body)
	}
	tag := tagOf(a.version, body)
	c.Locals(Made, &Answer{ETag: tag, Until: a.until, Counted: a.counted})
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, "public, max-age=0, must-revalidate")
	if a.lasting {
		c.Set(fiber.HeaderCacheControl, cardAge)
	}
	if tagMatches(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	return c.Send(body)
}

func (a *shown) bytes(ctx context.Context) ([]byte, error) {
	if a.body == nil {
		return a.file, nil
	}
	a.page.finish(ctx)
	var b bytes.Buffer
	frame := layout
	if a.page.embedded {
		frame = embedLayout
	}
	err := frame(a.page, a.body).Render(ctx, &b)
	return b.Bytes(), err
}

// tagOf returns a strong ETag: the version and a digest of the bytes.
func tagOf(version int64, body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + strconv.FormatInt(version, 36) + "-" + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// tagMatches reports whether If-None-Match contains the tag (RFC 9110 §13.1.2).
func tagMatches(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == tag || one == "*" {
			return true
		}
	}
	return false
}

// publicPolicy allows a page its own style sheets, scripts and images, and requests to its own site.
const publicPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: https:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// embedPolicy is for pages that other sites may frame. They have neither forms nor scripts, so clickjacking can do
// nothing but open pages.
const embedPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; " +
	"form-action 'none'; base-uri 'self'"

// publicHeaders sets the headers of all responses of the public pages (rule 1.5).
func publicHeaders(c *fiber.Ctx, a *shown) {
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderReferrerPolicy, "strict-origin-when-cross-origin")
	if a.open {
		c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	}
	if a.body == nil {
		c.Set(fiber.HeaderContentType, a.kind)
		c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
		if a.name != "" {
			c.Set(fiber.HeaderContentDisposition,
				"attachment; filename=\"event"+path.Ext(a.name)+"\"; filename*=UTF-8''"+url.PathEscape(a.name))
		}
		return
	}
	c.Set(fiber.HeaderContentType, "text/html; charset=utf-8")
	if a.page.embedded {
		c.Set(fiber.HeaderContentSecurityPolicy, embedPolicy)
		c.Set("X-Robots-Tag", "noindex")
		return
	}
	c.Set(fiber.HeaderContentSecurityPolicy, publicPolicy)
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	if base := tenancy.Current(c.UserContext()).Base; base.Namespace != "" {
		c.Set("X-TEC-API-VERSION", "v1")
		c.Set("X-TEC-API-ROOT", base.API()+apiRoot(a.page))
		c.Set("X-TEC-API-ORIGIN", base.Origin)
		c.Append(fiber.HeaderLink, `<`+base.Pages()+`/wp-json/>; rel="https://api.w.org/"`)
	}
}
