// Package frame is what the pages behind a sign-in share: the visit, what becomes of it,
// forms with their fields and problems, and the frame around a page.
package frame

import (
	"context"
	"crypto/subtle"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Visit is one request to the administration.
type Visit struct {
	Ctx     context.Context
	Path    string
	ID      int64 // in the path
	Query   url.Values
	Post    bool
	Foreign bool   // sent by a page of another origin
	Origin  string // of that page, as the browser says
	Form    *Form  // what was sent
	said    string
	Asked   string           // names what a device of this browser was asked to sign
	Undo    string           // what the page before can take back
	Session *tenancy.Session // nil: nobody is signed in
	User    *tenancy.User
	Client  string // whom attempts are counted for
	Host    string // as the request says
	Agent   string
	Theme   tenancy.Theme // chosen in this browser, for pages before the sign-in
	Part    bool          // asked for by a script of the page, which wants no frame
	Lobby   bool          // there is a lobby to go to
	Stay    string        // names who has signed in there, in the lobby alone
	Came    bool          // the browser came to the site from there
	FormsTo string        // origin that forms of the site may lead on to, "" for none
	Desk    bool          // the administration begins with the overview in this browser
}

// Read reads a request; who is there is found out later.
func Read(c *fiber.Ctx) (*Visit, error) {
	v := &Visit{Ctx: c.UserContext(), Path: c.Path(), Post: c.Method() == fiber.MethodPost, Agent: c.Get(fiber.HeaderUserAgent),
		Stay: c.Cookies(stayCookie(c)), Came: c.Cookies(cameCookie) != "",
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

// Recall returns the visit of a request that came to nothing, with who was
// signed in when things went wrong.
func Recall(c *fiber.Ctx) *Visit {
	v := &Visit{Ctx: c.UserContext(), Path: c.Path(), Post: c.Method() == fiber.MethodPost, Form: &Form{}}
	session, there := v.Ctx.Value(sessionKey{}).(*tenancy.Session)
	user, known := v.Ctx.Value(userKey{}).(*tenancy.User)
	if there && known {
		v.Session, v.User = session, user
	}
	return v
}

// SignIn makes the visit one of that user.
func (v *Visit) SignIn(session *tenancy.Session, user *tenancy.User) {
	scope := *tenancy.Current(v.Ctx)
	scope.Principal = user.Principal()
	if i18n.Supported(user.Language) {
		scope.Language = user.Language
	}
	v.Become(tenancy.With(v.Ctx, scope), session, user)
}

// Become makes the visit one of that user in a context.
func (v *Visit) Become(ctx context.Context, session *tenancy.Session, user *tenancy.User) {
	v.Session, v.User = session, user
	v.Ctx = context.WithValue(context.WithValue(ctx, sessionKey{}, session), userKey{}, user)
}

// Lasting returns a context that outlives the request, for an answer that is
// still being written.
func (v *Visit) Lasting(most time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(v.Ctx), most)
}

// Scope is whose visit it is, and to which site.
func (v *Visit) Scope() *tenancy.Scope { return tenancy.Current(v.Ctx) }

// Genuine reports whether the form was made for this session.
func (v *Visit) Genuine() bool {
	return subtle.ConstantTimeCompare([]byte(unmasked(v.Form.Get("csrf"))), []byte(v.Session.CSRF)) == 1
}

// Address is the path and query of a visit that reads.
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

// baseOf is where a request was sent.
func baseOf(c *fiber.Ctx) tenancy.Base { return tenancy.Current(c.UserContext()).Base }

// SessionCookie names the cookie of the session: over https one that no other
// host and no plain connection can set.
func SessionCookie(c *fiber.Ctx) string {
	if baseOf(c).Secure() {
		return "__Host-kalends"
	}
	return "kalends"
}

// stayCookie names the cookie of who has signed in at the lobby, as SessionCookie does.
func stayCookie(c *fiber.Ctx) string { return SessionCookie(c) + "-lobby" }

// askedCookie names the cookie of what a device is asked, as sessionCookie does.
func askedCookie(c *fiber.Ctx) string { return SessionCookie(c) + "-asked" }

// themeOf is a theme by name, the system's for what is none.
func themeOf(name string) tenancy.Theme {
	switch t := tenancy.Theme(name); t {
	case tenancy.LightTheme, tenancy.DarkTheme:
		return t
	default:
		return tenancy.SystemTheme
	}
}

// Cookie sets a cookie for this site alone; one without a value is removed.
func Cookie(c *fiber.Ctx, name, value string, seconds int) {
	if value == "" {
		seconds = -1
	}
	c.Cookie(&fiber.Cookie{Name: name, Value: value, Path: "/", MaxAge: seconds, HTTPOnly: true,
		Secure: baseOf(c).Secure(), SameSite: fiber.CookieSameSiteLaxMode, SessionOnly: seconds == 0})
}
