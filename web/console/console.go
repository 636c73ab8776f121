// Package console is the provider's console: sites, their plans, limits and domains, which sites gather events from which, and
// the provider's history.
package console

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/signin"
	"github.com/kalends/kalends/web/ui"
)

// cookieName returns the name of the console's session cookie.
func cookieName(c *fiber.Ctx) string { return frame.SessionCookie(c) + "-provider" }

// Pages is the provider's console, which belongs to no site. People sign in with a provider token.
type Pages struct {
	platform *platform.Platform
	jobs     *jobs.Jobs
	letters  *signin.Letters
	logger   *slog.Logger
	table    []route
}

// New returns the console.
func New(p *platform.Platform, j *jobs.Jobs, l *signin.Letters, logger *slog.Logger) *Pages {
	w := &Pages{platform: p, jobs: j, letters: l, logger: logger}
	w.table = w.consoleTable()
	return w
}

// Mount adds the console to an app.
func (w *Pages) Mount(app fiber.Router) {
	app.All(frame.ConsoleRoot, w.serve)
	app.All(frame.ConsoleRoot+"/*", w.serve)
}

// Pages lists all addresses of the console.
func (w *Pages) Pages() []ui.Page {
	list := make([]ui.Page, 0, len(w.table))
	for _, r := range w.table {
		list = append(list, ui.Page{Method: r.method, Path: frame.ConsoleRoot + strings.Replace(r.path, "*", ":slug", 1)})
	}
	return list
}

// serve handles all requests of the provider's console. The host of a site has no console, so there the path
// belongs to the site.
func (w *Pages) serve(c *fiber.Ctx) error {
	if tenancy.Current(c.UserContext()).Site != nil {
		return c.Next()
	}
	v, err := frame.Read(c)
	if err != nil {
		return err
	}
	session, err := w.platform.Console.Find(v.Ctx, c.Cookies(cookieName(c)))
	if err != nil && !errors.Is(err, tenancy.ErrCredentials) {
		return err
	}
	if err == nil {
		enterConsole(v, session)
		c.SetUserContext(v.Ctx)
	}
	r, err := w.page(v, session, strings.Trim(strings.TrimPrefix(v.Path, frame.ConsoleRoot), "/"))
	if err != nil {
		return err
	}
	if r.Token != nil {
		frame.Cookie(c, cookieName(c), *r.Token, 0)
		r.Token = nil
	}
	return frame.Send(c, v, r)
}

// enterConsole makes the visit one of the provider. The session has no user and no rights on a site except those that
// Enter grants.
func enterConsole(v *frame.Visit, session *accounts.ProviderSession) {
	name := session.Name
	if tenancy.Unnamed(name) {
		name = frame.Tell(v.Ctx, "history.provider")
	}
	v.Become(tenancy.AsProvider(v.Ctx, session.Provider()), &accounts.Session{Hash: session.Hash, CSRF: session.CSRF},
		&tenancy.User{Name: name, Theme: v.Theme})
}

// page finds the handler of a path below the console.
func (w *Pages) page(v *frame.Visit, session *accounts.ProviderSession, path string) (*frame.Reply, error) {
	switch {
	case v.Post && v.Foreign:
		return nil, tenancy.ErrForbidden
	case path == "language" && v.Post:
		return language(v), nil
	case path == "login" && v.Post:
		return w.login(v, session)
	case path == "login" && session == nil:
		return w.loginReply(v, 0)
	case path == "login/provider" && !v.Post:
		return w.beginProvider(v)
	case path == callbackPath && !v.Post:
		return w.endProvider(v, session)
	case session == nil:
		return &frame.Reply{Redirect: frame.ConsoleRoot + "/login"}, nil
	case v.Post && !v.Genuine():
		return nil, tenancy.ErrForbidden
	case path == "logout" && v.Post:
		return &frame.Reply{Redirect: frame.ConsoleRoot + "/login", Token: new(string),
			Say: "logout"}, w.platform.Console.End(v.Ctx, session)
	case path == "login":
		return &frame.Reply{Redirect: frame.ConsoleRoot}, nil
	}
	for _, r := range w.table {
		before, after, named := strings.Cut(strings.TrimPrefix(r.path, "/"), "*")
		name, ok := strings.CutPrefix(path, before)
		if ok {
			name, ok = strings.CutSuffix(name, after)
		}
		if ok && (r.method == fiber.MethodPost) == v.Post && named == (name != "") && !strings.Contains(name, "/") {
			return r.handle(v, name)
		}
	}
	return nil, fiber.ErrNotFound
}

// route is one page of the console.
type route struct {
	method, path string // path below the console; "*" stands for a name
	handle       func(v *frame.Visit, name string) (*frame.Reply, error)
}

// consoleTable returns the routes for signed-in users.
func (w *Pages) consoleTable() []route {
	const get, post = fiber.MethodGet, fiber.MethodPost
	return []route{
		{get, "", w.sites},
		{get, "/new", w.newSite},
		{post, "/new", w.foundSite},
		{get, "/many", w.newSites},
		{post, "/many", w.foundSites},
		{post, "/change", w.changeSites},
		{get, "/sites/*", w.site},
		{post, "/sites/*", w.changeSite},
		{get, "/sites/*/edit", w.editSite},
		{post, "/sites/*/edit", w.saveSite},
		{get, "/sites/*/audit", w.siteAudit},
		{get, "/sites/*/audit/export", w.exportSiteAudit},
		{get, "/sites/*/support", w.askSupport},
		{post, "/sites/*/support", w.support},
		{get, "/sites/*/copies", w.copies},
		{post, "/sites/*/copies", w.changeCopies},
		{get, "/copies/*", w.copyFile},
		{get, "/requests", w.traffic},
		{get, "/defaults", w.defaults},
		{post, "/defaults", w.setDefaults},
		{get, "/plans", w.plans},
		{post, "/plans", w.createPlan},
		{get, "/plans/*", w.plan},
		{post, "/plans/*", w.changePlan},
		{get, "/sharing", w.sharing},
		{get, "/audit", w.audit},
		{get, "/audit/export", w.exportAudit},
	}
}

// onClock sets the time zone of a site's context to that of the console. All its pages use UTC, because sites are
// in many time zones.
func onClock(inside context.Context) context.Context {
	scope := *tenancy.Current(inside)
	site := *scope.Site
	site.Location, scope.Site = time.UTC, &site
	return tenancy.With(inside, scope)
}

// inContext renders part of a page in another context, for example that of a site.
func inContext(ctx context.Context, part templ.Component) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, out io.Writer) error { return part.Render(ctx, out) })
}

func language(v *frame.Visit) *frame.Reply {
	r := &frame.Reply{Redirect: frame.ConsoleRoot}
	if to := frame.Inside(v.Form.Get("to")); frame.Console(frame.PathOf(to)) {
		r.Redirect = to
	}
	if tag := v.Form.Get("language"); i18n.Supported(tag) {
		r.Language = tag
	}
	return r
}
