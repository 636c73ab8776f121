package server

import (
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// errNoMethod is returned for a request with an unknown method.
var errNoMethod = errors.New("no such method")

// otherMethod replaces unknown methods in metrics and logs, because clients could invent any number of them.
const otherMethod = "OTHER"

// methods are the methods that Fiber routes.
var methods = append(slices.Clone(fiber.DefaultMethods), otherMethod)

// renameUnknownMethod renames an unknown method before Fiber sees it, which would otherwise respond immediately, bypassing the
// middleware.
func renameUnknownMethod(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(c *fasthttp.RequestCtx) {
		if !slices.Contains(methods, string(c.Method())) {
			c.Request.Header.SetMethod(otherMethod)
		}
		next(c)
	}
}

// rejectUnknownMethod rejects unknown methods with 501, because no address supports them (RFC 9110 §15.6.2).
func rejectUnknownMethod(c *fiber.Ctx) error {
	if c.Method() == otherMethod {
		return errNoMethod
	}
	return c.Next()
}
