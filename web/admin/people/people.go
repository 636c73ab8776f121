// Package people has the pages about the people of a site: users, their keys, and the history of changes.
package people

import (
	"slices"

	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/signin"
)

// Pages are the pages about the people of a site.
type Pages struct {
	calendar *services.Calendar
	platform *platform.Platform
	letters  *signin.Letters
	signin   *signin.Pages // asks people to prove their identity
}

// New returns the pages. c has the categories, venues and organizers that users can be limited to. l tells users
// how to sign in. in asks people to prove their identity before they send invitations.
func New(c *services.Calendar, p *platform.Platform, l *signin.Letters, in *signin.Pages) *Pages {
	return &Pages{calendar: c, platform: p, letters: l, signin: in}
}

// Routes are the routes of these pages, for the administration to add to its own.
func (w *Pages) Routes() []frame.Route {
	return slices.Concat(w.routesOfUsers(), w.routesOfKeys(), w.routesOfProvider(), []frame.Route{
		frame.GetPage("/audit", tenancy.EditOwn, w.showAudit),
		frame.GetPage("/audit/export", tenancy.ManageSite, w.exportAudit),
	})
}
