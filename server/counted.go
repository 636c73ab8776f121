package server

import (
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
)

// uncached answers a request without the cache, and counts who gets the answer.
func (s *server) uncached(c *fiber.Ctx) error {
	if err := c.Next(); err != nil {
		return err
	}
	if page, ok := c.Locals(layout.Made).(*layout.Answer); ok && page.Counted.Kind != numbers.None {
		s.count(c, tenancy.Current(c.UserContext()).Site, counted(page))
	}
	return nil
}

// counted converts the count of a page to the form that the cache keeps.
func counted(page *layout.Answer) cache.Counted {
	return cache.Counted{Event: page.Counted.Event, Kind: uint8(page.Counted.Kind)}
}

// count counts a person who gets an answer. Most answers are not counted.
func (s *server) count(c *fiber.Ctx, site *tenancy.Site, of cache.Counted) {
	if of.Kind == 0 || site == nil || !site.Settings.Numbers || !c.Request().Header.IsGet() {
		return
	}
	h := &c.Request().Header
	purpose := h.Peek("Sec-Purpose")
	if len(purpose) == 0 {
		purpose = h.Peek("Purpose")
	}
	if numbers.ByPerson(stringOf(h.UserAgent()), stringOf(purpose)) {
		s.Numbers.Counter().Add(site, numbers.Of{Event: of.Event, Kind: numbers.Kind(of.Kind)})
	}
}
