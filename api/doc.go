package api

import (
	"context"

	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/i18n"
)

// Version is the version of this release, both of the program and of the interface in its documentation. It must
// equal the first version in CHANGELOG.md, and change with any change of routes, arguments or responses.
const Version = "1.13.0"

// manual defines one OpenAPI document (3.1.0).
type manual struct {
	texts    string // prefix of its text keys, such as texts.title
	routes   []Route
	shapes   []schema.Component
	security []string // schemes of the Authorization header
	closed   bool     // only the document itself is public
}

// doc returns the OpenAPI document of the interface in the language of the request.
func (a *API) doc(ctx context.Context, _ Call, _ *Nothing) (*Answer, error) {
	v := a.described(ctx)
	return v.Answer(0), nil
}

// Document returns the OpenAPI document of the interface in the language of the context.
func (a *API) Document(ctx context.Context) []byte { return a.described(ctx).Bytes }

func (a *API) described(ctx context.Context) *View {
	v := NewView(scopeOf(ctx))
	v.document(&manual{texts: "doc", routes: a.routes, shapes: schema.Calendar, security: []string{"basic", "bearer"}})
	return v
}

func (v *View) document(m *manual) {
	v.shares = newShared(m.shapes)
	v.Item()
	v.Text("openapi", "3.1.0")
	v.Open("info", '{')
	v.Text("title", v.say(m.texts+".title"))
	v.Text("description", v.say(m.texts+".description"))
	v.Text("version", Version)
	v.Raw("contact", `{"name":"Kalends"}`)
	v.Raw("license", `{"name":"MIT","identifier":"MIT"}`)
	v.Close('}')
	v.Open("servers", '[')
	v.Item()
	v.Text("url", v.server())
	v.Text("description", v.say(m.texts+".server"))
	v.Close('}')
	v.Close(']')
	v.tags(m.routes)
	v.paths(m)
	v.components(m)
	v.Close('}')
}

// server returns the base address of the paths. In TEC's namespace it ends with a slash, as it does there; elsewhere
// it does not, because paths begin with one.
func (v *View) server() string {
	if v.Scope.Base.Namespace == Reference {
		return v.Root + "/"
	}
	return v.Root
}

// say returns a text in the language of the request.
func (v *View) say(key string) string { return i18n.Text(v.Scope.Language, key, nil) }

// perhaps writes a description if the key exists.
func (v *View) perhaps(key string) {
	if text := v.say(key); text != key {
		v.Text("description", text)
	}
}

// tag returns the tag of a route: its resource, or "root".
func (r *Route) tag() string {
	if r.Resource == "" {
		return "root"
	}
	return r.Resource
}

// tags writes the tags in route order.
func (v *View) tags(routes []Route) {
	v.Open("tags", '[')
	seen := map[string]bool{}
	for i := range routes {
		tag := routes[i].tag()
		if seen[tag] {
			continue
		}
		seen[tag] = true
		v.Item()
		v.Text("name", tag)
		v.Text("description", v.say("doc.tag."+tag))
		v.Close('}')
	}
	v.Close(']')
}

func (v *View) paths(m *manual) {
	v.Open("paths", '{')
	for i := range m.routes {
		r := &m.routes[i]
		switch {
		case i == 0:
			v.Open(r.Path, '{')
		case r.Path != m.routes[i-1].Path:
			v.Close('}')
			v.Open(r.Path, '{')
		}
		for _, method := range r.Methods {
			v.operation(m, r, method)
		}
	}
	v.Close('}')
	v.Close('}')
}
