package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// WordPress is the path of the part of WordPress' own API that clients of TEC use beside its own: terms, images, and
// events, venues and organizers as posts (rule 1.6).
const WordPress = "/wp-json/wp/v2"

// Index is the path of the list of all APIs.
const Index = "/wp-json"

// The arguments of the lists, in the names and with the defaults of WordPress.
type (
	wpPaging struct {
		Context args.Opt[string] `arg:"context,default=view,enum=view|embed|edit"`
		Page    args.Opt[int]    `arg:"page,default=1,min=1,max=1000000000"`
		PerPage args.Opt[int]    `arg:"per_page,default=10,min=1,max=100"`
		Search  args.Opt[string] `arg:"search,max=500"`
		Embed   args.Opt[any]    `arg:"_embed"`
		calendar.Speaking
	}
	wpPostFilter struct {
		wpPaging
		Include args.Opt[args.IDs]   `arg:"include,entries=100"`
		Slug    args.Opt[args.Texts] `arg:"slug,entries=100"`
		Status  args.Opt[args.Texts] `arg:"status,default=publish,enum=publish|future|draft|pending|private|trash|any"`
	}
	wpEventFilter struct {
		wpPostFilter
		Order      args.Opt[string]    `arg:"order,default=desc,enum=asc|desc"`
		OrderBy    args.Opt[string]    `arg:"orderby,default=date,enum=date|modified|title"`
		Tags       args.Opt[args.Refs] `arg:"tags"`
		Categories args.Opt[args.Refs] `arg:"tribe_events_cat"`
	}
	wpTermFilter struct {
		wpPaging
		Include   args.Opt[args.Refs]  `arg:"include"`
		Exclude   args.Opt[args.Refs]  `arg:"exclude"`
		Slug      args.Opt[args.Texts] `arg:"slug,entries=100"`
		Order     args.Opt[string]     `arg:"order,default=asc,enum=asc|desc"`
		OrderBy   args.Opt[string]     `arg:"orderby,default=name,enum=id|include|name|slug|term_group|description|count|include_slugs"`
		HideEmpty args.Opt[bool]       `arg:"hide_empty,default=false"`
		Parent    args.Opt[int64]      `arg:"parent,min=0"`
		Post      args.Opt[int64]      `arg:"post,min=1"`
		Offset    args.Opt[int]        `arg:"offset,min=0,max=1000000000"`
	}
	wpMediaFilter struct {
		wpPaging
		Include args.Opt[args.IDs] `arg:"include,entries=100"`
	}
	wpReading struct {
		Context  args.Opt[string] `arg:"context,default=view,enum=view|embed|edit"`
		Password args.Opt[string] `arg:"password,max=255"`
		Embed    args.Opt[any]    `arg:"_embed"`
		calendar.Speaking
	}
	wpRemoval struct {
		Force args.Opt[args.Truthy] `arg:"force"`
	}
	wpMediaFields struct {
		Alt args.Opt[string] `arg:"alt_text,max=1000"`
	}
)

