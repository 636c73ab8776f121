package server

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/trace"

	"github.com/kalends/kalends/tenancy"
)

// note collects what becomes known about a request for logging at its end.
type note struct {
	arrival
	found *tenancy.Site
	site  string // slug
	route string // pattern of a cached answer, for which no route was taken
	kept  bool   // the answer was cached
	full  bool   // it was refused because the site has as much as its plan allows
	id    string // of the request, generated on demand
	span  trace.Span

	tried string // login of a refused sign-in; "": none was refused, or it has no login
	how   string // how somebody tried to sign in: basic, bearer or form; "": nobody did

	version int64            // version of the site that the response is not newer than; NoVersion unless requested
	receipt *tenancy.Receipt // receipt of the request's writes; nil for a request that only reads

	resumed *parked // the parked request that this one was; nil if it has not waited
	pause   *pause  // why it waits; nil: it does not
}

// notes are reused, because every request has one.
var notes = sync.Pool{New: func() any { return new(note) }}

// noted is the key of the request local with the note.
const noted = "note"

// noteOf returns a request's note.
func noteOf(c *fiber.Ctx) *note {
	n, ok := c.Locals(noted).(*note)
	if !ok {
		return &note{version: tenancy.NoVersion} // request not started
	}
	return n
}

// logged counts and traces each request and writes one log line about it: what was requested, by whom, and the
// outcome. It logs neither headers nor the query, which may contain secrets. Cached responses are logged at level
// debug, because logging would cost as much as responding.
func (s *server) logged(c *fiber.Ctx) error {
	start := time.Now()
	n := notes.Get().(*note)
	*n = note{arrival: s.proxies.arrivalOf(c), version: tenancy.NoVersion, resumed: resumed(c)}
	if n.resumed != nil {
		defer n.resumed.done()
	}
	c.Locals(noted, n)
	defer func() {
		c.Locals(noted, nil)
		notes.Put(n)
	}()
	method, path, logs := c.Method(), "", s.Logger.Enabled(c.UserContext(), slog.LevelInfo)
	if logs {
		path = pathForLog(c.Path())
	}
	if s.Tracer != nil {
		n.span = s.trace(c, n.proxied)
		defer n.span.End()
	}
	if err := c.Next(); err != nil {
		n.pause = nil
		if failed := s.fail(c, err); failed != nil {
			return failed
		}
	}
	s.complete(c, n, start)
	if n.pause != nil {
		s.lot.park(c, n)
		return nil // the answer comes later, and counts then
	}
	c.Set(fiber.HeaderXRequestID, n.request(c))
	took, status, bytes := time.Since(start), c.Response().StatusCode(), sent(c)
	s.Metrics.Request(n.route, method, status, bytes, took)
	s.Hot.Add(n.slug(c.UserContext()), took, status, n.full)
	n.refused(c, method, status)
	if n.how != "" {
		s.Metrics.SignInRefused(n.how)
	}
	if n.span != nil {
		n.end(c, method, status)
	}
	level := slog.LevelInfo
	if (n.kept || n.route == healthPath || n.route == readyPath) && status < fiber.StatusBadRequest {
		level = slog.LevelDebug // numerous, and they tell nothing
	}
	if ctx := c.UserContext(); logs && s.Logger.Enabled(ctx, level) {
		s.Logger.LogAttrs(ctx, level, "request", requestLog{id: n.request(c), method: method, path: path, route: n.route, site: n.slug(ctx),
			client: n.client.String(), user: tenancy.Current(ctx).Principal.Login, status: status, bytes: bytes, took: took,
			how: n.how, tried: n.tried, trace: n.traced()}.attributes()...)
	}
	return nil
}

// complete finishes a response with what all responses have in common.
func (s *server) complete(c *fiber.Ctx, n *note, start time.Time) {
	if n.scheme == "https" {
		c.Set(fiber.HeaderStrictTransportSecurity, onlyTLS)
	}
	if s.lot.ends() { // makes the client reconnect to another node
		c.Context().SetConnectionClose()
	}
	if n.route == "" {
		n.route = s.patterns.of(c)
		shorten(c)
	}
	dropEarlyLastModified(c, start)
	s.tellVersion(c, n)
}

// previewPart is the part of a path after which the token of a preview follows, which opens an event for two weeks.
const previewPart = "/preview/"

// pathForLog returns a path for the log, without a token in it.
func pathForLog(path string) string {
	if at := strings.Index(path, previewPart); at >= 0 && len(path) > at+len(previewPart) {
		return path[:at+len(previewPart)] + "…"
	}
	return strings.Clone(path)
}

// onlyTLS makes browsers use only TLS for the host for a year. It does not include subdomains, which we do not
// control.
const onlyTLS = "max-age=31536000"

// requestLog is the log entry of a request.
type requestLog struct {
	id, method, path, route, site, client, user string
	status, bytes                               int
	took                                        time.Duration
	how, tried                                  string // of a sign-in that was refused
	trace                                       string
}

// attributes returns it as attributes of a line.
func (r requestLog) attributes() []slog.Attr {
	all := append(make([]slog.Attr, 0, 12), slog.String("id", r.id), slog.String("method", r.method), slog.String("path", r.path),
		slog.String("route", r.route), slog.String("site", r.site), slog.String("client", r.client), slog.String("user", r.user),
		slog.Int("status", r.status), slog.Int("bytes", r.bytes), slog.Duration("duration", r.took))
	if r.how != "" {
		all = append(all, slog.String("tried", r.tried))
	}
	if r.trace != "" {
		all = append(all, slog.String("trace", r.trace))
	}
	return all
}

// longestTried is the maximum length of a logged login.
const longestTried = 60

// refused notes a sign-in that failed, and with which login or address. What was typed may be a password in the wrong field, so it is
// logged only if it looks like a login.
func (n *note) refused(c *fiber.Ctx, method string, status int) {
	switch {
	case status == fiber.StatusUnauthorized && n.how != "": // by its header: see principal
	case method == fiber.MethodPost && status == fiber.StatusUnprocessableEntity && signInRoutes[n.route] != "":
		n.how, n.tried = "form", strings.Clone(c.FormValue(signInRoutes[n.route]))
	default:
		n.how, n.tried = "", ""
	}
	plain := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("@._-+ ", r)
	}
	if len(n.tried) > longestTried || strings.ContainsFunc(n.tried, plain) {
		n.tried = "…"
	}
}

// signInRoutes are the forms that sign in, with the field that has the login.
var signInRoutes = map[string]string{"/admin/login": "login", "/admin/sites": "email"}

// slug returns the slug of the request's site, or "".
func (n *note) slug(ctx context.Context) string {
	if n.site == "" {
		if site := tenancy.Current(ctx).Site; site != nil {
			return site.Slug
		}
	}
	return n.site
}

// request returns the id of a request: the id that was sent with it if that is safe to log, otherwise a new one.
func (n *note) request(c *fiber.Ctx) string {
	if n.id == "" {
		if n.id = c.Get(fiber.HeaderXRequestID); !isPlainID(n.id) {
			n.id = freshID()
		}
	}
	return n.id
}

// freshID returns the id of a request that has none.
func freshID() string { return rand.Text()[:16] }

// isPlainID reports whether an id from outside is short and plain.
func isPlainID(id string) bool {
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

// sent returns the size of the response body without reading a stream.
func sent(c *fiber.Ctx) int {
	if c.Response().IsBodyStream() {
		return max(0, c.Response().Header.ContentLength())
	}
	return len(c.Response().Body())
}
