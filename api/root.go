package api

import (
	"context"
	"strconv"
	"strings"

	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// root returns the description of the namespace (rule 1.5).
func (a *API) root(ctx context.Context, _ Call, _ *rootArguments) (*Answer, error) {
	v := a.newView(ctx)
	up := v.Scope.Base.Pages() + "/"
	if v.Scope.Base.Namespace == Reference {
		up = IndexAddress(v.Scope.Base)
	}
	v.DescribeRoot(a.routes, up)
	return v.Answer(0).until(calendar.Midnight(v.Now, v.Scope.Site.Location)), nil
}

// IndexAddress returns the address of the list of all APIs.
func IndexAddress(base tenancy.Base) string { return base.Origin + base.Prefix + Index + "/" }

// IndexLink is the header with which clients of WordPress find the list of all APIs.
func IndexLink(base tenancy.Base) string {
	return "<" + IndexAddress(base) + `>; rel="https://api.w.org/"`
}

// doc returns the OpenAPI document of the API.
func (a *API) doc(ctx context.Context, _ Call, _ *Nothing) (*Answer, error) {
	if a.Manual == nil {
		return nil, ErrNoRoute
	}
	v := NewView(scopeOf(ctx))
	a.Manual(v, a.routes)
	return v.Answer(0), nil
}

// Document returns the OpenAPI document of the API in the language of the context.
func (a *API) Document(ctx context.Context) []byte {
	v := NewView(scopeOf(ctx))
	a.Manual(v, a.routes)
	return v.Bytes
}

// Namespace returns the name of the namespace that the request is for.
func (v *View) Namespace() string { return SpaceName(v.Scope.Base.Namespace) }

// SpaceName returns the name of a namespace by its path.
func SpaceName(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, Index), "/") }

// DescribeRoot writes the description of the namespace with these routes. up is the URL of the index that lists the
// namespace.
func (v *View) DescribeRoot(routes []Route, up string) {
	v.Item()
	v.Text("namespace", v.Namespace())
	v.Open("routes", '{')
	v.Describe(routes)
	v.Close('}')
	v.Open("_links", '{')
	v.Href("up", up)
	v.Close('}')
	v.Close('}')
}

// Describe describes all paths of a table.
func (v *View) Describe(routes []Route) {
	for _, path := range byPath(routes) {
		v.Key(pattern(v.Namespace(), path[0].Path))
		v.DescribePath(path)
	}
}

// pattern converts a path to the named groups of TEC's index.
func pattern(namespace, path string) string {
	path = strings.TrimSuffix(path, "/")
	path = strings.ReplaceAll(path, "{id}", `(?P<id>\\d+)`)
	path = strings.ReplaceAll(path, "{delivery}", `(?P<delivery>\\d+)`)
	path = strings.ReplaceAll(path, "{slug}", `(?P<slug>[^/]+)`)
	path = strings.ReplaceAll(path, "{key}", `(?P<key>[^/]+)`)
	return "/" + namespace + path
}

// DescribePath describes the routes of a path: its methods, endpoints and arguments, and its address if there is one.
func (v *View) DescribePath(path []*Route) {
	v.Bytes = append(v.Bytes, '{')
	v.Text("namespace", v.Namespace())
	v.Open("methods", '[')
	for _, r := range path {
		v.methods(r)
	}
	v.Close(']')
	v.Open("endpoints", '[')
	for _, r := range path {
		v.Item()
		v.Open("methods", '[')
		v.methods(r)
		v.Close(']')
		v.arguments(r)
		v.Close('}')
	}
	v.Close(']')
	if address := path[0].Path; !strings.Contains(address, "{") {
		v.Open("_links", '{')
		v.Href("self", v.Root+address)
		v.Close('}')
	}
	v.Close('}')
}

func (v *View) methods(r *Route) {
	for _, m := range r.Methods {
		v.Comma()
		v.Bytes = jsontext.AppendString(v.Bytes, m)
	}
}

func (v *View) arguments(r *Route) {
	fields := r.Arguments()
	if len(fields) == 0 {
		v.Raw("args", "[]")
		return
	}
	v.Open("args", '{')
	for i := range fields {
		v.argument(r, &fields[i])
	}
	v.Close('}')
}

func (v *View) argument(r *Route, f *args.Field) {
	v.Open(f.Name, '{')
	if key := ArgumentKey(r, f); strings.HasPrefix(r.Name, "wp.") {
		v.Description(key)
	} else {
		v.Text("description", v.Say(key))
	}
	v.Text("type", f.Declared)
	if f.Items != "" {
		v.Open("items", '{')
		v.Text("type", f.Items)
		v.Close('}')
	}
	v.Some("format", f.Format)
	v.Bool("required", r.Requires(f))
	if value, ok := v.DefaultOf(r, f); ok {
		v.Raw("default", value)
	}
	if len(f.Enum) > 0 {
		v.Open("enum", '[')
		for _, e := range f.Enum {
			v.Comma()
			v.Bytes = jsontext.AppendString(v.Bytes, e)
		}
		v.Close(']')
	}
	v.Close('}')
}

// Requires reports whether the route requires the argument.
func (r *Route) Requires(f *args.Field) bool {
	return f.Required && (f.Always || r.Mode == args.Creating)
}

// ArgumentKey returns the text key of an argument's description.
func ArgumentKey(r *Route, f *args.Field) string {
	resource := r.Resource
	if resource == "" {
		resource = "root"
	}
	if r.Name == "changes.list" && changes.Own(f.Name) {
		return "arg.change." + f.Name
	}
	switch listing := r.Lists() || r.Media != ""; {
	case f.Path:
	case listing && (f.Name == "page" || f.Name == "per_page"):
		return "arg.list." + f.Name
	case listing:
		return "arg." + resource + ".list." + f.Name
	}
	return "arg." + resource + "." + f.Name
}

// DefaultOf returns the default of an argument as JSON, declared or computed for the current request.
func (v *View) DefaultOf(r *Route, f *args.Field) (string, bool) {
	quote := func(s string) (string, bool) { return string(jsontext.AppendString(nil, s)), true }
	switch {
	case r.Name == "root" && f.Name == "namespace":
		return quote(v.Namespace())
	case f.Name == "per_page" && !f.HasDefault:
		return strconv.Itoa(v.Scope.Site.Settings.PerPage), true
	case r.Resource == "event" && r.Lists() && (f.Name == "start_date" || f.Name == "end_date"):
		return quote(v.window(f.Name))
	case !f.HasDefault || r.Mode == args.Updating:
		return "", false
	case f.Default == "null":
		return "null", true
	case f.Declared == "integer" || f.Declared == "number" || f.Declared == "boolean" && f.Default != "1":
		return f.Default, true
	}
	return quote(f.Default)
}

// window returns the bounds of the default list (rule 5.1).
func (v *View) window(name string) string {
	from, to := calendar.Window(v.Now, v.Scope.Site.Location)
	if name == "start_date" {
		return from.Format(jsontext.TimeFormat)
	}
	return to.Format(jsontext.TimeFormat)
}
