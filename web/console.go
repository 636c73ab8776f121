package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
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
	v := &visit{ctx: c.UserContext(), path: c.Path(), post: c.Method() == fiber.MethodPost, client: c.IP(), said: c.Cookies(saidCookie),
		form: &form{values: url.Values{}}}
	v.host, v.port, v.theme = c.Hostname(), listenerPort(c), themeOf(c.Cookies(themeCookie))
	v.query, _ = url.ParseQuery(string(c.Context().URI().QueryString()))
	if v.post {
		v.foreign = foreign(c)
		var err error
		if v.form, err = readPosted(c); err != nil {
			return err
		}
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

// enterConsole makes the visit one of the provider. The session has no user and
// no rights on a site but what Enter gives.
func (v *visit) enterConsole(session *tenancy.ProviderSession) {
	v.session, v.user = &tenancy.Session{CSRF: session.CSRF}, &tenancy.User{Name: session.Name, Theme: v.theme}
	ctx := context.WithValue(tenancy.AsProvider(v.ctx, session.Provider()), sessionKey{}, v.session)
	v.ctx = context.WithValue(ctx, userKey{}, v.user)
}

// consolePage finds what answers a path below the console.
func (w *admin) consolePage(v *visit, session *tenancy.ProviderSession, path string) (*reply, error) {
	slug, site := strings.CutPrefix(path, "sites/")
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
	case path == "" && !v.post:
		return w.consoleSites(v)
	case site && v.post:
		return w.changeConsoleSite(v, slug)
	case site:
		return w.consoleSite(v, slug)
	}
	return nil, fiber.ErrNotFound
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

// consoleList is a page of the sites.
type consoleList struct {
	search      string
	items       []*tenancy.Site
	page, total int
}

const sitesPerPage = 50

func (w *admin) consoleSites(v *visit) (*reply, error) {
	l := &consoleList{search: cut(v.query.Get("search"), 500), page: 1}
	if n, err := strconv.Atoi(v.query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	f := &tenancy.SiteFilter{}
	f.Page, f.PerPage, f.Search = args.Some(l.page), args.Some(sitesPerPage), args.Some(l.search)
	found, err := w.platform.Sites.List(v.ctx, f)
	if err != nil {
		return nil, err
	}
	l.items, l.total = found.Items, found.Total
	return &reply{title: tell(v.ctx, "console.sites"), body: consoleSitesPage(l)}, nil
}

func (l *consoleList) pages() int { return max(1, (l.total+sitesPerPage-1)/sitesPerPage) }

func (l *consoleList) address(page int) string {
	q := url.Values{"page": {strconv.Itoa(page)}}
	if l.search != "" {
		q.Set("search", l.search)
	}
	return consoleRoot + "?" + q.Encode()
}

func consoleAddress(slug string) string { return consoleRoot + "/sites/" + url.PathEscape(slug) }
