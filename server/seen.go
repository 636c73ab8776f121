package server

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/web/frame"
)

// versionHeader says in an answer which version of the site it is of, and in a
// request which one the client has seen.
const versionHeader = "X-Kalends-Version"

// caughtUp answers a request that says which version its client has seen with that
// version or a later one, whichever node the client saw it on: when this node
// doesn't know of it yet, the database is asked. It then tells a version that
// nothing in the answer is later than, which costs a question more.
func (s *server) caughtUp(c *fiber.Ctx) error {
	seen, says := seenVersion(c)
	if s.Versions == nil || !says {
		return c.Next()
	}
	site, err := s.siteOf(c)
	if err != nil {
		return c.Next() // which finds out again what is wrong, and says it
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

// seenVersion returns the version that a request says its client has seen, and
// whether it says one: in the header, or a browser in its cookie.
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

// tellVersion says the version of an answer: what caughtUp found, or what this node
// knows. A browser that changed something as somebody keeps it.
func (s *server) tellVersion(c *fiber.Ctx, n *note) {
	if n.found == nil || s.Versions == nil {
		return
	}
	version := n.version
	if version == 0 {
		version, _ = s.Versions.Known(n.found.ID)
	}
	if version == 0 {
		return
	}
	c.Set(versionHeader, strconv.FormatInt(version, 10))
	if c.Method() == fiber.MethodPost {
		frame.KeepVersion(c, version)
	}
}
