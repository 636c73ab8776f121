package signin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// askLogin shows the sign-in form.
func (w *Pages) askLogin(v *frame.Visit) (*frame.Reply, error) {
	if v.Session != nil {
		return &frame.Reply{Redirect: frame.Inside(v.Query.Get("to"))}, nil
	}
	v.Form.Set("to", frame.Inside(v.Query.Get("to")))
	return w.loginReply(v, 0), nil
}

// loginReply returns the sign-in page, with the provider through which people may sign in.
func (w *Pages) loginReply(v *frame.Visit, status int) *frame.Reply {
	return signInReply(v, status, w.offered(v))
}

func signInReply(v *frame.Visit, status int, provider *accounts.SignInProvider) *frame.Reply {
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "login.title"), Bare: true,
		Here: v.Form.Get("to"), Body: loginPage(v.Form, v.Form.Get("pending"), provider)}
}

// signInFirst responds to a form whose session has ended: it shows a sign-in form that keeps the input.
func (w *Pages) signInFirst(v *frame.Visit) *frame.Reply {
	return waitingReply(v, w.offered(v))
}

func waitingReply(v *frame.Visit, provider *accounts.SignInProvider) *frame.Reply {
	v.Form.Set("pending", v.Path)
	v.Form.Set("again", "1")
	return signInReply(v, http.StatusUnauthorized, provider)
}

// login signs a user in under a new session token. A pending form is shown again with its input.
func (w *Pages) login(v *frame.Visit) (*frame.Reply, error) {
	if v.Session != nil && v.Form.Get("do") == "continue" { // signed in through the provider, in another tab
		return w.goOn(v)
	}
	login, password := v.Form.Get("login"), v.Form.Get("password")
	tries, err := w.platform.Authenticator.Tries(v.Ctx, v.Client, login, v.Device)
	if err != nil {
		return nil, err
	}
	if wait, account, err := w.platform.Attempts.TakeAtAccount(v.Ctx, tries); err != nil {
		return nil, err
	} else if wait > 0 {
		if account {
			w.alarm(v, login)
		}
		return frame.Throttled(v, "login", wait, func(status int) (*frame.Reply, error) { return w.loginReply(v, status), nil })
	}
	user, err := w.platform.Authenticator.SignIn(v.Ctx, login, password)
	if errors.Is(err, tenancy.ErrCredentials) {
		if err != tenancy.ErrCredentials { //nolint:errorlint // a wrapped error carries more information
			w.logger.WarnContext(v.Ctx, "sign in", "error", err)
		}
		v.Form.Wrong("login", frame.Tell(v.Ctx, "login.wrong"))
		return w.loginReply(v, http.StatusUnprocessableEntity), nil
	}
	w.platform.Attempts.BackAll(v.Ctx, tries) // the password was right, or could not be checked
	if err != nil {
		return nil, err
	}
	if user.SecondFactor {
		return w.askCode(v, user)
	}
	return w.enterAs(v, user, accounts.ByPasswordAlone)
}

// alarm tells the owner of an account, after the response, that strangers are guessing its password.
func (w *Pages) alarm(v *frame.Visit, login string) {
	w.letters.behind(v.Ctx, w.letters.strange, "alarm", func(ctx context.Context) error {
		return w.platform.Authenticator.Alarm(ctx, login)
	})
}

// enterAs starts a session for a user who has passed all checks, and redirects.
func (w *Pages) enterAs(v *frame.Visit, user *tenancy.User, by accounts.Way) (*frame.Reply, error) {
	if v.Session != nil { // this browser's session, which is about to lose its token
		if err := w.platform.Sessions.End(v.Ctx, v.Session.ID()); err != nil && !errors.Is(err, accounts.ErrNoKey) {
			return nil, err
		}
	}
	session, token, err := w.platform.Sessions.Start(v.Ctx, user, accounts.Entry{Agent: v.Agent, Address: v.Scope().Address, By: by})
	if errors.Is(err, accounts.ErrPasswordsOff) {
		return w.passwordsOff(v), nil
	}
	if err != nil {
		return nil, err
	}
	v.SignIn(session, user)
	r, err := w.goOn(v)
	if err != nil {
		return nil, err
	}
	r.Token, r.Device = &token, w.platform.Authenticator.Device(v.Ctx, user)
	return r, nil
}

// goOn redirects a signed-in user to where they were going.
func (w *Pages) goOn(v *frame.Visit) (*frame.Reply, error) {
	pending := v.Form.Get("pending")
	if pending == "" {
		return &frame.Reply{Redirect: frame.Inside(v.Form.Get("to"))}, nil
	}
	route, id, _ := w.table.Find(http.MethodPost, strings.TrimPrefix(pending, frame.AdminRoot))
	if route == nil || route.Open || !frame.Admin(pending) || !v.Scope().Principal.May(route.May) {
		return &frame.Reply{Redirect: frame.AdminRoot}, nil
	}
	v.Path, v.ID = pending, id
	for name := range frame.Secrets {
		v.Form.Values.Del(name)
	}
	v.Form.Set("do", "show")
	return w.table.Answer(v, route)
}

// logout ends the session.
func (w *Pages) logout(v *frame.Visit) (*frame.Reply, error) {
	if v.Session.Support {
		return w.leaveAsSupport(v)
	}
	if err := w.platform.Sessions.End(v.Ctx, v.Session.ID()); err != nil && !errors.Is(err, accounts.ErrNoKey) {
		return nil, err
	}
	r := &frame.Reply{Redirect: frame.AdminRoot + "/login", Token: new(string), Say: "logout"}
	if v.Came && w.hasLobby(v) { // otherwise the lobby would sign in the next person
		r.Came, r.Redirect = new(string), w.platformOrigin(v)+frame.LobbyRoot+"/leave?site="+url.QueryEscape(v.Scope().Site.Slug)
	}
	return r, nil
}

// staleForm responds to a form of another session, or of none. It keeps the input and does nothing until the form is
// sent again.
func staleForm(v *frame.Visit) *frame.Reply {
	return &frame.Reply{Status: http.StatusForbidden, Title: frame.Tell(v.Ctx, "stale.title"),
		Body: frame.WaitingPage("stale", v.Path, v.Form.Kept(), "show")}
}
