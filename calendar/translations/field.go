package translations

import (
	"slices"
	"strings"
)

// field is one of the texts of an item. Its value is "" for items that lack it.
type field struct {
	name string // of its argument; for the title that of an event
	get  func(*Text) string
	set  func(*Text, string)
}

// line returns a field with one line of text, to which at points.
func line(name string, at func(*Text) *string) field {
	return field{name, func(t *Text) string { return *at(t) }, func(t *Text, value string) { *at(t) = value }}
}

// costEnd separates the entries of a price in the value of its field.
const costEnd = "\x00"

// fields are all texts of an item, the title first.
var fields = []field{
	line("title", func(t *Text) *string { return &t.Title }),
	line("description", func(t *Text) *string { return &t.Description }),
	line("excerpt", func(t *Text) *string { return &t.Excerpt }),
	line("slug", func(t *Text) *string { return &t.Slug }),
	{"cost", func(t *Text) string { return strings.Join(t.Cost, costEnd) }, func(t *Text, value string) {
		if t.Cost = nil; value != "" {
			t.Cost = strings.Split(value, costEnd)
		}
	}},
	line("seo_title", func(t *Text) *string { return &t.SEOTitle }),
	line("seo_description", func(t *Text) *string { return &t.SEODesc }),
	line("address", func(t *Text) *string { return &t.Address }),
	line("city", func(t *Text) *string { return &t.City }),
	line("country", func(t *Text) *string { return &t.Country }),
}

// FieldNames returns the names of all texts that an item can have.
func FieldNames() []string {
	names := make([]string, 0, len(fields))
	for _, f := range fields {
		names = append(names, f.name)
	}
	return names
}

// Get returns the value of the field with a name, or "" if there is none. The entries of a price are joined by costEnd.
func (t *Text) Get(name string) string {
	if at := slices.IndexFunc(fields, func(f field) bool { return f.name == name }); at >= 0 {
		return fields[at].get(t)
	}
	return ""
}

// Set is the counterpart of Get.
func (t *Text) Set(name, value string) {
	if at := slices.IndexFunc(fields, func(f field) bool { return f.name == name }); at >= 0 {
		fields[at].set(t, value)
	}
}

// Says reports whether any field has a text. The item's own fields in this language do not count.
func (t *Text) Says() bool {
	return slices.ContainsFunc(fields, func(f field) bool { return f.get(t) != "" })
}

// with returns a sorted list with a name added, without returns it with the name removed.
func with(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	list = append(slices.Clone(list), name)
	slices.Sort(list)
	return list
}

func without(list []string, name string) []string {
	list = slices.DeleteFunc(slices.Clone(list), func(one string) bool { return one == name })
	if len(list) == 0 {
		return nil
	}
	return list
}
