package server

import (
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/tenancy"
)

// siteOf returns the site of a request's host. The site stays the same throughout the request. It returns the
// errors of Resolve.
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

// siteAt is siteOf for callers that know that the site has reached a version.
func (s *server) siteAt(c *fiber.Ctx, version int64) (*tenancy.Site, error) {
	n := noteOf(c)
	site, err := s.Platform.Resolver.ResolveAt(c.UserContext(), n.host, version)
	n.found = site
	return site, err
}

// forget makes siteOf look up the site of a request again.
func (s *server) forget(c *fiber.Ctx, site *tenancy.Site) {
	s.Platform.Resolver.Forget(site.ID)
	noteOf(c).found = nil
}
