package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/internal/args"
)

// parameters writes the path arguments and, for requests without a body, the query arguments.
func (v *View) parameters(r *Route) {
	v.Open("parameters", '[')
	for i := range r.keyed.Fields {
		v.parameter(r, &r.keyed.Fields[i], "path")
	}
	if r.mode == args.Reading {
		for i := range r.table.Fields {
			v.parameter(r, &r.table.Fields[i], "query")
		}
	}
	for _, name := range r.shared() {
		v.Comma()
		v.Bytes = append(v.Bytes, `{"$ref":"#/components/parameters/`+name+`"}`...)
	}
	v.Close(']')
}

// sharedParameters are the parameters that routes share: component name, location, name and schema.
var sharedParameters = []struct{ name, in, key, schema string }{
	{"fields", "query", "_fields", `{"type":"array","items":{"type":"string"}}`},
	{"strict", "query", "strict", `{"type":"boolean","default":false}`},
	{"ifMatch", "header", "If-Match", `{"type":"string"}`},
	{"ifNoneMatch", "header", "If-None-Match", `{"type":"string"}`},
	{"ifModifiedSince", "header", "If-Modified-Since", `{"type":"string"}`},
}

// shared returns the shared parameters of a route.
func (r *Route) shared() []string {
	names := []string{"strict"}
	if r.Answers != "" {
		names = append(names, "fields")
	}
	if slices.Contains(r.refusals(), http.StatusPreconditionFailed) {
		names = append(names, "ifMatch")
	}
	if r.Methods[0] == http.MethodGet {
		names = append(names, "ifNoneMatch")
	}
	if r.feeds() {
		names = append(names, "ifModifiedSince")
	}
	return names
}

// parameterComponents writes the shared parameters in use.
func (v *View) parameterComponents(routes []Route) {
	v.Open("parameters", '{')
	for _, p := range sharedParameters {
		if !slices.ContainsFunc(routes, func(r Route) bool { return slices.Contains(r.shared(), p.name) }) {
			continue
		}
		v.Open(p.name, '{')
		v.Text("name", p.key)
		v.Text("in", p.in)
		v.Text("description", v.say("doc.parameter."+p.name))
		if p.name == "fields" {
			v.Text("style", "form")
			v.Bool("explode", false)
		}
		v.Raw("schema", p.schema)
		v.Close('}')
	}
	v.Close('}')
}

func (v *View) parameter(r *Route, f *args.Field, in string) {
	v.Item()
	v.Text("name", f.Name)
	v.Text("in", in)
	v.Text("description", v.say(ArgumentKey(r, f)))
	if r.requires(f) {
		v.Bool("required", true)
	}
	if f.Items != "" {
		v.Text("style", "form")
		v.Bool("explode", false)
	}
	v.Open("schema", '{')
	v.value(r, f, false)
	v.Close('}')
	v.Close('}')
}

// requestBody refers to the arguments of a write. Requests with an image are documented as a form with a file, all
// others as JSON; documenting forms as well would give generated clients two ways for everything.
func (v *View) requestBody(r *Route) {
	if r.sends {
		v.Raw("requestBody", `{"required":true,"content":{"`+zipType+`":{"schema":`+binary+`}}}`)
	}
	if r.mode == args.Reading {
		return
	}
	kind := "application/json"
	if r.uploads() {
		kind = "multipart/form-data"
	}
	v.Open("requestBody", '{')
	v.Bool("required", r.mode == args.Creating)
	v.Open("content", '{')
	v.Open(kind, '{')
	v.Raw("schema", string(schema.Ref(bodyName(r))))
	if sample := requestSample(r); sample != "" {
		v.Raw("example", sample)
	}
	v.Close('}')
	if r.pictured() {
		v.withPicture(r)
	}
	v.Close('}')
	v.Close('}')
}

// withPicture writes the form that contains an image along with the arguments.
func (v *View) withPicture(r *Route) {
	v.Open("multipart/form-data", '{')
	v.Open("schema", '{')
	v.shared(bodyName(r)+"Form", func() {
		v.Open("allOf", '[')
		v.Comma()
		v.Bytes = append(v.Bytes, schema.Ref(bodyName(r))...)
		v.Item()
		v.shared(title(r.Resource)+"File", func() {
			v.Text("type", "object")
			v.Open("properties", '{')
			v.fileMember(r)
			v.Close('}')
		})
		v.Close('}')
		v.Close(']')
	})
	v.Close('}')
	v.Close('}')
}

// binary is the schema of binary data.
const binary = `{"type":"string","format":"binary"}`

// uploads reports whether the route accepts a file.
func (r *Route) uploads() bool { return r.Resource == "image" && r.mode == args.Creating }

// bodyName returns the name of the schema of a write's arguments.
func bodyName(r *Route) string {
	name, verb := title(r.Resource)+"Create", r.Name[strings.LastIndexByte(r.Name, '.')+1:]
	switch {
	case r.Resource == "submission", r.Resource == "import":
		name = title(r.Resource) + title(verb)
	case r.mode == args.Updating:
		name = title(r.Resource) + "Update"
	case verb == "preview":
		name = r.Answers + "Fields"
	}
	if r.bySlug() && r.Resource == "event" {
		name += "BySlug" // by id there is one argument more
	}
	return name
}

