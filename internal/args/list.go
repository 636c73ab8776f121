package args

import (
	"reflect"
	"strings"
)

// entries returns the entries of a list in any notation: a list, a comma-separated text or a single entry. The empty
// text is the empty list.
func entries(v any) []any {
	switch list := v.(type) {
	case []any:
		return list
	case map[string]any:
		return []any{list}
	case string:
		if strings.TrimSpace(list) == "" {
			return nil
		}
		parts := strings.Split(list, ",")
		out := make([]any, 0, len(parts))
		for _, part := range parts {
			out = append(out, strings.TrimSpace(part))
		}
		return out
	}
	return []any{v}
}

// mostEntries is the maximum number of entries of a list whose field does not say another.
const mostEntries = 500

// limited returns the entries of v unless there are too many.
func limited(v any, f *Field, where string, found *Problems) ([]any, bool) {
	list := entries(v)
	if len(list) > f.Entries {
		found.Invalid(where, "problem.entries", map[string]any{"Max": f.Entries})
		return nil, false
	}
	return list, true
}

// IDs is a list of positive ids without duplicates.
type IDs []int64

func (l *IDs) describe(f *Field) { f.Declared, f.Items, f.Loose = "array", "integer", true }

func (l *IDs) parse(v any, f *Field, where string, found *Problems) bool {
	list, ok := limited(v, f, where, found)
	if !ok {
		return false
	}
	out := make(IDs, 0, len(list))
	seen := make(map[int64]bool, len(list))
	for _, entry := range list {
		n, ok := id(entry)
		if !ok {
			found.Invalid(where, "problem.ids", nil)
			return false
		}
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	*l = out
	return true
}

// id parses a positive id.
func id(v any) (int64, bool) {
	digits, ok := numeral(v)
	n, isInt := asInt(digits)
	return n, ok && isInt && n > 0
}

// Ref names a category or tag by id, or by slug or name in Text.
type Ref struct {
	ID   int64
	Text string
}

// Refs is a list of terms by id, slug or name. Blank entries and zeros are skipped (rule 3.7), or refused with option
// nonempty.
type Refs []Ref

// longestRef is the maximum length of a name or slug of a term, in characters.
const longestRef = 200

// Fit returns *Problems if an argument could not name these terms: if there are too many, or a text is too long. It is
// for references that were not parsed, for example because a name may look like a number.
func (l Refs) Fit(arg string) error {
	if len(l) > mostEntries {
		return Invalid(arg, "problem.entries", map[string]any{"Max": mostEntries})
	}
	found, limit := &Problems{}, float64(longestRef)
	for _, ref := range l {
		if !checkText(ref.Text, &Field{Max: &limit}, arg, found) {
			break
		}
	}
	return found.Err()
}

func (l *Refs) describe(f *Field) {
	f.Declared, f.Items, f.Takes, f.Loose = "array", "integer", []string{"string", "object"}, true
}

func (l *Refs) parse(v any, f *Field, where string, found *Problems) bool {
	list, ok := limited(v, f, where, found)
	if !ok {
		return false
	}
	if f.NonEmpty && len(list) == 0 {
		found.Invalid(where, "problem.empty", nil)
		return false
	}
	out := make(Refs, 0, len(list))
	for _, entry := range list {
		ref, ok := refOf(entry, where, found)
		if !ok {
			return false
		}
		if f.NonEmpty && ref == (Ref{}) {
			found.Invalid(where, "problem.terms", nil)
			return false
		}
		if ref != (Ref{}) {
			out = append(out, ref)
		}
	}
	*l = out
	return true
}

// refOf parses a term. An object is a term as in responses; it is identified by its id, otherwise by its slug or
// name.
func refOf(entry any, where string, found *Problems) (Ref, bool) {
	if object, ok := entry.(map[string]any); ok {
		if entry = firstOf(object, "id", "slug", "name"); entry == nil {
			found.Invalid(where, "problem.terms", nil)
			return Ref{}, false
		}
	}
	if n, ok := id(entry); ok {
		return Ref{ID: n}, true
	}
	if linksNothing(entry) {
		return Ref{}, true
	}
	text, ok := entry.(string)
	if !ok {
		found.Invalid(where, "problem.terms", nil)
		return Ref{}, false
	}
	limit := float64(longestRef)
	rule := Field{Max: &limit}
	if !checkText(text, &rule, where, found) {
		return Ref{}, false
	}
	return Ref{Text: strings.TrimSpace(text)}, true
}

// firstOf returns the first of these members that the object has, or nil.
func firstOf(object map[string]any, names ...string) any {
	for _, name := range names {
		if value := object[name]; value != nil && value != "" {
			return value
		}
	}
	return nil
}

// Texts is a list of texts, given as a list or separated by commas.
type Texts []string

func (l *Texts) describe(f *Field) { f.Declared, f.Items, f.Loose = "array", "string", true }

func (l *Texts) parse(v any, f *Field, where string, found *Problems) bool {
	list, ok := limited(v, f, where, found)
	if !ok {
		return false
	}
	if f.NonEmpty && len(list) == 0 {
		found.Invalid(where, "problem.empty", nil)
		return false
	}
	out := make(Texts, 0, len(list))
	for _, entry := range list {
		var s string
		if !toText(&s, entry, f, where, found) {
			return false
		}
		out = append(out, s)
	}
	*l = out
	return true
}

// Lines is a list of texts, given as a list or one a line: what may contain commas.
type Lines []string

func (l *Lines) describe(f *Field) { f.Declared, f.Items, f.Loose = "array", "string", true }

func (l *Lines) parse(v any, f *Field, where string, found *Problems) bool {
	if text, is := v.(string); is {
		list := []any{}
		for line := range strings.Lines(text) {
			list = append(list, line)
		}
		v = list
	}
	return (*Texts)(l).parse(v, f, where, found)
}

// Link names a venue or organizer of an event: an existing one, or the fields of a new one.
type Link[F any] struct {
	ID  int64
	New *F
}

// Links parses an id, a comma-separated list, an object with an id, an object with the fields of a new one, and lists
// of these. "", 0 and [] mean no links; an object with such an id and other fields is a new one (rule 3.6).
type Links[F any] []Link[F]

func (l *Links[F]) describe(f *Field) {
	f.Declared, f.Items, f.Takes, f.Loose = "array", "integer", []string{"string", "object"}, true
	f.inner = TableOf(reflect.TypeFor[F]())
}

func (l *Links[F]) parse(v any, f *Field, where string, found *Problems) bool {
	list, ok := limited(v, f, where, found)
	if !ok {
		return false
	}
	out := make(Links[F], 0, len(list))
	seen := map[int64]bool{}
	for _, entry := range list {
		link, ok := l.entry(entry, f, where, found)
		if !ok {
			return false
		}
		if link.New == nil && (link.ID == 0 || seen[link.ID]) {
			continue
		}
		seen[link.ID] = true
		out = append(out, link)
	}
	*l = out
	return true
}

func (l *Links[F]) entry(entry any, f *Field, where string, found *Problems) (Link[F], bool) {
	object, isObject := entry.(map[string]any)
	if isObject && (object["id"] == nil || linksNothing(object["id"]) && hasFields(object)) {
		link := Link[F]{New: new(F)}
		before := len(found.list)
		f.inner.object(object, link.New, where, found)
		return link, len(found.list) == before
	}
	if isObject {
		entry = object["id"]
	}
	if n, ok := id(entry); ok {
		return Link[F]{ID: n}, true
	}
	if linksNothing(entry) {
		return Link[F]{}, true
	}
	found.Invalid(where, "problem.links", nil)
	return Link[F]{}, false
}

// linksNothing reports whether an entry of a list links nothing.
func linksNothing(entry any) bool {
	digits, ok := numeral(entry)
	return entry == nil || entry == "" || ok && strings.Trim(digits, "0") == ""
}

// hasFields reports whether an object has any field besides its id.
func hasFields(object map[string]any) bool {
	for name, value := range object {
		if name != "id" && value != nil && value != "" {
			return true
		}
	}
	return false
}

// Objects is a list of objects with fields of their own.
type Objects[F any] []F

func (l *Objects[F]) describe(f *Field) {
	f.Declared, f.Items = "array", "object"
	f.inner = TableOf(reflect.TypeFor[F]())
}

func (l *Objects[F]) parse(v any, f *Field, where string, found *Problems) bool {
	list, isList := v.([]any)
	if text, ok := v.(string); ok && strings.TrimSpace(text) == "" {
		isList = true
	}
	if !isList || len(list) > f.Entries {
		found.Invalid(where, "problem.entries", map[string]any{"Max": f.Entries})
		return false
	}
	out := make(Objects[F], len(list))
	before := len(found.list)
	for i, entry := range list {
		object, ok := entry.(map[string]any)
		if !ok {
			found.WrongType(where, "object")
			return false
		}
		f.inner.object(object, &out[i], where, found)
	}
	*l = out
	return len(found.list) == before
}

// Object is one object with fields of its own. It is always parsed as a new thing: required fields must be present
// and defaults apply.
type Object[F any] struct{ Fields F }

func (o *Object[F]) describe(f *Field) {
	f.Declared = "object"
	f.inner = TableOf(reflect.TypeFor[F]())
}

func (o *Object[F]) parse(v any, f *Field, where string, found *Problems) bool {
	object, ok := v.(map[string]any)
	if !ok {
		found.WrongType(where, "object")
		return false
	}
	before := len(found.list)
	if f.Exact {
		f.inner.unknown(object, where, found)
	}
	f.inner.object(object, &o.Fields, where, found)
	return len(found.list) == before
}
