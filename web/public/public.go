// Package public implements the public pages of a site.
package public

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/web/public/layout"
)

// Route is a public page.
type Route struct {
	Path string // without language
	show layout.Handler
}

// Pages implements the public pages.
type Pages struct {
	calendar    *services.Calendar
	layout      *layout.Pages
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
	return &Pages{calendar: c, layout: layout.New(c), submissions: s, letters: l, numbers: n, artist: artist, cards: drawn(), document: document}
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
		{layout.CountPath, w.counted},
		{"/events/go", w.jump},
		{"/events/category/*", w.category},
		{"/events/tag/:slug", w.tag},
		{"/events/tonight", w.nearby(layout.Nears[0])},
		{"/events/tomorrow", w.nearby(layout.Nears[1])},
		{"/events/weekend", w.nearby(layout.Nears[2])},
		{"/events/free", w.nearby(layout.Nears[3])},
		{"/events/children", w.nearby(layout.Nears[4])},
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

// publicly converts a handler to a Fiber handler.
func (w *Pages) publicly(show layout.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if !layout.IsPage(c) {
			return c.Next()
		}
		request, err := layout.Read(c)
		if err != nil {
			return err
		}
		ctx := c.UserContext()
		if request.Feed() {
			if ctx, err = feeds.Dated(ctx, w.calendar.Events()); err != nil {
				return err
			}
		}
		a, err := show(ctx, request)
		if err != nil {
			return layout.Told(err)
		}
		w.complete(ctx, a)
		switch {
		case a.Remember != "":
			return layout.Remember(c, a)
		case a.Redirect != "" && a.Passing:
			return c.Redirect(a.Redirect, fiber.StatusFound)
		case a.Redirect != "":
			return c.Redirect(a.Redirect, fiber.StatusMovedPermanently)
		}
		return layout.Send(c, a)
	}
}

// complete adds to a page what all pages have.
func (w *Pages) complete(ctx context.Context, a *layout.Shown) {
	if a.Page != nil {
		w.layout.InSeason(ctx, a)
	}
	if a.Page != nil && a.Page.Choice == nil {
		young, _ := w.layout.ForChildren(ctx) // on an error, a chip is left out
		a.Page.ForChildren = len(young) > 0
	}
	if a.Page != nil && a.Page.Feeds != nil {
		a.Page.Feeds.Letters, a.Page.Feeds.Ping = w.letters.Open(ctx), w.clicked(ctx, a.Page.Feeds.Event, "calendar")
	}
}

// readOnly rejects methods that pages do not support.
func readOnly(c *fiber.Ctx) error {
	if !layout.IsPage(c) {
		return c.Next()
	}
	c.Set(fiber.HeaderAllow, "GET, HEAD")
	return fiber.ErrMethodNotAllowed
}
