package server

import (
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// errNoMethod says that a request has a method that nothing here knows.
var errNoMethod = errors.New("no such method")

// otherMethod is what such a method is called from then on, in numbers and in the
// log: what clients invent has no end.
const otherMethod = "OTHER"

// methods are those that Fiber finds a way for.
var methods = append(slices.Clone(fiber.DefaultMethods), otherMethod)

// renamed gives an unknown method its name before Fiber sees it, which would answer
// at once, past everything here.
func renamed(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(c *fasthttp.RequestCtx) {
		if !slices.Contains(methods, string(c.Method())) {
			c.Request.Header.SetMethod(otherMethod)
		}
		next(c)
	}
}

// known refuses unknown methods: 501, for there is no address that has them
// (RFC 9110 §15.6.2).
func known(c *fiber.Ctx) error {
	if c.Method() == otherMethod {
		return errNoMethod
	}
	return c.Next()
}
