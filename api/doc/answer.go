package doc

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/internal/args"
)

// responses writes the possible responses of a route.
func (v *view) responses(r *api.Route) {
	v.Open("responses", '{')
	for _, status := range successes(r) {
		v.success(r, status)
	}
	if r.GivesArchive() {
		said := jsontext.AppendString(nil, v.Say("doc.answer.206"))
		v.Raw("206", `{"description":`+string(said)+`,"content":{"`+api.ZipType+`":{"schema":`+binary+`}}}`)
	}
	if r.Methods[0] == http.MethodGet {
		v.Raw("304", `{"$ref":"#/components/responses/304"}`)
	}
	v.Raw("default", `{"$ref":"#/components/responses/Error"}`)
	v.Close('}')
	v.Open(openapi+"errors", '[')
	for _, status := range refusals(r) {
		v.Number(int64(status))
	}
	v.Close(']')
}

// openapi is the prefix of extensions in the documents: the error statuses of each operation, and their meanings.
// Generators use the response "default" for a single error type; the extensions tell people which errors there are.
const openapi = "x-kalends-"

// successes returns the possible success statuses of a route. Routes that create or replace have two.
func successes(r *api.Route) []int {
	if r.Mode == args.Creating && r.Methods[0] == http.MethodPut {
		return []int{http.StatusOK, r.Status}
	}
	return []int{r.Status}
}

func (v *view) success(r *api.Route, status int) {
	v.Open(strconv.Itoa(status), '{')
	v.Text("description", v.Say("doc.answer."+strconv.Itoa(status)))
	v.Open("headers", '{')
	v.header("ETag")
	v.header("X-Request-Id")
	v.header("X-Kalends-Ignored")
	if status == http.StatusCreated || status == http.StatusAccepted {
		v.header("Location")
	}
	if r.GivesFeed() {
		v.header("Last-Modified")
	}
	if r.Lists() {
		v.header("X-TEC-Total")
		v.header("X-TEC-TotalPages")
		v.header("Link")
	}
	v.Close('}')
	v.Open("content", '{')
	switch {
	case r.GivesArchive():
		v.Raw(api.ZipType, `{"schema":`+binary+`}`)
	case r.Media == feeds.WorkbookType:
		v.Raw(r.Media, `{"schema":`+binary+`}`)
	case r.Media != "":
		v.Raw(r.Media, `{"schema":{"type":"string"}}`)
	default:
		v.Raw("application/json", `{"schema":`+string(schema.Ref(r.Answers))+v.sampleRef(r)+`}`)
	}
	v.Close('}')
	v.Close('}')
}

func (v *view) header(name string) { v.Raw(name, `{"$ref":"#/components/headers/`+name+`"}`) }

// refusals returns the possible error statuses of a route.
func refusals(r *api.Route) []int {
	list := []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusTooManyRequests, http.StatusNotImplemented, http.StatusServiceUnavailable}
	add := func(when bool, statuses ...int) {
		if when {
			list = append(list, statuses...)
		}
	}
	reads := r.Methods[0] == http.MethodGet
	changes := !reads && r.Mode != args.Creating
	post := r.Resource == "event" || r.Resource == "venue" || r.Resource == "organizer"
	term := r.Resource == "category" || r.Resource == "tag"
	add(!strings.HasPrefix(r.Name, "platform."), http.StatusForbidden)
	add(r.Mode != args.Reading, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	add(changes && post, http.StatusGone)
	provider := r.Resource == "site" || r.Resource == "user" || r.Resource == "plan"
	add((changes || r.Methods[0] == http.MethodPut) && (post || term || provider), http.StatusPreconditionFailed)
	add(r.Resource == "submission" && (changes || r.Status == http.StatusOK) && !reads, http.StatusConflict)
	starts := r.Name == "platform.jobs.export" || r.Name == "platform.jobs.restore"
	add(changes && (r.Resource == "user" || r.Resource == "plan") || starts, http.StatusConflict)
	add(r.TakesArchive, http.StatusRequestEntityTooLarge)
	add(r.GivesArchive(), http.StatusRequestedRangeNotSatisfiable)
	slices.Sort(list)
	return list
}

// components writes the schemas and other components that routes refer to.
func (v *view) components() {
	v.Open("components", '{')
	v.Open("schemas", '{')
	for _, c := range v.of.Shapes {
		v.Open(c.Name, '{')
		v.Description("schema." + c.Name)
		v.Comma()
		v.Bytes = c.Shape[1:].Append(v.Bytes, v.Say) // including the closing bracket
	}
	v.bodies(v.of.Routes)
	v.links(v.of.Routes)
	v.sharedSchemas()
	v.Close('}')
	v.refused()
	v.statuses(v.of.Routes)
	v.Open("headers", '{')
	for _, h := range [...][2]string{{"ETag", "string"}, {"Last-Modified", "string"}, {"X-Request-Id", "string"},
		{"X-Kalends-Ignored", "string"},
		{"X-TEC-Total", "integer"},
		{"X-TEC-TotalPages", "integer"}, {"Link", "string"}, {"Location", "string"}, {"Allow", "string"}, {"Retry-After", "integer"}} {
		if h[0] == "Last-Modified" && !slices.ContainsFunc(v.of.Routes, func(r api.Route) bool { return r.GivesFeed() }) {
			continue
		}
		v.Open(h[0], '{')
		v.Text("description", v.Say("doc.header."+h[0]))
		v.Raw("schema", `{"type":"`+h[1]+`"}`)
		v.Close('}')
	}
	v.Close('}')
	v.parameterComponents(v.of.Routes)
	v.samples()
	v.Open("securitySchemes", '{')
	for _, scheme := range v.of.Security {
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
func (v *view) refused() {
	v.Open("responses", '{')
	v.Open("304", '{')
	v.Text("description", v.Say("doc.answer.304"))
	v.Open("headers", '{')
	v.header("ETag")
	v.header("X-Request-Id")
	v.Close('}')
	v.Close('}')
	v.Open("Error", '{')
	v.Text("description", v.Say("doc.answer.default"))
	v.Open("headers", '{')
	v.header("X-Request-Id")
	v.header("Allow")
	v.header("Retry-After")
	v.Close('}')
	v.Raw("content", `{"application/json":{"schema":`+string(schema.Ref("Error"))+`}}`)
	v.Close('}')
	v.Close('}')
}

// statuses writes the meanings of the error statuses that these routes have.
func (v *view) statuses(routes []api.Route) {
	var all []int
	for i := range routes {
		all = append(all, refusals(&routes[i])...)
	}
	slices.Sort(all)
	v.Open(openapi+"errors", '{')
	for _, status := range slices.Compact(all) {
		v.Open(strconv.Itoa(status), '{')
		v.Text("description", v.Say("doc.answer."+strconv.Itoa(status)))
		v.Close('}')
	}
	v.Close('}')
}
