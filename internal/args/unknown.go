package args

import (
	"maps"
	"slices"
)

// Unknown returns the sorted names among values that are not arguments of the table. Names within objects are
// prefixed with their argument, as in "tickets.prize". An object that refers to something by id is
// not searched.
func (t *Table) Unknown(values Values) []string {
	names := map[string]bool{}
	t.unknownIn(values, "", names)
	return slices.Sorted(maps.Keys(names))
}

func (t *Table) unknownIn(values Values, prefix string, names map[string]bool) {
	for name, value := range values {
		f := t.byName[name]
		switch {
		case f == nil:
			names[prefix+name] = true
		case f.named:
			objects, _ := value.(map[string]any)
			for under, entry := range objects {
				if object, ok := entry.(map[string]any); ok {
					f.inner.unknownIn(object, prefix+name+"."+under+".", names)
				}
			}
		case f.inner != nil:
			for _, entry := range entries(value) {
				if object, ok := entry.(map[string]any); ok && linksNothing(object["id"]) {
					f.inner.unknownIn(without(object, "id"), prefix+name+".", names)
				}
			}
		}
	}
}

// without returns an object without one of its keys.
func without(object map[string]any, key string) map[string]any {
	if _, there := object[key]; !there {
		return object
	}
	object = maps.Clone(object)
	delete(object, key)
	return object
}
