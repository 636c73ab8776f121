package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
)

// Version is the version of this release, both of the program and of the interface in its documentation. It must
// equal the first version in CHANGELOG.md, and change with any change of routes, arguments or responses.
const Version = "1.1.0"

// manual defines one OpenAPI document (3.1.0).
type manual struct {
	texts    string // prefix of its text keys, such as texts.title
	routes   []Route
	shapes   []component
	security []string // schemes of the Authorization header
	closed   bool     // only the document itself is public
}

// doc returns the OpenAPI document of the interface in the language of the request.
func (a *API) doc(ctx context.Context, _ call, _ *nothing) (*Answer, error) {
	v := a.described(ctx)
	return v.answer(0), nil
}

// Document returns the OpenAPI document of the interface in the language of the context.
func (a *API) Document(ctx context.Context) []byte { return a.described(ctx).b }

func (a *API) described(ctx context.Context) *view {
	v := newView(scopeOf(ctx))
	v.document(&manual{texts: "doc", routes: a.routes, shapes: calendarShapes, security: []string{"basic", "bearer"}})
	return v
}

func (v *view) document(m *manual) {
	v.item()
	v.text("openapi", "3.1.0")
	v.open("info", '{')
	v.text("title", v.say(m.texts+".title"))
	v.text("description", v.say(m.texts+".description"))
	v.text("version", Version)
	v.raw("contact", `{"name":"Kalends"}`)
	v.raw("license", `{"name":"MIT","identifier":"MIT"}`)
	v.close('}')
	v.open("servers", '[')
	v.item()
	v.text("url", v.server())
	v.text("description", v.say(m.texts+".server"))
	v.close('}')
	v.close(']')
	v.tags(m.routes)
	v.paths(m)
	v.components(m)
	v.close('}')
}

// server returns the base address of the paths. In TEC's namespace it ends with a slash, as it does there; elsewhere
// it does not, because paths begin with one.
func (v *view) server() string {
	if v.scope.Base.Namespace == Reference {
		return v.api + "/"
	}
	return v.api
}

// say returns a text in the language of the request.
func (v *view) say(key string) string { return i18n.Text(v.scope.Language, key, nil) }

// perhaps writes a text if the key exists.
func (v *view) perhaps(name, key string) {
	if text := v.say(key); text != key {
		v.text(name, text)
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
func (v *view) tags(routes []Route) {
	v.open("tags", '[')
	seen := map[string]bool{}
	for i := range routes {
		tag := routes[i].tag()
		if seen[tag] {
			continue
		}
		seen[tag] = true
		v.item()
		v.text("name", tag)
		v.text("description", v.say("doc.tag."+tag))
		v.close('}')
	}
	v.close(']')
}

func (v *view) paths(m *manual) {
	v.open("paths", '{')
	for i := range m.routes {
		r := &m.routes[i]
		switch {
		case i == 0:
			v.open(r.Path, '{')
		case r.Path != m.routes[i-1].Path:
			v.close('}')
			v.open(r.Path, '{')
		}
		for _, method := range r.Methods {
			v.operation(m, r, method)
		}
	}
	v.close('}')
	v.close('}')
}

func (v *view) operation(m *manual, r *Route, method string) {
	v.open(strings.ToLower(method), '{')
	v.texts("tags", r.tag())
	v.text("operationId", operationID(r, method))
	v.text("summary", v.say("route."+r.Name))
	v.text("description", v.say("doc.operation."+r.does()))
	v.parameters(r)
	v.requestBody(r)
	v.responses(r)
	v.open("security", '[')
	if r.anybody || method == http.MethodGet && (!m.closed || r.tag() == "root") {
		v.b = append(v.b, "{}"...)
	}
	for _, scheme := range m.security {
		v.item()
		v.raw(scheme, "[]")
		v.close('}')
	}
	v.close(']')
	v.close('}')
}

// does returns the kind of operation of a route.
func (r *Route) does() string {
	switch {
	case r.lists():
		return "list"
	case r.Methods[0] == http.MethodGet:
		return "get"
	case r.Methods[0] == http.MethodDelete:
		return "delete"
	case r.mode == args.Updating:
		return "update"
	case r.mode == args.Creating && r.Status != http.StatusOK:
		return "create"
	}
	return "do"
}

// texts writes a list of strings.
func (w *writer) texts(key string, list ...string) {
	w.open(key, '[')
	for _, one := range list {
		w.comma()
		w.b = appendString(w.b, one)
	}
	w.close(']')
}

// operationID returns the language-independent id of an operation: listEvents, getEventBySlug, updateVenue. PATCH has
// the plain update.
func operationID(r *Route, method string) string {
	parts := strings.Split(r.Name, ".")
	verb := parts[len(parts)-1]
	var id string
	switch {
	case r.Resource == "":
		return "get" + title(verb)
	case verb == "list":
		id = verb + title(parts[len(parts)-2])
	case len(parts) == 3 && parts[1] == "sent":
		id = verb + title(parts[1]) + title(r.Resource)
	default:
		id = verb + title(r.Resource)
	}
	if r.bySlug() {
		id += "BySlug"
	}
	if verb == "update" && method != http.MethodPatch {
		id += "With" + title(strings.ToLower(method))
	}
	return id
}

func (r *Route) bySlug() bool { return strings.Contains(r.Path, "/by-slug/") }

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
