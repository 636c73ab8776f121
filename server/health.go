package server

import (
	"fmt"
	"net/url"
	"runtime/debug"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/i18n"
)

// Paths for load balancers.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// healthy reports that the process is alive. It does not reveal the release, which only `kalends version` shows
// (ADR 109).
func healthy(c *fiber.Ctx) error { return c.SendString("ok\n") }

// language returns the language of a request without a scope.
func (s *server) language(c *fiber.Ctx) string {
	if a := readAddress(c); a.language != "" {
		return a.language
	}
	return i18n.Match(c.Get(fiber.HeaderAcceptLanguage), "en")
}

// recovered turns a panic into an error, which fail handles.
func (s *server) recovered(c *fiber.Ctx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return c.Next()
}

// blob serves an image file. The content of a name never changes.
func (s *server) blob(c *fiber.Ctx) error {
	file, err := url.PathUnescape(c.Params("file"))
	if err != nil {
		return api.ErrNoRoute
	}
	r, info, err := s.Pictures.Open(c.UserContext(), c.Params("key"), file)
	if err != nil {
		return api.ErrNoRoute
	}
	c.Set(fiber.HeaderContentType, info.MIME)
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; sandbox")
	return c.SendStream(r, int(info.Size))
}
