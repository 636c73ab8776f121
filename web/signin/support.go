package signin

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/forms/frame"
)

// SupportPath is the path, below /admin, where the provider's support enters a site.
const SupportPath = "/support"

// ofOneself are the pages about one's own account, which support has none of.
var ofOneself = map[string]bool{"/profile": true, "/profile/passkey": true, "/profile/confirm": true, "/access": true}

// entryOf returns where a visit enters a site, and how.
func (w *Pages) entryOf(v *frame.Visit) accounts.SupportEntry {
	host, _ := tenancy.Host(v.Host)
	return accounts.SupportEntry{Platform: w.platform.Resolver.Platform(), Host: host, Agent: v.Agent}
}

// arriveAsSupport signs in support with a pass from the console. The form must come from the console or from the
// page that shows the failed form again; it rejects forms from other origins.
func (w *Pages) arriveAsSupport(v *frame.Visit) (*frame.Reply, error) {
	if !w.fromPlatform(v) {
		return nil, tenancy.ErrForbidden
	}
	session, as, token, err := w.platform.Support.Arrive(v.Ctx, v.Form.Get("pass"), w.entryOf(v))
	if errors.Is(err, accounts.ErrNoWay) {
		v.Form = &frame.Form{Values: url.Values{}}
		v.Form.Wrong("login", frame.Tell(v.Ctx, "support.over"))
		return w.loginReply(v, http.StatusUnprocessableEntity), nil
	}
	if err != nil {
		return nil, err
	}
	v.SignInSupport(session, as)
	w.letters.tellOfSupport(v.Ctx)
	return &frame.Reply{Redirect: frame.AdminRoot, Support: &token}, nil
}

// asSupport makes the visit a visit of the provider's support if the browser has a session of support.
func (w *Pages) asSupport(c *fiber.Ctx, v *frame.Visit) (bool, error) {
	token := c.Cookies(frame.SupportCookie(c))
	if token == "" {
		return false, nil
	}
	session, as, err := w.platform.Support.Find(v.Ctx, token)
	if errors.Is(err, tenancy.ErrCredentials) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	v.SignInSupport(session, as)
	v.FormsTo = w.platformOrigin(v) // leaving leads there
	c.SetUserContext(v.Ctx)
	return true, nil
}

// leaveAsSupport ends the session of support, and redirects to the site's page in the console.
func (w *Pages) leaveAsSupport(v *frame.Visit) (*frame.Reply, error) {
	return &frame.Reply{Redirect: w.platformOrigin(v) + frame.ConsoleRoot + "/sites/" + v.Scope().Site.Slug, Support: new(string)},
		w.platform.Support.Leave(v.Ctx, v.Session)
}

// tellOfSupport emails the administrators of the site, in their language, that support has signed in, and why. It
// does so after the response.
func (l *Letters) tellOfSupport(ctx context.Context) {
	if !l.Sent() {
		return
	}
	l.behind(ctx, l.outbox, "tell of support", func(ctx context.Context) error {
		scope := *tenancy.Current(ctx)
		as := scope.Principal
		scope.Principal = tenancy.Principal{Role: tenancy.Administrator} // support may not list users
		admins, err := l.platform.Users.Administrators(tenancy.With(ctx, scope))
		for _, u := range admins {
			language := cmp.Or(u.Language, scope.Site.Language)
			data := map[string]any{"Name": u.Name, "Site": scope.Site.WordsIn(language).Name, "Platform": as.Login, "Reason": as.Support,
				"Role": i18n.Text(language, "admin.role."+string(as.Role), nil), "Minutes": int(accounts.SupportLife.Minutes()),
				"Link": l.platform.Resolver.Sent(&scope) + frame.AdminRoot + "/audit"}
			err = errors.Join(err, l.post.Send(ctx, u.Email, i18n.Text(language, "admin.mail.support.subject", data),
				i18n.Text(language, "admin.mail.support.text", data)+"\n"))
		}
		return err
	})
}
