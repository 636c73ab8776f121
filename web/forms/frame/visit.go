// Package frame contains what the pages that require signing in share: visits and replies, forms with fields and
// problems, and the frame around a page.
package frame

import (
	"context"
	"crypto/subtle"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/ui"
)

// Visit is one request to the administration.
type Visit struct {
	Ctx     context.Context
	Path    string
	ID      int64 // from the path
	Query   url.Values
	Post    bool
	Foreign bool   // sent by a page of another origin
	Origin  string // origin of the page with the form, according to the browser
	Form    *Form  // as sent
	said    string
	Asked   string            // token of the challenge that a device of this browser was asked to sign
	Undo    string            // action of the previous page that can be undone
	Session *accounts.Session // nil if nobody is signed in
	User    *tenancy.User
	Client  string // name under which attempts are counted
	Host    string // as in the request
	Agent   string
	Theme   tenancy.Theme          // chosen in this browser, for pages before signing in
	Part    bool                   // requested by a script, without the frame
	Lobby   bool                   // a lobby exists
	Device  string                 // token by which the browser is recognized after a sign-in
	Stay    string                 // token of the sign-in at the lobby; only in the lobby
	Came    bool                   // the browser came to the site from the lobby
	FormsTo string                 // origin that forms of the site may lead to, or ""
	Waiting map[attention.Kind]int // what waits for the signed-in user; see Waits
	Desk    bool                   // the administration starts with the overview in this browser

	Count func(context.Context) (map[attention.Kind]int, error) // counts what waits
}

// Waits returns how many items of each kind wait for the signed-in user. It counts only once per visit, after the
// writes of the visit.
func (v *Visit) Waits() (map[attention.Kind]int, error) {
	if v.Waiting != nil || v.Count == nil {
		return v.Waiting, nil
	}
	var err error
	v.Waiting, err = v.Count(v.Ctx)
	return v.Waiting, err
}

// Read reads a request. The user is determined later.
func Read(c *fiber.Ctx) (*Visit, error) {
	v := &Visit{Ctx: c.UserContext(), Path: c.Path(), Post: c.Method() == fiber.MethodPost, Agent: c.Get(fiber.HeaderUserAgent),
		Stay: c.Cookies(stayCookie(c)), Device: c.Cookies(deviceCookie(c)), Came: c.Cookies(cameCookie) != "",
		Desk: c.Cookies(startCookie) == "desk",
		said: c.Cookies(saidCookie), Asked: c.Cookies(askedCookie(c)), Part: c.Get(partHeader) != "",
		Origin: c.Get(fiber.HeaderOrigin), Form: &Form{Values: url.Values{}}}
	v.Client, v.Host = v.Scope().Client(), v.Scope().Base.Host()
	v.Theme = themeOf(c.Cookies(themeCookie))
	var err error
	if v.Query, err = ui.ReadQuery(c); err != nil {
		return nil, err
	}
	if v.Post {
		v.Foreign = ui.Abroad(c)
		if v.Form, err = readForm(c); err != nil {
			return nil, err
		}
	}
	v.Ctx = context.WithValue(v.Ctx, typedKey{}, v.Form)
	c.SetUserContext(v.Ctx)
	return v, nil
}

// Recall returns the visit of a failed request with the user who was signed in.
func Recall(c *fiber.Ctx) *Visit {
	v := &Visit{Ctx: c.UserContext(), Path: c.Path(), Post: c.Method() == fiber.MethodPost, Form: &Form{},
		Theme: themeOf(c.Cookies(themeCookie)), Desk: c.Cookies(startCookie) == "desk", Came: c.Cookies(cameCookie) != ""}
	v.Host = v.Scope().Base.Host()
	if query, err := ui.ReadQuery(c); err == nil {
		v.Query = query
	}
	session, there := v.Ctx.Value(sessionKey{}).(*accounts.Session)
	user, known := v.Ctx.Value(userKey{}).(*tenancy.User)
	if there && known {
		v.Session, v.User = session, user
	}
	return v
}

// SignIn makes the visit a visit of the session's user.
func (v *Visit) SignIn(session *accounts.Session, user *tenancy.User) {
	scope := *tenancy.Current(v.Ctx)
	scope.Principal = user.Principal()
	scope.Principal.Seal = session.Seal
	if i18n.Supported(user.Language) {
		scope.Language = user.Language
	}
	v.Become(tenancy.With(v.Ctx, scope), session, user)
}

// SignInSupport makes the visit a visit of the provider's support, which is not a user of the site.
func (v *Visit) SignInSupport(session *accounts.Session, as tenancy.Principal) {
	scope := *tenancy.Current(v.Ctx)
	scope.Principal = as
	name := TellWith(v.Ctx, "support.name", "Platform", as.Login)
	v.Become(tenancy.With(v.Ctx, scope), session, &tenancy.User{Name: name, Role: as.Role, Theme: v.Theme})
}

// Become makes the visit a visit of the user in a context.
func (v *Visit) Become(ctx context.Context, session *accounts.Session, user *tenancy.User) {
	v.Session, v.User = session, user
	v.Ctx = context.WithValue(context.WithValue(ctx, sessionKey{}, session), userKey{}, user)
}

// Lasting returns a context that outlives the request, for a response that is still being written.
func (v *Visit) Lasting(most time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(v.Ctx), most)
}

// Scope returns the scope of the visit.
func (v *Visit) Scope() *tenancy.Scope { return tenancy.Current(v.Ctx) }

// Genuine reports whether the form was created for this session (CSRF protection).
func (v *Visit) Genuine() bool {
	return subtle.ConstantTimeCompare([]byte(unmasked(v.Form.Get("csrf"))), []byte(v.Session.CSRF)) == 1
}

// Address returns path and query of a GET visit.
func (v *Visit) Address() string {
	if v.Post || len(v.Query) == 0 {
		return v.Path
	}
	return v.Path + "?" + v.Query.Encode()
}

// The names of cookies.
const (
	saidCookie  = "kalends-said"
	UndoCookie  = "kalends-undo"
	cameCookie  = "kalends-came"
	startCookie = "kalends-start"
	themeCookie = "kalends-theme"
)

// baseOf returns the address that a request was sent to.
func baseOf(c *fiber.Ctx) tenancy.Base { return tenancy.Current(c.UserContext()).Base }
