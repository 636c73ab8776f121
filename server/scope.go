package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/mcp"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/public"
	"github.com/kalends/kalends/web/ui"
)

// setScope sets the scope of each request: site, language and principal. It normalizes API addresses, so that the
// route table needs each route only once (rule 1.1).
func (s *server) setScope(c *fiber.Ctx) error {
	a := readAddress(c)
	ctx, cancel := context.WithTimeout(c.UserContext(), s.Timeout+patience(c, a))
	defer cancel()
	scope := s.scopeOf(noteOf(c), a)
	scope.Base.Port = listenerPort(c, scope.Base.Host())
	if a.admin {
		if a.language = ui.ChosenLanguage(c); a.language != "" {
			a.language = i18n.Interface(a.language)
		}
		scope.Language = a.language
	}
	if scope.Language == "" {
		scope.Language = i18n.Match(c.Get(fiber.HeaderAcceptLanguage), "")
	}
	if method := c.Method(); method != fiber.MethodGet && method != fiber.MethodHead {
		n := noteOf(c)
		n.receipt = &tenancy.Receipt{}
		ctx = tenancy.WithReceipt(ctx, n.receipt)
	}
	c.SetUserContext(tenancy.With(ctx, scope))
	if !a.site || s.providers(c) {
		return c.Next()
	}
	site, err := s.siteOf(c)
	switch {
	case errors.Is(err, tenancy.ErrNoSite) && s.atHome(c, a):
		return s.home(c, scope, a)
	case err != nil:
		return err
	}
	scope.Site = site
	if other := speakOn(c, &scope, a); other != "" {
		return elsewhere(c, other)
	}
	ctx = tenancy.With(ctx, scope)
	c.SetUserContext(ctx)
	speaks(c, &scope, a)
	if !strings.HasPrefix(a.path, "/media/") {
		v := &visit{server: s, site: site.ID, parks: s.lot.takes(c), note: noteOf(c)}
		defer v.leave()
		if !isQuiet(c) {
			err = v.Enter(ctx)
		} else if v.note.resumed == nil {
			err = s.gate.pace(ctx, site.ID)
		}
		ctx = tenancy.WithSlot(changes.WithWaiter(feeds.WithTurn(ctx, s.turn(site.ID)), v), v)
		c.SetUserContext(ctx)
	} else {
		err = s.gate.pace(ctx, site.ID)
	}
	if err != nil {
		return err
	}
	if a.page || a.admin {
		c.Path(a.path)
		return c.Next()
	}
	return s.call(ctx, c, scope, a)
}

// speakOn sets the language of a scope whose site is known. It returns the address at which the page is in another
// language, if the request has to go there.
func speakOn(c *fiber.Ctx, scope *tenancy.Scope, a address) (other string) {
	switch chosen := chosenFor(c, a, scope.Site); {
	case chosen != "":
		return scope.Base.Origin + "/" + chosen + a.path
	case a.language == "":
		if scope.Language = responseLanguage(c.Get(fiber.HeaderAcceptLanguage), scope.Site, a.page); a.admin {
			scope.Language = i18n.Interface(scope.Language)
		}
	case a.page && !i18n.Offers(scope.Site, a.language):
		return scope.Base.Origin + a.path
	}
	if a.page || a.language != "" && !a.admin {
		scope.At(scope.Language)
		scope.OwnSlugs = a.language == ""
	}
	return ""
}

// call passes on a request to the API after it has found its principal and counted it.
func (s *server) call(ctx context.Context, c *fiber.Ctx, scope tenancy.Scope, a address) (err error) {
	s.headers(c)
	if a.namespace != api.Namespace {
		c.Set(fiber.HeaderLink, api.IndexLink(scope.Base))
	}
	if scope.Principal, err = s.principal(ctx, c); err != nil {
		return err
	}
	c.SetUserContext(tenancy.With(ctx, scope))
	cacheable(c, scope.Principal)
	if err = s.limitedTo(c, scope.Site.ID, scope.Principal); err != nil {
		return err
	}
	if method := c.Get("X-HTTP-Method-Override"); method != "" && c.Method() == fiber.MethodPost {
		c.Method(method)
	}
	c.Path(a.path)
	return c.Next()
}

// scopeOf returns the scope of a request before authentication.
func (s *server) scopeOf(n *note, a address) tenancy.Scope {
	base := tenancy.Base{Origin: n.scheme + "://" + n.host, Scheme: n.scheme, Prefix: a.prefix, Namespace: a.namespace}
	if len(s.proxies) > 0 && !n.proxied {
		base.Scheme = "https"
	}
	return tenancy.Scope{Language: a.language, Address: n.client.String(), Base: base}
}

