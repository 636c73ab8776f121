package layout

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// Said has the statuses with their own error page. Other statuses use the page of their class.
var said = map[int]bool{400: true, 403: true, 404: true, 405: true, 429: true, 500: true, 503: true}

// Fail responds to a failed request with an error page in the language of the scope.
func (w *Pages) Fail(c *fiber.Ctx, status int) error {
	ctx := c.UserContext()
	as := status
	switch {
	case said[as]:
	case as == fiber.StatusNotImplemented: // no page supports the method
		as = fiber.StatusMethodNotAllowed
	case as >= fiber.StatusInternalServerError:
		as = fiber.StatusInternalServerError
	case as == fiber.StatusGone:
		as = fiber.StatusNotFound
	default:
		as = fiber.StatusBadRequest
	}
	key := "public.error." + strconv.Itoa(as)
	if as == fiber.StatusForbidden && ui.SiteOf(ctx).State == tenancy.Active {
		key = "public.error.form" // only forms of other pages are refused then
	}
	p := &Page{Title: i18n.T(ctx, key+".title", nil), Robots: "noindex"}
	again := ""
	// If the password of an event could not be checked, the page offers to try again. If the site could not be
	// found, the path still includes the language.
	_, _, rest := i18n.Cut(c.Path())
	if c.Method() == fiber.MethodPost && as >= fiber.StatusInternalServerError && strings.HasPrefix(rest, "/event/") {
		again = ui.Href(ctx, rest)
	}
	a := &Shown{Page: p, Body: errorPage(key, again), Status: status, Secret: true}
	w.InSeason(ctx, a)
	return Send(c, a)
}

// Told converts an error so that it reveals nothing that the public may not see.
func Told(err error) error {
	for _, secret := range []error{calendar.ErrNotReadable, calendar.ErrTrashed, calendar.ErrPassword} {
		if errors.Is(err, secret) {
			return calendar.ErrNotFound
		}
	}
	return err
}
