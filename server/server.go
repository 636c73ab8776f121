// Package server assembles the interfaces into one Fiber app: the order of middleware, the scope of each request, and
// the single place where errors become responses.
package server

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/trace"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/doc"
	"github.com/kalends/kalends/api/mcp"
	platformapi "github.com/kalends/kalends/api/platform"
	"github.com/kalends/kalends/api/wordpress"
	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/internal/metrics"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web"
	"github.com/kalends/kalends/web/public"
)

// PlacesPerConnection is the number of concurrent requests per Postgres connection. While some read, others write
// their responses or wait to share a round trip (ADR 26).
const PlacesPerConnection = 8

// Config configures a server.
type Config struct {
	Calendar *services.Calendar
	Platform *platform.Platform

	Editing     *editing.Service     // for people who edit a site
	Submissions *submissions.Service // events that anyone may submit
	Changes     *changes.Service     // for followers
	Imports     *imports.Service     // of events from files and addresses
	Sources     *sources.Service     // nil: there are none
	Letters     *newsletters.Service // nil: none are sent to visitors
	Numbers     *numbers.Service     // nil: nothing is counted
	Attention   *attention.Service   // nil: nothing that waits is counted
	Webhooks    *webhooks.Service    // nil: there are none
	Repeats     tenancy.AnswerStore  // of requests that may come again; nil: none is kept

	Pictures *media.Pictures
	Jobs     *jobs.Jobs
	Domain   string          // of the platform
	Answers  *cache.Answers  // nil disables caching
	Versions *cache.Versions // of the sites; nil without Answers
	Buckets  *cache.Buckets  // request rate limits; nil disables them
	Logger   *slog.Logger
	Post     letters.Post     // nil: no email is sent
	Checks   []Check          // dependencies, for /readyz
	Metrics  *metrics.Metrics // nil disables metrics
	Hot      *Hot             // is told of each request; nil: no counting
	Tracer   trace.Tracer     // nil disables tracing
	Stopping <-chan struct{}  // closed when the node is about to stop
	Proxies  []string         // addresses whose forwarded headers are trusted
	Timeout  time.Duration    // per request; 0 means 20 s
	Places   int              // concurrent requests; 0 means 16

	PerCredential int // requests per minute; 0 means unlimited
}

// maxRequest is the maximum size of a request body: an image and its form.
const maxRequest = 21 << 20

// How long a response may take to be sent, and how long a connection may wait for the next request.
const (
	writeTimeout = 60 * time.Second
	idleTimeout  = 90 * time.Second
)

// New returns the app.
func New(c Config) *fiber.App {
	if c.Timeout == 0 {
		c.Timeout = 20 * time.Second
	}
	if c.Places == 0 {
		c.Places = 16
	}
	calendarAPI := api.New(c.Calendar).Repeating(c.Repeats, c.Calendar.Now).Offering(api.Services{
		Submissions: c.Submissions,
		Changes:     c.Changes,
		Imports:     c.Imports,
		Sources:     c.Sources,
		Numbers:     c.Numbers,
		Webhooks:    c.Webhooks,
		Fields:      c.Platform.Sites,
		Manual:      doc.Calendar,
	})
	s := &server{Config: c, proxies: readProxies(c.Proxies), gate: newGate(c.Places, runtime.GOMAXPROCS(0)),
		pages: web.New(web.Config{
			Calendar:    c.Calendar,
			Editing:     c.Editing,
			Platform:    c.Platform,
			Jobs:        c.Jobs,
			Post:        c.Post,
			Logger:      c.Logger,
			Submissions: c.Submissions,
			Webhooks:    c.Webhooks,
			Imports:     c.Imports,
			Sources:     c.Sources,
			Letters:     c.Letters,
			Numbers:     c.Numbers,
			Attention:   c.Attention,
			Artist:      artist(c.Pictures),
			Document:    calendarAPI.Document,
		})}
	c.Metrics.Gate(s.gate.state)
	c.Metrics.Bodies(s.bodies.held, maxBodies)
	app := fiber.New(fiber.Config{
		AppName:                      "kalends",
		Immutable:                    true,
		DisableStartupMessage:        true,
		DisablePreParseMultipartForm: true,
		BodyLimit:                    maxRequest, // enforced by readBody
		StreamRequestBody:            true,
		ReadBufferSize:               16 << 10,
		WriteBufferSize:              16 << 10, // sends an event or a compressed list in one packet
		ReadTimeout:                  30 * time.Second,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		ErrorHandler:                 s.fail,
		EnableTrustedProxyCheck:      true, // trusts none; proxies.go parses the headers
		RequestMethods:               methods,
	})
	app.Server().Handler = renameUnknownMethod(app.Server().Handler)
	s.lot = newLot(s, app)
	app.Use(s.logged, s.recovered, s.readBody, rejectUnknownMethod, s.limited, readable, s.caughtUp, s.cached, s.setScope)
	before := routes(app)
	app.Get(healthPath, healthy)
	app.Get(readyPath, s.ready)
	app.Get(media.Path+":key/:file", s.blob)
	platformapi.New(c.Platform, c.Jobs, c.Domain, s.provides).Repeating(c.Repeats, c.Calendar.Now).Mount(app)
	calendarAPI.Mount(app)
	wordpress.New(calendarAPI, c.Calendar).Mount(app)
	mcp.Mount(app, calendarAPI.Routes(), c.Calendar, explain)
	s.pages.Mount(app)
	s.patterns = patternsOf(app, before)
	app.Use(s.nowhere)
	return app
}

// artist returns what draws cards, or nil without pictures.
func artist(p *media.Pictures) public.Artist {
	if p == nil {
		return nil
	}
	return p
}

// server makes the configuration available to the middleware.
type server struct {
	Config
	proxies  proxies
	gate     *gate
	lot      *lot
	pages    *web.Web
	patterns patterns
	bodies   bodies
}

// provides reports whether the provider's interface is served on a host.
func (s *server) provides(host string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), s.Timeout)
	defer cancel()
	return s.Platform.Resolver.Provides(ctx, host)
}
