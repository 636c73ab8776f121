// Package signin authenticates users of the administration: the sign-in pages of sites and the lobby, and the
// users' own sessions, passkeys and keys. It also guards the administration, which only permitted users may enter.
package signin

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// Pages authenticates users. It provides the sign-in pages of sites and the lobby, and the pages for the user's own
// account. All requests to the administration pass through it.
type Pages struct {
	platform *platform.Platform
	letters  *Letters
	logger   *slog.Logger
	calendar *services.Calendar
	waiting  *attention.Service
	table    frame.Table // the package's own pages, and those behind the sign-in
}

// New returns the pages.
func New(p *platform.Platform, c *services.Calendar, a *attention.Service, l *Letters, logger *slog.Logger) *Pages {
	w := &Pages{platform: p, calendar: c, waiting: a, letters: l, logger: logger}
	w.table = w.routes()
	if l.Sent() {
		p.Inform(l.tell)
	}
	return w
}

// Guard admits signed-in users to routes.
func (w *Pages) Guard(behind []frame.Route) { w.table = append(w.table, behind...) }

// routes returns the routes of the package's own pages.
func (w *Pages) routes() []frame.Route {
	return []frame.Route{
		frame.GetOpen("/login", w.askLogin),
		frame.PostOpen("/login", w.login),
		frame.GetOpen("/login/passkey", w.askLogin),
		frame.PostOpen("/login/passkey", w.passkeyLogin),
		frame.GetOpen(ProviderPath, w.beginProvider),
		frame.GetOpen(callbackPath, w.endProvider),
		frame.GetOpen("/login/code", w.askLogin),
		frame.PostOpen("/login/code", w.codeLogin),
		frame.PostOpen("/login/passkey/options", w.askPasskey),
		frame.GetPage("/session", 0, w.session),
		frame.PostOpen("/session", w.enter),
		frame.PostOpen("/session/passkey", w.enterByPasskey),
		frame.PostPage("/logout", 0, w.logout),
		frame.PostOpen("/language", w.language),
		frame.GetOpen("/forgotten", w.askForgotten),
		frame.PostOpen("/forgotten", w.forgotten),
		frame.GetOpen("/welcome", w.askPassword),
		frame.PostOpen("/welcome", w.redeem),
		frame.PostOpen("/welcome/passkey", w.askInvited),
		frame.GetPage("/profile", 0, w.profile),
		frame.FormPage("/profile", 0, w.changeProfile),
		frame.PostPage("/profile/passkey", 0, w.askNewPasskey),
		frame.PostPage("/profile/confirm", 0, w.askPresence),
		frame.GetPage("/access", 0, w.access),
		frame.FormPage("/access", 0, w.changeAccess),
		frame.GetOpen("/sites", w.toLobby),
		frame.PostOpen(arrivalPath, w.arrive),
		frame.PostOpen(SupportPath, w.arriveAsSupport),
	}
}

// lobbyPaths are the paths below LobbyRoot that accept forms.
var lobbyPaths = []string{"", "/go", "/language"}

// Pages returns all addresses, including those behind the sign-in.
func (w *Pages) Pages() []ui.Page {
	var list []ui.Page
	for _, path := range lobbyPaths {
		list = append(list, ui.Page{Method: http.MethodPost, Path: frame.LobbyRoot + path})
	}
	for _, r := range w.table {
		list = append(list, ui.Page{Method: r.Method, Path: frame.AdminRoot + r.Path})
	}
	return list
}

// Mount adds these pages, and those behind the sign-in, to an app.
func (w *Pages) Mount(app fiber.Router) {
	app.All(frame.LobbyRoot, w.lobby)
	app.All(frame.LobbyRoot+"/*", w.lobby)
	app.All(frame.AdminRoot, w.serve)
	app.All(frame.AdminRoot+"/*", w.serve)
}

// serve handles all requests of the administration: route, session, form, permission, handler.
func (w *Pages) serve(c *fiber.Ctx) error {
	route, id, allow := w.table.Find(c.Method(), strings.TrimPrefix(c.Path(), frame.AdminRoot))
	if route == nil {
		if allow == nil {
			return fiber.ErrNotFound
		}
		c.Set(fiber.HeaderAllow, strings.Join(allow, ", "))
		return fiber.ErrMethodNotAllowed
	}
	v, err := w.visit(c, id)
	if err != nil {
		return err
	}
	v.Count = w.waiting.Counts
	answer, err := w.admit(v, route)
	if errors.Is(err, accounts.ErrUnderWay) {
		answer, err = frame.UnderWay(v), nil
	}
	if err == nil && v.Session != nil && answer.Framed() {
		_, err = v.Waits()
	}
	if err != nil {
		return err
	}
	return frame.Send(c, v, answer)
}

// visit parses a request and authenticates the user.
func (w *Pages) visit(c *fiber.Ctx, id int64) (*frame.Visit, error) {
	v, err := frame.Read(c)
	if err != nil {
		return nil, err
	}
	v.ID, v.Undo, v.Lobby = id, c.Cookies(frame.UndoCookie), w.hasLobby(v)
	if v.Came && v.Lobby { // signing out leads to the lobby
		v.FormsTo = w.platformOrigin(v)
	}
	if found, err := w.asSupport(c, v); found || err != nil {
		return v, err
	}
	session, user, err := w.platform.Sessions.Find(v.Ctx, c.Cookies(frame.SessionCookie(c)))
	switch {
	case errors.Is(err, tenancy.ErrCredentials):
		frame.Unhint(c)
		return v, nil
	case err != nil:
		return nil, err
	}
	v.SignIn(session, user)
	c.Set(fiber.HeaderContentLanguage, v.Scope().Language)
	c.SetUserContext(v.Ctx)
	return v, nil
}

// admit passes a visit to its handler, or responds with the sign-in page. If a form belongs to another session, it
// shows the form again.
func (w *Pages) admit(v *frame.Visit, route *frame.Route) (*frame.Reply, error) {
	switch {
	case v.Post && v.Foreign && route.Path != arrivalPath && route.Path != SupportPath: // they check the origin themselves
		return nil, tenancy.ErrForbidden
	case route.Open:
		return route.Handle(v)
	case v.Session == nil && v.Part:
		return signInPart(), nil
	case v.Session == nil && v.Post && v.Path != frame.AdminRoot+"/logout":
		return w.signInFirst(v), nil
	case v.Session == nil:
		return &frame.Reply{Redirect: frame.LoginPath(v.Address())}, nil
	case v.Post && !v.Genuine():
		return staleForm(v), nil
	}
	if err := v.Scope().Principal.Require(route.May); err != nil {
		return nil, err
	}
	if v.Session.Support && ofOneself[route.Path] {
		return nil, tenancy.ErrForbidden
	}
	return w.table.Answer(v, route)
}

// Fail responds to a failed request of the administration, the console or the lobby. It keeps the input of a form for
// sending it again.
func (w *Pages) Fail(c *fiber.Ctx, err error, status int) error {
	v := frame.Recall(c)
	v.Lobby = w.hasLobby(v)
	if v.Came && v.Lobby || v.Session != nil && v.Session.Support { // as in visit
		v.FormsTo = w.platformOrigin(v)
	}
	arrives := (v.Path == frame.AdminRoot+arrivalPath || v.Path == frame.AdminRoot+SupportPath) &&
		c.Get(fiber.HeaderOrigin) == w.platformOrigin(v)
	return frame.Fail(c, v, err, status, arrives)
}
