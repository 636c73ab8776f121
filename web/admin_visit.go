package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public"
	"github.com/kalends/kalends/web/ui"
)

// visit is one request to the administration.
type visit struct {
	ctx     context.Context
	path    string
	id      int64 // in the path
	query   url.Values
	post    bool
	foreign bool   // sent by a page of another origin
	origin  string // of that page, as the browser says
	form    *form  // what was sent
	said    string
	asked   string           // names what a device of this browser was asked to sign
	undo    string           // what the page before can take back
	session *tenancy.Session // nil: nobody is signed in
	user    *tenancy.User
	client  string // whom attempts are counted for
	host    string // as the request says
	port    string // of the listener with its colon, when the request names it
	agent   string
	theme   tenancy.Theme // chosen in this browser, for pages before the sign-in
	part    bool          // asked for by a script of the page, which wants no frame
}

// reply is what becomes of a visit: a page, or another address.
type reply struct {
	status   int // 0: 200
	title    string
	section  string // of the navigation
	body     templ.Component
	bare     bool // without navigation
	redirect string
	formsTo  string          // another origin its forms may lead to
	say      string          // text key, shown on the next page
	count    int             // in that text
	undo     string          // what the next page can take back
	token    *string         // of a session that began; "" ends it
	asked    *string         // names what a device is asked to sign; "": nothing any more
	language string          // chosen
	theme    *tenancy.Theme  // chosen
	stream   *stream         // in place of a page
	look     *calendar.Event // shown as on its public page, in place of a page with the frame
	text     string          // for a script, in place of a page
	retry    string          // seconds until trying again makes sense
	scripts  []string
	styles   bool // one of the scripts brings styles of its own
	part     bool // without the frame, for a script of the page
	frames   bool // it shows pages of the site
}

// visit reads a request and finds out who is there.
func (w *admin) visit(c *fiber.Ctx, id int64) (*visit, error) {
	v := &visit{ctx: c.UserContext(), path: c.Path(), id: id, post: c.Method() == fiber.MethodPost,
		agent: c.Get(fiber.HeaderUserAgent), said: c.Cookies(saidCookie), part: c.Get(partHeader) != "",
		undo: c.Cookies(undoCookie)}
	v.asked = c.Cookies(askedCookie(c))
	v.origin = c.Get(fiber.HeaderOrigin)
	v.arrive(c)
	v.form = &form{values: url.Values{}}
	var err error
	if v.query, err = ui.ReadQuery(c); err != nil {
		return nil, err
	}
	if v.post {
		v.foreign = foreign(c)
		if v.form, err = readForm(c); err != nil {
			return nil, err
		}
	}
	v.ctx = context.WithValue(v.ctx, typedKey{}, v.form)
	c.SetUserContext(v.ctx)
	session, user, err := w.platform.Sessions.Find(v.ctx, c.Cookies(sessionCookie(c)))
	switch {
	case errors.Is(err, tenancy.ErrCredentials):
		return v, nil
	case err != nil:
		return nil, err
	}
	v.signIn(session, user)
	c.Set(fiber.HeaderContentLanguage, v.scope().Language)
	c.SetUserContext(v.ctx)
	return v, nil
}

// arrive reads where a visit comes from.
func (v *visit) arrive(c *fiber.Ctx) {
	v.client, v.host = v.scope().Client(), v.scope().Base.Host()
	v.port, v.theme = listenerPort(c, v.host), themeOf(c.Cookies(themeCookie))
}

// listenerPort is the port a request names, with its colon, when this program
// listens there; a name without one, or with another, gets none.
func listenerPort(c *fiber.Ctx, host string) string {
	local, ok := c.Context().LocalAddr().(*net.TCPAddr)
	if !ok {
		return ""
	}
	if port := ":" + strconv.Itoa(local.Port); strings.HasSuffix(host, port) {
		return port
	}
	return ""
}

// signIn makes the visit one of that user.
func (v *visit) signIn(session *tenancy.Session, user *tenancy.User) {
	scope := *tenancy.Current(v.ctx)
	scope.Principal = user.Principal()
	if i18n.Supported(user.Language) {
		scope.Language = user.Language
	}
	ctx := context.WithValue(tenancy.With(v.ctx, scope), sessionKey{}, session)
	v.session, v.user, v.ctx = session, user, context.WithValue(ctx, userKey{}, user)
}

// lasting returns a context that outlives the request, for an answer that is
// still being written.
func (v *visit) lasting(most time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(v.ctx), most)
}

func (v *visit) scope() *tenancy.Scope { return tenancy.Current(v.ctx) }

// genuine reports whether the form was made for this session.
func (v *visit) genuine() bool {
	return subtle.ConstantTimeCompare([]byte(unmasked(v.form.get("csrf"))), []byte(v.session.CSRF)) == 1
}

// address is the path and query of a visit that reads.
func (v *visit) address() string {
	if v.post || len(v.query) == 0 {
		return v.path
	}
	return v.path + "?" + v.query.Encode()
}

