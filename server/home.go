package server

import (
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// atHome reports whether a request is for the home page of the platform. It is at the platform's own name, if no site
// is there.
func (s *server) atHome(c *fiber.Ctx, a address) bool {
	return a.page && a.path == "/" && (a.language == "" || i18n.Supported(a.language)) &&
		(c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead) && s.Platform.Resolver.IsPlatform(noteOf(c).host)
}

// home responds with the home page of the platform.
func (s *server) home(c *fiber.Ctx, scope tenancy.Scope, a address) error {
	scope.Base.Namespace = "" // there is no API here
	c.SetUserContext(tenancy.With(c.UserContext(), scope))
	speaks(c, &scope, a)
	return s.pages.Home(c)
}
