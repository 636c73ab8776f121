package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// loginPath is the way to sign in and on to an address.
func loginPath(to string) string {
	if to == adminRoot {
		return adminRoot + "/login"
	}
	return adminRoot + "/login?to=" + url.QueryEscape(to)
}

// inside returns an address of the administration as it is, and its start for
// any other.
func inside(to string) string {
	if path, _, _ := strings.Cut(to, "?"); Admin(path) && !strings.ContainsAny(to, "\\\r\n\t") && !strings.Contains(to, "//") &&
		path != adminRoot+"/login" && path != adminRoot+"/logout" {
		return to
	}
	return adminRoot
}

// askLogin shows the form to sign in.
func (w *admin) askLogin(v *visit) (*reply, error) {
	if v.session != nil {
		return &reply{redirect: inside(v.query.Get("to"))}, nil
	}
	v.form.set("to", inside(v.query.Get("to")))
	return loginReply(v, 0), nil
}

func loginReply(v *visit, status int) *reply {
	return &reply{status: status, title: tell(v.ctx, "login.title"), bare: true, scripts: []string{"passkeys.js"},
		body: loginPage(v.form, v.form.get("pending"))}
}

// signInFirst answers a form whose session has ended: with a login beside what
// was typed.
func (w *admin) signInFirst(v *visit) *reply {
	v.form.set("pending", v.path)
	v.form.set("again", "1")
	return loginReply(v, http.StatusUnauthorized)
}

// login signs a person in, under a new token. A form that waited for it is shown
// again with everything typed.
func (w *admin) login(v *visit) (*reply, error) {
	login, password := v.form.get("login"), v.form.get("password")
	account, err := w.platform.Authenticator.Account(v.ctx, login)
	if err != nil {
		return nil, err
	}
	tries := tenancy.SignInTries(v.client, account)
	if wait, err := w.platform.Attempts.TakeAll(v.ctx, tries); err != nil {
		return nil, err
	} else if wait > 0 {
		return throttled(v, "login", wait, func(status int) (*reply, error) { return loginReply(v, status), nil })
	}
	user, err := w.platform.Authenticator.SignIn(v.ctx, login, password)
	if errors.Is(err, tenancy.ErrCredentials) {
		if err != tenancy.ErrCredentials { //nolint:errorlint // there is more in it
			w.logger.WarnContext(v.ctx, "sign in", "error", err)
		}
		v.form.wrong("login", tell(v.ctx, "login.wrong"))
		return loginReply(v, http.StatusUnprocessableEntity), nil
	}
	w.platform.Attempts.BackAll(v.ctx, tries) // it was right, or nobody knows
	if err != nil {
		return nil, err
	}
	return w.enterAs(v, user)
}

// enterAs begins a session of somebody who has shown who they are, and leads on.
func (w *admin) enterAs(v *visit, user *tenancy.User) (*reply, error) {
	if v.session != nil { // of this browser, which is about to lose its token
		if err := w.platform.Sessions.End(v.ctx, v.session.ID()); err != nil && !errors.Is(err, tenancy.ErrNoKey) {
			return nil, err
		}
	}
	session, token, err := w.platform.Sessions.Start(v.ctx, user, v.agent, v.scope().Address)
	if err != nil {
		return nil, err
	}
	v.signIn(session, user)
	r, err := w.goOn(v)
	if err != nil {
		return nil, err
	}
	r.token = &token
	return r, nil
}

// goOn leads a person who has signed in to where they were going.
func (w *admin) goOn(v *visit) (*reply, error) {
	pending := v.form.get("pending")
	if pending == "" {
		return &reply{redirect: inside(v.form.get("to"))}, nil
	}
	route, id, _ := w.route(http.MethodPost, strings.TrimPrefix(pending, adminRoot))
	if route == nil || route.open || !Admin(pending) || !v.scope().Principal.May(route.may) {
		return &reply{redirect: adminRoot}, nil
	}
	v.path, v.id = pending, id
	for name := range secrets {
		v.form.values.Del(name)
	}
	v.form.set("do", "show")
	return route.handle(v)
}

// logout ends the session.
func (w *admin) logout(v *visit) (*reply, error) {
	if err := w.platform.Sessions.End(v.ctx, v.session.ID()); err != nil && !errors.Is(err, tenancy.ErrNoKey) {
		return nil, err
	}
	return &reply{redirect: adminRoot + "/login", token: new(string), say: "logout"}, nil
}

// language keeps the language a person chose.
func (w *admin) language(v *visit) (*reply, error) {
	r := &reply{redirect: inside(v.form.get("to"))}
	if v.session == nil {
		if route, _, _ := w.route(http.MethodGet, strings.TrimPrefix(pathOf(r.redirect), adminRoot)); route == nil || !route.open {
			r.redirect = loginPath(r.redirect)
		}
	}
	if tag := v.form.get("language"); i18n.Supported(tag) {
		r.language = tag
	}
	if v.session != nil && v.genuine() && v.user.Language != "" && r.language != "" { // chosen for every browser, so changed there too
		if _, err := w.platform.Users.Personalize(v.ctx, &tenancy.PersonFields{Language: args.Some(r.language)},
			tenancy.Presence{}); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// pathOf is an address without its query.
func pathOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

// staleForm answers a form of an earlier session, or of none: everything typed
// is kept, and nothing happens until it is sent again.
func staleForm(v *visit) *reply {
	return &reply{status: http.StatusForbidden, title: tell(v.ctx, "stale.title"),
		body: waitingPage("stale", v.path, v.form.kept(), "show")}
}
