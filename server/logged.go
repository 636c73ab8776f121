package server

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/kalends/kalends/tenancy"
)

// note is what becomes known of a request on its way and is wanted at its end.
type note struct {
	arrival
	found *tenancy.Site
	site  string // slug
	route string // pattern of an answer that was kept; the way took no route then
	kept  bool   // the answer was there before the request
	id    string // of the request, once somebody wanted it
	span  trace.Span

	version int64 // of the site, that nothing in the answer is later than; 0 unless somebody asked
}

// notes are used again, for every request has one.
var notes = sync.Pool{New: func() any { return new(note) }}

// noted is where a request carries its note.
const noted = "note"

// noteOf returns a request's note.
func noteOf(c *fiber.Ctx) *note {
	n, ok := c.Locals(noted).(*note)
	if !ok {
		return &note{} // not under way
	}
	return n
}

// logged counts each request, traces it where that is wanted, and writes one line
// about it: what was asked, by whom, and what became of it. No header and no
// query, for they may carry secrets. What was kept in the cache has its line at
// debug: writing it would cost as much as answering.
func (s *server) logged(c *fiber.Ctx) error {
	start := time.Now()
	n := notes.Get().(*note)
	*n = note{arrival: s.proxies.arrivalOf(c)}
	c.Locals(noted, n)
	defer func() {
		c.Locals(noted, nil)
		notes.Put(n)
	}()
	method, path, logs := c.Method(), "", s.Logger.Enabled(c.UserContext(), slog.LevelInfo)
	if logs {
		path = strings.Clone(c.Path())
	}
	if s.Tracer != nil {
		n.span = s.trace(c, n.proxied)
		defer n.span.End()
	}
	if err := c.Next(); err != nil {
		if failed := s.fail(c, err); failed != nil {
			return failed
		}
	}
	if n.scheme == "https" {
		c.Set(fiber.HeaderStrictTransportSecurity, onlyTLS)
	}
	select {
	case <-s.Stopping: // who asks again shall ask another node
		c.Context().SetConnectionClose()
	default:
	}
	if n.route == "" {
		n.route = s.patterns.of(c)
		shorten(c)
	}
	settle(c, start)
	c.Set(fiber.HeaderXRequestID, n.request(c))
	s.tellVersion(c, n)
	took, status, bytes := time.Since(start), c.Response().StatusCode(), sent(c)
	s.Metrics.Request(n.route, method, status, bytes, took)
	if n.span != nil {
		n.end(c, method, status)
	}
	level := slog.LevelInfo
	if n.kept && status < fiber.StatusBadRequest {
		level = slog.LevelDebug
	}
	if logs && s.Logger.Enabled(c.UserContext(), level) {
		s.line(c, n, level, method, path, status, bytes, took)
	}
	return nil
}

// onlyTLS has browsers come back to a host by TLS alone for a year. Names below it
// are not ours to speak for.
const onlyTLS = "max-age=31536000"

// line writes the line of a request.
func (s *server) line(c *fiber.Ctx, n *note, level slog.Level, method, path string, status, bytes int, took time.Duration) {
	ctx := c.UserContext()
	attributes := [...]slog.Attr{slog.String("id", n.request(c)), slog.String("method", method), slog.String("path", path),
		slog.String("route", n.route), slog.String("site", n.slug(ctx)), slog.String("user", tenancy.Current(ctx).Principal.Login),
		slog.Int("status", status), slog.Int("bytes", bytes), slog.Duration("duration", took), slog.String("trace", n.traced())}
	used := attributes[:]
	if n.span == nil {
		used = used[:len(used)-1]
	}
	s.Logger.LogAttrs(ctx, level, "request", used...)
}

// slug returns the slug of the request's site, or nothing.
func (n *note) slug(ctx context.Context) string {
	if n.site == "" {
		if site := tenancy.Current(ctx).Site; site != nil {
			return site.Slug
		}
	}
	return n.site
}

// traced returns the id of the request's trace, or nothing.
func (n *note) traced() string {
	if n.span == nil || !n.span.SpanContext().HasTraceID() {
		return ""
	}
	return n.span.SpanContext().TraceID().String()
}

// request returns the id of a request: the one it came with, if that can stand in
// a log, else one of its own.
func (n *note) request(c *fiber.Ctx) string {
	if n.id == "" {
		if n.id = c.Get(fiber.HeaderXRequestID); !sane(n.id) {
			n.id = rand.Text()[:16]
		}
	}
	return n.id
}

// sane reports whether an id that came from outside is short and plain.
func sane(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for _, r := range id {
		if (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '-' && r != '_' && r != '.' {
			return false
		}
	}
	return true
}

// sent returns the bytes of the answer's body; a stream isn't read for it.
func sent(c *fiber.Ctx) int {
	if c.Response().IsBodyStream() {
		return max(0, c.Response().Header.ContentLength())
	}
	return len(c.Response().Body())
}

// trace begins the span of a request. It belongs to the trace of who asks where
// that is a proxy whose headers count.
func (s *server) trace(c *fiber.Ctx, proxied bool) trace.Span {
	ctx := c.UserContext()
	if proxied {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": c.Get("traceparent"),
			"tracestate": c.Get("tracestate")})
	}
	ctx, span := s.Tracer.Start(ctx, c.Method(), trace.WithSpanKind(trace.SpanKindServer))
	c.SetUserContext(ctx)
	return span
}

// end says on the span what became of the request.
func (n *note) end(c *fiber.Ctx, method string, status int) {
	n.span.SetName(method + " " + n.route)
	n.span.SetAttributes(attribute.String("http.request.method", method), attribute.String("http.route", n.route),
		attribute.Int("http.response.status_code", status), attribute.String("kalends.site", n.slug(c.UserContext())))
	if status >= fiber.StatusInternalServerError {
		n.span.SetStatus(codes.Error, "")
	}
}
