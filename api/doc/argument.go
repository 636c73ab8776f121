package doc

import (
	"net/http"
	"slices"
	"strings"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/internal/args"
)

// parameters writes the path arguments and, for requests without a body, the query arguments.
func (v *view) parameters(r *api.Route) {
	v.Open("parameters", '[')
	for i := range r.InPath.Fields {
		v.parameter(r, &r.InPath.Fields[i], "path")
	}
	if r.Mode == args.Reading {
		for i := range r.Others.Fields {
			v.parameter(r, &r.Others.Fields[i], "query")
		}
	}
	for _, name := range sharedOf(r) {
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

// sharedOf returns the shared parameters of a route.
func sharedOf(r *api.Route) []string {
	names := []string{"strict"}
	if r.Answers != "" {
		names = append(names, "fields")
	}
	if slices.Contains(refusals(r), http.StatusPreconditionFailed) {
		names = append(names, "ifMatch")
	}
	if r.Methods[0] == http.MethodGet {
		names = append(names, "ifNoneMatch")
	}
	if r.GivesFeed() {
		names = append(names, "ifModifiedSince")
	}
	return names
}

// parameterComponents writes the shared parameters in use.
func (v *view) parameterComponents(routes []api.Route) {
	v.Open("parameters", '{')
	for _, p := range sharedParameters {
		if !slices.ContainsFunc(routes, func(r api.Route) bool { return slices.Contains(sharedOf(&r), p.name) }) {
			continue
		}
		v.Open(p.name, '{')
		v.Text("name", p.key)
		v.Text("in", p.in)
		v.Text("description", v.Say("doc.parameter."+p.name))
		if p.name == "fields" {
			v.Text("style", "form")
			v.Bool("explode", false)
		}
		v.Raw("schema", p.schema)
		v.Close('}')
	}
	v.Close('}')
}

func (v *view) parameter(r *api.Route, f *args.Field, in string) {
	v.Item()
	v.Text("name", f.Name)
	v.Text("in", in)
	v.Text("description", v.Say(api.ArgumentKey(r, f)))
	if r.Requires(f) {
		v.Bool("required", true)
	}
	switch {
	case f.Items != "":
		v.Text("style", "form")
		v.Bool("explode", false)
	case f.Declared == "object": // fields[KEY]=VALUE
		v.Text("style", "deepObject")
		v.Bool("explode", true)
		v.Text("x-ogen-name", "ExtraFields") // a generator that has no two names for fields and _fields
		v.Raw("schema", `{"type":"object","additionalProperties":{"type":"string"}}`)
		v.Close('}')
		return
	}
	v.Open("schema", '{')
	v.value(r, f, false)
	v.Close('}')
	v.Close('}')
}

// requestBody refers to the arguments of a write. Requests with an image are documented as a form with a file, all
// others as JSON; documenting forms as well would give generated clients two ways for everything.
func (v *view) requestBody(r *api.Route) {
	if r.TakesArchive {
		v.Raw("requestBody", `{"required":true,"content":{"`+api.ZipType+`":{"schema":`+binary+`}}}`)
	}
	if r.Mode == args.Reading {
		return
	}
	kind := "application/json"
	if r.TakesFile() {
		kind = "multipart/form-data"
	}
	v.Open("requestBody", '{')
	v.Bool("required", r.Mode == args.Creating)
	v.Open("content", '{')
	v.Open(kind, '{')
	v.Raw("schema", string(schema.Ref(bodyName(r))))
	if sample := requestSample(r); sample != "" {
		v.Raw("example", sample)
	}
	v.Close('}')
	if r.TakesPicture() {
		v.withPicture(r)
	}
	v.Close('}')
	v.Close('}')
}

// withPicture writes the form that contains an image along with the arguments.
func (v *view) withPicture(r *api.Route) {
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

// bodyName returns the name of the schema of a write's arguments.
func bodyName(r *api.Route) string {
	name, verb := title(r.Resource)+"Create", r.Name[strings.LastIndexByte(r.Name, '.')+1:]
	switch {
	case r.Resource == "submission", r.Resource == "import":
		name = title(r.Resource) + title(verb)
	case r.Mode == args.Updating:
		name = title(r.Resource) + "Update"
	case verb == "preview":
		name = r.Answers + "Fields"
	}
	if bySlug(r) && r.Resource == "event" {
		name += "BySlug" // by id there is one argument more
	}
	return name
}

// bodies writes the argument schemas of all writes.
func (v *view) bodies(routes []api.Route) {
	written := map[string]bool{}
	for i := range routes {
		r := &routes[i]
		if r.Mode == args.Reading || written[bodyName(r)] {
			continue
		}
		written[bodyName(r)] = true
		v.Open(bodyName(r), '{')
		if r.TakesFile() {
			v.file(r)
		} else {
			v.Text("type", "object")
			v.members(r, r.Others.Fields, func(f *args.Field) string { return api.ArgumentKey(r, f) })
		}
		v.Close('}')
	}
}

// file writes the form of an upload, whose only part is a file.
func (v *view) file(r *api.Route) {
	v.Text("type", "object")
	v.Texts("required", "file")
	v.Open("properties", '{')
	v.fileMember(r)
	v.Close('}')
}

func (v *view) fileMember(r *api.Route) {
	v.Open("file", '{')
	v.Text("description", v.Say(api.ArgumentKey(r, &args.Field{Name: "file"})))
	v.Text("type", "string")
	v.Text("format", "binary")
	v.Close('}')
}

// members writes the required and the possible fields of an object.
func (v *view) members(r *api.Route, fields []args.Field, key func(*args.Field) string) {
	var required []string
	for i := range fields {
		if r.Requires(&fields[i]) {
			required = append(required, fields[i].Name)
		}
	}
	if required != nil {
		v.Texts("required", required...)
	}
	v.Open("properties", '{')
	v.properties(r, fields, key)
	v.Close('}')
	if r.Mode == args.Creating {
		v.together(fields)
	}
}

// pairs are arguments that mean something only together when an entry is created.
var pairs = [][2]string{{"geo_lat", "geo_lng"}}

// together writes which fields are required if another field is present.
func (v *view) together(fields []args.Field) {
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

func (v *view) properties(r *api.Route, fields []args.Field, key func(*args.Field) string) {
	for i := range fields {
		f := &fields[i]
		v.Open(f.Name, '{')
		v.Description(key(f))
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
func (v *view) termLink() {
	v.Text("type", "object")
	v.Open("properties", '{')
	for _, member := range [...][2]string{{"id", "integer"}, {"slug", "string"}, {"name", "string"}} {
		v.Open(member[0], '{')
		v.Text("description", v.Say("member."+member[0]))
		v.Text("type", member[1])
		v.Close('}')
	}
	v.Close('}')
}

// links writes the schemas of objects that link an existing item by id or create one. One schema covers both, because
// client generators cannot distinguish two.
func (v *view) links(routes []api.Route) {
	written := map[string]bool{}
	for i := range routes {
		for j := range routes[i].Others.Fields {
			f := &routes[i].Others.Fields[j]
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
			loose.Resource, loose.Mode = f.Name, args.Updating // with an id, nothing else is required
			v.Open(linkName(f), '{')
			v.Description("schema." + linkName(f))
			v.Text("type", "object")
			v.Open("properties", '{')
			v.Open("id", '{')
			v.Text("description", v.Say("arg."+f.Name+".id"))
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
func (v *view) named(r *api.Route, f *args.Field) {
	partial := *r
	partial.Mode = args.Updating
	v.Open("additionalProperties", '{')
	v.Texts("type", "object", "null")
	v.members(&partial, f.Inner().Fields, func(in *args.Field) string {
		if key := "arg." + r.Resource + "." + in.Name; v.Say(key) != key {
			return key
		}
		return "arg.settings." + in.Name // texts of a site that are among its settings
	})
	v.Close('}')
}

// fields writes the fields of an object argument, which is always parsed as something new.
func (v *view) fields(r *api.Route, f *args.Field) {
	anew := *r
	anew.Mode, anew.Twin = args.Creating, nil
	if f.Exact {
		v.Bool("additionalProperties", false)
	}
	anew.Resource = f.Name
	if f.Name == "tickets" {
		anew.Resource = "ticket"
	}
	v.members(&anew, f.Inner().Fields, func(in *args.Field) string { return "arg." + anew.Resource + "." + in.Name })
}
