package web

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public"
)

// Fail answers a request for a page that came to nothing, and why. A closed site
// has no administration of its own to say so.
func (w *Web) Fail(c *fiber.Ctx, err error, status int, language string) error {
	ctx := c.UserContext()
	if scope := *tenancy.Current(ctx); scope.Language == "" {
		scope.Language = language
		c.SetUserContext(tenancy.With(ctx, scope))
	}
	if Admin(c.Path()) && !errors.Is(err, tenancy.ErrClosed) {
		return w.admin.fail(c, err, status)
	}
	return public.Fail(c, status)
}
