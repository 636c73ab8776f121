package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/feeds"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/public"
	"github.com/kalends/kalends/web/ui"
)

// addressed gives each request its scope: whose it is, in which language, by
// whom. Addresses of the API are brought to their one form, so that routes
// stand in the table once (rule 1.1).
func (s *server) addressed(c *fiber.Ctx) error {
	ctx, cancel := context.WithTimeout(c.UserContext(), s.Timeout)
	defer cancel()
	a := readAddress(c)
	scope := s.scopeOf(noteOf(c), a)
	scope.Base.Port = listenerPort(c, scope.Base.Host())
	if a.admin {
		a.language = ui.ChosenLanguage(c)
		scope.Language = a.language
	}
	if scope.Language == "" {
		scope.Language = i18n.Match(c.Get(fiber.HeaderAcceptLanguage), "")
	}
	c.SetUserContext(tenancy.With(ctx, scope))
	if !a.site || s.providers(c) {
		return c.Next()
	}
	site, err := s.siteOf(c)
	if err != nil {
		return err
	}
	scope.Site = site
	switch chosen := chosenFor(c, a, site); {
	case chosen != "":
		return elsewhere(c, scope.Base.Origin+"/"+chosen+a.path)
	case a.language == "":
		scope.Language = spoken(c.Get(fiber.HeaderAcceptLanguage), site, a.page)
	case a.page && !site.Offers(a.language):
		return elsewhere(c, scope.Base.Origin+a.path)
	}
	if a.page || a.language != "" && !a.admin {
		scope.Texts, scope.OwnSlugs = site.Texts(scope.Language), a.language == ""
	}
	ctx = tenancy.With(ctx, scope)
	c.SetUserContext(ctx)
	speaks(c, &scope, a)
	if strings.HasPrefix(a.path, "/media/") {
		err = s.gate.pace(ctx, site.ID)
	} else if err = s.gate.enter(ctx, site.ID); err == nil {
		defer s.gate.leave(site.ID)
		ctx = feeds.WithTurn(ctx, s.turn(site.ID))
		c.SetUserContext(ctx)
	}
	if err != nil {
		return err
	}
	if a.page || a.admin {
		c.Path(a.path)
		return c.Next()
	}
	s.headers(c)
	if scope.Principal, err = s.principal(ctx, c); err != nil {
		return err
	}
	c.SetUserContext(tenancy.With(ctx, scope))
	cacheable(c, scope.Principal)
	if err = s.limitedTo(c, site.ID, scope.Principal); err != nil {
		return err
	}
	if method := c.Get("X-HTTP-Method-Override"); method != "" && c.Method() == fiber.MethodPost {
		c.Method(method)
	}
	c.Path(a.path)
	return c.Next()
}

// scopeOf returns the scope of a request of nobody yet.
func (s *server) scopeOf(n *note, a address) tenancy.Scope {
	base := tenancy.Base{Origin: n.scheme + "://" + n.host, Scheme: n.scheme, Prefix: a.prefix, Namespace: a.namespace}
	if len(s.proxies) > 0 && !n.proxied {
		base.Scheme = "https"
	}
	return tenancy.Scope{Language: a.language, Address: n.client.String(), Base: base}
}

// listenerPort is the port a request names, with its colon, when this program
// listens there; a name without one, or with another, gets none.
func listenerPort(c *fiber.Ctx, host string) string {
	local, ok := c.Context().LocalAddr().(*net.TCPAddr)
	if !ok {
		return ""
	}
	if port := ":" + strconv.Itoa(local.Port); strings.HasSuffix(host, port) {
		return port
	}
	return ""
}

// turn has the pieces of a long feed of a site wait at the gate, for they are made
// after the request that asked for it has left.
func (s *server) turn(site int64) feeds.Turn {
	return func(ctx context.Context) (func(), error) {
		err := s.gate.enter(ctx, site)
		return func() { s.gate.leave(site) }, err
	}
}

// nowhere refuses an address that nothing has. People who open one of a site's in a
// browser are told so on a page of that site, which leads on.
func (s *server) nowhere(c *fiber.Ctx) error {
	scope := *tenancy.Current(c.UserContext())
	a := readAddress(c)
	if scope.Site != nil || !a.asksForPage(c) || s.providers(c) {
		return api.ErrNoRoute
	}
	if site, err := s.siteOf(c); err == nil {
		scope.Site, scope.Base.Prefix = site, a.plainPrefix()
		if a.language == "" || !site.Offers(a.language) {
			scope.Language, scope.Base.Prefix = spoken(c.Get(fiber.HeaderAcceptLanguage), site, true), ""
			if chosen := ui.ChosenLanguage(c); chosen != "" && site.Offers(chosen) {
				scope.Language, scope.Base.Prefix = chosen, "/"+chosen
			}
		}
		c.SetUserContext(tenancy.With(c.UserContext(), scope))
	}
	return api.ErrNoRoute
}

// spoken returns the language of an answer whose address names none: pages come
// in the languages the site offers, the API in all.
func spoken(accept string, site *tenancy.Site, page bool) string {
	if !page || len(site.Settings.Languages) == 0 {
		return i18n.Match(accept, site.Language)
	}
	offered := slices.DeleteFunc(i18n.Languages(), func(tag string) bool { return !site.Offers(tag) })
	return i18n.MatchAmong(accept, site.Language, offered)
}

// chosenFor returns the language that whoever asks for a page chose before, where the
// address names none and is that of a page that people read; else "". So one address
// has one language for everybody, and what caches hold doesn't depend on the cookie.
func chosenFor(c *fiber.Ctx, a address, site *tenancy.Site) string {
	if a.language != "" || !a.page || !public.Spoken(a.path) || c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead {
		return ""
	}
	if chosen := ui.ChosenLanguage(c); chosen != "" && site.Offers(chosen) {
		return chosen
	}
	return ""
}

