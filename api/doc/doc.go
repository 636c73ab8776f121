// Package doc writes OpenAPI documents (3.1.0) from tables of routes.
package doc

import (
	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/schema"
)

// Document is one OpenAPI document.
type Document struct {
	Texts    string // prefix of its text keys, such as Texts.title
	Routes   []api.Route
	Shapes   []schema.Component         // of what responses contain
	Samples  map[string]func(*api.View) // these write the examples of responses, by schema
	Security []string                   // schemes of the Authorization header
	Closed   bool                       // only the document itself is public
}

// Calendar writes the document of the calendar's API, which has these routes, in the language of the request.
func Calendar(v *api.View, routes []api.Route) {
	d := Document{Texts: "doc", Routes: routes, Shapes: schema.Calendar, Samples: api.Samples(), Security: []string{"basic", "bearer"}}
	d.Write(v)
}

// view writes a document.
type view struct {
	*api.View
	of     *Document
	shares *shared // the schemas that are written only once
}

// Write writes the document in the language of the request.
func (d *Document) Write(to *api.View) {
	v := &view{View: to, of: d, shares: newShared(d.Shapes)}
	v.Item()
	v.Text("openapi", "3.1.0")
	v.Open("info", '{')
	v.Text("title", v.Say(d.Texts+".title"))
	v.Text("description", v.Say(d.Texts+".description"))
	v.Text("version", api.Version)
	v.Raw("contact", `{"name":"Kalends"}`)
	v.Raw("license", `{"name":"MIT","identifier":"MIT"}`)
	v.Close('}')
	v.Open("servers", '[')
	v.Item()
	v.Text("url", v.server())
	v.Text("description", v.Say(d.Texts+".server"))
	v.Close('}')
	v.Close(']')
	v.tags(d.Routes)
	v.paths()
	v.components()
	v.Close('}')
}

// server returns the base address of the paths. In TEC's namespace it ends with a slash, as it does there; elsewhere
// it does not, because paths begin with one.
func (v *view) server() string {
	if v.Scope.Base.Namespace == api.Reference {
		return v.Root + "/"
	}
	return v.Root
}

// tag returns the tag of a route: its resource, or "root".
func tag(r *api.Route) string {
	if r.Resource == "" {
		return "root"
	}
	return r.Resource
}

// tags writes the tags in route order.
func (v *view) tags(routes []api.Route) {
	v.Open("tags", '[')
	seen := map[string]bool{}
	for i := range routes {
		name := tag(&routes[i])
		if seen[name] {
			continue
		}
		seen[name] = true
		v.Item()
		v.Text("name", name)
		v.Text("description", v.Say("doc.tag."+name))
		v.Close('}')
	}
	v.Close(']')
}

func (v *view) paths() {
	v.Open("paths", '{')
	for i := range v.of.Routes {
		r := &v.of.Routes[i]
		switch {
		case i == 0:
			v.Open(r.Path, '{')
		case r.Path != v.of.Routes[i-1].Path:
			v.Close('}')
			v.Open(r.Path, '{')
		}
		for _, method := range r.Methods {
			v.operation(r, method)
		}
	}
	v.Close('}')
	v.Close('}')
}
