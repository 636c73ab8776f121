package layout

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Shown is the response to a request: a page, a file or a redirect.
type Shown struct {
	Page     *Page           // the frame of body
	Body     templ.Component // nil for a file or redirect
	File     []byte
	Feed     *feeds.Document
	Kind     string // media type of file
	Name     string // name to save the file as, or ""
	Redirect string // path including language
	Passing  bool   // the redirect is temporary
	Remember string // the chosen language, or ""
	Status   int    // 0 means 200
	Version  int64
	Until    time.Time  // when time alone changes it; zero: never
	Counted  numbers.Of // the counter that a visit to the page raises
	Secret   bool       // Only for this visitor
	Unseen   bool       // the address must not leak to search engines or linked sites, so the head does not name it
	Open     bool       // scripts of other sites may read it
	Lasting  bool       // the page gets a new address when its content changes
}

// Answer is the metadata of a page that anyone may see.
type Answer struct {
	ETag    string
	Until   time.Time  // when time alone changes it; zero: never
	Counted numbers.Of // the counter that a visit to the page raises
}

// Made is the key of the fiber local with the Answer, for the cache.
const Made = "page"

// unlisted tells search engines to list neither a page nor what it links to.
const unlisted = "noindex, nofollow"

// Bytes returns the content of the response: the page within its frame, or the file.
func (a *Shown) Bytes(ctx context.Context) ([]byte, error) {
	if a.Body == nil {
		return a.File, nil
	}
	if a.Unseen {
		a.Page.unseen, a.Page.Robots = true, unlisted
	}
	a.Page.finish(ctx)
	var b bytes.Buffer
	frame := layout
	if a.Page.Embedded {
		frame = embedLayout
	}
	err := frame(a.Page, a.Body).Render(ctx, &b)
	return b.Bytes(), err
}

// Send sends a response, or 304 if the client already has it.
func Send(c *fiber.Ctx, a *Shown) error {
	if a.Feed != nil {
		return sendFeed(c, a.Feed, a.Counted)
	}
	body, err := a.Bytes(c.UserContext())
	if err != nil {
		return err
	}
	publicHeaders(c, a)
	if a.Unseen {
		c.Set(fiber.HeaderReferrerPolicy, "same-origin") // not "no-referrer", with which the forms of the page would have the origin "null"
		c.Set("X-Robots-Tag", unlisted)
	}
	if a.Status == 0 {
		a.Status = fiber.StatusOK
	}
	if a.Secret || a.Status != fiber.StatusOK {
		c.Set(fiber.HeaderCacheControl, "private, no-store")
		return c.Status(a.Status).Send(body)
	}
	tag := tagOf(a.Version, body)
	c.Locals(Made, &Answer{ETag: tag, Until: a.Until, Counted: a.Counted})
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, "public, max-age=0, must-revalidate")
	if a.Lasting {
		c.Set(fiber.HeaderCacheControl, cardAge)
	}
	if tagMatches(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	return c.Send(body)
}

// tagOf returns a strong ETag: the version and a digest of the bytes.
func tagOf(version int64, body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + strconv.FormatInt(version, 36) + "-" + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// tagMatches reports whether If-None-Match contains the tag (RFC 9110 §13.1.2).
func tagMatches(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == tag || one == "*" {
			return true
		}
	}
	return false
}

// publicPolicy allows a page its own style sheets, scripts and images, and requests to its own site.
const publicPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: https:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// embedPolicy is for pages that other sites may frame. They have neither forms nor scripts, so clickjacking can do
// nothing but open pages.
const embedPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; " +
	"form-action 'none'; base-uri 'self'"

