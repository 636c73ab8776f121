package signin

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// ProviderPath is the path at which signing in through a provider begins. The browser returns to callbackPath.
const (
	ProviderPath = "/login/provider"
	callbackPath = ProviderPath + "/callback"
)

// Callback returns the URL of a site to which browsers return from an OpenID Connect provider. It must be
// registered there.
func (w *Pages) Callback(v *frame.Visit) string {
	return w.letters.Origin(v, v.Scope().Site) + frame.AdminRoot + callbackPath
}

// offered returns the provider through which people may sign in, or nil.
func (w *Pages) offered(v *frame.Visit) *accounts.SignInProvider {
	found, err := w.platform.SignIns.Offered(v.Ctx)
	if err != nil {
		if !errors.Is(err, accounts.ErrNoProvider) {
			w.logger.WarnContext(v.Ctx, "offer a provider", "error", err)
		}
		return nil
	}
	return found
}

// providerTries returns the key for counting how often a client goes to the provider.
func providerTries(v *frame.Visit) string { return "provider " + v.Client }

// beginProvider sends the browser to the site's provider. Browsers return only to the site's main address, so they
// must begin there.
func (w *Pages) beginProvider(v *frame.Visit) (*frame.Reply, error) {
	to := frame.Inside(v.Query.Get("to"))
	if home := w.letters.Origin(v, v.Scope().Site); home != originOf(v, v.Host) {
		return &frame.Reply{Redirect: home + frame.LoginPath(to)}, nil
	}
	v.Form.Set("to", to)
	if wait, err := w.platform.Attempts.Take(v.Ctx, providerTries(v)); err != nil {
		return nil, err
	} else if wait > 0 {
		return frame.Throttled(v, "login", wait, func(status int) (*frame.Reply, error) { return w.loginReply(v, status), nil })
	}
	address, token, err := w.platform.SignIns.Begin(v.Ctx, w.Callback(v), to)
	if err != nil {
		w.platform.Attempts.Back(v.Ctx, providerTries(v))
		return w.providerFailed(v, err)
	}
	return &frame.Reply{Redirect: address, Asked: &token}, nil
}

// endProvider signs in the person whom the provider has confirmed.
func (w *Pages) endProvider(v *frame.Visit) (*frame.Reply, error) {
	user, to, err := w.platform.SignIns.Finish(v.Ctx, v.Asked, v.Query.Get("state"), v.Query.Get("code"))
	v.Form.Set("to", frame.Inside(to))
	var r *frame.Reply
	if err != nil {
		r, err = w.providerFailed(v, err)
	} else {
		w.platform.Attempts.Back(v.Ctx, providerTries(v))
		r, err = w.enterAs(v, user, accounts.ByProvider)
	}
	if r != nil {
		r.Asked = new(string)
	}
	return r, err
}

// providerFailed shows on the sign-in page why signing in through the provider failed.
func (w *Pages) providerFailed(v *frame.Visit, err error) (*frame.Reply, error) {
	if errors.Is(err, accounts.ErrNoProvider) {
		return &frame.Reply{Redirect: frame.LoginPath(v.Form.Get("to"))}, nil
	}
	name := ""
	if p := w.offered(v); p != nil {
		name = p.Name()
	}
	text, status := ProviderProblem(v.Ctx, name, err)
	if text == "" {
		return nil, err
	}
	w.logger.WarnContext(v.Ctx, "sign in by a provider", "error", err)
	if status == http.StatusForbidden {
		if err := w.platform.SignIns.Refused(v.Ctx); err != nil {
			w.logger.WarnContext(v.Ctx, "record a refused sign-in", "error", err)
		}
	}
	v.Form.Wrong("login", text)
	return w.loginReply(v, status), nil
}

// ProviderProblem returns the message for a person whose sign-in through a provider failed, and the status of the page. It
// returns "" for other errors.
func ProviderProblem(ctx context.Context, name string, err error) (text string, status int) {
	if limit := (*tenancy.LimitError)(nil); errors.As(err, &limit) {
		return i18n.T(ctx, limit.Key(), limit.Data()), http.StatusForbidden
	}
	for _, one := range []struct {
		err    error
		key    string
		status int
	}{
		{accounts.ErrNotBegunHere, "begun", http.StatusUnprocessableEntity},
		{accounts.ErrUnreachable, "unreachable", http.StatusBadGateway},
		{accounts.ErrSecretLost, "unreachable", http.StatusConflict},
		{accounts.ErrNotConfirmed, "unconfirmed", http.StatusForbidden},
		{accounts.ErrUnverified, "unverified", http.StatusForbidden},
		{accounts.ErrNoAccount, "unknown", http.StatusForbidden},
		{accounts.ErrOtherIdentity, "other", http.StatusForbidden},
		{accounts.ErrNoGroup, "group", http.StatusForbidden},
		{accounts.ErrNotAdmitted, "console", http.StatusForbidden},
	} {
		if errors.Is(err, one.err) {
			return frame.TellWith(ctx, "provider."+one.key, "Name", name), one.status
		}
	}
	return "", 0
}

// passwordsOff shows on the sign-in page that passwords are turned off.
func (w *Pages) passwordsOff(v *frame.Visit) *frame.Reply {
	name := ""
	if p := w.offered(v); p != nil {
		name = p.Name()
	}
	v.Form.Wrong("login", frame.TellWith(v.Ctx, "login.passwords.off", "Name", name))
	return w.loginReply(v, http.StatusForbidden)
}

// providerAddress returns the address at which signing in through the provider begins. After signing in, the
// browser continues to the page to.
func providerAddress(to string) string {
	if to = frame.Inside(to); to == frame.AdminRoot {
		return frame.AdminRoot + ProviderPath
	}
	return frame.AdminRoot + ProviderPath + "?" + url.Values{"to": {to}}.Encode()
}

// targeted returns attributes that make a link open another tab.
func targeted(blank bool) templ.Attributes {
	if blank {
		return templ.Attributes{"target": "_blank", "rel": "noopener"}
	}
	return nil
}
