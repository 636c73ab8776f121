package frame

import (
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
)

// SessionCookie returns the name of the session cookie. Over https it has a prefix that prevents other hosts and
// plain connections from setting it.
func SessionCookie(c *fiber.Ctx) string {
	if baseOf(c).Secure() {
		return "__Host-kalends"
	}
	return "kalends"
}

// SupportCookie returns the name of the session cookie of the provider's support, analogous to SessionCookie. The
// person's own session keeps its cookie.
func SupportCookie(c *fiber.Ctx) string { return SessionCookie(c) + "-support" }

// stayCookie returns the name of the lobby's sign-in cookie, analogous to SessionCookie.
func stayCookie(c *fiber.Ctx) string { return SessionCookie(c) + "-lobby" }

// deviceCookie returns the name of the cookie by which a browser is recognized after a sign-in, analogous to
// SessionCookie.
func deviceCookie(c *fiber.Ctx) string { return SessionCookie(c) + "-device" }

// askedCookie returns the name of the cookie with the token of a challenge for a device, analogous to
// SessionCookie.
func askedCookie(c *fiber.Ctx) string { return SessionCookie(c) + "-asked" }

// signedCookie tells the scripts of public pages that someone has signed in with this browser. It is the same for
// everyone and grants nothing; the server checks only whether it exists.
const signedCookie = "kalends-signed"

// hint sets or removes signedCookie.
func hint(c *fiber.Ctx, signedIn bool) {
	cookie := &fiber.Cookie{Name: signedCookie, Path: "/", MaxAge: -1, Secure: baseOf(c).Secure(), SameSite: fiber.CookieSameSiteLaxMode}
	if signedIn {
		cookie.Value, cookie.MaxAge = "1", sessionSeconds
	}
	c.Cookie(cookie)
}

// Unhint removes signedCookie from a browser whose session has ended.
func Unhint(c *fiber.Ctx) {
	if c.Cookies(signedCookie) != "" {
		hint(c, false)
	}
}

// sessionSeconds is how long a browser keeps the cookie of a session.
const sessionSeconds = 30 * 24 * 60 * 60

// themeOf returns a theme by name, or the system's.
func themeOf(name string) tenancy.Theme {
	switch t := tenancy.Theme(name); t {
	case tenancy.LightTheme, tenancy.DarkTheme:
		return t
	default:
		return tenancy.SystemTheme
	}
}

// Cookie sets a cookie for this site only. Without a value it removes the cookie.
func Cookie(c *fiber.Ctx, name, value string, seconds int) {
	if value == "" {
		seconds = -1
	}
	c.Cookie(&fiber.Cookie{Name: name, Value: value, Path: "/", MaxAge: seconds, HTTPOnly: true,
		Secure: baseOf(c).Secure(), SameSite: fiber.CookieSameSiteLaxMode, SessionOnly: seconds == 0})
}
