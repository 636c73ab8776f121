// Package web is what people see in a browser: the public pages of a site and
// its administration. Both ask the services of calendar, as the API does; no
// rule stands here, and no text but in the catalogues.
package web

import (
	"log/slog"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Config is what the pages are made of.
type Config struct {
	Calendar *calendar.Calendar
	Platform *tenancy.Platform
	Post     Post // nil: no mail is sent
	Logger   *slog.Logger
}

// Web makes the pages.
type Web struct {
	public *public
	admin  *admin
}

// New returns the pages over a calendar.
func New(c Config) *Web {
	return &Web{public: &public{calendar: c.Calendar}, admin: newAdmin(c)}
}

// Mount adds the pages to an app whose middleware sets the scope and takes the
// language off the address (Public).
func (w *Web) Mount(app fiber.Router) {
	app.Get("/static/:file", static)
	w.public.mount(app)
	w.admin.mount(app)
}
