package server

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// longestKey is the maximum length of an address to cache.
const longestKey = 2000

// cached serves anonymous reads from the cache. A hit costs only looking up the site of the host, its version and the
// answer; everything else is done once per version.
func (s *server) cached(c *fiber.Ctx) error {
	if s.Answers == nil || !keepable(c) {
		return s.uncached(c)
	}
	site, version, err := s.current(c)
	if err != nil {
		return err
	}
	if site == nil || ui.ChosenLanguage(c) != "" && chosenFor(c, readAddress(c), site) != "" {
		return c.Next() // reports the reason, or redirects to the page in that language
	}
	buffer := keyBuffers.Get().(*[]byte)
	defer keyBuffers.Put(buffer)
	*buffer = appendKey((*buffer)[:0], c, site)
	if len(*buffer) > longestKey {
		return s.uncached(c)
	}
	key := cache.Key{Site: site.ID, Version: version, Rest: stringOf(*buffer)}
	n := noteOf(c)
	n.site = site.Slug
	if answer := s.Answers.Get(key); answer != nil {
		n.route, n.kept = answer.Route, true
		if err = s.gate.pace(c.UserContext(), site.ID); err != nil {
			return err
		}
		s.count(c, site, answer.Counted)
		return s.write(c, key, answer)
	}
	if c.Method() == fiber.MethodHead {
		return c.Next()
	}
	key.Rest = strings.Clone(key.Rest)
	return s.load(c, key, site)
}

// load computes the answer once for all waiting requests, at the key's version of the site or later.
func (s *server) load(c *fiber.Ctx, key cache.Key, site *tenancy.Site) error {
	ctx, cancel := context.WithTimeout(c.UserContext(), s.Timeout)
	defer cancel()
	noneMatch := c.Get(fiber.HeaderIfNoneMatch)
	c.Request().Header.Del(fiber.HeaderIfNoneMatch) // the cache needs the complete answer
	c.Locals(feeds.Held, noneMatch)
	answer, err := s.Answers.Fetch(ctx, key, func() (*cache.Answer, error) {
		if err := c.Next(); err != nil {
			return nil, err
		}
		answer := s.capture(c)
		if answer != nil {
			answer.In(codings(c)) // cache the form that was requested
		}
		return answer, nil
	})
	if err != nil {
		return err
	}
	c.Request().Header.Set(fiber.HeaderIfNoneMatch, noneMatch)
	if page, ok := c.Locals(layout.Made).(*layout.Answer); ok && answer == nil {
		s.count(c, site, counted(page))
	}
	if answer == nil {
		if made, ok := c.Locals(api.Made).(*api.Answer); ok && api.Matches(noneMatch, made.ETag) {
			return c.SendStatus(fiber.StatusNotModified)
		}
		return nil
	}
	noteOf(c).route = answer.Route
	s.count(c, site, answer.Counted)
	return s.write(c, key, answer)
}

// current returns the site of a request and its version, consistent with each other. It returns no site if the host
// has none.
func (s *server) current(c *fiber.Ctx) (*tenancy.Site, int64, error) {
	site, err := s.siteOf(c)
	if err != nil {
		return nil, 0, nil //nolint:nilerr // the handler finds the error again and reports it
	}
	version, err := s.version(c, site.ID)
	switch {
	case errors.Is(err, cache.ErrNoSite):
		s.forget(c, site)
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	case version <= site.Version:
		return site, version, nil
	}
	fresh, err := s.siteAt(c, version)
	if err != nil || fresh.ID != site.ID {
		return nil, 0, nil //nolint:nilerr // as above
	}
	return fresh, version, nil
}

// anew reports whether a request bypasses cached versions.
func anew(c *fiber.Ctx) bool {
	control := c.Request().Header.Peek(fiber.HeaderCacheControl)
	return len(control) > 0 && bytes.Contains(bytes.ToLower(control), []byte("no-cache"))
}

// version returns the site's version, from the database if the request bypasses cached versions.
func (s *server) version(c *fiber.Ctx, site int64) (int64, error) {
	if anew(c) {
		return s.Versions.Ask(c.UserContext(), site)
	}
	return s.Versions.Of(c.UserContext(), site)
}

// keyBuffers are reused for keys that are only looked up.
var keyBuffers = sync.Pool{New: func() any { return new([]byte) }}

// keepable reports whether a request is an anonymous read of the API or a public page.
func keepable(c *fiber.Ctx) bool {
	h := &c.Request().Header
	return (h.IsGet() || h.IsHead()) && len(h.Peek(fiber.HeaderAuthorization)) == 0 &&
		(bytes.Contains(c.Request().URI().PathOriginal(), []byte("/events/v1")) || readAddress(c).page) &&
		len(c.Request().Body()) == 0 && !isPatient(c)
}

// appendKey appends what an answer depends on besides site and version: the address as sent, the language, and the
// features of the plan, which changes independently of its sites.
func appendKey(b []byte, c *fiber.Ctx, site *tenancy.Site) []byte {
	n := noteOf(c)
	b = append(b, n.scheme...)
	b = append(b, ' ')
	b = append(b, n.host...)
	b = append(b, ' ')
	if accept := c.Request().Header.Peek(fiber.HeaderAcceptLanguage); len(accept) > 0 {
		chosen := (len(site.Settings.Languages) > 0 || i18n.Beyond(site)) && readAddress(c).page
		b = append(b, responseLanguage(stringOf(accept), site, chosen)...)
	}
	if !site.Plan.Geo {
		b = append(b, '!')
	}
	b = append(b, ' ')
	b = append(b, c.Request().URI().PathOriginal()...)
	b = append(b, '?')
	return append(b, c.Request().URI().QueryString()...)
}

