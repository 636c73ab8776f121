package doc

import (
	"slices"
	"strconv"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/internal/args"
)

// value writes type, limits and default of an argument. In bodies it may be null unless the argument rejects that,
// and has no default, because client generators treat fields with a default as required.
func (v *view) value(r *api.Route, f *args.Field, body bool) {
	kind := f.Declared
	if f.Items != "" {
		kind = "array"
	}
	if body && (kind == "any" || f.Loose || len(f.Takes) > 0) {
		v.shared(unionName(r, f), func() { v.union(r, f, kind) })
		return
	}
	null := body && !f.NoNull
	plain := func() {
		switch {
		case kind == "any":
		case null:
			v.Texts("type", kind, "null")
		default:
			v.Text("type", kind)
		}
		v.limitsOf(r, f, kind, null)
	}
	switch {
	case kind == "string" && len(f.Enum) > 0:
		v.shared(choiceName(r, f), plain)
	case kind == "object":
		v.shared(objectName(r, f), plain)
	default:
		plain()
	}
	if value, ok := v.documented(r, f); ok && !body && value != "null" {
		v.Raw("default", value)
	}
}

// limitsOf writes the limits of a value of a type.
func (v *view) limitsOf(r *api.Route, f *args.Field, kind string, null bool) {
	switch kind {
	case "array":
		v.entries(r, f)
	case "string":
		if !f.Spoken {
			v.Some("format", f.Format)
		}
		v.lengths(r, f)
		v.choices(f, null)
	case "number":
		v.Text("format", "double")
		v.bounds(f)
	case "integer":
		v.bounds(f)
	case "object":
		switch {
		case f.Named():
			v.named(r, f)
		case f.Inner() != nil:
			v.fields(r, f)
		default: // without it, generators make an empty object of it
			v.Raw("additionalProperties", "{}")
		}
	}
}

// union writes a body argument that accepts several types, each as a separate schema.
func (v *view) union(r *api.Route, f *args.Field, kind string) {
	v.Open("anyOf", '[')
	form := func(kind string) {
		v.Item()
		v.Text("type", kind)
		v.limitsOf(r, f, kind, false)
		v.Close('}')
	}
	switch {
	case kind == "any":
		v.Bytes = append(v.Bytes, `{"type":"string"},{"type":"number","format":"double"},`+
			`{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number","format":"double"}]}}`...)
	case f.Loose:
		form(kind)
		for _, kind := range entryTypes(r, f) {
			v.listEntry(r, f, kind)
		}
		if !slices.Contains(entryTypes(r, f), "string") {
			v.Bytes = append(v.Bytes, `,{"type":"string"}`...) // the entries, separated by commas
		}
	default:
		form(kind)
		for _, also := range f.Takes {
			switch also {
			case kind:
			case "array": // generators need the type of the entries, which are texts, as in answers
				v.Bytes = append(v.Bytes, `,{"type":"array","items":{"type":"string"}}`...)
			case "object":
				v.Bytes = append(v.Bytes, `,{"type":"object","additionalProperties":{}}`...)
			default:
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
func entryTypes(r *api.Route, f *args.Field) []string {
	return slices.DeleteFunc(append([]string{f.Items}, f.Takes...), func(kind string) bool {
		return f.Inner() != nil && kind == "string" || kind == "object" && r.Mode == args.Reading
	})
}

// documented returns the default of an argument as JSON. It omits the window of the default list, which moves every
// day.
func (v *view) documented(r *api.Route, f *args.Field) (string, bool) {
	switch {
	case v.Scope.Site == nil && f.Name == "per_page":
		return f.Default, f.HasDefault
	case f.Declared == "boolean" && f.HasDefault && r.Mode != args.Updating:
		return strconv.FormatBool(f.Default == "true" || f.Default == "1"), true
	case r.Resource == "event" && r.Lists() && (f.Name == "start_date" || f.Name == "end_date"):
		return "", false
	}
	return v.DefaultOf(r, f)
}

// lengths writes the limits of a text. A limit in bytes also limits the characters. An update may repeat an empty text
// that was read (rule 3.17).
func (v *view) lengths(r *api.Route, f *args.Field) {
	if len(f.Enum) > 0 {
		return // generators refuse a limit together with a choice, which is more specific
	}
	if f.NonEmpty && r.Twin == nil {
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
func (v *view) entries(r *api.Route, f *args.Field) {
	v.Int("maxItems", int64(f.Entries))
	v.Open("items", '{')
	switch types := entryTypes(r, f); {
	case f.Items == "object":
		v.shared(objectName(r, f), func() {
			v.Text("type", "object")
			v.fields(r, f)
		})
	case r.Mode == args.Reading && refersToTerms(f):
		v.shared("TermReference", func() { v.Raw("anyOf", `[{"type":"integer"},{"type":"string"}]`) })
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
func (v *view) listEntry(r *api.Route, f *args.Field, kind string) {
	if kind == "object" {
		v.Comma()
		v.Bytes = append(v.Bytes, schema.Ref(linkName(f))...)
		return
	}
	v.Item()
	v.entryOf(r, f, kind)
	v.Close('}')
}

func (v *view) entryOf(r *api.Route, f *args.Field, kind string) {
	write := func() {
		v.Text("type", kind)
		if kind == "string" {
			v.lengths(r, f)
			v.choices(f, false)
		}
	}
	if kind == "string" && len(f.Enum) > 0 {
		v.shared(choiceName(r, f), write)
		return
	}
	write()
}
