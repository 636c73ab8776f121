package api

import (
	"strconv"

	"github.com/kalends/kalends/args"
)

// parameters writes the arguments of the path and, for what has no body, those
// of the query.
func (v *view) parameters(r *Route) {
	v.open("parameters", '[')
	for i := range r.keyed.Fields {
		v.parameter(r, &r.keyed.Fields[i], "path")
	}
	if r.mode == args.Reading {
		for i := range r.table.Fields {
			v.parameter(r, &r.table.Fields[i], "query")
		}
	}
	v.close(']')
}

func (v *view) parameter(r *Route, f *args.Field, in string) {
	v.item()
	v.text("name", f.Name)
	v.text("in", in)
	v.text("description", v.say(ArgumentKey(r, f)))
	if r.requires(f) {
		v.bool("required", true)
	}
	if f.Items != "" {
		v.text("style", "form")
		v.bool("explode", false)
	}
	v.open("schema", '{')
	v.value(r, f, false)
	v.close('}')
	v.close('}')
}

// requestBody refers to the arguments of a write. A picture comes as a form
// with a file, all else as JSON or as a form.
func (v *view) requestBody(r *Route) {
	if r.sends {
		v.raw("requestBody", `{"required":true,"content":{"`+zipType+`":{"schema":`+binary+`}}}`)
	}
	if r.mode == args.Reading {
		return
	}
	kinds := []string{"application/json", "application/x-www-form-urlencoded"}
	if r.uploads() {
		kinds = []string{"multipart/form-data"}
	}
	v.open("requestBody", '{')
	v.bool("required", r.mode == args.Creating)
	v.open("content", '{')
	for _, kind := range kinds {
		v.open(kind, '{')
		v.raw("schema", string(ref(bodyName(r))))
		v.close('}')
	}
	v.close('}')
	v.close('}')
}

// binary is the schema of bytes.
const binary = `{"type":"string","format":"binary"}`

// uploads reports whether the route takes a file.
func (r *Route) uploads() bool { return r.Resource == "image" && r.mode == args.Creating }

// bodyName returns the name of the schema of a write's arguments.
func bodyName(r *Route) string {
	name := title(r.Resource) + "Create"
	if r.mode == args.Updating {
		name = title(r.Resource) + "Update"
	}
	if r.bySlug() {
		name += "BySlug"
	}
	return name
}

// bodies writes the schemas of all writes' arguments.
func (v *view) bodies(routes []Route) {
	for i := range routes {
		r := &routes[i]
		if r.mode == args.Reading {
			continue
		}
		v.open(bodyName(r), '{')
		if r.uploads() {
			v.file(r)
		} else {
			v.text("type", "object")
			v.members(r, r.table.Fields, func(f *args.Field) string { return ArgumentKey(r, f) })
		}
		v.close('}')
	}
}

// file writes the one part of an upload.
func (v *view) file(r *Route) {
	v.text("type", "object")
	v.texts("required", "file")
	v.open("properties", '{')
	v.open("file", '{')
	v.text("description", v.say(ArgumentKey(r, &args.Field{Name: "file"})))
	v.text("type", "string")
	v.text("format", "binary")
	v.close('}')
	v.close('}')
}

// members writes which fields an object must have and what all of them are.
func (v *view) members(r *Route, fields []args.Field, key func(*args.Field) string) {
	var required []string
	for i := range fields {
		if r.requires(&fields[i]) {
			required = append(required, fields[i].Name)
		}
	}
	if required != nil {
		v.texts("required", required...)
	}
	v.open("properties", '{')
	for i := range fields {
		f := &fields[i]
		v.open(f.Name, '{')
		v.perhaps("description", key(f))
		v.value(r, f, true)
		v.close('}')
	}
	v.close('}')
}

// value writes type, limits and default of one argument. In bodies it may be
// null unless the argument refuses that.
func (v *view) value(r *Route, f *args.Field, body bool) {
	null := body && !f.NoNull
	kind := f.Declared
	if f.Items != "" {
		kind = "array"
	}
	switch {
	case kind == "any":
	case null:
		v.texts("type", kind, "null")
	default:
		v.text("type", kind)
	}
	if value, ok := v.documented(r, f); ok && (null || value != "null") {
		v.raw("default", value)
	}
	switch kind {
	case "array":
		v.entries(r, f)
	case "string":
		v.some("format", f.Format)
		v.lengths(f)
		v.choices(f, null)
	case "integer", "number":
		v.bounds(f)
	case "object":
		v.fields(r, f)
	}
}

// documented returns an argument's default as JSON. The window of the default
// list is left out: it moves every day.
func (v *view) documented(r *Route, f *args.Field) (string, bool) {
	switch {
	case v.scope.Site == nil && f.Name == "per_page":
		return f.Default, f.HasDefault
	case f.Declared == "boolean" && f.HasDefault && r.mode != args.Updating:
		return strconv.FormatBool(f.Default == "true" || f.Default == "1"), true
	case r.Name == "events.list" && (f.Name == "start_date" || f.Name == "end_date"):
		return "", false
	}
	return v.defaultOf(r, f)
}

// lengths writes the limits of a text. One in bytes bounds the characters too.
func (v *view) lengths(f *args.Field) {
	if f.NonEmpty {
		v.int("minLength", 1)
	}
	switch {
	case f.Max != nil:
		v.int("maxLength", int64(*f.Max))
	case f.Bytes > 0:
		v.int("maxLength", int64(f.Bytes))
	}
}

func (v *view) choices(f *args.Field, null bool) {
	if len(f.Enum) == 0 {
		return
	}
	v.texts("enum", f.Enum...)
	if null {
		v.b = append(v.b[:len(v.b)-1], ",null]"...)
	}
}

func (v *view) bounds(f *args.Field) {
	if f.Min != nil {
		v.float("minimum", *f.Min)
	}
	if f.Max != nil {
		v.float("maximum", *f.Max)
	}
}

// entries writes what a list holds. Links to venues and organizers are ids,
// objects with an id, or new ones.
func (v *view) entries(r *Route, f *args.Field) {
	v.int("maxItems", int64(f.Entries))
	v.open("items", '{')
	switch {
	case f.Items == "object":
		v.text("type", "object")
		v.fields(r, f)
	case f.Inner() != nil:
		v.open("anyOf", '[')
		v.b = append(v.b, `{"type":"integer"},{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}},`...)
		v.b = append(v.b, ref(title(f.Name)+"Create")...)
		v.close(']')
	default:
		v.text("type", f.Items)
		if f.Items == "string" {
			v.lengths(f)
			v.choices(f, false)
		}
	}
	v.close('}')
}

// fields writes the fields of an object argument. They are read as those of
// something new, whatever the request does.
func (v *view) fields(r *Route, f *args.Field) {
	anew := *r
	anew.mode = args.Creating
	if f.Exact {
		v.bool("additionalProperties", false)
	}
	v.members(&anew, f.Inner().Fields, func(in *args.Field) string { return ArgumentKey(r, f) + "." + in.Name })
}
