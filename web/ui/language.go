package ui

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// LanguageName returns the name of a language in the language of the page, as a sentence has it.
func LanguageName(ctx context.Context, tag string) string {
	return i18n.NameWithin(tenancy.Current(ctx).Language, tag)
}

// languageCookie stores the chosen language for public pages and the administration.
const languageCookie = "kalends-language"

// ChosenLanguage returns the language chosen before, or "".
func ChosenLanguage(c *fiber.Ctx) string {
	if len(c.Request().Header.Peek(fiber.HeaderCookie)) == 0 {
		return ""
	}
	tag := c.Cookies(languageCookie)
	if !i18n.Supported(tag) && tag != tenancy.PathLanguage(tag) {
		return ""
	}
	return strings.Clone(tag)
}

// RememberLanguage stores a language in the browser for a year.
func RememberLanguage(c *fiber.Ctx, tag string, secure bool) {
	c.Cookie(&fiber.Cookie{Name: languageCookie, Value: tag, Path: "/", MaxAge: 365 * 24 * 60 * 60, HTTPOnly: true, Secure: secure,
		SameSite: fiber.CookieSameSiteLaxMode})
}
