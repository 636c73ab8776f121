package layout

import (
	"context"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Asked is a parsed request for a page.
type Asked struct {
	Path     string // decoded, without language
	Param    func(name string) string
	Query    func(name string) string
	All      string     // the query as sent
	Address  string     // complete, as sent
	Calendar bool       // an iCalendar file is requested instead of a page
	Embedded bool       // the page is embedded in another site
	Front    bool       // the request is for the front page of the site
	Given    url.Values // filter values given by the path of the address
	Password string     // from the form of a protected event
	Agent    string     // the visitor's User-Agent
	Form     url.Values
	Files    map[string][]*args.File
	Foreign  bool // the form was sent by a page of another origin
}

// Handler returns the response to a request.
type Handler func(context.Context, Asked) (*Shown, error)

// IsPage reports whether the middleware classified the request as one for a page. Others can match the same routes.
func IsPage(c *fiber.Ctx) bool {
	_, err := tenancy.From(c.UserContext())
	return err == nil
}

// Read reads a request. It returns the errors of ui.ReadQuery and ui.ReadPosted, and ErrNotFound if the path is not
// readable text.
func Read(c *fiber.Ctx) (Asked, error) {
	query, err := ui.ReadQuery(c)
	if err != nil {
		return Asked{}, err
	}
	a := Asked{
		Path:    ui.Decoded(c.Path()),
		Param:   func(name string) string { return ui.Decoded(c.Params(name)) },
		Query:   query.Get,
		All:     string(c.Context().URI().QueryString()),
		Address: tenancy.Current(c.UserContext()).Base.Origin + c.OriginalURL(),
	}
	if !args.Readable(a.Path) {
		return Asked{}, calendar.ErrNotFound
	}
	a.Calendar = query.Get("ical") == "1"
	if c.Method() == fiber.MethodPost {
		form, err := ui.ReadPosted(c)
		if err != nil {
			return Asked{}, err
		}
		a.Agent = c.Get(fiber.HeaderUserAgent)
		a.Password, a.Form, a.Files, a.Foreign = form.Values.Get("password"), form.Values, form.Files, ui.Abroad(c)
	}
	return a, nil
}

// Lead redirects to another page, or to its iCalendar file if that was requested.
func (a *Asked) Lead(ctx context.Context, to string) *Shown {
	if a.Calendar && !strings.HasSuffix(to, ".ics") && !strings.HasSuffix(to, ".rss") {
		if strings.Contains(to, "?") {
			to += "&ical=1"
		} else {
			to += "?ical=1"
		}
	}
	return &Shown{Redirect: ui.Href(ctx, to), Passing: true}
}

// At returns the path of a list, or of its embeddable form if that was requested.
func (a Asked) At(path string) string {
	if !a.Embedded {
		return path
	}
	return strings.Replace(path, "/events/", "/embed/", 1)
}

// Forward redirects permanently to another page, or to its iCalendar file if one was requested.
func (a *Asked) Forward(ctx context.Context, path string) *Shown {
	if a.Calendar {
		path += "?ical=1"
	}
	return &Shown{Redirect: ui.Href(ctx, path)}
}

// ByName redirects from a query that names an item to its page, or returns nil.
func (a *Asked) ByName(ctx context.Context) *Shown {
	for _, n := range byQuery {
		if slug := wording.SoughtSlug(a.Query(n.query)); slug != "" {
			return a.Forward(ctx, n.path+wording.EncodedSlug(slug)+"/")
		}
	}
	return nil
}

// byQuery are the queries that name an item by its slug on sites without pretty addresses, and the paths of the
// items' pages.
var byQuery = []struct{ query, path string }{
	{"tribe_events", "/event/"}, {"tribe_venue", "/venue/"}, {"tribe_organizer", "/organizer/"},
	{"tribe_events_cat", "/events/category/"}, {"tag", "/tag/"},
}

// Feed reports whether a request is for a feed.
func (a *Asked) Feed() bool {
	return a.Calendar || slices.Contains([]string{".ics", ".rss", ".atom", ".json", ".csv", ".xlsx"}, path.Ext(a.Path))
}

// Route is a public page.
type Route struct {
	Path string // without language
	Show Handler
}

// At returns the route of a page.
func At(path string, show Handler) Route { return Route{Path: path, Show: show} }