// WordPressRoutes returns the routes below WordPress. What is not among them is no route, as in WordPress.
func (a *API) WordPressRoutes() []Route {
	const (
		get, post, del       = "GET", "POST", "DELETE"
		read, create, update = args.Reading, args.Creating, args.Updating
	)
	routes := []Route{
		on[nothing](get, "/", "wp.root", read, a.wpRoot).of("", "").by(tenancy.NoAccess),
		on[nothing](get, "/users/me", "wp.users.me", read, a.wpMe).of("wp-user", "").by(tenancy.NoAccess),
		on[nothing](get, "/media", "wp.media.list", read, a.wpListMedia).of("wp-image", "").by(tenancy.ReadImages),
		on[nothing](post, "/media", "wp.media.create", create, a.wpUpload).of("wp-image", "").by(tenancy.WriteImages).filed(),
		on[byID](get, "/media/{id}", "wp.media.get", read, a.wpGetMedia).of("wp-image", "").by(tenancy.ReadImages),
		on[byID](post, "/media/{id}", "wp.media.update", update, a.wpDescribeMedia).of("wp-image", "").by(tenancy.WriteImages),
		on[byID](del, "/media/{id}", "wp.media.delete", read, a.wpDeleteMedia).of("wp-image", "").by(tenancy.WriteImages),
	}
	for _, t := range []wpTaxonomy{{calendar.Tags, "tags"}, {calendar.Categories, "tribe_events_cat"}} {
		path, item, kind := "/"+t.path, "/"+t.path+"/{id}", "wp-"+t.path
		routes = append(routes,
			on[nothing](get, path, "wp.terms.list", read, a.wpListTerms(t)).of(kind, "").by(tenancy.ReadTerms),
			on[nothing](post, path, "wp.terms.create", create, a.wpCreateTerm(t)).of(kind, "").by(tenancy.WriteTerms),
			on[byID](get, item, "wp.terms.get", read, a.wpGetTerm(t)).of(kind, "").by(tenancy.ReadTerms),
			on[byID](post, item, "wp.terms.update", update, a.wpUpdateTerm(t)).of(kind, "").by(tenancy.WriteTerms),
			on[byID](del, item, "wp.terms.delete", read, a.wpDeleteTerm(t)).of(kind, "").by(tenancy.WriteTerms))
	}
	return append(routes,
		on[nothing](get, "/tribe_events", "wp.posts.list", read, a.wpListEvents).of("wp-post", "").by(tenancy.ReadEvents),
		on[byID](get, "/tribe_events/{id}", "wp.posts.get", read, a.wpGetEvent).of("wp-post", "").by(tenancy.ReadEvents),
		on[nothing](get, "/tribe_venue", "wp.posts.list", read, a.wpListVenues).of("wp-post", "").by(tenancy.ReadVenues),
		on[byID](get, "/tribe_venue/{id}", "wp.posts.get", read, a.wpGetVenue).of("wp-post", "").by(tenancy.ReadVenues),
		on[nothing](get, "/tribe_organizer", "wp.posts.list", read, a.wpListOrganizers).of("wp-post", "").by(tenancy.ReadOrganizers),
		on[byID](get, "/tribe_organizer/{id}", "wp.posts.get", read, a.wpGetOrganizer).of("wp-post", "").by(tenancy.ReadOrganizers))
}

// wpTaxonomy is a collection of terms with its name in paths.
type wpTaxonomy struct {
	calendar.Taxonomy
	path string
}

// mountWordPress adds the routes of WordPress and the list of all APIs. Other addresses below Index are no routes.
func (a *API) mountWordPress(app fiber.Router) {
	at := func(path string) (routes []*Route) {
		for i := range a.wordpress {
			if r := &a.wordpress[i]; WordPress+fiberPath(r.Path) == path {
				routes = append(routes, r)
			}
		}
		return routes
	}
	mount(app, WordPress, a.wordpress, func(r *Route) fiber.Handler {
		return allowing(at(WordPress+fiberPath(r.Path)), handle(r, key, a.repeats))
	}, func(path, _ string) fiber.Handler {
		return func(c *fiber.Ctx) error {
			ctx := c.UserContext()
			routes := at(path)
			c.Set(fiber.HeaderAllow, allowed(routes, scopeOf(ctx).Principal, nil, nil))
			c.Set(fiber.HeaderContentType, ContentType)
			v := a.newView(ctx)
			v.route(group{routes[0].Path, routes})
			return c.Send(v.Bytes)
		}
	})
	index := on[nothing]("GET", "/", "wp.index", args.Reading, a.wpIndex).of("", "").by(tenancy.NoAccess)
	mount(app, Index, []Route{index}, func(*Route) fiber.Handler { return allowing([]*Route{&index}, handle(&index, key, nil)) },
		func(_, methods string) fiber.Handler {
			return func(c *fiber.Ctx) error { c.Set(fiber.HeaderAllow, methods); return c.SendStatus(fiber.StatusOK) }
		})
}
