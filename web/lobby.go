package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// lobbyRoot is where people with accounts on several sites sign in, on the
// platform's own name.
const lobbyRoot = adminRoot + "/sites"

// arrivalPath is where a site takes in who chose it in the lobby, below /admin.
const arrivalPath = "/arrive"

// Lobby reports whether a path is one of the lobby, which belongs to no site.
func Lobby(path string) bool { return path == lobbyRoot || strings.HasPrefix(path, lobbyRoot+"/") }

// routesOfLobby are what a site has of it.
func (w *admin) routesOfLobby() []adminRoute {
	return []adminRoute{
		{http.MethodGet, "/sites", 0, w.toLobby, true},
		{http.MethodPost, arrivalPath, 0, w.arrive, true},
	}
}

// platformOrigin is where the platform itself is found, on the way by which the
// visit came.
func (w *admin) platformOrigin(v *visit) string {
	scheme, _, _ := strings.Cut(v.scope().Base.Origin, "://")
	return scheme + "://" + w.platform.Resolver.Platform() + v.port
}

// hasLobby reports whether the platform has a name of its own, or one that leads
// to this machine and from it.
func (w *admin) hasLobby(v *visit) bool {
	platform := w.platform.Resolver.Platform()
	host, _ := tenancy.Host(v.host)
	return platform != "localhost" || host == platform || strings.HasSuffix(host, "."+platform)
}

// siteOrigin is where people find a site, seen from the lobby.
func (w *admin) siteOrigin(v *visit, site *tenancy.Site) string {
	scheme, _, _ := strings.Cut(v.scope().Base.Origin, "://")
	return scheme + "://" + w.platform.Resolver.Home(site, v.host) + v.port
}

// toLobby leads from a site to the lobby.
func (w *admin) toLobby(v *visit) (*reply, error) {
	return &reply{redirect: w.platformOrigin(v) + lobbyRoot}, nil
}

// lobby answers every request of the lobby. Where the server has found a site the
// lobby isn't, and the path is one of the site's.
func (w *admin) lobby(c *fiber.Ctx) error {
	if tenancy.Current(c.UserContext()).Site != nil {
		return w.serve(c)
	}
	v, err := siteless(c)
	if err != nil {
		return err
	}
	r, err := w.lobbyPage(v)
	if err != nil {
		return err
	}
	return w.send(c, v, r)
}

// lobbyPage finds what answers a path of the lobby.
func (w *admin) lobbyPage(v *visit) (*reply, error) {
	path := strings.TrimPrefix(v.path, lobbyRoot)
	switch {
	case !w.platform.Resolver.IsPlatform(v.host): // sites take nobody in from elsewhere
		return w.toLobby(v)
	case v.post && v.foreign:
		return nil, tenancy.ErrForbidden
	case path == "" && !v.post:
		return lobbyReply(v, 0), nil
	case path == "":
		return w.lobbySignIn(v)
	case path == "/go" && v.post:
		return w.lobbyChoose(v)
	case path == "/language" && v.post:
		return lobbyLanguage(v), nil
	case path == "/go" || path == "/language":
		return &reply{redirect: lobbyRoot}, nil
	}
	return nil, fiber.ErrNotFound
}

func lobbyReply(v *visit, status int) *reply {
	return &reply{status: status, title: tell(v.ctx, "lobby.title"), bare: true, body: lobbyLoginPage(v.form)}
}

func lobbyLanguage(v *visit) *reply {
	r := &reply{redirect: lobbyRoot}
	if tag := v.form.get("language"); i18n.Supported(tag) {
		r.language = tag
	}
	return r
}

// lobbySignIn shows the sites whose password was typed; of one alone there is
// nothing to choose.
func (w *admin) lobbySignIn(v *visit) (*reply, error) {
	doors, wait, err := w.platform.Lobby.SignIn(v.ctx, v.form.get("email"), v.form.get("password"))
	switch {
	case wait > 0:
		return throttled(v, "email", wait, func(status int) (*reply, error) { return lobbyReply(v, status), nil })
	case errors.Is(err, tenancy.ErrCredentials) || errors.Is(err, tenancy.ErrNoSite):
		v.form.wrong("email", tell(v.ctx, "lobby.wrong"))
		return lobbyReply(v, http.StatusUnprocessableEntity), nil
	case err != nil:
		return nil, err
	case len(doors) == 1 && doors[0].Pass != "":
		return w.lobbyGo(v, doors[0].Site.Slug, doors[0].Pass)
	}
	return &reply{title: tell(v.ctx, "lobby.choose"), bare: true, body: lobbyDoorsPage(doors)}, nil
}

func (w *admin) lobbyChoose(v *visit) (*reply, error) {
	return w.lobbyGo(v, v.form.get("site"), v.form.get("pass"))
}

// lobbyGo shows the way into a site: a form, for a pass must stand in no address,
// which a script sends at once. It isn't a redirect, for browsers don't say then
// where the form comes from.
func (w *admin) lobbyGo(v *visit, slug, pass string) (*reply, error) {
	site, err := w.platform.Lobby.Choose(v.ctx, slug, pass)
	switch {
	case errors.Is(err, tenancy.ErrNoWay) || errors.Is(err, tenancy.ErrNoSite) || errors.Is(err, tenancy.ErrClosed):
		v.form = &form{values: url.Values{}}
		v.form.wrong("email", tell(v.ctx, "lobby.over"))
		return lobbyReply(v, http.StatusUnprocessableEntity), nil
	case err != nil:
		return nil, err
	}
	to := w.siteOrigin(v, site)
	return &reply{title: site.Name, bare: true, body: lobbyGoPage(site, to+adminRoot+arrivalPath, pass), formsTo: to,
		scripts: []string{"onward.js"}}, nil
}

// arrive signs in who comes from the lobby, or from the page on which that failed,
// and nobody whom another page sends.
func (w *admin) arrive(v *visit) (*reply, error) {
	if again := v.origin != "" && !v.foreign; v.origin != w.platformOrigin(v) && !again {
		return nil, tenancy.ErrForbidden
	}
	user, err := w.platform.Lobby.Arrive(v.ctx, v.form.get("pass"))
	if errors.Is(err, tenancy.ErrNoWay) {
		v.form = &form{values: url.Values{}}
		v.form.wrong("login", tell(v.ctx, "lobby.over"))
		return loginReply(v, http.StatusUnprocessableEntity), nil
	}
	if err != nil {
		return nil, err
	}
	v.form = &form{values: url.Values{}}
	return w.enterAs(v, user)
}
