package api

import (
	"context"
	"io"
	"net/http"
	"reflect"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// Route is one line of the interface: methods on a path, their arguments, and
// what they do.
type Route struct {
	Methods  []string
	Path     string // below the API's root, with {id} or {slug}
	Name     string // text key "route.<Name>" describes it
	Resource string // "event", "venue", …: codes of errors carry it
	Answers  string // schema of the success in /doc, "" for an archive or a feed
	Status   int    // of the success
	Beyond   bool   // the reference has no such route

	mode    args.Mode
	keyed   *args.Table // arguments in the path
	table   *args.Table // all other arguments
	sends   bool        // an archive is the body of the request
	media   string      // media type of an answer that is neither JSON nor an archive
	anybody bool        // may do what changes something
	public  bool        // answers depend on nothing but the request's site and address for the anonymous
	run     func(context.Context, call) (*Answer, error)
}

// call is one request as a handler sees it.
type call struct {
	Key       calendar.Key
	Domain    string // in the path
	Condition calendar.Condition
	values    args.Values
	upload    *upload
	body      io.Reader // of a route that takes an archive
}

// Handler is a function from arguments to an answer; it knows no HTTP.
type Handler[A any] func(ctx context.Context, c call, in *A) (*Answer, error)

// byID and bySlug are the arguments of paths.
type byID struct {
	ID args.Opt[int64] `arg:"id,path"`
}

type bySlug struct {
	Slug args.Opt[string] `arg:"slug,path"`
}

type nothing struct{}

// on makes a route; K holds the path's arguments, A all others.
func on[K, A any](method, path, name string, mode args.Mode, h Handler[A]) Route {
	r := Route{Methods: []string{method}, Path: path, Name: name, Status: 200, mode: mode,
		keyed: args.TableOf(reflect.TypeFor[K]()), table: args.TableOf(reflect.TypeFor[A]())}
	if mode == args.Updating {
		r.Methods = []string{"POST", "PUT", "PATCH"}
	}
	if mode == args.Creating {
		r.Status = 201
	}
	r.public = method == "GET"
	r.run = func(ctx context.Context, c call) (*Answer, error) {
		in := new(A)
		if err := r.table.Parse(c.values, r.mode, in); err != nil {
			return nil, err
		}
		ctx, err := speakingIn(ctx, in)
		if err != nil {
			return nil, err
		}
		answer, err := h(ctx, c, in)
		if err == nil && answer.Language == "" && speaks(in) {
			answer.Language = languageOf(ctx)
		}
		return answer, err
	}
	return r
}

// of names the resource and the schema of a route.
func (r Route) of(resource, answers string) Route {
	r.Resource, r.Answers = resource, answers
	return r
}

// as says that a route answers with something else than JSON.
func (r Route) as(media string) Route {
	r.media = media
	return r
}

// archive reports whether a route answers with one.
func (r *Route) archive() bool { return r.Answers == "" && r.media == "" }

// later is for a route that answers before what it is asked for is done.
func (r Route) later() Route {
	r.Status = http.StatusAccepted
	return r
}

// more is for a route that the reference doesn't have.
func (r Route) more() Route {
	r.Beyond = true
	return r
}

// looking is for a POST that makes nothing.
func (r Route) looking() Route {
	r.Status = http.StatusOK
	return r
}

// Arguments returns the route's arguments as the interface lists them: the
// path's first, then the others that the path doesn't name already.
func (r *Route) Arguments() []args.Field {
	list := append([]args.Field(nil), r.keyed.Fields...)
	for _, f := range r.table.Fields {
		if r.keyed.Field(f.Name) == nil {
			list = append(list, f)
		}
	}
	return list
}
