// Package web is what people see in a browser: the public pages of a site (public)
// and its administration, over what both share (ui). Both ask the services of
// calendar, as the API does; no rule stands here, and no text but in the catalogues.
package web

import (
	"context"
	"log/slog"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public"
	"github.com/kalends/kalends/web/ui"
)

// Config is what the pages are made of.
type Config struct {
	Calendar *calendar.Calendar
	Platform *tenancy.Platform
	Post     Post                         // nil: no mail is sent
	Document func(context.Context) []byte // of the API, in the language of the context; nil: no page shows it
	Logger   *slog.Logger
}

// Web makes the pages.
type Web struct {
	public *public.Pages
	admin  *admin
}

// New returns the pages over a calendar.
func New(c Config) *Web {
	return &Web{public: public.New(c.Calendar, c.Document), admin: newAdmin(c)}
}

// Mount adds the pages to an app whose middleware sets the scope and takes the
// language off the address (public.Owns).
func (w *Web) Mount(app fiber.Router) {
	app.Get("/static/:file", ui.Static)
	w.public.Mount(app)
	w.admin.mount(app)
}
