// Package wordpress answers requests to the parts of WordPress' own API that clients of TEC use, in the form that WordPress has.
package wordpress

import (
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// API is the part of WordPress' own API that clients of TEC use beside TEC's: terms, images, and events, venues and organizers
// as posts (rule 1.6).
type API struct {
	calendarAPI *api.API
	calendar    *services.Calendar
	tec         []api.Route // of TEC's API, which the list of all APIs describes as well
	routes      []api.Route
}

// New returns the part of WordPress' API beside an API of the calendar.
func New(a *api.API, c *services.Calendar) *API {
	w := &API{calendarAPI: a, calendar: c, tec: a.Routes()}
	w.routes = api.Twinned(w.Routes())
	return w
}

// The arguments of the lists, in the names and with the defaults of WordPress.
type (
	paging struct {
		Context args.Opt[string] `arg:"context,default=view,enum=view|embed|edit"`
		Page    args.Opt[int]    `arg:"page,default=1,min=1,max=1000000000"`
		PerPage args.Opt[int]    `arg:"per_page,default=10,min=1,max=100"`
		Search  args.Opt[string] `arg:"search,max=500"`
		Embed   args.Opt[any]    `arg:"_embed"`
		calendar.Speaking
	}
	postFilter struct {
		paging
		Include args.Opt[args.IDs]   `arg:"include,entries=100,blank"`
		Slug    args.Opt[args.Texts] `arg:"slug,entries=100"`
		Status  args.Opt[args.Texts] `arg:"status,default=publish,enum=publish|future|draft|pending|private|trash|any"`
	}
	eventFilter struct {
		postFilter
		Order      args.Opt[string]    `arg:"order,default=desc,enum=asc|desc"`
		OrderBy    args.Opt[string]    `arg:"orderby,default=date,enum=date|modified|title"`
		Tags       args.Opt[args.Refs] `arg:"tags"`
		Categories args.Opt[args.Refs] `arg:"tribe_events_cat"`
	}
	termFilter struct {
		paging
		Include   args.Opt[args.Refs]  `arg:"include,blank"`
		Exclude   args.Opt[args.Refs]  `arg:"exclude"`
		Slug      args.Opt[args.Texts] `arg:"slug,entries=100"`
		Order     args.Opt[string]     `arg:"order,default=asc,enum=asc|desc"`
		OrderBy   args.Opt[string]     `arg:"orderby,default=name,enum=id|include|name|slug|term_group|description|count|include_slugs"`
		HideEmpty args.Opt[bool]       `arg:"hide_empty,default=false"`
		Parent    args.Opt[int64]      `arg:"parent,min=0"`
		Post      args.Opt[int64]      `arg:"post,min=1"`
		Offset    args.Opt[int]        `arg:"offset,min=0,max=1000000000"`
	}
	mediaFilter struct {
		paging
		Include args.Opt[args.IDs] `arg:"include,entries=100,blank"`
	}
	reading struct {
		Context  args.Opt[string] `arg:"context,default=view,enum=view|embed|edit"`
		Password args.Opt[string] `arg:"password,max=255"`
		Embed    args.Opt[any]    `arg:"_embed"`
		calendar.Speaking
	}
	removal struct {
		Force args.Opt[args.Truthy] `arg:"force"`
	}
	mediaFields struct {
		Alt args.Opt[string] `arg:"alt_text,max=1000"`
	}
)

// Routes returns the routes below api.WordPress. What is not among them is no route, as in WordPress.
func (w *API) Routes() []api.Route {
	const (
		get, post, del       = "GET", "POST", "DELETE"
		read, create, update = args.Reading, args.Creating, args.Updating
	)
	routes := []api.Route{
		api.On[api.Nothing](get, "/", "wp.root", read, w.root).Of("", "").By(tenancy.NoAccess),
		api.On[api.Nothing](get, "/users/me", "wp.users.me", read, w.me).Of("person", "").By(tenancy.NoAccess),
		api.On[api.Nothing](get, "/media", "wp.media.list", read, w.listMedia).Of("picture", "").By(tenancy.ReadImages),
		api.On[api.Nothing](post, "/media", "wp.media.create", create, w.upload).Of("picture", "").By(tenancy.WriteImages).
			Reading(rawUpload),
		api.On[api.ByID](get, "/media/{id}", "wp.media.get", read, w.getMedia).Of("picture", "").By(tenancy.ReadImages),
		api.On[api.ByID](post, "/media/{id}", "wp.media.update", update, w.describeMedia).Of("picture", "").By(tenancy.WriteImages),
		api.On[api.ByID](del, "/media/{id}", "wp.media.delete", read, w.deleteMedia).Of("picture", "").By(tenancy.WriteImages),
	}
	for _, t := range []calendar.Taxonomy{calendar.Tags, calendar.Categories} {
		path, kind := "/"+api.WordPressTerms(t), string(t)
		routes = append(routes,
			api.On[api.Nothing](get, path, "wp.terms.list", read, w.listTerms(t)).Of(kind, "").By(tenancy.ReadTerms),
			api.On[api.Nothing](post, path, "wp.terms.create", create, w.createTerm(t)).Of(kind, "").By(tenancy.WriteTerms),
			api.On[api.ByID](get, path+"/{id}", "wp.terms.get", read, w.getTerm(t)).Of(kind, "").By(tenancy.ReadTerms),
			api.On[api.ByID](post, path+"/{id}", "wp.terms.update", update, w.updateTerm(t)).Of(kind, "").By(tenancy.WriteTerms),
			api.On[api.ByID](del, path+"/{id}", "wp.terms.delete", read, w.deleteTerm(t)).Of(kind, "").By(tenancy.WriteTerms))
	}
	return append(routes,
		api.On[api.Nothing](get, "/tribe_events", "wp.posts.list", read, w.listEvents).Of("post", "").By(tenancy.ReadEvents),
		api.On[api.ByID](get, "/tribe_events/{id}", "wp.posts.get", read, w.getEvent).Of("post", "").By(tenancy.ReadEvents),
		api.On[api.Nothing](get, "/tribe_venue", "wp.posts.list", read, w.listVenues).Of("post", "").By(tenancy.ReadVenues),
		api.On[api.ByID](get, "/tribe_venue/{id}", "wp.posts.get", read, w.getVenue).Of("post", "").By(tenancy.ReadVenues),
		api.On[api.Nothing](get, "/tribe_organizer", "wp.posts.list", read, w.listOrganizers).Of("post", "").By(tenancy.ReadOrganizers),
		api.On[api.ByID](get, "/tribe_organizer/{id}", "wp.posts.get", read, w.getOrganizer).Of("post", "").By(tenancy.ReadOrganizers))
}

// Mount adds the routes of WordPress and the list of all APIs to an app whose middleware sets the scope. Other addresses below
// the list are no routes.
func (w *API) Mount(app fiber.Router) {
	w.calendarAPI.Serve(app, api.WordPress, w.routes, func(c *fiber.Ctx, path []*api.Route) error {
		ctx := c.UserContext()
		c.Set(fiber.HeaderAllow, api.Allowed(path, tenancy.Current(ctx).Principal, nil, nil))
		c.Set(fiber.HeaderContentType, api.ContentType)
		v := w.view(ctx)
		v.DescribePath(path)
		return c.Send(v.Bytes)
	})
	index := api.On[api.Nothing]("GET", "/", "wp.index", args.Reading, w.index).Of("", "").By(tenancy.NoAccess)
	w.calendarAPI.Serve(app, api.Index, []api.Route{index}, func(c *fiber.Ctx, path []*api.Route) error {
		c.Set(fiber.HeaderAllow, api.Methods(path))
		return c.SendStatus(fiber.StatusOK)
	})
}
