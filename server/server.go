// Package server puts the skins together into one Fiber app: the order of the
// middleware, the scope of each request, and the one place where errors become
// answers.
package server

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/trace"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/cache"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/jobs"
	"github.com/kalends/kalends/letters"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/metrics"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web"
)

// PlacesPerConnection is how many requests may work at once for each connection
// to Postgres: while some read, others write their answers or wait to read
// together (ADR 26).
const PlacesPerConnection = 8

// Config is what a server is made of.
type Config struct {
	Calendar *calendar.Calendar
	Platform *tenancy.Platform
	Pictures *media.Pictures
	Jobs     *jobs.Jobs
	Domain   string          // the platform's
	Answers  *cache.Answers  // nil: every answer is made anew
	Versions *cache.Versions // of the sites; nil without Answers
	Buckets  *cache.Buckets  // of requests a minute; nil for no limits
	Logger   *slog.Logger
	Post     letters.Post     // nil: no mail is sent
	Checks   []Check          // what requests are served with, for /readyz
	Metrics  *metrics.Metrics // nil: nothing is counted
	Tracer   trace.Tracer     // nil: nothing is traced
	Stopping <-chan struct{}  // closed when the node is about to stop
	Proxies  []string         // addresses whose forwarded headers count
	Timeout  time.Duration    // of one request; 0: 20 s
	Places   int              // requests that may work at once; 0: 16

	PerCredential int // requests a minute; 0: no limit
}

// maxRequest is the largest body taken in at all: a picture and its form.
const maxRequest = 21 << 20

// New returns the app; Listen on it serves.
func New(c Config) *fiber.App {
	if c.Timeout == 0 {
		c.Timeout = 20 * time.Second
	}
	if c.Places == 0 {
		c.Places = 16
	}
	submissions := letters.Submissions(c.Calendar, c.Platform, c.Post)
	calendarAPI := api.New(c.Calendar).Taking(submissions)
	s := &server{Config: c, proxies: readProxies(c.Proxies), gate: newGate(c.Places, runtime.GOMAXPROCS(0)),
		pages: web.New(web.Config{Calendar: c.Calendar, Platform: c.Platform, Post: c.Post, Logger: c.Logger,
			Submissions: submissions, Document: calendarAPI.Document})}
	c.Metrics.Gate(s.gate.state)
	app := fiber.New(fiber.Config{
		AppName:                      "kalends",
		Immutable:                    true,
		DisableStartupMessage:        true,
		DisablePreParseMultipartForm: true,
		BodyLimit:                    maxRequest, // of what whole takes in
		StreamRequestBody:            true,
		ReadBufferSize:               16 << 10,
		WriteBufferSize:              16 << 10, // an event, or a compressed list, leaves in one piece
		ReadTimeout:                  30 * time.Second,
		WriteTimeout:                 60 * time.Second,
		IdleTimeout:                  90 * time.Second,
		ErrorHandler:                 s.fail,
		EnableTrustedProxyCheck:      true, // and none named: proxies.go reads what they say
		RequestMethods:               methods,
	})
	app.Server().Handler = renamed(app.Server().Handler)
	app.Use(s.logged, s.recovered, s.whole, known, s.limited, readable, s.caughtUp, s.cached, s.addressed)
	before := routes(app)
	app.Get(healthPath, healthy)
	app.Get(readyPath, s.ready)
	app.Get(media.Path+":key/:file", s.blob)
	api.NewPlatform(c.Platform, c.Jobs, c.Domain, s.provides).Mount(app)
	calendarAPI.Mount(app)
	s.pages.Mount(app)
	s.patterns = patternsOf(app, before)
	app.Use(s.nowhere)
	return app
}

// server carries the configuration to the middleware.
type server struct {
	Config
	proxies  proxies
	gate     *gate
	pages    *web.Web
	patterns patterns
	bodies   bodies
}

// provides reports whether the provider's interface answers at a host.
func (s *server) provides(host string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), s.Timeout)
	defer cancel()
	return s.Platform.Resolver.Provides(ctx, host)
}
