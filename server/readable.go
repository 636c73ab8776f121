package server

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/web/public/discovery"
)

// readable redirects browsers that request the API documentation as HTML to the page that shows it.
func readable(c *fiber.Ctx) error {
	path := strings.TrimSuffix(c.Path(), "/")
	if !strings.HasSuffix(path, "/doc") || c.Method() != fiber.MethodGet ||
		!strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML) {
		return c.Next()
	}
	a := readAddress(c)
	if !a.site || a.path != api.Namespace+"/doc" || c.Accepts(fiber.MIMEApplicationJSON, fiber.MIMETextHTML) != fiber.MIMETextHTML {
		return c.Next()
	}
	c.Set(fiber.HeaderVary, fiber.HeaderAccept)
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	return c.Redirect(a.prefix+discovery.ReferencePath, fiber.StatusFound)
}
