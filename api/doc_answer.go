package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/args"
)

// responses writes the possible responses of a route.
func (v *view) responses(r *Route) {
	v.open("responses", '{')
	for _, status := range r.successes() {
		v.success(r, status)
	}
	if r.archive() {
		said := appendString(nil, v.say("doc.answer.206"))
		v.raw("206", `{"description":`+string(said)+`,"content":{"`+zipType+`":{"schema":`+binary+`}}}`)
	}
	for _, status := range r.refusals() {
		v.raw(strconv.Itoa(status), `{"$ref":"#/components/responses/`+strconv.Itoa(status)+`"}`)
	}
	v.close('}')
}

// successes returns the possible success statuses of a route. Those that create or replace have two.
func (r *Route) successes() []int {
	if r.mode == args.Creating && r.Methods[0] == http.MethodPut {
		return []int{http.StatusOK, r.Status}
	}
	return []int{r.Status}
}

func (v *view) success(r *Route, status int) {
	v.open(strconv.Itoa(status), '{')
	v.text("description", v.say("doc.answer."+strconv.Itoa(status)))
	v.open("headers", '{')
	v.header("ETag")
	v.header("X-Request-Id")
	v.header("X-Kalends-Ignored")
	if r.media == feedMedia {
		v.header("Last-Modified")
	}
	if r.lists() {
		v.header("X-TEC-Total")
		v.header("X-TEC-TotalPages")
		v.header("Link")
	}
	v.close('}')
	v.open("content", '{')
	switch {
	case r.archive():
		v.raw(zipType, `{"schema":`+binary+`}`)
	case r.media != "":
		v.raw(r.media, `{"schema":{"type":"string"}}`)
	default:
		v.raw("application/json", `{"schema":`+string(ref(r.Answers))+v.sampleRef(r)+`}`)
	}
	v.close('}')
	v.close('}')
}

func (v *view) header(name string) { v.raw(name, `{"$ref":"#/components/headers/`+name+`"}`) }

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
	add(reads, http.StatusNotModified)
	add(!strings.HasPrefix(r.Name, "platform."), http.StatusForbidden)
	add(r.mode != args.Reading, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	add(changes && post, http.StatusGone)
	provider := r.Resource == "site" || r.Resource == "user" || r.Resource == "plan"
	add((changes || r.Methods[0] == http.MethodPut) && (post || term || provider), http.StatusPreconditionFailed)
	add(r.Resource == "submission" && (changes || r.Status == http.StatusOK) && !reads, http.StatusConflict)
	add(changes && (r.Resource == "user" || r.Resource == "plan") || r.Name == "platform.jobs.export", http.StatusConflict)
	add(r.sends, http.StatusRequestEntityTooLarge)
	add(r.archive(), http.StatusRequestedRangeNotSatisfiable)
	slices.Sort(list)
	return list
}

// components writes the schemas and everything else that routes refer to.
func (v *view) components(m *manual) {
	v.open("components", '{')
	v.open("schemas", '{')
	for _, c := range m.shapes {
		v.open(c.name, '{')
		v.perhaps("description", "schema."+c.name)
		v.comma()
		v.b = append(v.b, c.shape[1:]...) // including the closing bracket
	}
	v.bodies(m.routes)
	v.links(m.routes)
	v.close('}')
	v.refused(m.routes)
	v.open("headers", '{')
	for _, h := range [...][2]string{{"ETag", "string"}, {"Last-Modified", "string"}, {"X-Request-Id", "string"},
		{"X-Kalends-Ignored", "string"},
		{"X-TEC-Total", "integer"},
		{"X-TEC-TotalPages", "integer"}, {"Link", "string"}, {"Allow", "string"}, {"Retry-After", "integer"}} {
		if h[0] == "Last-Modified" && !slices.ContainsFunc(m.routes, func(r Route) bool { return r.media == feedMedia }) {
			continue
		}
		v.open(h[0], '{')
		v.text("description", v.say("doc.header."+h[0]))
		v.raw("schema", `{"type":"`+h[1]+`"}`)
		v.close('}')
	}
	v.close('}')
	v.parameterComponents(m.routes)
	v.samples(m)
	v.open("securitySchemes", '{')
	for _, scheme := range m.security {
		v.open(scheme, '{')
		v.text("type", "http")
		v.text("scheme", scheme)
		v.close('}')
	}
	v.close('}')
	v.close('}')
}

// refused writes the error responses of all statuses.
func (v *view) refused(routes []Route) {
	var all []int
	for i := range routes {
		all = append(all, routes[i].refusals()...)
	}
	slices.Sort(all)
	v.open("responses", '{')
	for _, status := range slices.Compact(all) {
		text := strconv.Itoa(status)
		v.open(text, '{')
		v.text("description", v.say("doc.answer."+text))
		v.open("headers", '{')
		v.header("X-Request-Id")
		switch status {
		case http.StatusMethodNotAllowed:
			v.header("Allow")
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			v.header("Retry-After")
		}
		v.close('}')
		if status != http.StatusNotModified {
			v.raw("content", `{"application/json":{"schema":`+string(ref("Error"))+`}}`)
		}
		v.close('}')
	}
	v.close('}')
}
