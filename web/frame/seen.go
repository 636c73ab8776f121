package frame

import (
	"strconv"

	"github.com/gofiber/fiber/v2"
)

// seenCookie names the cookie with the version of the site that a browser has seen.
const seenCookie = "kalends-version"

// SeenVersion returns the version that a browser says it has seen, "" for none.
func SeenVersion(c *fiber.Ctx) string { return c.Cookies(seenCookie) }

// KeepVersion has a browser that somebody is signed in with say from now on that it
// has seen a version.
func KeepVersion(c *fiber.Ctx, version int64) {
	if c.Cookies(SessionCookie(c)) != "" {
		Cookie(c, seenCookie, strconv.FormatInt(version, 10), 0)
	}
}
