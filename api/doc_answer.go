package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/internal/args"
)

// responses writes the possible responses of a route.
func (v *View) responses(r *Route) {
	v.Open("responses", '{')
	for _, status := range r.successes() {
		v.success(r, status)
	}
	if r.archive() {
		said := jsontext.AppendString(nil, v.say("doc.answer.206"))
		v.Raw("206", `{"description":`+string(said)+`,"content":{"`+zipType+`":{"schema":`+binary+`}}}`)
	}
	if r.Methods[0] == http.MethodGet {
		v.Raw("304", `{"$ref":"#/components/responses/304"}`)
	}
	v.Raw("default", `{"$ref":"#/components/responses/Error"}`)
	v.Close('}')
	v.Open(openapi+"errors", '[')
	for _, status := range r.refusals() {
		v.Number(int64(status))
	}
	v.Close(']')
}

// openapi is the prefix of extensions in the documents: the error statuses of each operation, and their meanings.
// Generators use the response "default" for a single error type; the extensions tell people which errors there are.
const openapi = "x-kalends-"

// successes returns the possible success statuses of a route. Routes that create or replace have two.
func (r *Route) successes() []int {
	if r.mode == args.Creating && r.Methods[0] == http.MethodPut {
		return []int{http.StatusOK, r.Status}
	}
	return []int{r.Status}
}

func (v *View) success(r *Route, status int) {
	v.Open(strconv.Itoa(status), '{')
	v.Text("description", v.say("doc.answer."+strconv.Itoa(status)))
	v.Open("headers", '{')
	v.header("ETag")
	v.header("X-Request-Id")
	v.header("X-Kalends-Ignored")
	if status == http.StatusCreated || status == http.StatusAccepted {
		v.header("Location")
	}
	if r.feeds() {
		v.header("Last-Modified")
	}
	if r.lists() {
		v.header("X-TEC-Total")
		v.header("X-TEC-TotalPages")
		v.header("Link")
	}
	v.Close('}')
	v.Open("content", '{')
	switch {
	case r.archive():
		v.Raw(zipType, `{"schema":`+binary+`}`)
	case r.media == feeds.WorkbookType:
		v.Raw(r.media, `{"schema":`+binary+`}`)
	case r.media != "":
		v.Raw(r.media, `{"schema":{"type":"string"}}`)
	default:
		v.Raw("application/json", `{"schema":`+string(schema.Ref(r.Answers))+v.sampleRef(r)+`}`)
	}
	v.Close('}')
	v.Close('}')
}

func (v *View) header(name string) { v.Raw(name, `{"$ref":"#/components/headers/`+name+`"}`) }

func (r *Route) lists() bool { return strings.HasSuffix(r.Name, ".list") }

// refusals returns the possible error statuses of a route.
func (r *Route) refusals() []int {
	list := []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusTooManyRequests, http.StatusNotImplemented, http.StatusServiceUnavailable}
	add := func(when bool, statuses ...int) {
		if when {
			list = append(list, statuses...)
		}
	}
	reads := r.Methods[0] == http.MethodGet
	changes := !reads && r.mode != args.Creating
	post := r.Resource == "event" || r.Resource == "venue" || r.Resource == "organizer"
	term := r.Resource == "category" || r.Resource == "tag"
	add(!strings.HasPrefix(r.Name, "platform."), http.StatusForbidden)
	add(r.mode != args.Reading, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	add(changes && post, http.StatusGone)
	provider := r.Resource == "site" || r.Resource == "user" || r.Resource == "plan"
	add((changes || r.Methods[0] == http.MethodPut) && (post || term || provider), http.StatusPreconditionFailed)
	add(r.Resource == "submission" && (changes || r.Status == http.StatusOK) && !reads, http.StatusConflict)
	starts := r.Name == "platform.jobs.export" || r.Name == "platform.jobs.restore"
	add(changes && (r.Resource == "user" || r.Resource == "plan") || starts, http.StatusConflict)
	add(r.sends, http.StatusRequestEntityTooLarge)
	add(r.archive(), http.StatusRequestedRangeNotSatisfiable)
	slices.Sort(list)
	return list
}

// components writes the schemas and other components that routes refer to.
func (v *View) components(m *manual) {
	v.Open("components", '{')
	v.Open("schemas", '{')
	for _, c := range m.shapes {
		v.Open(c.Name, '{')
		v.perhaps("schema." + c.Name)
		v.Comma()
		v.Bytes = c.Shape[1:].Append(v.Bytes, v.say) // including the closing bracket
	}
	v.bodies(m.routes)
	v.links(m.routes)
	v.sharedSchemas()
	v.Close('}')
	v.refused()
	v.statuses(m.routes)
	v.Open("headers", '{')
	for _, h := range [...][2]string{{"ETag", "string"}, {"Last-Modified", "string"}, {"X-Request-Id", "string"},
		{"X-Kalends-Ignored", "string"},
		{"X-TEC-Total", "integer"},
		{"X-TEC-TotalPages", "integer"}, {"Link", "string"}, {"Location", "string"}, {"Allow", "string"}, {"Retry-After", "integer"}} {
		if h[0] == "Last-Modified" && !slices.ContainsFunc(m.routes, func(r Route) bool { return r.feeds() }) {
			continue
		}
		v.Open(h[0], '{')
		v.Text("description", v.say("doc.header."+h[0]))
		v.Raw("schema", `{"type":"`+h[1]+`"}`)
		v.Close('}')
	}
	v.Close('}')
	v.parameterComponents(m.routes)
	v.samples(m)
	v.Open("securitySchemes", '{')
	for _, scheme := range m.security {
		v.Open(scheme, '{')
		v.Text("type", "http")
		v.Text("scheme", scheme)
		v.Close('}')
	}
	v.Close('}')
	v.Close('}')
}

// refused writes the shared responses: the one for a client that already has the present state, and the one for all
// errors.
func (v *View) refused() {
	v.Open("responses", '{')
	v.Open("304", '{')
	v.Text("description", v.say("doc.answer.304"))
	v.Open("headers", '{')
	v.header("ETag")
	v.header("X-Request-Id")
	v.Close('}')
	v.Close('}')
	v.Open("Error", '{')
	v.Text("description", v.say("doc.answer.default"))
	v.Open("headers", '{')
	v.header("X-Request-Id")
	v.header("Allow")
	v.header("Retry-After")
	v.Close('}')
	v.Raw("content", `{"application/json":{"schema":`+string(schema.Ref("Error"))+`}}`)
	v.Close('}')
	v.Close('}')
}

// statuses writes what the statuses of errors mean.
func (v *View) statuses(routes []Route) {
	var all []int
	for i := range routes {
		all = append(all, routes[i].refusals()...)
	}
	slices.Sort(all)
	v.Open(openapi+"errors", '{')
	for _, status := range slices.Compact(all) {
		v.Open(strconv.Itoa(status), '{')
		v.Text("description", v.say("doc.answer."+strconv.Itoa(status)))
		v.Close('}')
	}
	v.Close('}')
}
