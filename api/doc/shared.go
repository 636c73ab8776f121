package doc

import (
	"slices"
	"strings"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/internal/args"
)

// shared are the schemas of a document that several places refer to, so that clients have one type of each (ADR 123).
type shared struct {
	answered map[string]string // names of the schemas that responses use as well, by their members
	list     []sharedSchema    // the others, in the order of the document
}

// sharedSchema is a named schema: its members as JSON.
type sharedSchema struct{ name, members string }

// newShared returns the schemas that answers have, which arguments refer to where they take the same values.
func newShared(shapes []schema.Component) *shared {
	s := &shared{answered: map[string]string{}}
	for _, c := range shapes {
		if c.Shared {
			s.answered[string(c.Shape[1:len(c.Shape)-1])] = c.Name
		}
	}
	return s
}

// shared writes a reference to the schema whose members the function write writes. The schema is called name,
// unless responses use the same schema, or the same choice has another name.
func (v *view) shared(name string, write func()) {
	from := len(v.Bytes)
	write()
	members := strings.TrimPrefix(string(v.Bytes[from:]), ",")
	v.Bytes = v.Bytes[:from]
	v.Raw("$ref", `"#/components/schemas/`+v.shares.name(name, members)+`"`)
}

// name returns the name of a schema.
func (s *shared) name(name, members string) string {
	if answered, known := s.answered[members]; known {
		return answered
	}
	choice := !strings.Contains(members, "{") // the same texts are the same choice, whatever its name
	for _, one := range s.list {
		switch {
		case one.members == members && (choice || one.name == name):
			return one.name
		case one.name == name:
			panic("doc: two schemas are called " + name) // a test writes all documents
		}
	}
	s.list = append(s.list, sharedSchema{name, members})
	return name
}

// sharedSchemas writes the schemas that routes refer to and answers don't have.
func (v *view) sharedSchemas() {
	for _, one := range v.shares.list {
		v.Raw(one.name, "{"+one.members+"}")
	}
}

// unionName returns the name of the schema of a body argument that accepts several types.
func unionName(r *api.Route, f *args.Field) string {
	switch {
	case refersToTerms(f):
		return "TermInput"
	case f.Name == "events", f.Name == "terms", f.Named(), f.NonEmpty && r.Twin == nil:
		return words(r.Resource, f.Name) + "Input" // the name is too unspecific, or other resources use it for something else
	}
	return words(f.Name) + "Input"
}

// choiceName returns the name of the schema of one of several texts. The resource is part of the name, because an argument may
// have other values elsewhere: events and imports have different statuses.
func choiceName(r *api.Route, f *args.Field) string {
	name := words(f.Name)
	switch {
	case f.Name == "translations": // of any resource
	case strings.HasPrefix(r.Name, "changes."):
		name = "Change" + name
	case !strings.HasPrefix(name, title(r.Resource)):
		name = words(r.Resource, f.Name)
	}
	if r.Mode == args.Reading {
		return name + "Param"
	}
	return name + "Input"
}

// objectName returns the name of the schema of an object, or of each of a list.
func objectName(r *api.Route, f *args.Field) string {
	switch {
	case f.Items == "object":
		return words(strings.TrimSuffix(f.Name, "s")) + "Input"
	case f.Named():
		return words(r.Resource, f.Name) + "Input"
	}
	return words(f.Name) + "Input"
}

// words returns the name of a schema that consists of these words.
func words(list ...string) string {
	var name strings.Builder
	for word := range strings.SplitSeq(strings.Join(list, "_"), "_") {
		name.WriteString(title(word))
	}
	return name.String()
}

// refersToTerms reports whether the entries of a list are IDs or texts, like those of categories and tags.
func refersToTerms(f *args.Field) bool {
	return f.Items == "integer" && f.Inner() == nil && slices.Contains(f.Takes, "string")
}
