package server

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// versionHeader contains the version of the site: in a response that of its contents, in a request the one that the
// client has seen.
const versionHeader = api.VersionHeader

// caughtUp ensures that a client that sends the version it has seen gets this version or a later one, whichever
// node it saw it on. If this node does not know the version yet, it queries the database. The response then has a
// version that is at least as high as its contents, which requires another query.
func (s *server) caughtUp(c *fiber.Ctx) error {
	seen, says := seenVersion(c)
	if s.Versions == nil || !says {
		return c.Next()
	}
	site, err := s.siteOf(c)
	if err != nil {
		return c.Next() // finds the error again and reports it
	}
	version, err := s.Versions.Of(c.UserContext(), site.ID)
	if err == nil && version < seen {
		version, err = s.Versions.Ask(c.UserContext(), site.ID)
	}
	if err == nil && version > site.Version {
		_, err = s.siteAt(c, version)
	}
	if err != nil {
		return err
	}
	if err = c.Next(); err != nil {
		return err
	}
	if version, err = s.Versions.Ask(c.UserContext(), site.ID); err == nil {
		noteOf(c).version = version
	}
	return nil
}

// seenVersion returns the version that the client has seen according to the header or, in browsers, the cookie, and
// whether there is one.
func seenVersion(c *fiber.Ctx) (version int64, says bool) {
	text := c.Get(versionHeader)
	if text == "" {
		text = frame.SeenVersion(c)
	}
	if text == "" {
		return 0, false
	}
	version, err := strconv.ParseInt(text, 10, 64)
	return version, err == nil && version >= 0
}

// tellVersion sets the version of a response: the version that a write has created, otherwise the one determined by
// caughtUp or known to this node. After a change, it is also stored in a cookie in the browser of a signed-in user.
func (s *server) tellVersion(c *fiber.Ctx, n *note) {
	if n.found == nil {
		return
	}
	version := n.version
	if n.receipt != nil && n.receipt.Version > 0 {
		version = n.receipt.Version
	}
	if version == tenancy.NoVersion && s.Versions != nil {
		version, _ = s.Versions.Known(n.found.ID)
	}
	if version == tenancy.NoVersion || version == cache.NoVersion {
		return
	}
	if c.GetRespHeader(versionHeader) == "" { // an answer that is given again has its own
		c.Set(versionHeader, strconv.FormatInt(version, 10))
	}
	if c.Method() == fiber.MethodPost {
		frame.KeepVersion(c, version)
	}
}