// own are the headers that belong to a single transmission rather than the answer.
var own = map[string]bool{fiber.HeaderContentLength: true, fiber.HeaderDate: true, fiber.HeaderServer: true,
	fiber.HeaderConnection: true, string(etagName): true}

// capture returns the answer just computed, or nil if it expires too soon to be cached.
func (s *server) capture(c *fiber.Ctx) *cache.Answer {
	answer := &cache.Answer{Route: s.patterns.of(c)}
	switch made := c.Locals(api.Made).(type) {
	case *api.Answer:
		answer.ETag, answer.Until = made.ETag, made.Until
	default:
		page, ok := c.Locals(layout.Made).(*layout.Answer)
		if !ok {
			return nil
		}
		answer.ETag, answer.Until, answer.Counted = page.ETag, page.Until, counted(page)
	}
	if s.Answers.Over(answer.Until) || c.Response().StatusCode() != fiber.StatusOK {
		return nil
	}
	answer.Body = lasting(c)
	answer.Headers = make([]cache.Header, 0, c.Response().Header.Len())
	for name, value := range c.Response().Header.All() {
		if !own[string(name)] && string(value) != api.ContentType {
			answer.Headers = append(answer.Headers, cache.NewHeader(stringOf(name), stringOf(value)))
		}
	}
	return answer
}

// lasting returns the body just computed. It avoids a copy if the answer owns the body and wastes little memory.
func lasting(c *fiber.Ctx) []byte {
	body := c.Response().Body()
	made, ok := c.Locals(api.Made).(*api.Answer)
	//nolint:gosec // compares addresses, reads nothing
	if ok && len(body) > 0 && unsafe.SliceData(body) == unsafe.SliceData(made.Body) &&
		cap(made.Body)-len(body) <= len(body)/8 {
		return body
	}
	return bytes.Clone(body)
}

// write sends a cached answer in the coding that the client accepts, or 304.
func (s *server) write(c *fiber.Ctx, key cache.Key, a *cache.Answer) error {
	response := c.Response()
	held := c.Request().Header.Peek(fiber.HeaderIfNoneMatch)
	same := len(held) > 0 && api.Matches(stringOf(held), a.ETag) || len(held) == 0 && unchanged(c, a)
	response.Header.Reset()
	if !same {
		response.Header.SetContentType(api.ContentType)
	}
	for _, h := range a.Headers {
		if !same || !describes(h.Name) {
			response.Header.SetCanonical(bytesOf(h.Name), bytesOf(h.Value))
		}
	}
	if same {
		response.Header.SetCanonical(etagName, bytesOf(a.Tag(a.Coding(codings(c)))))
		response.ResetBody()
		response.SetStatusCode(fiber.StatusNotModified)
		return nil
	}
	body, coding, made := a.In(codings(c))
	if made {
		s.Answers.Made(key, a)
	}
	if coding != "" {
		response.Header.SetContentEncoding(coding)
	}
	response.Header.SetCanonical(etagName, bytesOf(a.Tag(coding)))
	response.SetStatusCode(fiber.StatusOK)
	response.SetBodyRaw(body)
	return nil
}

// unchanged reports whether a client without ETag has the current answer, based on the Last-Modified of feeds.
func unchanged(c *fiber.Ctx, a *cache.Answer) bool {
	since := c.Request().Header.Peek(fiber.HeaderIfModifiedSince)
	if len(since) == 0 {
		return false
	}
	for _, h := range a.Headers {
		if h.Name == fiber.HeaderLastModified {
			return feeds.Since(string(since), h.Value)
		}
	}
	return false
}

// dropEarlyLastModified removes a Last-Modified that is too early to send.
func dropEarlyLastModified(c *fiber.Ctx, now time.Time) {
	told := c.Response().Header.Peek(fiber.HeaderLastModified)
	if len(told) > 0 && feeds.Early(string(told), now) {
		c.Response().Header.Del(fiber.HeaderLastModified)
	}
}

// shorten removes from a 304 just computed the headers that write omits.
func shorten(c *fiber.Ctx) {
	if c.Response().StatusCode() != fiber.StatusNotModified {
		return
	}
	var spare []string
	for name := range c.Response().Header.All() {
		if name := string(name); describes(name) {
			spare = append(spare, name)
		}
	}
	for _, name := range spare {
		c.Response().Header.Del(name)
	}
}

// describes reports whether a header describes the body, which a client that gets a 304 already has (RFC 9110
// §15.4.5).
func describes(header string) bool {
	return strings.HasPrefix(header, "Content-") || strings.HasPrefix(header, "X-") || header == fiber.HeaderLink
}

// etagName is ETag in the spelling of fasthttp.
var etagName = []byte("Etag")

// codings returns the content codings that the client accepts (RFC 9110 §12.5.3).
func codings(c *fiber.Ctx) (taken cache.Codings) {
	for part := range bytes.SplitSeq(c.Request().Header.Peek(fiber.HeaderAcceptEncoding), []byte(",")) {
		name, weight, _ := bytes.Cut(part, []byte(";"))
		_, q, _ := bytes.Cut(weight, []byte("="))
		wanted := len(q) == 0 || len(bytes.Trim(bytes.TrimSpace(q), "0.")) > 0
		switch name = bytes.TrimSpace(name); {
		case bytes.EqualFold(name, []byte("gzip")):
			taken.Gzip = wanted
		case bytes.EqualFold(name, []byte("br")):
			taken.Brotli = wanted
		}
	}
	return taken
}

// bytesOf and stringOf convert without copying. The result must only be read, and only during the call.
func bytesOf(s string) []byte {
	return unsafe.Slice(unsafe.StringData(s), len(s)) //nolint:gosec // nobody writes into what fasthttp is given to send
}

func stringOf(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b)) //nolint:gosec // look-ups compare and don't keep
}
