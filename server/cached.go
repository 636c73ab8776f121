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
	"github.com/kalends/kalends/cache"
	"github.com/kalends/kalends/feeds"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public"
	"github.com/kalends/kalends/web/ui"
)

// longestKey is the longest address that is kept.
const longestKey = 2000

// cached answers anonymous reads with finished bytes. What it adds to sending
// them is the site of the host, its version and one look-up; everything else
// happens once for each version.
func (s *server) cached(c *fiber.Ctx) error {
	if s.Answers == nil || !keepable(c) {
		return c.Next()
	}
	site, version, err := s.current(c)
	if err != nil {
		return err
	}
	if site == nil || ui.ChosenLanguage(c) != "" && chosenFor(c, readAddress(c), site) != "" {
		return c.Next() // which finds out why, or leads to the page in that language
	}
	buffer := keyBuffers.Get().(*[]byte)
	defer keyBuffers.Put(buffer)
	*buffer = appendKey((*buffer)[:0], c, site)
	if len(*buffer) > longestKey {
		return c.Next()
	}
	key := cache.Key{Site: site.ID, Version: version, Rest: stringOf(*buffer)}
	n := noteOf(c)
	n.site = site.Slug
	if answer := s.Answers.Get(key); answer != nil {
		n.route, n.kept = answer.Route, true
		if err = s.gate.pace(c.UserContext(), site.ID); err != nil {
			return err
		}
		return s.write(c, key, answer)
	}
	if c.Method() == fiber.MethodHead {
		return c.Next()
	}
	key.Rest = strings.Clone(key.Rest)
	return s.load(c, key)
}

// load has the answer made, once for everybody who waits for it: of the site at
// the key's version or later, wherever that is read.
func (s *server) load(c *fiber.Ctx, key cache.Key) error {
	ctx, cancel := context.WithTimeout(c.UserContext(), s.Timeout)
	defer cancel()
	if !anew(c) {
		c.SetUserContext(tenancy.Above(c.UserContext(), key.Version))
	}
	noneMatch := c.Get(fiber.HeaderIfNoneMatch)
	c.Request().Header.Del(fiber.HeaderIfNoneMatch) // the whole answer is wanted
	c.Locals(feeds.Held, noneMatch)
	answer, err := s.Answers.Fetch(ctx, key, func() (*cache.Answer, error) {
		if err := c.Next(); err != nil {
			return nil, err
		}
		answer := s.capture(c)
		if answer != nil {
			answer.In(codings(c)) // what is kept is what was asked for
		}
		return answer, nil
	})
	if err != nil {
		return err
	}
	c.Request().Header.Set(fiber.HeaderIfNoneMatch, noneMatch)
	if answer == nil {
		if made, ok := c.Locals(api.Made).(*api.Answer); ok && api.Matches(noneMatch, made.ETag) {
			return c.SendStatus(fiber.StatusNotModified)
		}
		return nil
	}
	noteOf(c).route = answer.Route
	return s.write(c, key, answer)
}

// current returns the site of a request as it is at its version or later, and
// that version; no site when the host has none.
func (s *server) current(c *fiber.Ctx) (*tenancy.Site, int64, error) {
	site, err := s.siteOf(c)
	if err != nil {
		return nil, 0, nil //nolint:nilerr // whoever makes the answer finds out again and says it
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

// anew reports whether a request wants what the database has now.
func anew(c *fiber.Ctx) bool {
	control := c.Request().Header.Peek(fiber.HeaderCacheControl)
	return len(control) > 0 && bytes.Contains(bytes.ToLower(control), []byte("no-cache"))
}

// version returns the site's version, as the database has it now for who wants
// that.
func (s *server) version(c *fiber.Ctx, site int64) (int64, error) {
	if anew(c) {
		return s.Versions.Ask(c.UserContext(), site)
	}
	return s.Versions.Of(c.UserContext(), site)
}

// keyBuffers are for keys that are only looked up.
var keyBuffers = sync.Pool{New: func() any { return new([]byte) }}

// keepable reports whether a request reads the API or a public page as anybody
// may.
func keepable(c *fiber.Ctx) bool {
	h := &c.Request().Header
	return (h.IsGet() || h.IsHead()) && len(h.Peek(fiber.HeaderAuthorization)) == 0 &&
		(bytes.Contains(c.Request().URI().PathOriginal(), []byte("/events/v1")) || readAddress(c).page) &&
		len(c.Request().Body()) == 0
}

// appendKey appends what an answer depends on beside site and version: the
// address as it came, the language, and what the plan may switch off, for a plan
// changes without its sites.
func appendKey(b []byte, c *fiber.Ctx, site *tenancy.Site) []byte {
	n := noteOf(c)
	b = append(b, n.scheme...)
	b = append(b, ' ')
	b = append(b, n.host...)
	b = append(b, ' ')
	if accept := c.Request().Header.Peek(fiber.HeaderAcceptLanguage); len(accept) > 0 {
		chosen := len(site.Settings.Languages) > 0 && readAddress(c).page
		b = append(b, spoken(stringOf(accept), site, chosen)...)
	}
	if !site.Plan.Geo {
		b = append(b, '!')
	}
	b = append(b, ' ')
	b = append(b, c.Request().URI().PathOriginal()...)
	b = append(b, '?')
	return append(b, c.Request().URI().QueryString()...)
}

// own are the headers that belong to one sending, not to the answer.
var own = map[string]bool{fiber.HeaderContentLength: true, fiber.HeaderDate: true, fiber.HeaderServer: true,
	fiber.HeaderConnection: true, string(etagName): true}

// capture takes the answer that was just made, or nil when it isn't true for
// long enough to be kept.
func (s *server) capture(c *fiber.Ctx) *cache.Answer {
	answer := &cache.Answer{Route: s.patterns.of(c)}
	switch made := c.Locals(api.Made).(type) {
	case *api.Answer:
		answer.ETag, answer.Until = made.ETag, made.Until
	default:
		page, ok := c.Locals(public.Made).(*public.Answer)
		if !ok {
			return nil
		}
		answer.ETag, answer.Until = page.ETag, page.Until
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

// lasting returns the body that was just made: itself where it belongs to the answer and
// takes little more room than it needs, else a copy.
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

// write sends a finished answer in the form the client takes, or 304.
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

// unchanged reports whether a client that knows no tag has the answer already: feeds say
// when they changed.
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

// settle takes back when a feed changed where that is said too early.
func settle(c *fiber.Ctx, now time.Time) {
	told := c.Response().Header.Peek(fiber.HeaderLastModified)
	if len(told) > 0 && feeds.Early(string(told), now) {
		c.Response().Header.Del(fiber.HeaderLastModified)
	}
}

// shorten takes from a 304 that was just made what write leaves out of one.
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

// describes reports whether a header describes the body, which who gets a 304
// has already (RFC 9110 §15.4.5).
func describes(header string) bool {
	return strings.HasPrefix(header, "Content-") || strings.HasPrefix(header, "X-") || header == fiber.HeaderLink
}

// etagName is ETag as fasthttp spells it.
var etagName = []byte("Etag")

// codings returns the forms of a body that the client takes (RFC 9110 §12.5.3).
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

// bytesOf and stringOf spare the copy where the other side only reads, and for
// no longer than the call.
func bytesOf(s string) []byte {
	return unsafe.Slice(unsafe.StringData(s), len(s)) //nolint:gosec // nobody writes into what fasthttp is given to send
}

func stringOf(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b)) //nolint:gosec // look-ups compare and don't keep
}
