package api

import (
	"context"
	"strconv"
	"strings"

	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
)

// group are the routes of one path in table order.
type group struct {
	path   string
	routes []*Route
}

func (a *API) groups() []group { return groupsOf(a.routes) }

func groupsOf(routes []Route) []group {
	var list []group
	for i := range routes {
		r := &routes[i]
		if n := len(list); n > 0 && list[n-1].path == r.Path {
			list[n-1].routes = append(list[n-1].routes, r)
			continue
		}
		list = append(list, group{r.Path, []*Route{r}})
	}
	return list
}

// root returns the description of the namespace (rule 1.5).
func (a *API) root(ctx context.Context, _ call, _ *rootArguments) (*Answer, error) {
	v := newView(scopeOf(ctx))
	v.now = a.calendar.Now()
	v.Item()
	v.Text("namespace", v.namespace())
	v.Open("routes", '{')
	v.routes(a.routes)
	v.Close('}')
	v.Open("_links", '{')
	if v.scope.Base.Namespace == Reference {
		v.href("up", v.index())
	} else {
		v.href("up", v.scope.Base.Pages()+"/")
	}
	v.Close('}')
	v.Close('}')
	return v.answer(0).until(calendar.Midnight(v.now, v.scope.Site.Location)), nil
}

func (v *view) namespace() string { return spaceName(v.scope.Base.Namespace) }

// spaceName returns the name of a namespace by its path.
func spaceName(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, Index), "/") }

// routes describes all paths of a table.
func (v *view) routes(routes []Route) {
	for _, g := range groupsOf(routes) {
		v.Key(pattern(v.namespace(), g.path))
		v.route(g)
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

// route describes a path: its methods, endpoints and arguments, and its address if there is one.
func (v *view) route(g group) {
	v.Bytes = append(v.Bytes, '{')
	v.Text("namespace", v.namespace())
	v.Open("methods", '[')
	for _, r := range g.routes {
		v.methods(r)
	}
	v.Close(']')
	v.Open("endpoints", '[')
	for _, r := range g.routes {
		v.Item()
		v.Open("methods", '[')
		v.methods(r)
		v.Close(']')
		v.arguments(r)
		v.Close('}')
	}
	v.Close(']')
	if !strings.Contains(g.path, "{") {
		v.Open("_links", '{')
		v.href("self", v.api+g.path)
		v.Close('}')
	}
	v.Close('}')
}

func (v *view) methods(r *Route) {
	for _, m := range r.Methods {
		v.Comma()
		v.Bytes = jsontext.AppendString(v.Bytes, m)
	}
}

func (v *view) arguments(r *Route) {
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

func (v *view) argument(r *Route, f *args.Field) {
	v.Open(f.Name, '{')
	if key := ArgumentKey(r, f); strings.HasPrefix(r.Name, "wp.") {
		v.perhaps(key)
	} else {
		v.Text("description", i18n.Text(v.scope.Language, key, nil))
	}
	v.Text("type", f.Declared)
	if f.Items != "" {
		v.Open("items", '{')
		v.Text("type", f.Items)
		v.Close('}')
	}
	v.Some("format", f.Format)
	v.Bool("required", r.requires(f))
	if value, ok := v.defaultOf(r, f); ok {
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

// requires reports whether the route requires the argument.
func (r *Route) requires(f *args.Field) bool {
	return f.Required && (f.Always || r.mode == args.Creating)
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
	switch listing := r.lists() || r.media != ""; {
	case f.Path:
	case listing && (f.Name == "page" || f.Name == "per_page"):
		return "arg.list." + f.Name
	case listing:
		return "arg." + resource + ".list." + f.Name
	}
	return "arg." + resource + "." + f.Name
}

// defaultOf returns the default of an argument as JSON, declared or computed for the current request.
func (v *view) defaultOf(r *Route, f *args.Field) (string, bool) {
	quote := func(s string) (string, bool) { return string(jsontext.AppendString(nil, s)), true }
	switch {
	case r.Name == "root" && f.Name == "namespace":
		return quote(v.namespace())
	case f.Name == "per_page" && !f.HasDefault:
		return strconv.Itoa(v.scope.Site.Settings.PerPage), true
	case r.Resource == "event" && r.lists() && (f.Name == "start_date" || f.Name == "end_date"):
		return quote(v.window(f.Name))
	case !f.HasDefault || r.mode == args.Updating:
		return "", false
	case f.Default == "null":
		return "null", true
	case f.Declared == "integer" || f.Declared == "number" || f.Declared == "boolean" && f.Default != "1":
		return f.Default, true
	}
	return quote(f.Default)
}

// window returns the bounds of the default list (rule 5.1).
func (v *view) window(name string) string {
	from, to := calendar.Window(v.now, v.scope.Site.Location)
	if name == "start_date" {
		return from.Format(jsontext.TimeFormat)
	}
	return to.Format(jsontext.TimeFormat)
}