// bodies writes the argument schemas of all writes.
func (v *View) bodies(routes []Route) {
	written := map[string]bool{}
	for i := range routes {
		r := &routes[i]
		if r.mode == args.Reading || written[bodyName(r)] {
			continue
		}
		written[bodyName(r)] = true
		v.Open(bodyName(r), '{')
		if r.uploads() {
			v.file(r)
		} else {
			v.Text("type", "object")
			v.members(r, r.table.Fields, func(f *args.Field) string { return ArgumentKey(r, f) })
		}
		v.Close('}')
	}
}

// file writes the only part of an upload.
func (v *View) file(r *Route) {
	v.Text("type", "object")
	v.Texts("required", "file")
	v.Open("properties", '{')
	v.fileMember(r)
	v.Close('}')
}

func (v *View) fileMember(r *Route) {
	v.Open("file", '{')
	v.Text("description", v.say(ArgumentKey(r, &args.Field{Name: "file"})))
	v.Text("type", "string")
	v.Text("format", "binary")
	v.Close('}')
}

// members writes the required and the possible fields of an object.
func (v *View) members(r *Route, fields []args.Field, key func(*args.Field) string) {
	var required []string
	for i := range fields {
		if r.requires(&fields[i]) {
			required = append(required, fields[i].Name)
		}
	}
	if required != nil {
		v.Texts("required", required...)
	}
	v.Open("properties", '{')
	v.properties(r, fields, key)
	v.Close('}')
	if r.mode == args.Creating {
		v.together(fields)
	}
}

// pairs are arguments that mean something only together when an entry is created.
var pairs = [][2]string{{"geo_lat", "geo_lng"}}

// together writes which fields are required if another field is present.
func (v *View) together(fields []args.Field) {
	has := func(name string) bool {
		return slices.ContainsFunc(fields, func(f args.Field) bool { return f.Name == name })
	}
	for _, pair := range pairs {
		if has(pair[0]) && has(pair[1]) {
			v.Open("dependentRequired", '{')
			v.Texts(pair[0], pair[1])
			v.Texts(pair[1], pair[0])
			v.Close('}')
		}
	}
}

func (v *View) properties(r *Route, fields []args.Field, key func(*args.Field) string) {
	for i := range fields {
		f := &fields[i]
		v.Open(f.Name, '{')
		v.perhaps(key(f))
		v.value(r, f, true)
		v.Close('}')
	}
}

// linkName returns the schema name of an object that links a venue, an organizer or a term.
func linkName(f *args.Field) string {
	if f.Inner() == nil {
		return "TermLink"
	}
	return title(f.Name) + "Link"
}

// termLink writes the schema of an object that links a term: the whole object as it was read from an event, or a
// part of it.
func (v *View) termLink() {
	v.Text("type", "object")
	v.Open("properties", '{')
	for _, member := range [...][2]string{{"id", "integer"}, {"slug", "string"}, {"name", "string"}} {
		v.Open(member[0], '{')
		v.Text("description", v.say("member."+member[0]))
		v.Text("type", member[1])
		v.Close('}')
	}
	v.Close('}')
}

// links writes the schemas of objects that link an existing item by id or create one. One schema covers both, because
// client generators cannot distinguish two.
func (v *View) links(routes []Route) {
	written := map[string]bool{}
	for i := range routes {
		for j := range routes[i].table.Fields {
			f := &routes[i].table.Fields[j]
			if f.Items != "integer" || !slices.Contains(entryTypes(&routes[i], f), "object") || written[linkName(f)] {
				continue
			}
			written[linkName(f)] = true
			if f.Inner() == nil {
				v.Open(linkName(f), '{')
				v.termLink()
				v.Close('}')
				continue
			}
			loose := routes[i]
			loose.Resource, loose.mode = f.Name, args.Updating // with an id, nothing else is required
			v.Open(linkName(f), '{')
			v.perhaps("schema." + linkName(f))
			v.Text("type", "object")
			v.Open("properties", '{')
			v.Open("id", '{')
			v.Text("description", v.say("arg."+f.Name+".id"))
			v.Texts("type", "integer", "null")
			v.Close('}')
			v.properties(&loose, f.Inner().Fields, func(in *args.Field) string { return "arg." + f.Name + "." + in.Name })
			v.Close('}')
			v.together(f.Inner().Fields)
			v.Close('}')
		}
	}
}

// named writes the schema of the values in an object with client-chosen names. The fields have the same
// descriptions as the fields of the item itself.
func (v *View) named(r *Route, f *args.Field) {
	partial := *r
	partial.mode = args.Updating
	v.Open("additionalProperties", '{')
	v.Texts("type", "object", "null")
	v.members(&partial, f.Inner().Fields, func(in *args.Field) string {
		if key := "arg." + r.Resource + "." + in.Name; v.say(key) != key {
			return key
		}
		return "arg.settings." + in.Name // texts of a site that are among its settings
	})
	v.Close('}')
}

// fields writes the fields of an object argument, which is always parsed as something new.
func (v *View) fields(r *Route, f *args.Field) {
	anew := *r
	anew.mode, anew.twin = args.Creating, nil
	if f.Exact {
		v.Bool("additionalProperties", false)
	}
	anew.Resource = f.Name
	if f.Name == "tickets" {
		anew.Resource = "ticket"
	}
	v.members(&anew, f.Inner().Fields, func(in *args.Field) string { return "arg." + anew.Resource + "." + in.Name })
}
