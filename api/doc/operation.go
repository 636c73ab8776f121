package doc

import (
	"net/http"
	"strings"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/internal/args"
)

func (v *view) operation(r *api.Route, method string) {
	v.Open(strings.ToLower(method), '{')
	v.Texts("tags", tag(r))
	v.Text("operationId", operationID(r, method))
	v.Text("summary", v.Say("route."+r.Name))
	v.Text("description", v.Say("doc.operation."+does(r)))
	v.parameters(r)
	v.requestBody(r)
	v.responses(r)
	v.Open("security", '[')
	if r.Anybody || method == http.MethodGet && (!v.of.Closed || tag(r) == "root") {
		v.Bytes = append(v.Bytes, "{}"...)
	}
	for _, scheme := range v.of.Security {
		v.Item()
		v.Raw(scheme, "[]")
		v.Close('}')
	}
	v.Close(']')
	v.Close('}')
}

// does returns the kind of operation of a route.
func does(r *api.Route) string {
	switch {
	case r.Lists():
		return "list"
	case r.Methods[0] == http.MethodGet:
		return "get"
	case r.Methods[0] == http.MethodDelete:
		return "delete"
	case r.Mode == args.Updating:
		return "update"
	case r.Mode == args.Creating && r.Status != http.StatusOK:
		return "create"
	}
	return "do"
}

// operationID returns the language-independent id of an operation: listEvents, getEventBySlug, updateVenue. PATCH has
// the plain update.
func operationID(r *api.Route, method string) string {
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
	if bySlug(r) {
		id += "BySlug"
	}
	if verb == "update" && method != http.MethodPatch {
		id += "With" + title(strings.ToLower(method))
	}
	return id
}

func bySlug(r *api.Route) bool { return strings.Contains(r.Path, "/by-slug/") }

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
