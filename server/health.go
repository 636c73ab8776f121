package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
)

// healthy says that the process lives.
func healthy(c *fiber.Ctx) error { return c.SendString("ok\n") }

// ready says whether requests can be served: the database answers.
func (s *server) ready(c *fiber.Ctx) error {
	ctx, cancel := context.WithTimeout(c.UserContext(), 2*time.Second)
	defer cancel()
	if err := s.Ready(ctx); err != nil {
		return err
	}
	return c.SendString("ok\n")
}

// language is that of a request that has no scope yet.
func (s *server) language(c *fiber.Ctx) string {
	if a := readAddress(c); a.language != "" {
		return a.language
	}
	return i18n.Match(c.Get(fiber.HeaderAcceptLanguage), "en")
}

// recovered turns a panic into an error that fail answers.
func (s *server) recovered(c *fiber.Ctx) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return c.Next()
}

// logged writes one line for each request: what was asked, by whom, and what
// became of it. No header and no query, for they may carry secrets.
func (s *server) logged(c *fiber.Ctx) error {
	start := time.Now()
	path := strings.Clone(c.Path())
	method := c.Method()
	err := c.Next()
	if err != nil {
		if failed := s.fail(c, err); failed != nil {
			return failed
		}
	}
	if !s.Logger.Enabled(c.UserContext(), slog.LevelInfo) {
		return nil
	}
	scope := tenancy.Current(c.UserContext())
	site := ""
	if scope.Site != nil {
		site = scope.Site.Slug
	}
	s.Logger.InfoContext(c.UserContext(), "request", "method", method, "path", path, "site", site,
		"user", scope.Principal.Login, "status", c.Response().StatusCode(), "duration", time.Since(start))
	return nil
}

// blob answers with a file of a picture. Its name never changes its content.
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
