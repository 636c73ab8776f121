package signin

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// platformOrigin returns the origin of the platform with the scheme and port of the visit.
func (w *Pages) platformOrigin(v *frame.Visit) string {
	return w.letters.Platform(v)
}

func originOf(v *frame.Visit, host string) string {
	base := v.Scope().Base
	scheme, _, _ := strings.Cut(base.Origin, "://")
	return scheme + "://" + host + base.Port
}

// hasLobby reports whether the platform has its own domain, or a local name that is reachable from this machine.
func (w *Pages) hasLobby(v *frame.Visit) bool {
	platform := w.platform.Resolver.Platform()
	host, _ := tenancy.Host(v.Host)
	return platform != "localhost" || host == platform || strings.HasSuffix(host, "."+platform)
}

// toLobby redirects from a site to the lobby.
func (w *Pages) toLobby(v *frame.Visit) (*frame.Reply, error) {
	return &frame.Reply{Redirect: w.platformOrigin(v) + frame.LobbyRoot}, nil
}

// lobby handles all requests of the lobby. The host of a site has no lobby, so there the path belongs to the site.
func (w *Pages) lobby(c *fiber.Ctx) error {
	if tenancy.Current(c.UserContext()).Site != nil {
		return c.Next()
	}
	v, err := frame.Read(c)
	if err != nil {
		return err
	}
	r, err := w.lobbyPage(v)
	if err != nil {
		return err
	}
	return frame.Send(c, v, r)
}

// lobbyPage finds the handler of a path of the lobby.
func (w *Pages) lobbyPage(v *frame.Visit) (*frame.Reply, error) {
	path := strings.TrimPrefix(v.Path, frame.LobbyRoot)
	switch {
	case !w.platform.Resolver.IsPlatform(v.Host): // sites do not accept sign-ins from elsewhere
		return w.toLobby(v)
	case v.Post && v.Foreign:
		return nil, tenancy.ErrForbidden
	case path == "" && !v.Post:
		return w.lobbyReturn(v)
	case path == "":
		return w.lobbySignIn(v)
	case path == "/go" && v.Post:
		return w.lobbyChoose(v)
	case path == "/language" && v.Post:
		return lobbyLanguage(v), nil
	case path == "/leave":
		return w.lobbyLeave(v)
	case path == "/go" || path == "/language":
		return &frame.Reply{Redirect: frame.LobbyRoot}, nil
	}
	return nil, fiber.ErrNotFound
}

func lobbyReply(v *frame.Visit, status int) *frame.Reply {
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "lobby.title"), Bare: true, Body: lobbyLoginPage(v.Form)}
}

func lobbyLanguage(v *frame.Visit) *frame.Reply {
	r := &frame.Reply{Redirect: frame.LobbyRoot}
	if tag := v.Form.Get("language"); i18n.Supported(tag) {
		r.Language = tag
	}
	return r
}

// lobbySignIn shows the sites that the password is valid for, or enters the site directly if there is only one.
func (w *Pages) lobbySignIn(v *frame.Visit) (*frame.Reply, error) {
	doors, stay, wait, err := w.platform.Lobby.SignIn(v.Ctx, v.Form.Get("email"), v.Form.Get("password"), v.Device)
	switch {
	case wait > 0:
		return frame.Throttled(v, "email", wait, func(status int) (*frame.Reply, error) { return lobbyReply(v, status), nil })
	case errors.Is(err, tenancy.ErrCredentials) || errors.Is(err, tenancy.ErrNoSite):
		v.Form.Wrong("email", frame.Tell(v.Ctx, "lobby.wrong"))
		return lobbyReply(v, http.StatusUnprocessableEntity), nil
	case err != nil:
		return nil, err
	}
	if len(doors.List) == 1 && doors.All == 1 && doors.List[0].Pass != "" {
		r, err := w.lobbyGo(v, doors.List[0].Site.Slug, doors.List[0].Pass)
		if err == nil {
			r.Stay, r.Device = &stay, doors.Device
		}
		return r, err
	}
	r := doorsReply(v, doors)
	r.Stay, r.Device = &stay, doors.Device
	return r, nil
}

func doorsReply(v *frame.Visit, doors *accounts.Doors) *frame.Reply {
	return &frame.Reply{Title: frame.Tell(v.Ctx, "lobby.choose"), Bare: true, Body: lobbyDoorsPage(doors, v.Query.Get("search"))}
}

// lobbyReturn shows the sites again to users who have already signed in here.
func (w *Pages) lobbyReturn(v *frame.Visit) (*frame.Reply, error) {
	doors, err := w.platform.Lobby.Return(v.Ctx, v.Stay, frame.Cut(v.Query.Get("search"), 100))
	switch {
	case errors.Is(err, tenancy.ErrCredentials):
		return lobbyReply(v, 0), nil
	case err != nil:
		return nil, err
	}
	return doorsReply(v, doors), nil
}

// lobbyLeave ends the sign-in at the lobby and redirects to the sign-in page of the site that was left.
func (w *Pages) lobbyLeave(v *frame.Visit) (*frame.Reply, error) {
	site, err := w.platform.Lobby.Leave(v.Ctx, v.Stay, v.Query.Get("site"))
	if err != nil {
		return nil, err
	}
	r := &frame.Reply{Redirect: frame.LobbyRoot, Stay: new(string)}
	if site != nil {
		r.Redirect = w.letters.Origin(v, site) + frame.AdminRoot + "/login"
	}
	return r, nil
}

func (w *Pages) lobbyChoose(v *frame.Visit) (*frame.Reply, error) {
	return w.lobbyGo(v, v.Form.Get("site"), v.Form.Get("pass"))
}

// lobbyGo shows a form that enters a site; a script sends it immediately. The pass must not appear in a URL, and
// after a redirect browsers would omit the origin of the form.
func (w *Pages) lobbyGo(v *frame.Visit, slug, pass string) (*frame.Reply, error) {
	site, err := w.platform.Lobby.Choose(v.Ctx, slug, pass)
	switch {
	case errors.Is(err, accounts.ErrNoWay) || errors.Is(err, tenancy.ErrNoSite) || errors.Is(err, tenancy.ErrClosed):
		v.Form = &frame.Form{Values: url.Values{}}
		v.Form.Wrong("email", frame.Tell(v.Ctx, "lobby.over"))
		return lobbyReply(v, http.StatusUnprocessableEntity), nil
	case err != nil:
		return nil, err
	}
	to := w.letters.Origin(v, site)
	return &frame.Reply{Title: site.Name, Bare: true, Body: lobbyGoPage(site, to+frame.AdminRoot+arrivalPath, pass), FormsTo: to}, nil
}
