// Package api is the REST interface: the route table, which documents the interface, the views, and the path from a
// request to a handler and back. Handlers map arguments to an answer and know no HTTP.
package api

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// API is the REST interface of the calendar.
type API struct {
	Services
	calendar *services.Calendar
	routes   []Route
	repeats  *Repeats // nil: answers are not kept
	entries  *cache.Pieces[entryKey]
}

// Services are what the interface offers beyond the calendar itself.
type Services struct {
	Submissions *submissions.Service // nil: not accepted
	Changes     *changes.Service     // nil: nobody is told
	Imports     *imports.Service     // nil: nothing is imported
	Sources     *sources.Service     // nil: there are none
	Numbers     *numbers.Service     // nil: nothing is counted
	Webhooks    *webhooks.Service    // nil: there are none
	Fields      *platform.Sites      // nil: sites add none
	Manual      func(*View, []Route) // writes the OpenAPI document of the routes; nil: there is none
}

// Offering sets the services and returns the API.
func (a *API) Offering(s Services) *API {
	a.Services = s
	return a
}

// New returns the REST interface.
func New(c *services.Calendar) *API {
	a := &API{calendar: c, entries: cache.NewPieces[entryKey](cache.PieceBytes)}
	a.routes = Twinned(a.Routes())
	return a
}

// Version is the version of this release, both of the program and of the interface in its documentation. It must
// equal the first version in CHANGELOG.md, and change with any change of routes, arguments or responses.
const Version = "1.21.0"

// The paths below host and language at which interfaces are.
const (
	Namespace = "/calendar/events/v1"      // the API itself (rule 1.1)
	Reference = "/wp-json/tribe/events/v1" // TEC's API, which its clients use
	WordPress = "/wp-json/wp/v2"           // the part of WordPress' own API that clients of TEC use as well (rule 1.6)
	Index     = "/wp-json"                 // the list of all APIs

	PlatformNamespace = "/platform/v1" // the provider's interface (rule 7.1)
)

// Mount adds the routes to an app whose middleware sets the scope and rewrites all paths of the API to Namespace.
func (a *API) Mount(app fiber.Router) { a.Serve(app, Namespace, a.routes, a.options) }

// Serve adds routes about a site to an app. Their answers have the header Allow; options answers OPTIONS for the routes of a
// path, which have different methods.
func (a *API) Serve(app fiber.Router, namespace string, routes []Route, options func(c *fiber.Ctx, path []*Route) error) {
	Mount(app, namespace, routes, func(r *Route, path []*Route) fiber.Handler { return allowing(path, Handle(r, key, a.repeats)) },
		func(path []*Route) fiber.Handler { return func(c *fiber.Ctx) error { return options(c, path) } })
}

// noRoute answers all paths that are not in a table. OPTIONS finds nothing there, which is no error, so that scripts of
// other origins learn that the path does not exist.
func noRoute(c *fiber.Ctx) error {
	if c.Method() != fiber.MethodOptions {
		return ErrNoRoute
	}
	c.Set(fiber.HeaderContentType, ContentType)
	return c.SendString("[]")
}

// Mount adds routes below a namespace. handler and options get all routes of a path. Each path answers OPTIONS and rejects
// unsupported methods; all other paths are not found.
func Mount(app fiber.Router, namespace string, routes []Route,
	handler func(r *Route, path []*Route) fiber.Handler, options func(path []*Route) fiber.Handler) {
	paths := byPath(routes)
	for _, path := range paths {
		for _, r := range path {
			for _, method := range r.Methods {
				if method == fiber.MethodGet {
					app.Head(namespace+fiberPath(r.Path), handler(r, path))
				}
				app.Add(method, namespace+fiberPath(r.Path), handler(r, path))
			}
		}
	}
	for _, path := range paths {
		at := namespace + fiberPath(path[0].Path)
		app.Options(at, options(path))
		app.All(at, func(c *fiber.Ctx) error {
			c.Set(fiber.HeaderAllow, Methods(path))
			return ErrMethod
		})
	}
	app.All(namespace+"/*", noRoute)
}

// fiberPath converts {id}, {delivery}, {slug}, {key}, {name} and {domain} to Fiber parameters.
func fiberPath(path string) string {
	return fiberNames.Replace(path)
}

var fiberNames = strings.NewReplacer("{id}", `:id<regex(^\d+$)>`, "{delivery}", `:delivery<regex(^\d+$)>`,
	"{slug}", ":slug", "{key}", ":key", "{name}", ":name", "{domain}", ":domain")

// Handle returns the processing of every request to a route: arguments, handler, answer. keyOf parses the path parameters. again
// keeps answers to requests that may be sent again; if it is nil, none are kept.
func Handle(r *Route, keyOf func(*fiber.Ctx, *tenancy.Scope) (calendar.Key, error), again *Repeats) fiber.Handler {
	read := r.read
	if read == nil {
		media := r.TakesFile() || r.TakesPicture()
		read = func(c *fiber.Ctx) (Call, error) { return Arguments(c, media) }
	}
	return func(c *fiber.Ctx) error {
		ctx := c.UserContext()
		if err := r.Opened(tenancy.Current(ctx).Principal); err != nil {
			return err
		}
		request, err := read(c)
		if err != nil {
			return err
		}
		if request.Key, err = keyOf(c, tenancy.Current(ctx)); err != nil {
			return &ResourceError{Resource: r.Resource, Err: err}
		}
		if request.Domain, err = url.PathUnescape(c.Params("domain")); err != nil {
			request.Domain = c.Params("domain")
		}
		request.Delivery, _ = strconv.ParseInt(c.Params("delivery"), 10, 64)
		request.whole = request.Values
		r.returned(ctx, &request)
		if err := r.ignored(c, request.Values); err != nil {
			return err
		}
		return again.once(c, r, &request, func(ctx context.Context) (*Answer, error) {
			answer, err := r.Run(addressedIn(ctx, c.Query("content_language")), request)
			if err != nil {
				return nil, &ResourceError{Resource: r.Resource, ID: request.Key.ID, Err: err}
			}
			return answer, nil
		})
	}
}

