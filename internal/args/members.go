package args

import (
	"maps"
	"slices"
	"strings"
)

// Members is an object whose members the site has defined, such as its own fields: texts, numbers, yes or no, lists
// of texts, and null for a removed member. Code that declares it reads the values with As.
type Members map[string]any

func (m *Members) describe(f *Field) { f.Declared = "object" }

// parse reads an object. The names of its members are at most 40 lower-case letters, digits and underscores, so that messages can
// repeat them. A list without entries is an object without members, as PHP writes it.
func (m *Members) parse(v any, f *Field, where string, found *Problems) bool {
	if list, isList := v.([]any); isList && len(list) == 0 || v == "" {
		v = map[string]any{}
	}
	object, ok := v.(map[string]any)
	switch {
	case !ok:
		found.WrongType(where, "object")
		return false
	case len(object) > f.Entries:
		found.Invalid(where, "problem.entries", map[string]any{"Max": f.Entries})
		return false
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !memberName(name) {
			found.Invalid(where, "problem.unknown", nil)
			return false
		}
	}
	*m = object
	return true
}

// memberName reports whether messages can repeat the name of a member.
func memberName(name string) bool {
	return name != "" && len(name) <= 40 && !strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_'
	})
}

// As reads a value as an argument of the type T, which must be a type that an Opt can have, within the limits of f.
// It adds problems under the name where, and reports whether the value is valid.
func As[T any](v any, f Field, where string, found *Problems) (value T, ok bool) {
	n := len(found.list)
	ok = convert(&value, v, &f, where, found)
	found.markWrongType(n, f.reportsWrongType(v))
	return value, ok
}
