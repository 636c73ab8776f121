package args

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Named is a set of objects under names chosen by the client, such as languages. An object sent as null is nil. A
// field that is not sent is absent, even if it has a default. If answers show it as a list of the names, such a list
// counts as not sent.
type Named[F any] map[string]*F

func (n *Named[F]) describe(f *Field) {
	f.Declared, f.named = "object", true
	f.inner = TableOf(reflect.TypeFor[F]())
}

func (n *Named[F]) parse(v any, f *Field, where string, found *Problems) bool {
	if slices.Contains(f.Takes, "array") && namesOnly(v) {
		return false
	}
	objects, ok := v.(map[string]any)
	if !ok {
		found.WrongType(where, "object")
		return false
	}
	if len(objects) > f.Entries {
		found.Invalid(where, "problem.entries", map[string]any{"Max": f.Entries})
		return false
	}
	out := make(Named[F], len(objects))
	before := len(found.list)
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		if !validName(name) { // an error message would repeat it
			found.Invalid(where, "problem.unknown", nil)
			continue
		}
		at := where + "." + name
		switch object := objects[name].(type) {
		case nil:
			out[name] = nil
		case map[string]any:
			out[name] = new(F)
			f.inner.fill(object, Updating, reflect.ValueOf(out[name]).Elem(), at+".", found)
		default:
			found.WrongType(at, "object")
		}
	}
	*n = out
	return len(found.list) == before
}

// namesOnly reports whether v is a list of names.
func namesOnly(v any) bool {
	list, ok := v.([]any)
	for _, entry := range list {
		name, isText := entry.(string)
		ok = ok && isText && validName(name)
	}
	return ok
}

// longestName is the maximum length of an object's name, that of a language tag (RFC 5646 §4.4.1).
const longestName = 35

// validName reports whether a name consists of letters, digits and hyphens, as language tags do.
func validName(name string) bool {
	return name != "" && len(name) <= longestName && !strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-'
	})
}
