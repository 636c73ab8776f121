package server

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/kalends/kalends/tenancy"
)

// standing is a waiting request, together with its response in case nothing happens. Followers of the same site
// with the same program and filter send the same request, and send it again as long as there is nothing new, so it
// is stored once for all of them.
type standing struct {
	request string // as it was received
	site    int64
	above   int64 // the version of the site for which the answer holds

	head, body string // of the answer, without its date and id; no head: the request has to be served again
	log        requestLog

	patience time.Duration // how long it waits; 0: if it is sent again, it must be served again
	host     string        // the name of the site
	limit    int           // of its plan, of requests a minute; 0: none
	geo      bool          // a feature of its plan
}

// standing returns the standing of a request whose response is complete.
func (l *lot) standing(c *fiber.Ctx, n *note) standing {
	h := &c.Request().Header
	s := standing{site: n.pause.site, above: n.pause.above,
		request: string(slices.Concat(h.Method(), []byte{' '}, h.RequestURI(), []byte{' '}, h.Protocol(), []byte("\r\n"), h.RawHeaders()))}
	r := c.Response()
	if _, says := seenVersion(c); says || !h.IsGet() || !h.IsHTTP11() || h.ConnectionClose() || n.span != nil || n.found == nil ||
		r.StatusCode() != fiber.StatusOK || r.IsBodyStream() || r.ConnectionClose() {
		return s
	}
	if isQuiet(c) { // otherwise the caller must prove again that they may ask
		s.patience, s.host, s.geo = time.Duration(c.QueryInt("wait"))*time.Second, strings.Clone(n.host), n.found.Plan.Geo
		if l.Buckets != nil {
			s.limit = n.found.Plan.RequestsPerMinute
			r.Header.Del(limitHeader)
		}
	}
	s.log = requestLog{method: fiber.MethodGet, path: pathForLog(c.Path()), route: n.route,
		site: n.slug(c.UserContext()), bytes: len(r.Body()),
		user: tenancy.Current(c.UserContext()).Principal.Login, status: fiber.StatusOK}
	if n.proxied { // otherwise the connection identifies the client
		s.log.client = n.client.String()
	}
	if id := c.Get(fiber.HeaderXRequestID); isPlainID(id) {
		s.log.id = strings.Clone(id)
	}
	r.Header.SetContentLength(len(r.Body()))
	s.head, s.body = undated(r.Header.Header()), string(r.Body())
	return s
}

// undated returns the head of a response without its date and its end.
func undated(head []byte) string {
	const date = "\r\nDate: "
	before, rest, found := bytes.Cut(head, []byte(date))
	if _, rest, more := bytes.Cut(rest, []byte("\r\n")); found && more {
		head = slices.Concat(before, []byte("\r\n"), rest)
	}
	return string(bytes.TrimSuffix(head, []byte("\r\n")))
}

// respond sends the prepared response to a request whose wait has ended, and reports whether it did. It neither queries
// nor waits: the response is valid as long as the site has the version at which the request began to wait.
func (l *lot) respond(p *parked) bool {
	begun, s := time.Now(), p.standing.Value()
	version, certain := l.Versions.Known(s.site)
	if s.head == "" || !certain || version != s.above || l.ends() {
		return false
	}
	id := s.log.id
	if id == "" {
		id = freshID()
	}
	answer := l.answer[:0]
	answer = append(append(answer, s.head...), "Date: "...)
	answer = fasthttp.AppendHTTPDate(answer, begun)
	answer = append(append(answer, "\r\n"+fiber.HeaderXRequestID+": "...), id...)
	if s.limit > 0 {
		left := l.Buckets.Look(bucketOf(s.site), s.limit)
		answer = append(append(answer, "\r\n"+limitHeader+": "...), leftOf("site", left)...)
	}
	answer = append(answer, "\r\n\r\n"...)
	answer = append(answer, s.body...)
	l.answer = answer
	rest, err := p.conn.writeNow(answer)
	if err != nil {
		_ = p.conn.Close() // the client has left
		return true
	}
	took := time.Since(begun)
	l.Metrics.Request(s.log.route, s.log.method, s.log.status, s.log.bytes, took)
	l.Hot.Add(s.log.site, took, s.log.status, false)
	if ctx := context.Background(); l.Logger.Enabled(ctx, slog.LevelDebug) {
		r := s.log
		if r.id, r.took = id, took; r.client == "" {
			r.client = peer(p.conn.RemoteAddr()).String()
		}
		l.Logger.LogAttrs(ctx, slog.LevelDebug, "request", r.attributes()...)
	}
	go l.next(p, bytes.Clone(rest))
	return true
}

// next sends the rest of a response and waits for the follower's next request. If that is the same request, it
// parks it again.
func (l *lot) next(p *parked, rest []byte) {
	if len(rest) > 0 {
		_ = p.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
		if _, err := p.conn.Write(rest); err != nil {
			_ = p.conn.Close()
			return
		}
		_ = p.conn.SetWriteDeadline(time.Time{})
	}
	heard := p.rest
	if len(heard) == 0 {
		buffer := hearing.Get().(*[]byte)
		defer hearing.Put(buffer)
		n, err := p.conn.next(*buffer)
		if err != nil {
			_ = p.conn.Close()
			return
		}
		heard = (*buffer)[:n]
	}
	if s := p.standing.Value(); string(heard) == s.request && l.waitsAgain(&s) {
		p.rest, p.until = nil, time.Since(l.begun)+s.patience
		l.add(p)
		return
	}
	_ = l.serve(p.conn.again(bytes.Clone(heard), nil))
}

// hearing holds buffers for requests that are received.
var hearing = sync.Pool{New: func() any { return new(make([]byte, 2<<10)) }}

// waitsAgain reports whether a request would get the same response and wait again if it were sent again. If so, it
// counts the request.
func (l *lot) waitsAgain(s *standing) bool {
	if s.patience == 0 || s.patience > longestPatience || l.ends() {
		return false
	}
	ctx := context.Background() // Resolve normally reads memory; a query has the resolver's own time limit
	site, err := l.Platform.Resolver.Resolve(ctx, s.host)
	if err != nil || site.ID != s.site || site.Plan.Geo != s.geo || l.Buckets != nil && site.Plan.RequestsPerMinute != s.limit {
		return false
	}
	if version, certain := l.Versions.Known(s.site); !certain || version != s.above {
		return false
	}
	if s.limit > 0 && !l.Buckets.Take(bucketOf(s.site), s.limit).OK {
		return false
	}
	return l.gate.pace(ctx, s.site) == nil
}