// listenerPort returns the port of a request's host with its colon if this program listens on it, and "" otherwise.
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

// turn makes the pieces of a site's long feed wait at the gate, because they are generated after their request has
// left it.
func (s *server) turn(site int64) feeds.Turn {
	return func(ctx context.Context) (func(), error) {
		err := s.gate.enter(ctx, site)
		return func() { s.gate.leave(site) }, err
	}
}

// nowhere rejects an unknown address. For a browser on a site's host, it responds with an error page of that site.
func (s *server) nowhere(c *fiber.Ctx) error {
	scope := *tenancy.Current(c.UserContext())
	a := readAddress(c)
	if scope.Site != nil || !a.asksForPage(c) || s.providers(c) {
		return api.ErrNoRoute
	}
	if site, err := s.siteOf(c); err == nil {
		scope.Site, scope.Base.Prefix = site, a.plainPrefix()
		if a.language == "" || !i18n.Offers(site, a.language) {
			scope.Language, scope.Base.Prefix = responseLanguage(c.Get(fiber.HeaderAcceptLanguage), site, true), ""
			if chosen := ui.ChosenLanguage(c); chosen != "" && i18n.Offers(site, chosen) {
				scope.Language, scope.Base.Prefix = chosen, "/"+chosen
			}
		}
		c.SetUserContext(tenancy.With(c.UserContext(), scope))
	}
	return api.ErrNoRoute
}

// responseLanguage returns the language of a response if the address names none. Pages are available in the site's languages,
// the API in all.
func responseLanguage(accept string, site *tenancy.Site, page bool) string {
	switch chosen := len(site.Settings.Languages) > 0; {
	case page && (chosen || i18n.Beyond(site)):
		return i18n.MatchAmong(accept, site.Language, i18n.Offered(site))
	case i18n.Beyond(site):
		return i18n.MatchAmong(accept, site.Language, spokenIn(site))
	}
	return i18n.Match(accept, site.Language)
}

// spokenIn returns the languages of the API of a site: those of the interface, and those of the site's texts.
func spokenIn(site *tenancy.Site) []string {
	list := i18n.Languages()
	for _, tag := range site.Written() {
		if !slices.Contains(list, tag) {
			list = append(list, tag)
		}
	}
	return list
}

// chosenFor returns the language that a visitor chose before, if the URL is that of a page and has no language;
// otherwise it returns "". Every other URL thus has the same language for everyone, and caches do not depend on the
// cookie.
func chosenFor(c *fiber.Ctx, a address, site *tenancy.Site) string {
	if a.language != "" || !a.page || !public.Spoken(a.path) || c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead {
		return ""
	}
	if chosen := ui.ChosenLanguage(c); chosen != "" && i18n.Offers(site, chosen) {
		return chosen
	}
	return ""
}

// elsewhere redirects from a page in a language that the site does not offer, or that the visitor did not choose, to
// the same page in another. The redirect is temporary, because both may change.
func elsewhere(c *fiber.Ctx, page string) error {
	if query := c.Request().URI().QueryString(); len(query) > 0 {
		page += "?" + string(query)
	}
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	return c.Redirect(page, fiber.StatusFound)
}

// address is the information in the path of a request.
type address struct {
	site      bool   // belongs to a site
	page      bool   // a public page, the same for everybody
	admin     bool   // of the administration, whose language is each person's choice
	language  string // from the first segment, or ""
	prefix    string // that segment with its slash, repeated in links
	namespace string // of the API, repeated in links
	path      string // as in the route table
}

// plainPrefix returns the canonical language segment with its slash.
func (a *address) plainPrefix() string {
	if a.language == "" {
		return ""
	}
	return "/" + a.language
}