// foreign reports whether a form was sent by a page of another origin.
func foreign(c *fiber.Ctx) bool {
	switch c.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return true
	}
	origin := c.Get(fiber.HeaderOrigin)
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || u.Host == "" || u.Host != baseOf(c).Host()
}

// The names of cookies.
const (
	saidCookie  = "kalends-said"
	undoCookie  = "kalends-undo"
	themeCookie = "kalends-theme"
)

// baseOf is where a request was sent.
func baseOf(c *fiber.Ctx) tenancy.Base { return tenancy.Current(c.UserContext()).Base }

// sessionCookie names the cookie of the session: over https one that no other
// host and no plain connection can set.
func sessionCookie(c *fiber.Ctx) string {
	if baseOf(c).Secure() {
		return "__Host-kalends"
	}
	return "kalends"
}

// askedCookie names the cookie of what a device is asked, as sessionCookie does.
func askedCookie(c *fiber.Ctx) string { return sessionCookie(c) + "-asked" }

// themeOf is a theme by name, the system's for what is none.
func themeOf(name string) tenancy.Theme {
	switch t := tenancy.Theme(name); t {
	case tenancy.LightTheme, tenancy.DarkTheme:
		return t
	default:
		return tenancy.SystemTheme
	}
}

// cookie sets a cookie for this site alone; one without a value is removed.
func cookie(c *fiber.Ctx, name, value string, seconds int) {
	if value == "" {
		seconds = -1
	}
	c.Cookie(&fiber.Cookie{Name: name, Value: value, Path: "/", MaxAge: seconds, HTTPOnly: true,
		Secure: baseOf(c).Secure(), SameSite: fiber.CookieSameSiteLaxMode, SessionOnly: seconds == 0})
}

// adminPolicy lets a page load its own style sheets, script and pictures, and
// send its forms home.
const adminPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: https:; " +
	"connect-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// partHeader marks what the scripts of a page ask for: no other origin can send
// it unasked.
const partHeader = "Kalends-Part"

// send writes a reply.
func (w *admin) send(c *fiber.Ctx, v *visit, r *reply) error {
	adminHeaders(c)
	if r.token != nil {
		cookie(c, sessionCookie(c), *r.token, 30*24*60*60)
	}
	if r.asked != nil {
		cookie(c, askedCookie(c), *r.asked, int(tenancy.ChallengeLife.Seconds()))
	}
	if r.language != "" {
		ui.RememberLanguage(c, r.language, baseOf(c).Secure())
	}
	if r.theme != nil {
		cookie(c, themeCookie, string(*r.theme), 365*24*60*60)
	}
	if r.retry != "" {
		c.Set(fiber.HeaderRetryAfter, r.retry)
	}
	if r.formsTo != "" {
		c.Set(fiber.HeaderContentSecurityPolicy, strings.Replace(adminPolicy, "form-action 'self'", "form-action 'self' "+r.formsTo, 1))
		c.Set(fiber.HeaderReferrerPolicy, "strict-origin") // which looks at where a form comes from
	}
	if r.redirect != "" {
		if r.say != "" {
			cookie(c, saidCookie, saidValue(r.say, r.count), 60)
		}
		if r.undo != "" {
			cookie(c, undoCookie, r.undo, 60)
		}
		return c.Redirect(r.redirect, fiber.StatusSeeOther)
	}
	if r.status == 0 {
		r.status = http.StatusOK
	}
	switch {
	case r.look != nil:
		return public.New(w.calendar, nil).ShowPreview(c, r.look, tell(v.ctx, "look.note"))
	case r.stream != nil:
		r.stream.send(c)
		return nil
	case r.text != "":
		c.Set(fiber.HeaderContentType, fiber.MIMETextPlainCharsetUTF8)
		return c.Status(r.status).SendString(r.text)
	}
	body := r.body
	if !r.part {
		if v.said != "" {
			cookie(c, saidCookie, "", 0)
		}
		if v.undo != "" {
			cookie(c, undoCookie, "", 0)
		}
		s := newShell(v, r)
		s.lobby = s.root == adminRoot && w.hasLobby(v)
		if r.styles {
			s.nonce = rand.Text()
			policy := strings.Replace(adminPolicy, "style-src 'self'", "style-src 'self' 'nonce-"+s.nonce+"'", 1)
			c.Set(fiber.HeaderContentSecurityPolicy, policy)
		}
		if r.frames {
			c.Set(fiber.HeaderContentSecurityPolicy, adminPolicy+"; frame-src 'self'")
		}
		body = adminLayout(s, body)
	}
	var b bytes.Buffer
	if err := body.Render(v.ctx, &b); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/html; charset=utf-8")
	return sendPage(c.Status(r.status), b.Bytes())
}

func adminHeaders(c *fiber.Ctx) {
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	c.Set(fiber.HeaderContentSecurityPolicy, adminPolicy)
	c.Set(fiber.HeaderReferrerPolicy, "same-origin")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("X-Robots-Tag", "noindex")
}
