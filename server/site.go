package server

import (
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
)

// siteOf returns the site of a request's host, the same one for the whole of
// the request; errors are those of Resolve.
func (s *server) siteOf(c *fiber.Ctx) (*tenancy.Site, error) {
	n := noteOf(c)
	if n.found != nil {
		return n.found, nil
	}
	site, err := s.Platform.Resolver.Resolve(c.UserContext(), n.host)
	if err == nil {
		n.found = site
	}
	return site, err
}

// siteAt is siteOf for who knows that the site has reached a version.
func (s *server) siteAt(c *fiber.Ctx, version int64) (*tenancy.Site, error) {
	n := noteOf(c)
	site, err := s.Platform.Resolver.ResolveAt(c.UserContext(), n.host, version)
	n.found = site
	return site, err
}

// forget has the site of a request looked up anew.
func (s *server) forget(c *fiber.Ctx, site *tenancy.Site) {
	s.Platform.Resolver.Forget(site.ID)
	noteOf(c).found = nil
}
