// Package admin is the administration of a site, for people who have signed in: events, venues, organizers, terms,
// pictures, people, settings and the history.
package admin

import (
	"slices"

	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/admin/counting"
	"github.com/kalends/kalends/web/admin/editor"
	"github.com/kalends/kalends/web/admin/fields"
	"github.com/kalends/kalends/web/admin/gathering"
	"github.com/kalends/kalends/web/admin/hooks"
	"github.com/kalends/kalends/web/admin/importing"
	"github.com/kalends/kalends/web/admin/letters"
	"github.com/kalends/kalends/web/admin/people"
	"github.com/kalends/kalends/web/admin/places"
	"github.com/kalends/kalends/web/admin/planner"
	"github.com/kalends/kalends/web/admin/review"
	"github.com/kalends/kalends/web/admin/settings"
	"github.com/kalends/kalends/web/admin/terms"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/pictures"
)

// Pages are the administration of a site. Every page works without scripts: it sends a form, and the response is a redirect to
// the new page, or the form again with its problems.
type Pages struct {
	calendar *services.Calendar
	editing  *editing.Service
	platform *platform.Platform
	sent     *submissions.Service

	pictures *pictures.Pages // their routes are part of these, as are those of the following packages
	editor   *editor.Pages
	places   *places.Pages
	terms    *terms.Pages
	people   *people.Pages
	settings *settings.Pages
	review   *review.Pages
	hooks    *hooks.Pages
	fields   *fields.Pages
	imports  *importing.Pages
	sources  *gathering.Pages
	letters  *letters.Pages
	planner  *planner.Pages
	counted  *counting.Pages
}

// New returns the pages over a calendar.
func New(c *services.Calendar, e *editing.Service, s *submissions.Service, h *webhooks.Service, i *imports.Service, g *sources.Service,
	n *newsletters.Service, counted *numbers.Service, p *platform.Platform, of *people.Pages) *Pages {
	images := pictures.New(c)
	w := &Pages{
		calendar: c,
		editing:  e,
		platform: p,
		sent:     s,
		pictures: images,
		places:   places.New(c, e, p, images, s),
		terms:    terms.New(c, p),
		people:   of,
		settings: settings.New(c, s, p, images),
		review:   review.New(s, e),
		hooks:    hooks.New(h, p),
		fields:   fields.New(p),
		imports:  importing.New(i, p, c),
		sources:  gathering.New(g, p),
		letters:  letters.New(n),
		counted:  counting.New(counted),
	}
	w.editor = editor.New(c, e, p, i, images, w.places, w.counted, s)
	w.planner = planner.New(c, e, w.editor.Editable)
	return w
}

// Routes are all routes of the administration.
func (w *Pages) Routes() []frame.Route {
	const edit = tenancy.EditOwn
	list := []frame.Route{
		frame.GetPage("", 0, w.home),
		frame.GetPage("/desk", edit, w.showOverview),
		frame.PostPage("/desk", edit, w.startAt),
		frame.GetPage("/events", edit, w.listEvents),
		frame.PostPage("/events", edit, w.manyEvents),
		frame.GetPage("/events/export", edit, w.exportEvents),
		frame.FormPage("/events/undo", edit, w.undo),
		frame.GetPage("/events/quick", edit, w.askQuick),
		frame.FormPage("/events/quick", edit, w.addQuick),
		frame.GetPage("/search/all", edit, w.searchAnywhere),
		frame.GetPage("/trash", edit, w.trash),
	}
	return slices.Concat(list, w.editor.Routes(), w.pictures.Routes(), w.revisionRoutes("event", "events"),
		w.revisionRoutes("venue", "venues"), w.revisionRoutes("organizer", "organizers"), w.places.Routes(), w.terms.Routes(),
		w.people.Routes(), w.settings.Routes(), w.routesOfEmbed(),
		w.review.Routes(), w.hooks.Routes(), w.fields.Routes(), w.imports.Routes(), w.sources.Routes(),
		w.letters.Routes(), w.counted.Routes(), w.planner.Routes(),
		[]frame.Route{frame.GetPage("/texts", tenancy.EditOwn, w.lackingTexts)})
}

// home shows the page that the administration starts with, or redirects to it.
func (w *Pages) home(v *frame.Visit) (*frame.Reply, error) {
	if v.Desk && len(v.Query) == 0 && v.Scope().Principal.May(tenancy.EditOwn) {
		return &frame.Reply{Redirect: frame.AdminRoot + "/desk"}, nil
	}
	if v.Scope().Principal.May(tenancy.EditOwn) {
		return w.planner.Show(v)
	}
	return &frame.Reply{Redirect: frame.AdminRoot + "/profile"}, nil
}