// publicHeaders sets the headers of all responses of the public pages (rule 1.5).
func publicHeaders(c *fiber.Ctx, a *Shown) {
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderReferrerPolicy, "strict-origin-when-cross-origin")
	if a.Open {
		c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	}
	if a.Body == nil {
		c.Set(fiber.HeaderContentType, a.Kind)
		c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
		if a.Name != "" {
			c.Set(fiber.HeaderContentDisposition,
				"attachment; filename=\"event"+path.Ext(a.Name)+"\"; filename*=UTF-8''"+url.PathEscape(a.Name))
		}
		return
	}
	c.Set(fiber.HeaderContentType, "text/html; charset=utf-8")
	if a.Page.Embedded {
		c.Set(fiber.HeaderContentSecurityPolicy, embedPolicy)
		c.Set("X-Robots-Tag", "noindex")
		return
	}
	c.Set(fiber.HeaderContentSecurityPolicy, publicPolicy)
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	if base := tenancy.Current(c.UserContext()).Base; base.Namespace != "" {
		c.Set("X-TEC-API-VERSION", "v1")
		c.Set("X-TEC-API-ROOT", base.API()+apiRoot(a.Page))
		c.Set("X-TEC-API-ORIGIN", base.Origin)
		c.Append(fiber.HeaderLink, `<`+base.Pages()+`/wp-json/>; rel="https://api.w.org/"`)
	}
}

// Changes records a time at which the page changes without a write.
func (a *Shown) Changes(at time.Time) {
	if !at.IsZero() && (a.Until.IsZero() || at.Before(a.Until)) {
		a.Until = at
	}
}

// sendFeed sends a feed. A short feed is sent whole, so that it can be cached. A long one is streamed as it is generated.
func sendFeed(c *fiber.Ctx, doc *feeds.Document, of numbers.Of) error {
	held := c.Get(fiber.HeaderIfNoneMatch)
	whole, kept := c.Locals(feeds.Held).(string)
	if kept {
		held = whole
	}
	unchanged := feeds.Unchanged(held, c.Get(fiber.HeaderIfModifiedSince), doc.Changed)
	address := tenancy.Current(c.UserContext()).Base.Origin + c.OriginalURL()
	made, err := doc.Answer(c.UserContext(), address, func(tag string) bool { return tagMatches(held, tag) })
	if err != nil {
		return err
	}
	publicHeaders(c, &Shown{Kind: doc.Kind, Name: doc.Name})
	c.Set(fiber.HeaderCacheControl, "public, max-age=0, must-revalidate")
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	c.Set(fiber.HeaderETag, made.ETag)
	if told := feeds.Told(doc.Changed); told != "" {
		c.Set(fiber.HeaderLastModified, told)
	}
	switch {
	case made.Body != nil:
		c.Locals(Made, &Answer{ETag: made.ETag, Until: doc.Until, Counted: of})
		if tagMatches(held, made.ETag) || unchanged && !kept {
			return c.SendStatus(fiber.StatusNotModified)
		}
		return c.Send(made.Body)
	case made.Stream == nil:
		return c.SendStatus(fiber.StatusNotModified)
	case unchanged:
		return errors.Join(made.Stream.Close(), c.SendStatus(fiber.StatusNotModified))
	case c.Method() == fiber.MethodHead:
		return made.Stream.Close()
	}
	if c.Get(fiber.HeaderAcceptEncoding) != "" && c.AcceptsEncodings("gzip") == "gzip" {
		made.Stream.Compress()
		c.Set(fiber.HeaderContentEncoding, "gzip")
	}
	made.Stream.Deadline = c.Context().Conn().SetWriteDeadline
	c.Context().SetBodyStream(made.Stream, -1)
	return nil
}

// Remember sets the language cookie and redirects. It sets no cookie if another site initiated the request.
func Remember(c *fiber.Ctx, a *Shown) error {
	_, below, _ := strings.Cut(strings.TrimPrefix(string(c.Request().URI().PathOriginal()), "/"), choosePath[1:]+"/")
	_, below, _ = strings.Cut(below, "/")
	to := "/" + a.Remember + "/" + below
	if query := c.Context().URI().QueryString(); len(query) > 0 {
		to += "?" + string(query)
	}
	if c.Get("Sec-Fetch-Site") != "cross-site" {
		ui.RememberLanguage(c, a.Remember, tenancy.Current(c.UserContext()).Base.Secure())
	}
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	return c.Redirect(to, fiber.StatusSeeOther)
}

// cardAge is how long clients may cache a card whose address changes with its content.
const cardAge = "public, max-age=604800"

// apiRoot returns the API address announced on a page: that of its event, of the events of its venue, organizer or
// term, or the root (rule 1.5).
func apiRoot(p *Page) string {
	if p != nil && strings.HasPrefix(p.Rest, "/events/") {
		return p.Rest
	}
	return "/"
}
