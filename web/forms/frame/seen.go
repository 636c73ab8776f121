package frame

import (
	"strconv"

	"github.com/gofiber/fiber/v2"
)

// seenCookie is the cookie with the version of the site that a browser has seen.
const seenCookie = "kalends-version"

// SeenVersion returns the version that a browser has seen, or "".
func SeenVersion(c *fiber.Ctx) string { return c.Cookies(seenCookie) }

// KeepVersion stores the version that the browser of a signed-in user has seen, in a cookie.
func KeepVersion(c *fiber.Ctx, version int64) {
	if c.Cookies(SessionCookie(c)) != "" || c.Cookies(SupportCookie(c)) != "" {
		Cookie(c, seenCookie, strconv.FormatInt(version, 10), 0)
	}
}