// elsewhere leads from a page in a language that the site doesn't offer, or that
// whoever asks didn't choose, to the same page in another; not for ever, for both may change.
func elsewhere(c *fiber.Ctx, page string) error {
	if query := c.Request().URI().QueryString(); len(query) > 0 {
		page += "?" + string(query)
	}
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	return c.Redirect(page, fiber.StatusFound)
}

// address is what the path of a request says.
type address struct {
	site      bool   // belongs to a site
	page      bool   // a public page, which is the same for everybody
	admin     bool   // of the administration, in the language each person chose
	language  string // of the segment, or ""
	prefix    string // the segment with its slash, as links repeat it
	namespace string // of the API, as links repeat it
	path      string // in the form of the route table
}

// plainPrefix is the segment of the language in its one form, with its slash.
func (a *address) plainPrefix() string {
	if a.language == "" {
		return ""
	}
	return "/" + a.language
}

// readAddress takes a path apart.
func readAddress(c *fiber.Ctx) address {
	a := address{path: c.Path()}
	var rest string
	a.language, a.prefix, rest = i18n.Cut(a.path)
	if below, script := cutFold(rest, "/index.php"); script && (strings.Trim(below, "/") == "" || strings.HasPrefix(below, "/wp-json/")) {
		rest = below // the reference's program, where its server has no pretty addresses
	}
	if route := c.Query("rest_route"); route != "" && strings.Trim(rest, "/") == "" {
		rest = "/wp-json" + route // without pretty addresses (rule 1.1)
		a.path = rest
	}
	for _, namespace := range []string{api.Namespace, api.Reference} {
		if below, ok := cutFold(rest, namespace); ok {
			a.site, a.namespace = true, namespace
			a.path = api.Namespace + "/" + strings.Trim(below, "/")
			if strings.HasPrefix(below, "//") {
				a.path = api.Namespace + below // a doubled slash is no route
			}
			return a
		}
	}
	if public.Owns(rest) && understood(c) {
		a.site, a.page, a.namespace, a.path = true, true, api.Namespace, "/"+strings.TrimPrefix(rest, "/")
		a.prefix = a.plainPrefix()
		return a
	}
	if frame.Admin(a.path) {
		a.site, a.admin, a.namespace = true, true, api.Namespace
		return a
	}
	a.site = strings.HasPrefix(a.path, "/media/")
	return a
}

// understood reports whether the path is what the client wrote. Of a request
// that makes no sense nothing is left but "/", which is a page.
func understood(c *fiber.Ctx) bool {
	wrote, _, _ := bytes.Cut(c.Request().Header.RequestURI(), []byte("?"))
	path := c.Request().URI().PathOriginal()
	return len(path) > 0 && bytes.HasSuffix(wrote, path)
}

// cutFold cuts a prefix that ends at a slash or at the end, letter case aside.
func cutFold(path, prefix string) (rest string, ok bool) {
	if len(path) < len(prefix) || !strings.EqualFold(path[:len(prefix)], prefix) {
		return "", false
	}
	rest = path[len(prefix):]
	return rest, rest == "" || rest[0] == '/'
}

// principal reads the Authorization header (rule 2.1).
func (s *server) principal(ctx context.Context, c *fiber.Ctx) (tenancy.Principal, error) {
	scheme, value, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	value = strings.TrimSpace(value)
	switch strings.ToLower(scheme) {
	case "basic":
		plain, err := base64.StdEncoding.DecodeString(value)
		login, password, found := strings.Cut(string(plain), ":")
		if err != nil || !found {
			return tenancy.Principal{}, tenancy.ErrCredentials
		}
		return s.Platform.Authenticator.Basic(ctx, login, password)
	case "bearer":
		return s.Platform.Authenticator.Bearer(ctx, value)
	}
	return tenancy.Principal{}, nil
}

// exposed are the headers scripts of other origins may read.
const exposed = "X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, Location, ETag, Allow, Content-Language, Retry-After, " +
	"RateLimit, RateLimit-Policy, X-Request-Id, X-Kalends-Ignored, X-Kalends-Version"

// speaks says which language the answer is in, and what chose it.
func speaks(c *fiber.Ctx, scope *tenancy.Scope, a address) {
	c.Set(fiber.HeaderContentLanguage, scope.Language)
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	if a.language == "" {
		c.Set(fiber.HeaderVary, fiber.HeaderAcceptLanguage+", "+fiber.HeaderAcceptEncoding)
	}
}

// headers sets what every answer of the API carries
// (rules 4.5 and 4.6). Any origin may call it: it takes no cookies without a token of their own.
func (s *server) headers(c *fiber.Ctx) {
	c.Set("X-Robots-Tag", "noindex")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	c.Set(fiber.HeaderAccessControlExposeHeaders, exposed)
	if c.Method() == fiber.MethodOptions {
		c.Set(fiber.HeaderAccessControlAllowMethods, "OPTIONS, GET, POST, PUT, PATCH, DELETE")
		c.Set(fiber.HeaderAccessControlAllowHeaders,
			"Authorization, Content-Type, Content-Disposition, If-Match, If-None-Match, "+
				"X-HTTP-Method-Override, X-Kalends-Version, X-WP-Nonce")
		c.Set(fiber.HeaderAccessControlMaxAge, "600")
	}
}

// cacheable says who may keep the answer (rule 4.5).
func cacheable(c *fiber.Ctx, p tenancy.Principal) {
	reads := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
	if p.Anonymous() && reads {
		c.Set(fiber.HeaderCacheControl, "public, max-age=0, must-revalidate")
		return
	}
	c.Set(fiber.HeaderCacheControl, "private, no-store")
}