// readAddress parses a path.
func readAddress(c *fiber.Ctx) address {
	a := address{path: c.Path()}
	var rest string
	if a.language, a.prefix, rest = i18n.Cut(a.path); strings.EqualFold(a.prefix, mcp.Path) { // the tag of a language, too
		a.language, a.prefix, rest = "", "", a.path
	}
	if strings.EqualFold(strings.TrimSuffix(rest, "/"), mcp.Path) {
		a.site, a.namespace, a.path = true, api.Namespace, mcp.Path
		return a
	}
	if below, script := cutFold(rest, "/index.php"); script && (strings.Trim(below, "/") == "" || strings.HasPrefix(below, "/wp-json/")) {
		rest = below // TEC's entry point on servers without pretty permalinks
	}
	if route := c.Query("rest_route"); route != "" && strings.Trim(rest, "/") == "" {
		rest = "/wp-json" + route // without pretty permalinks (rule 1.1)
		a.path = rest
	}
	for _, namespace := range []string{api.Namespace, api.Reference, api.WordPress, api.Index} {
		below, ok := cutFold(rest, namespace)
		if !ok {
			continue
		}
		a.site, a.namespace = true, namespace
		root := namespace
		if namespace == api.Reference {
			root = api.Namespace
		}
		a.path = root + "/" + strings.Trim(below, "/")
		if strings.HasPrefix(below, "//") {
			a.path = root + below // paths with doubled slashes
		}
		return a
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

// understood reports whether fasthttp kept the path that the client sent. An invalid request has only "/" left, which
// is the path of a page.
func understood(c *fiber.Ctx) bool {
	wrote, _, _ := bytes.Cut(c.Request().Header.RequestURI(), []byte("?"))
	path := c.Request().URI().PathOriginal()
	return len(path) > 0 && bytes.HasSuffix(wrote, path)
}

// cutFold cuts a prefix that ends at a slash or at the end, ignoring letter case.
func cutFold(path, prefix string) (rest string, ok bool) {
	if len(path) < len(prefix) || !strings.EqualFold(path[:len(prefix)], prefix) {
		return "", false
	}
	rest = path[len(prefix):]
	return rest, rest == "" || rest[0] == '/'
}

// principal authenticates the Authorization header (rule 2.1).
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
		n := noteOf(c)
		n.how, n.tried = "basic", login
		return s.Platform.Authenticator.Basic(ctx, login, password)
	case "bearer":
		noteOf(c).how = "bearer"
		return s.Platform.Authenticator.Bearer(ctx, value)
	}
	return tenancy.Principal{}, nil
}

// exposed are the headers that scripts of other origins may read.
const exposed = "X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, Location, ETag, Allow, Content-Language, Retry-After, " +
	"RateLimit, RateLimit-Policy, X-Request-Id, X-Kalends-Ignored, X-Kalends-Version, Idempotent-Replayed"

// speaks sets Content-Language, and Vary for what determined it.
func speaks(c *fiber.Ctx, scope *tenancy.Scope, a address) {
	c.Set(fiber.HeaderContentLanguage, scope.Language)
	c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	if a.language == "" {
		c.Set(fiber.HeaderVary, fiber.HeaderAcceptLanguage+", "+fiber.HeaderAcceptEncoding)
	}
}

// headers sets the headers of all API responses (rules 4.5 and 4.6). Any origin may call the API, because it accepts
// cookies only with a token.
func (s *server) headers(c *fiber.Ctx) {
	c.Set("X-Robots-Tag", "noindex")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	c.Set(fiber.HeaderAccessControlExposeHeaders, exposed)
	if c.Method() == fiber.MethodOptions {
		c.Set(fiber.HeaderAccessControlAllowMethods, "OPTIONS, GET, POST, PUT, PATCH, DELETE")
		c.Set(fiber.HeaderAccessControlAllowHeaders, headersAsked(c))
		c.Set(fiber.HeaderAccessControlMaxAge, "600")
	}
}

// headersAsked returns the headers that scripts of other origins may send: those that the browser asks for, because
// none of them gives a script more rights, otherwise the usual ones.
func headersAsked(c *fiber.Ctx) string {
	var names []string
	for name := range strings.SplitSeq(c.Get(fiber.HeaderAccessControlRequestHeaders), ",") {
		if name = strings.TrimSpace(name); name != "" && headerName.MatchString(name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "Authorization, Content-Type, Content-Disposition, If-Match, If-None-Match, " +
			"X-HTTP-Method-Override, X-Kalends-Version, X-WP-Nonce"
	}
	return strings.Join(names, ", ")
}

// headerName matches the name of a header.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$")

// cacheable sets who may cache the response (rule 4.5).
func cacheable(c *fiber.Ctx, p tenancy.Principal) {
	reads := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
	if p.Anonymous() && reads {
		c.Set(fiber.HeaderCacheControl, "public, max-age=0, must-revalidate")
		return
	}
	c.Set(fiber.HeaderCacheControl, "private, no-store")
}
