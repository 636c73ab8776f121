package args

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Named are objects with fields of their own under names of the caller's choice, as
// languages are. Null under a name is nil. A field that isn't sent is absent, whatever
// its default is.
type Named[F any] map[string]*F

func (n *Named[F]) describe(f *Field) {
	f.Declared, f.named = "object", true
	f.inner = TableOf(reflect.TypeFor[F]())
}

func (n *Named[F]) parse(v any, f *Field, where string, found *Problems) bool {
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
		if !aName(name) { // which an answer would repeat
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

// longestName is how long the name of an object can be: as tags of languages (RFC 5646 §4.4.1).
const longestName = 35

// aName reports whether a name is of letters, digits and hyphens, as tags of languages are.
func aName(name string) bool {
	return name != "" && len(name) <= longestName && !strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-'
	})
}
