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
	"github.com/kalends/kalends/web/public/discovery"
	"github.com/kalends/kalends/web/public/forms"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/lists"
)

// Pages implements the public pages.
type Pages struct {
	calendar  *services.Calendar
	layout    *layout.Pages
	lists     *lists.Pages
	forms     *forms.Pages
	discovery *discovery.Pages
	letters   *newsletters.Service // nil: none are sent
	numbers   *numbers.Service     // nil: nothing is counted
	artist    Artist               // nil: there are no cards
	cards     bounded.Cache[string, []byte]
}

// New returns the public pages of a calendar. document returns the OpenAPI document of the API in the language of the context.
// If it is nil, there is no API reference.
func New(c *services.Calendar, s *submissions.Service, l *newsletters.Service, n *numbers.Service, artist Artist,
	document func(context.Context) []byte) *Pages {
	shared := layout.New(c)
	return &Pages{
		calendar:  c,
		layout:    shared,
		lists:     lists.New(c, shared),
		forms:     forms.New(c, shared, s, l),
		discovery: discovery.New(c, shared, document),
		letters:   l,
		numbers:   n,
		artist:    artist,
		cards:     keptCards(),
	}
}

// Mount adds the public pages to an app.
func (w *Pages) Mount(app fiber.Router) {
	for _, route := range w.Routes() {
		app.Get(route.Path, w.publicly(route.Show))
	}
	for _, route := range w.Forms() {
		app.Post(route.Path, w.publicly(route.Show))
	}
	for _, route := range w.Routes() {
		app.All(route.Path, readOnly)
	}
}

// Forms returns the routes that accept a form: a password, a report, a submission or a subscription.
func (w *Pages) Forms() []layout.Route {
	return append(w.forms.Forms(), []layout.Route{
		layout.At("/event/:slug/mistake", w.forms.Report(w.ofEvent)),
		layout.At("/event/:slug/:day/mistake", w.forms.Report(w.ofEvent)),
		layout.At("/venue/:slug/mistake", w.forms.Report(w.ofVenue)),
		layout.At("/organizer/:slug/mistake", w.forms.Report(w.ofOrganizer)),
		layout.At("/event/:slug", w.unlock),
		layout.At("/event/:slug/:day", w.unlock),
		layout.At(clickPath, w.click),
	}...)
}

// Routes returns the routes of the public pages.
func (w *Pages) Routes() []layout.Route {
	list := make([]layout.Route, 0, 64)
	for _, from := range slices.Sorted(maps.Keys(elsewhere)) {
		list = append(list, layout.At(from, leads(elsewhere[from])))
	}
	return slices.Concat(list, w.lists.Routes(), w.forms.Routes(), w.discovery.Routes(), w.pages())
}

// pages returns the routes other than redirects.
func (w *Pages) pages() []layout.Route {
	return []layout.Route{
		layout.At("/", w.home),
		layout.At("/category/:slug.ics", lists.AsCalendar(w.categoryFeed)),
		layout.At("/tag/:slug.ics", lists.AsCalendar(w.tag)),
		layout.At("/event/:slug.ics", lists.AsCalendar(w.event)),
		layout.At("/venue/:slug.ics", lists.AsCalendar(w.venue)),
		layout.At("/organizer/:slug.ics", lists.AsCalendar(w.organizer)),
		layout.At("/events/category/*", w.category),
		layout.At("/events/tag/:slug", w.tag),
		layout.At("/events/:when", w.dated),
		layout.At("/events/:when/:month", w.dated),
		layout.At("/events/:when/:month/:day", w.dated),
		layout.At("/venues/:slug", leadsBelow("/venue/")),
		layout.At("/organizers/:slug", leadsBelow("/organizer/")),
		layout.At("/categories/:slug", leadsBelow("/events/category/")),
		layout.At("/category/:slug", leadsBelow("/events/category/")),
		layout.At("/tags/:slug", leadsBelow("/tag/")),
		layout.At("/tag/:slug", w.tag),
		layout.At("/event/:slug/event.ics", lists.AsCalendar(w.event)),
		layout.At("/event/:slug/poster", w.poster),
		layout.At("/event/:slug/:day/poster", w.poster),
		layout.At("/venue/:slug/card.jpg", w.venueCard),
		layout.At("/organizer/:slug/card.jpg", w.organizerCard),
		layout.At("/event/:slug/card.png", w.cardPicture),
		layout.At("/event/:slug/card.jpg", w.cardPicture),
		layout.At("/event/:slug/:day/card.png", w.cardPicture),
		layout.At("/event/:slug/:day/card.jpg", w.cardPicture),
		layout.At("/event/:slug/mistake", w.forms.AskReport(w.ofEvent)),
		layout.At("/event/:slug/:day/mistake", w.forms.AskReport(w.ofEvent)),
		layout.At("/venue/:slug/mistake", w.forms.AskReport(w.ofVenue)),
		layout.At("/organizer/:slug/mistake", w.forms.AskReport(w.ofOrganizer)),
		layout.At("/event/:slug", w.event),
		layout.At("/event/:slug/:day", w.event),
		layout.At("/venue/:slug", w.venue),
		layout.At("/organizer/:slug", w.organizer),
		layout.At("/preview/:token", w.preview),
		layout.At("/embed", embedded(w.lists.Upcoming)),
		layout.At("/embed/list", embedded(w.lists.Upcoming)),
		layout.At("/embed/month", embedded(w.lists.Month)),
		layout.At("/embed/month/:month", embedded(w.lists.Month)),
		layout.At("/embed/week", embedded(w.lists.Week)),
		layout.At("/embed/week/:day", embedded(w.lists.Week)),
		layout.At("/embed/event/:slug", embedded(w.card)),
		layout.At("/embed/event/:slug/:day", embedded(w.card)),
		layout.At("/embed.js", w.embedScript),
		layout.At("/oembed", w.oEmbed),
		layout.At("/language/:tag/*", w.choose),
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

// Fail responds to a failed request with an error page. It reads nothing, because that may be what failed.
func (w *Pages) Fail(c *fiber.Ctx, status int) error { return w.layout.Fail(c, status) }

// complete adds to a page what all pages have.
func (w *Pages) complete(ctx context.Context, a *layout.Shown) {
	if a.Page != nil {
		w.layout.InSeason(ctx, a)
	}
	if a.Page != nil && (a.Page.Choice == nil || a.Page.Choice.Narrow() && !a.Page.Choice.ForChildren) {
		young, _ := w.layout.ForChildren(ctx) // on an error, the page has no chip for children
		a.Page.ForChildren = len(young) > 0
	}
	if a.Page != nil {
		a.Page.Letters = w.letters.Open(ctx)
	}
	if a.Page != nil && a.Page.Feeds != nil {
		a.Page.Feeds.Letters, a.Page.Feeds.Ping = a.Page.Letters, w.clicked(ctx, a.Page.Feeds.Event, "calendar")
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
