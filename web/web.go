// Package web combines the browser interface: the public pages of a site (public), the sign-in (signin), the
// administration behind it (admin) and the provider's console (console). Like the API, these call the services of
// calendar and tenancy; they contain no rules, and all texts are in the catalogs.
package web

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/admin"
	"github.com/kalends/kalends/web/admin/people"
	"github.com/kalends/kalends/web/console"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/public"
	"github.com/kalends/kalends/web/signin"
	"github.com/kalends/kalends/web/ui"
)

// Config configures the pages.
type Config struct {
	Calendar    *services.Calendar
	Editing     *editing.Service
	Submissions *submissions.Service
	Webhooks    *webhooks.Service    // nil: the installation has no webhooks
	Imports     *imports.Service     // nil: the installation has no imports
	Sources     *sources.Service     // nil: the installation has no sources
	Letters     *newsletters.Service // nil: none are sent to visitors
	Numbers     *numbers.Service     // nil: nothing is counted
	Artist      public.Artist        // draws cards; nil: there are no cards
	Attention   *attention.Service   // nil: waiting items are not counted
	Platform    *platform.Platform
	Jobs        *jobs.Jobs
	Post        letters.Post                 // nil: no email is sent
	Document    func(context.Context) []byte // returns the document of the API in the language of the context; nil: no page shows it
	Logger      *slog.Logger
}

// Web is the browser interface.
type Web struct {
	public  *public.Pages
	signin  *signin.Pages
	console *console.Pages

	platform *platform.Platform
}

// New returns the pages of a calendar.
func New(c Config) *Web {
	l := signin.NewLetters(c.Platform, c.Post, c.Logger)
	s := signin.New(c.Platform, c.Calendar, c.Attention, l, c.Logger)
	ofPeople := people.New(c.Calendar, c.Platform, l, s)
	s.Guard(admin.New(c.Calendar, c.Editing, c.Submissions, c.Webhooks, c.Imports, c.Sources, c.Letters, c.Numbers, c.Platform,
		ofPeople).Routes())
	return &Web{
		public:   public.New(c.Calendar, c.Submissions, c.Letters, c.Numbers, c.Artist, c.Document),
		console:  console.New(c.Platform, c.Jobs, l, c.Logger),
		signin:   s,
		platform: c.Platform,
	}
}

// Mount adds the pages to an app whose middleware sets the scope and removes the language from the path
// (public.Owns).
func (w *Web) Mount(app fiber.Router) {
	app.Get("/static/:file", ui.Static)
	w.public.Mount(app)
	w.console.Mount(app)
	w.signin.Mount(app)
}

// Pages returns all addresses that Mount adds, for tests and checks that visit each.
func (w *Web) Pages() []ui.Page {
	list := []ui.Page{{Method: fiber.MethodGet, Path: "/static/:file"}}
	for _, r := range w.public.Forms() {
		list = append(list, ui.Page{Method: fiber.MethodPost, Path: r.Path})
	}
	for _, r := range w.public.Routes() {
		list = append(list, ui.Page{Method: fiber.MethodGet, Path: r.Path})
	}
	return slices.Concat(list, w.signin.Pages(), w.console.Pages())
}

// Fail responds to a failed request for a page. A closed site has no administration to show the error.
func (w *Web) Fail(c *fiber.Ctx, err error, status int, language string) error {
	ctx := c.UserContext()
	if scope := *tenancy.Current(ctx); scope.Language == "" {
		scope.Language = language
		c.SetUserContext(tenancy.With(ctx, scope))
	}
	if frame.Admin(c.Path()) && !errors.Is(err, tenancy.ErrClosed) {
		return w.signin.Fail(c, err, status)
	}
	return w.public.Fail(c, status)
}
