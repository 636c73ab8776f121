package ui

import (
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
)

// languageCookie remembers the language that a person chose, on pages that everybody sees
// and in the administration.
const languageCookie = "kalends-language"

// ChosenLanguage returns the language that a person chose before, "" for none.
func ChosenLanguage(c *fiber.Ctx) string {
	if len(c.Request().Header.Peek(fiber.HeaderCookie)) == 0 {
		return ""
	}
	if tag := c.Cookies(languageCookie); i18n.Supported(tag) {
		return tag
	}
	return ""
}

// RememberLanguage has a browser remember a language for a year.
func RememberLanguage(c *fiber.Ctx, tag string, secure bool) {
	c.Cookie(&fiber.Cookie{Name: languageCookie, Value: tag, Path: "/", MaxAge: 365 * 24 * 60 * 60, HTTPOnly: true, Secure: secure,
		SameSite: fiber.CookieSameSiteLaxMode})
}