// finish sends the response to a request, with the requested members.
func finish(c *fiber.Ctx, r *Route, request *Call, answer *Answer) error {
	if answer.feed != nil {
		return sendFeed(c, answer)
	}
	if fields := fieldsAsked(request.Values["_fields"]); fields != "" {
		answer.Pick(fields)
	}
	return send(c, r, answer)
}

// key parses the path parameters. Ids beyond 64 bits do not exist; slugs are normalized (rule 1.4).
func key(c *fiber.Ctx, _ *tenancy.Scope) (calendar.Key, error) {
	if digits := c.Params("id"); digits != "" {
		id, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || id == 0 {
			return calendar.Key{}, calendar.ErrNotFound
		}
		return calendar.Key{ID: id}, nil
	}
	if text := c.Params("key"); text != "" {
		return calendar.Key{Slug: strings.ToLower(text)}, nil
	}
	text := c.Params("slug")
	if text == "" {
		return calendar.Key{}, nil
	}
	if found, ok := SlugKey(text); ok {
		return found, nil
	}
	return calendar.Key{}, calendar.ErrNotFound
}

// SlugKey returns the key of a slug as clients write it, and whether it can be one.
func SlugKey(text string) (calendar.Key, bool) {
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	slug := wording.SoughtSlug(text)
	return calendar.Key{Slug: slug}, slug != ""
}

// condition parses If-Match (RFC 9110 §13.1.1): any of the tags, or * for any existing version. Something that does
// not exist has tenancy.NoVersion.
func condition(header string) calendar.Condition {
	header = strings.TrimSpace(header)
	if header == "" {
		return nil
	}
	tags := strings.Split(header, ",")
	return func(version int64) error {
		for _, tag := range tags {
			if tagged, ok := taggedVersion(tag); version != tenancy.NoVersion && (header == "*" || ok && tagged == version) {
				return nil
			}
		}
		return calendar.ErrPrecondition
	}
}

// ContentType is the media type of JSON responses.
const ContentType = "application/json; charset=UTF-8"

// Made is the name of the local of a request that has its *Answer, which the cache reads.
const Made = "answer"

// send writes an answer, or 304 if the client already has it.
func send(c *fiber.Ctx, r *Route, a *Answer) error {
	if a.secret {
		c.Set(fiber.HeaderCacheControl, "private, no-store")
	} else {
		c.Locals(Made, a)
	}
	reads := r.Methods[0] == fiber.MethodGet
	c.Set(fiber.HeaderContentType, ContentType)
	c.Set(fiber.HeaderETag, a.ETag)
	if a.Paged {
		family := cmp.Or(a.Family, "X-TEC-")
		c.Set(family+"Total", strconv.Itoa(a.Total))
		c.Set(family+"TotalPages", strconv.Itoa(a.Pages))
		if link := neighbourLinks(a); link != "" {
			c.Append(fiber.HeaderLink, link)
		}
	}
	if a.Location != "" {
		c.Set(fiber.HeaderLocation, a.Location)
	}
	if a.Language != "" {
		c.Set(fiber.HeaderContentLanguage, a.Language)
	}
	if reads && Matches(c.Get(fiber.HeaderIfNoneMatch), a.ETag) {
		return errors.Join(a.close(), c.SendStatus(fiber.StatusNotModified))
	}
	if a.File != nil {
		return a.File.send(c, a.ETag)
	}
	status := r.Status
	if a.Replaced {
		status = fiber.StatusOK
	}
	c.Status(status).Response().SetBodyRaw(a.Body)
	return nil
}

// neighbourLinks returns the Link header of a list (RFC 8288).
func neighbourLinks(a *Answer) string {
	var links []string
	if a.Next != "" {
		links = append(links, "<"+a.Next+`>; rel="next"`)
	}
	if a.Previous != "" {
		links = append(links, "<"+a.Previous+`>; rel="prev"`)
	}
	return strings.Join(links, ", ")
}

// Matches reports whether If-None-Match contains the tag (RFC 9110 §13.1.2, weak comparison).
func Matches(header, tag string) bool {
	if header == "" {
		return false
	}
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		if one == tag || one == "*" || coded(one, tag, "-br") || coded(one, tag, "-gzip") {
			return true
		}
	}
	return false
}

// coded reports whether one is the tag of a compressed form of the answer with tag.
func coded(one, tag, coding string) bool {
	plain := strings.TrimSuffix(tag, `"`)
	return len(one) == len(plain)+len(coding)+1 && one[:len(plain)] == plain && one[len(plain):len(one)-1] == coding &&
		one[len(one)-1] == '"'
}
