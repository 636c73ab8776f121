package console

import (
	"errors"
	"net/http"
	"strings"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/signin"
)

// callbackPath is the path, below the console, to which browsers return from an OpenID Connect provider. Its URL
// must be registered there.
const callbackPath = "login/provider/callback"

func (w *Pages) loginReply(v *frame.Visit, status int) (*frame.Reply, error) {
	return &frame.Reply{Status: status, Title: frame.Tell(v.Ctx, "console.title"), Bare: true,
		Body: consoleLoginPage(v.Form, w.platform.Console.SignIn())}, nil
}

// login starts a session for the holder of a provider token, and replaces the browser's previous session.
func (w *Pages) login(v *frame.Visit, before *accounts.ProviderSession) (*frame.Reply, error) {
	session, secret, err := w.platform.Console.Start(v.Ctx, strings.TrimSpace(v.Form.Get("password")))
	if errors.Is(err, accounts.ErrTooOften) {
		return frame.Throttled(v, "password", accounts.ConsoleWait, func(status int) (*frame.Reply, error) {
			return w.loginReply(v, status)
		})
	}
	if errors.Is(err, tenancy.ErrCredentials) {
		if err != tenancy.ErrCredentials { //nolint:errorlint // a wrapped error carries more information
			w.logger.WarnContext(v.Ctx, "sign in to the console", "error", err)
		}
		v.Form.Wrong("password", frame.Tell(v.Ctx, "console.wrong"))
		return w.loginReply(v, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return nil, err
	}
	return w.enter(v, before, session, secret)
}

// enter signs a browser in, and ends its previous session.
func (w *Pages) enter(v *frame.Visit, before, session *accounts.ProviderSession, secret string) (*frame.Reply, error) {
	if before != nil {
		if err := w.platform.Console.End(v.Ctx, before); err != nil {
			return nil, err
		}
	}
	enterConsole(v, session)
	return &frame.Reply{Redirect: frame.ConsoleRoot, Token: &secret}, nil
}

// beginProvider sends the browser to the provider through which people sign in. Browsers return only to the
// platform's own domain, so they must begin there.
func (w *Pages) beginProvider(v *frame.Visit) (*frame.Reply, error) {
	platform := w.letters.Platform(v)
	if platform != v.Scope().Base.Origin {
		return &frame.Reply{Redirect: platform + frame.ConsoleRoot + "/login"}, nil
	}
	address, token, err := w.platform.Console.Begin(v.Ctx, platform+frame.ConsoleRoot+"/"+callbackPath)
	if err != nil {
		return w.providerFailed(v, err)
	}
	return &frame.Reply{Redirect: address, Asked: &token}, nil
}

// endProvider starts a session for the person whom the provider has confirmed.
func (w *Pages) endProvider(v *frame.Visit, before *accounts.ProviderSession) (*frame.Reply, error) {
	session, secret, err := w.platform.Console.Finish(v.Ctx, v.Asked, v.Query.Get("state"), v.Query.Get("code"))
	var r *frame.Reply
	if err != nil {
		r, err = w.providerFailed(v, err)
	} else {
		r, err = w.enter(v, before, session, secret)
	}
	if r != nil {
		r.Asked = new(string)
	}
	return r, err
}

// providerFailed shows on the sign-in page why signing in through the provider failed.
func (w *Pages) providerFailed(v *frame.Visit, err error) (*frame.Reply, error) {
	by := w.platform.Console.SignIn()
	page := func(status int) (*frame.Reply, error) { return w.loginReply(v, status) }
	switch {
	case by == nil || errors.Is(err, accounts.ErrNoProvider):
		return &frame.Reply{Redirect: frame.ConsoleRoot + "/login"}, nil
	case errors.Is(err, accounts.ErrTooOften):
		return frame.Throttled(v, "password", accounts.ConsoleWait, page)
	}
	text, status := signin.ProviderProblem(v.Ctx, by.Name(), err)
	if text == "" {
		return nil, err
	}
	w.logger.WarnContext(v.Ctx, "sign in to the console by a provider", "error", err)
	if status == http.StatusForbidden {
		if err := w.platform.Console.NotAdmitted(v.Ctx); err != nil {
			w.logger.WarnContext(v.Ctx, "record a refused sign-in", "error", err)
		}
	}
	v.Form.Wrong("password", text)
	return page(status)
}
