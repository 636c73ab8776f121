package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// consoleRoot is the path of the provider's console.
const consoleRoot = adminRoot + "/provider"

// Console reports whether a path is one of the provider's console, which belongs
// to no site.
func Console(path string) bool {
	return path == consoleRoot || strings.HasPrefix(path, consoleRoot+"/")
}

// consoleCookie names the cookie of the console's session.
func consoleCookie(c *fiber.Ctx) string { return sessionCookie(c) + "-provider" }

// console answers every request of the provider's console. Where the server has
// found a site the console isn't, and the path is one of the site's.
func (w *admin) console(c *fiber.Ctx) error {
	if tenancy.Current(c.UserContext()).Site != nil {
		return w.serve(c)
	}
	v, err := siteless(c)
	if err != nil {
		return err
	}
	session, err := w.platform.Console.Find(v.ctx, c.Cookies(consoleCookie(c)))
	if err != nil && !errors.Is(err, tenancy.ErrCredentials) {
		return err
	}
	if err == nil {
		v.enterConsole(session)
		c.SetUserContext(v.ctx)
	}
	r, err := w.consolePage(v, session, strings.Trim(strings.TrimPrefix(v.path, consoleRoot), "/"))
	if err != nil {
		return err
	}
	if r.token != nil {
		cookie(c, consoleCookie(c), *r.token, 0)
		r.token = nil
	}
	return w.send(c, v, r)
}

// siteless reads a request that belongs to no site.
func siteless(c *fiber.Ctx) (*visit, error) {
	v := &visit{ctx: c.UserContext(), path: c.Path(), post: c.Method() == fiber.MethodPost, said: c.Cookies(saidCookie),
		form: &form{values: url.Values{}}}
	v.arrive(c)
	var err error
	if v.query, err = ui.ReadQuery(c); err != nil {
		return nil, err
	}
	if v.post {
		v.foreign = foreign(c)
		if v.form, err = readForm(c); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// enterConsole makes the visit one of the provider. The session has no user and
// no rights on a site but what Enter gives.
func (v *visit) enterConsole(session *tenancy.ProviderSession) {
	name := session.Name
	if tenancy.Unnamed(name) {
		name = tell(v.ctx, "history.provider")
	}
	v.session, v.user = &tenancy.Session{CSRF: session.CSRF}, &tenancy.User{Name: name, Theme: v.theme}
	ctx := context.WithValue(tenancy.AsProvider(v.ctx, session.Provider()), sessionKey{}, v.session)
	v.ctx = context.WithValue(ctx, userKey{}, v.user)
}

// consolePage finds what answers a path below the console.
func (w *admin) consolePage(v *visit, session *tenancy.ProviderSession, path string) (*reply, error) {
	switch {
	case v.post && v.foreign:
		return nil, tenancy.ErrForbidden
	case path == "language" && v.post:
		return consoleLanguage(v), nil
	case path == "login" && v.post:
		return w.consoleLogin(v, session)
	case path == "login" && session == nil:
		return consoleLoginReply(v, 0)
	case session == nil:
		return &reply{redirect: consoleRoot + "/login"}, nil
	case v.post && !v.genuine():
		return nil, tenancy.ErrForbidden
	case path == "logout" && v.post:
		return &reply{redirect: consoleRoot + "/login", token: new(string), say: "logout"}, w.platform.Console.End(v.ctx, session)
	case path == "login":
		return &reply{redirect: consoleRoot}, nil
	}
	for _, r := range w.consoleTable() {
		before, after, named := strings.Cut(strings.TrimPrefix(r.path, "/"), "*")
		name, ok := strings.CutPrefix(path, before)
		if ok {
			name, ok = strings.CutSuffix(name, after)
		}
		if ok && (r.method == fiber.MethodPost) == v.post && named == (name != "") && !strings.Contains(name, "/") {
			return r.handle(v, name)
		}
	}
	return nil, fiber.ErrNotFound
}

// consoleRoute is one page of the console.
type consoleRoute struct {
	method, path string // below the console; "*" stands for a name
	handle       func(v *visit, name string) (*reply, error)
}

// consoleTable is the table of the console, for those who have signed in.
func (w *admin) consoleTable() []consoleRoute {
	const get, post = fiber.MethodGet, fiber.MethodPost
	return []consoleRoute{
		{get, "", w.consoleSites},
		{get, "/new", w.newConsoleSite},
		{post, "/new", w.foundConsoleSite},
		{get, "/sites/*", w.consoleSite},
		{post, "/sites/*", w.changeConsoleSite},
		{get, "/sites/*/edit", w.editConsoleSite},
		{post, "/sites/*/edit", w.saveConsoleSite},
		{get, "/sites/*/audit", w.consoleSiteAudit},
		{get, "/sites/*/audit/export", w.exportConsoleSiteAudit},
		{get, "/plans", w.consolePlans},
		{post, "/plans", w.createPlan},
		{get, "/plans/*", w.consolePlan},
		{post, "/plans/*", w.changePlan},
		{get, "/audit", w.consoleAudit},
		{get, "/audit/export", w.exportConsoleAudit},
	}
}

// consoleDoors is the navigation of the console.
var consoleDoors = []struct{ section, path, text string }{
	{"sites", "", "console.sites"},
	{"plans", "/plans", "console.plans"},
	{"audit", "/audit", "nav.audit"},
}

// inContext renders a part of a page in another context than the page's: on the
// clock of a site.
func inContext(ctx context.Context, part templ.Component) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, out io.Writer) error { return part.Render(ctx, out) })
}

func consoleLanguage(v *visit) *reply {
	r := &reply{redirect: consoleRoot}
	if to := inside(v.form.get("to")); Console(pathOf(to)) {
		r.redirect = to
	}
	if tag := v.form.get("language"); i18n.Supported(tag) {
		r.language = tag
	}
	return r
}

func consoleLoginReply(v *visit, status int) (*reply, error) {
	return &reply{status: status, title: tell(v.ctx, "console.title"), bare: true, body: consoleLoginPage(v.form)}, nil
}

// consoleLogin begins a session for whoever has a provider token, in place of
// the one before.
func (w *admin) consoleLogin(v *visit, before *tenancy.ProviderSession) (*reply, error) {
	session, secret, err := w.platform.Console.Start(v.ctx, strings.TrimSpace(v.form.get("password")))
	if errors.Is(err, tenancy.ErrTooOften) {
		return throttled(v, "password", tenancy.ConsoleWait, func(status int) (*reply, error) { return consoleLoginReply(v, status) })
	}
	if errors.Is(err, tenancy.ErrCredentials) {
		if err != tenancy.ErrCredentials { //nolint:errorlint // there is more in it
			w.logger.WarnContext(v.ctx, "sign in to the console", "error", err)
		}
		v.form.wrong("password", tell(v.ctx, "console.wrong"))
		return consoleLoginReply(v, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return nil, err
	}
	if before != nil {
		if err := w.platform.Console.End(v.ctx, before); err != nil {
			return nil, err
		}
	}
	v.enterConsole(session)
	return &reply{redirect: consoleRoot, token: &secret}, nil
}
