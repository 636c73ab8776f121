package server

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// errTooMany is returned if a site or a credential exceeds its request rate.
var errTooMany = errors.New("too many requests")

// limited enforces the request rate of the site's plan, including responses from the cache.
func (s *server) limited(c *fiber.Ctx) error {
	if s.Buckets == nil || siteless(c.Path()) {
		return c.Next()
	}
	site, err := s.siteOf(c)
	if err != nil || site.Plan.RequestsPerMinute == 0 || s.providers(c) {
		return c.Next() // finds the error again and reports it
	}
	left, err := s.take(c, bucketOf(site.ID), site.Plan.RequestsPerMinute)
	if err == nil {
		err = c.Next()
	} else if late := s.gate.pace(c.UserContext(), site.ID); late != nil {
		err = late
	}
	setRateHeaders(c, "site", site.Plan.RequestsPerMinute, left) // afterwards, because a cached answer sets its own headers
	return err
}

// siteless reports whether a path belongs to no site on any host. The default site's plan must not limit health
// checks.
func siteless(path string) bool {
	return strings.HasPrefix(path, "/static/") || strings.HasPrefix(path, "/platform/") || path == healthPath || path == readyPath
}

// providers reports whether a request is for the provider's pages, which are served on hosts without a site. Anything
// else on such a host is the default site.
func (s *server) providers(c *fiber.Ctx) bool {
	path := c.Path()
	if !frame.Console(path) && !frame.Lobby(path) {
		return false
	}
	return s.provides(noteOf(c).host)
}

// limitedTo enforces the request rate of a credential.
func (s *server) limitedTo(c *fiber.Ctx, site int64, p tenancy.Principal) error {
	if s.Buckets == nil || s.PerCredential == 0 || p.Kind == "" {
		return nil
	}
	left, err := s.take(c, fmt.Sprintf("c:%d:%d:%s:%s", site, p.UserID, p.Kind, p.Key), s.PerCredential)
	setRateHeaders(c, "credential", s.PerCredential, left)
	return err
}

// take takes a token, unless the request has already been counted.
func (s *server) take(c *fiber.Ctx, name string, perMinute int) (cache.Left, error) {
	if noteOf(c).resumed != nil {
		return s.Buckets.Look(name, perMinute), nil
	}
	left := s.Buckets.Take(name, perMinute)
	if !left.OK {
		return left, &later{errTooMany, left.Next}
	}
	return left, nil
}

// bucketOf returns the name of the bucket of a site's requests.
func bucketOf(site int64) string { return "s:" + strconv.FormatInt(site, 10) }

// limitHeader is the header with the remainder of a limit.
const limitHeader = "RateLimit"

// leftOf returns the value of limitHeader.
func leftOf(policy string, left cache.Left) string {
	return fmt.Sprintf("%q;r=%d;t=%d", policy, left.Left, seconds(left.Full))
}

// setRateHeaders sets the headers of draft-ietf-httpapi-ratelimit-headers: the policy and the remaining quota.
func setRateHeaders(c *fiber.Ctx, policy string, perMinute int, left cache.Left) {
	h := &c.Response().Header
	h.Add("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=60", policy, perMinute))
	h.Add(limitHeader, leftOf(policy, left))
}

// seconds returns a duration in whole seconds, rounded up.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
