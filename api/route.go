package api

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Route is an operation of the interface: methods on a path, their arguments, and the handler.
type Route struct {
	Methods  []string
	Path     string // below the API's root, with {id} or {slug}
	Name     string // described by the text with key "route.<Name>"
	Resource string // "event", "venue", …: part of error codes
	Answers  string // schema of the success response in /doc; "" for an archive or a feed
	Status   int    // success status
	Beyond   bool   // TEC has no such route

	Mode         args.Mode
	InPath       *args.Table     // path arguments
	Others       *args.Table     // all other arguments
	TakesArchive bool            // the request body is an archive
	Media        string          // media type of a response that is neither JSON nor an archive
	Anybody      bool            // may make changes without authentication
	Access       *tenancy.Access // access that a key needs; nil: not set, so keys with limits may not use the route
	Twin         *Route          // of an update: the read of the same address

	read func(*fiber.Ctx) (Call, error) // reads a request; nil: Arguments
	Run  func(context.Context, Call) (*Answer, error)
}

// Call is a request as seen by a handler.
type Call struct {
	Key       calendar.Key
	Domain    string // path parameter
	Delivery  int64  // path parameter
	Condition calendar.Condition
	Values    args.Values // all arguments: those in the query and those in the body, which take precedence
	Asked     args.Values // in the query
	sent      args.Values // in the body
	whole     args.Values // Values as they were before removing those that equal what the client was served
	Unchanged bool        // an update in which every value equals what the client was served
	Upload    *Upload     // nil: none
	Body      io.Reader   // of a route that accepts an archive
}

// Handler maps arguments to an answer. It knows no HTTP.
type Handler[A any] func(ctx context.Context, c Call, in *A) (*Answer, error)

// ByID is the path argument of an item with an id.
type ByID struct {
	ID args.Opt[int64] `arg:"id,path"`
}

// BySlug is the path argument of an item with a slug.
type BySlug struct {
	Slug args.Opt[string] `arg:"slug,path"`
}

// Nothing stands for no arguments.
type Nothing struct{}

// On returns a route. K holds the path arguments, A all others.
func On[K, A any](method, path, name string, mode args.Mode, h Handler[A]) Route {
	r := Route{Methods: []string{method}, Path: path, Name: name, Status: 200, Mode: mode,
		InPath: args.TableOf(reflect.TypeFor[K]()), Others: args.TableOf(reflect.TypeFor[A]())}
	if mode == args.Updating {
		r.Methods = []string{"POST", "PUT", "PATCH"}
	}
	if mode == args.Creating {
		r.Status = 201
	}
	r.Run = func(ctx context.Context, c Call) (*Answer, error) {
		in := new(A)
		if err := r.Others.Parse(c.Values, r.Mode, in); err != nil {
			return nil, err
		}
		ctx, err := speakingIn(ctx, in)
		if err != nil {
			return nil, err
		}
		c.Unchanged = c.Unchanged && !r.Others.Given(in, aside...)
		answer, err := h(ctx, c, in)
		if err == nil && answer.Language == "" && speaks(in) {
			answer.Language = languageOf(ctx)
		}
		return answer, err
	}
	return r
}

// aside are arguments of updates that change nothing by themselves.
var aside = []string{"applies_to", "content_language", "password"}

// Twinned connects each update with the read of the same address, and returns the routes: an update ignores values that the
// client was served and sends back (rule 3.17).
func Twinned(routes []Route) []Route {
	reads := map[string]*Route{}
	for i := range routes {
		if r := &routes[i]; r.Methods[0] == http.MethodGet {
			reads[r.Path] = r
		}
	}
	for i := range routes {
		if r := &routes[i]; r.Mode == args.Updating && strings.Contains(r.Path, "{") {
			r.Twin = reads[r.Path]
		}
	}
	return routes
}

// Of sets the resource and the response schema of a route.
func (r Route) Of(resource, answers string) Route {
	r.Resource, r.Answers = resource, answers
	return r
}

// By sets the access that a key needs for the route. Keys with limits cannot use a route without it.
func (r Route) By(access tenancy.Access) Route {
	r.Access = &access
	return r
}

// Opened returns nil if the caller's key may use the route, and otherwise *tenancy.AccessError.
func (r *Route) Opened(p tenancy.Principal) error {
	if r.Access == nil {
		return p.Reach(tenancy.FullAccess)
	}
	return p.Reach(*r.Access)
}

// as sets the media type of a response other than JSON.
func (r Route) as(media string) Route {
	r.Media = media
	return r
}

// GivesArchive reports whether the response is an archive.
func (r *Route) GivesArchive() bool { return r.Answers == "" && r.Media == "" }

// GivesFeed reports whether the response is a file of all events that match a filter.
func (r *Route) GivesFeed() bool {
	return r.Media == feedMedia || r.Media == tableMedia || r.Media == feeds.WorkbookType
}

// Lists reports whether the response is a list.
func (r *Route) Lists() bool { return strings.HasSuffix(r.Name, ".list") }

// TakesFile reports whether the request body is a form with a file and nothing else.
func (r *Route) TakesFile() bool { return r.Resource == "image" && r.Mode == args.Creating }

// TakesPicture reports whether a file may accompany the arguments of a route.
func (r *Route) TakesPicture() bool {
	return r.Name == "submissions.create" || r.Name == "submissions.sent.update" || r.Name == "imports.create"
}

// TakingArchive marks a route whose request body is an archive, and sets how requests are read.
func (r Route) TakingArchive(read func(*fiber.Ctx) (Call, error)) Route {
	r.TakesArchive = true
	return r.Reading(read)
}

// Later marks a route that responds before the work is done.
func (r Route) Later() Route {
	r.Status = http.StatusAccepted
	return r
}

// Reading sets how requests are read, for bodies that are not read like those of other routes.
func (r Route) Reading(read func(*fiber.Ctx) (Call, error)) Route {
	r.read = read
	return r
}

// more marks a route that TEC lacks.
func (r Route) more() Route {
	r.Beyond = true
	return r
}

// looking marks a POST that creates nothing.
func (r Route) looking() Route {
	r.Status = http.StatusOK
	return r
}

// Arguments returns the route's arguments in the order of the interface: first those in the path, then all others.
func (r *Route) Arguments() []args.Field {
	list := append([]args.Field(nil), r.InPath.Fields...)
	for _, f := range r.Others.Fields {
		if r.InPath.Field(f.Name) == nil {
			list = append(list, f)
		}
	}
	return list
}

// byPath returns the routes of each path, in the order of the table.
func byPath(routes []Route) (paths [][]*Route) {
	at := map[string]int{}
	for i := range routes {
		r := &routes[i]
		n, known := at[r.Path]
		if !known {
			n = len(paths)
			at[r.Path], paths = n, append(paths, nil)
		}
		paths[n] = append(paths[n], r)
	}
	return paths
}

// Methods returns the methods of the routes of a path, separated by commas.
func Methods(path []*Route) string {
	var methods []string
	for _, r := range path {
		methods = append(methods, r.Methods...)
	}
	return strings.Join(methods, ", ")
}
