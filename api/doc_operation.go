package api

import (
	"net/http"
	"strings"

	"github.com/kalends/kalends/internal/args"
)

func (v *View) operation(m *manual, r *Route, method string) {
	v.Open(strings.ToLower(method), '{')
	v.Texts("tags", r.tag())
	v.Text("operationId", operationID(r, method))
	v.Text("summary", v.say("route."+r.Name))
	v.Text("description", v.say("doc.operation."+r.does()))
	v.parameters(r)
	v.requestBody(r)
	v.responses(r)
	v.Open("security", '[')
	if r.anybody || method == http.MethodGet && (!m.closed || r.tag() == "root") {
		v.Bytes = append(v.Bytes, "{}"...)
	}
	for _, scheme := range m.security {
		v.Item()
		v.Raw(scheme, "[]")
		v.Close('}')
	}
	v.Close(']')
	v.Close('}')
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
