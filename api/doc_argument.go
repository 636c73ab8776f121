package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/args"
)

// parameters writes the path arguments and, for requests without a body, the query arguments.
func (v *view) parameters(r *Route) {
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
	if r.media == feedMedia {
		names = append(names, "ifModifiedSince")
	}
	return names
}

// parameterComponents writes the shared parameters in use.
func (v *view) parameterComponents(routes []Route) {
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

func (v *view) parameter(r *Route, f *args.Field, in string) {
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
func (v *view) requestBody(r *Route) {
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
func (v *view) withPicture(r *Route) {
	v.Open("multipart/form-data", '{')
	v.Open("schema", '{')
	v.Open("allOf", '[')
	v.Comma()
	v.Bytes = append(v.Bytes, schema.Ref(bodyName(r))...)
	v.Item()
	v.Text("type", "object")
	v.Open("properties", '{')
	v.fileMember(r)
	v.Close('}')
	v.Close('}')
	v.Close(']')
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
	case r.Resource == "submission":
		name = title(r.Resource) + title(verb)
	case r.mode == args.Updating:
		name = title(r.Resource) + "Update"
	case verb == "preview":
		name = r.Answers + "Fields"
	}
	if r.bySlug() {
		name += "BySlug"
	}
	return name
}

// bodies writes the argument schemas of all writes.
func (v *view) bodies(routes []Route) {
	for i := range routes {
		r := &routes[i]
		if r.mode == args.Reading {
			continue
		}
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
func (v *view) file(r *Route) {
	v.Text("type", "object")
	v.Texts("required", "file")
	v.Open("properties", '{')
	v.fileMember(r)
	v.Close('}')
}

func (v *view) fileMember(r *Route) {
	v.Open("file", '{')
	v.Text("description", v.say(ArgumentKey(r, &args.Field{Name: "file"})))
	v.Text("type", "string")
	v.Text("format", "binary")
	v.Close('}')
}

// members writes the required and the possible fields of an object.
func (v *view) members(r *Route, fields []args.Field, key func(*args.Field) string) {
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
}

func (v *view) properties(r *Route, fields []args.Field, key func(*args.Field) string) {
	for i := range fields {
		f := &fields[i]
		v.Open(f.Name, '{')
		v.perhaps("description", key(f))
		v.value(r, f, true)
		v.Close('}')
	}
}

// value writes type, limits and default of an argument. In bodies it may be null unless the argument rejects that,
// and has no default, because client generators treat fields with a default as required.
func (v *view) value(r *Route, f *args.Field, body bool) {
	kind := f.Declared
	if f.Items != "" {
		kind = "array"
	}
	if body && (kind == "any" || f.Loose || len(f.Takes) > 0) {
		v.union(r, f, kind)
		return
	}
	null := body && !f.NoNull
	switch {
	case kind == "any":
	case null:
		v.Texts("type", kind, "null")
	default:
		v.Text("type", kind)
	}
	if value, ok := v.documented(r, f); ok && !body && value != "null" {
		v.Raw("default", value)
	}
	v.limitsOf(r, f, kind, null)
}

// limitsOf writes the limits of a value of a type.
func (v *view) limitsOf(r *Route, f *args.Field, kind string, null bool) {
	switch kind {
	case "array":
		v.entries(r, f)
	case "string":
		if !f.Spoken {
			v.Some("format", f.Format)
		}
		v.lengths(r, f)
		v.choices(f, null)
	case "integer", "number":
		v.bounds(f)
	case "object":
		switch {
		case f.Named():
			v.named(r, f)
		case f.Inner() != nil:
			v.fields(r, f)
		}
	}
}

// union writes a body argument that accepts several types, each as a separate schema.
func (v *view) union(r *Route, f *args.Field, kind string) {
	v.Open("anyOf", '[')
	form := func(kind string) {
		v.Item()
		v.Text("type", kind)
		v.limitsOf(r, f, kind, false)
		v.Close('}')
	}
	switch {
	case kind == "any":
		v.Bytes = append(v.Bytes,
			`{"type":"string"},{"type":"number"},{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"}]}}`...)
	case f.Loose:
		form(kind)
		for _, kind := range entryTypes(r, f) {
			v.listEntry(r, f, kind)
		}
		if !slices.Contains(entryTypes(r, f), "string") {
			v.Bytes = append(v.Bytes, `,{"type":"string"}`...) // separated by commas
		}
	default:
		form(kind)
		for _, also := range f.Takes {
			if also != kind {
				v.Bytes = append(v.Bytes, `,{"type":"`+also+`"}`...)
			}
		}
	}
	if !f.NoNull {
		v.Bytes = append(v.Bytes, `,{"type":"null"}`...)
	}
	v.Close(']')
}

// entryTypes returns the types of a list's entries. Queries have no objects.
func entryTypes(r *Route, f *args.Field) []string {
	return slices.DeleteFunc(append([]string{f.Items}, f.Takes...), func(kind string) bool {
		return f.Inner() != nil && kind == "string" || kind == "object" && r.mode == args.Reading
	})
}

// documented returns the default of an argument as JSON. It omits the window of the default list, which moves every
// day.
func (v *view) documented(r *Route, f *args.Field) (string, bool) {
	switch {
	case v.scope.Site == nil && f.Name == "per_page":
		return f.Default, f.HasDefault
	case f.Declared == "boolean" && f.HasDefault && r.mode != args.Updating:
		return strconv.FormatBool(f.Default == "true" || f.Default == "1"), true
	case r.Resource == "event" && r.lists() && (f.Name == "start_date" || f.Name == "end_date"):
		return "", false
	}
	return v.defaultOf(r, f)
}

// lengths writes the limits of a text. A limit in bytes also limits the characters. An update may repeat an empty text
// that was read (rule 3.17).
func (v *view) lengths(r *Route, f *args.Field) {
	if f.NonEmpty && r.twin == nil {
		v.Int("minLength", 1)
	}
	switch {
	case f.Max != nil:
		v.Int("maxLength", int64(*f.Max))
	case f.Bytes > 0:
		v.Int("maxLength", int64(f.Bytes))
	}
}

func (v *view) choices(f *args.Field, null bool) {
	if len(f.Enum) == 0 {
		return
	}
	v.Texts("enum", f.Enum...)
	if null {
		v.Bytes = append(v.Bytes[:len(v.Bytes)-1], ",null]"...)
	}
}

func (v *view) bounds(f *args.Field) {
	if f.Min != nil {
		v.Float("minimum", *f.Min)
	}
	if f.Max != nil {
		v.Float("maximum", *f.Max)
	}
}

// entries writes the schema of list entries.
func (v *view) entries(r *Route, f *args.Field) {
	v.Int("maxItems", int64(f.Entries))
	v.Open("items", '{')
	switch types := entryTypes(r, f); {
	case f.Items == "object":
		v.Text("type", "object")
		v.fields(r, f)
	case len(types) == 1 && types[0] == f.Items && f.Inner() == nil:
		v.entryOf(r, f, types[0])
	default:
		v.Open("anyOf", '[')
		for _, kind := range types {
			v.listEntry(r, f, kind)
		}
		v.Close(']')
	}
	v.Close('}')
}

// listEntry writes one accepted type of list entries.
func (v *view) listEntry(r *Route, f *args.Field, kind string) {
	if kind == "object" {
		v.Comma()
		v.Bytes = append(v.Bytes, schema.Ref(linkName(f))...)
		return
	}
	v.Item()
	v.entryOf(r, f, kind)
	v.Close('}')
}

func (v *view) entryOf(r *Route, f *args.Field, kind string) {
	v.Text("type", kind)
	if kind == "string" {
		v.lengths(r, f)
		v.choices(f, false)
	}
}

// linkName returns the schema name of an object that links a venue, an organizer or a term.
func linkName(f *args.Field) string {
	if f.Inner() == nil {
		return "TermLink"
	}
	return title(f.Name) + "Link"
}

// termLink is the schema of an object that links a term: one of an event as it was read, or less of it.
const termLink = `{"type":"object","properties":{"id":{"type":"integer"},"slug":{"type":"string"},"name":{"type":"string"}}}`

// links writes the schemas of objects that link an existing item by id or create one. One schema covers both, because
// client generators cannot distinguish two.
func (v *view) links(routes []Route) {
	written := map[string]bool{}
	for i := range routes {
		for j := range routes[i].table.Fields {
			f := &routes[i].table.Fields[j]
			if f.Items != "integer" || !slices.Contains(entryTypes(&routes[i], f), "object") || written[linkName(f)] {
				continue
			}
			written[linkName(f)] = true
			if f.Inner() == nil {
				v.Raw(linkName(f), termLink)
				continue
			}
			loose := routes[i]
			loose.mode = args.Updating // with an id nothing else is required
			v.Open(linkName(f), '{')
			v.perhaps("description", "schema."+linkName(f))
			v.Text("type", "object")
			v.Open("properties", '{')
			v.Raw("id", `{"type":["integer","null"]}`)
			v.properties(&loose, f.Inner().Fields, func(in *args.Field) string { return "arg." + f.Name + "." + in.Name })
			v.Close('}')
			v.Close('}')
		}
	}
}

// named writes the schema of the values in an object with client-chosen names. The fields have the same descriptions
// as those of the item itself.
func (v *view) named(r *Route, f *args.Field) {
	partial := *r
	partial.mode = args.Updating
	v.Open("additionalProperties", '{')
	v.Texts("type", "object", "null")
	v.members(&partial, f.Inner().Fields, func(*args.Field) string { return "" })
	v.Close('}')
}

// fields writes the fields of an object argument, which is always parsed as something new.
func (v *view) fields(r *Route, f *args.Field) {
	anew := *r
	anew.mode = args.Creating
	if f.Exact {
		v.Bool("additionalProperties", false)
	}
	v.members(&anew, f.Inner().Fields, func(in *args.Field) string { return ArgumentKey(r, f) + "." + in.Name })
}
