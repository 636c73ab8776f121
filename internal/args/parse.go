package args

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// Values are the arguments of a request before they are checked: nil, bool, json.Number, string, []any and
// map[string]any.
type Values map[string]any

// Mode is the kind of a request. Some rules hold only for creation.
type Mode uint8

// The modes.
const (
	Reading  Mode = iota // defaults apply; only arguments marked "always" are required
	Creating             // defaults apply; required arguments must be present
	Updating             // no defaults; nothing is required
)

// Parse fills the struct that target points to from values. It returns *Problems with everything wrong: only the
// missing arguments if there are any, otherwise every invalid one (rule 3.3).
func (t *Table) Parse(values Values, mode Mode, target any) error {
	found := &Problems{}
	dest := reflect.ValueOf(target).Elem()
	t.missing(values, mode, found)
	if err := found.Err(); err != nil {
		return err
	}
	t.fill(values, mode, dest, "", found)
	if c, ok := target.(Checker); ok && len(found.list) == 0 {
		c.Check(found)
	}
	return found.Err()
}

// ParseAll is Parse for forms, which show all problems together: missing arguments, invalid ones, and what the
// struct's own Check finds in the others. Valid arguments are stored in target even if there are problems.
func (t *Table) ParseAll(values Values, mode Mode, target any) error {
	found := &Problems{}
	t.missing(values, mode, found)
	t.fill(values, mode, reflect.ValueOf(target).Elem(), "", found)
	if c, ok := target.(Checker); ok {
		c.Check(found)
	}
	return found.Err()
}

func (t *Table) missing(values Values, mode Mode, found *Problems) {
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Required && (f.Always || mode == Creating) && values[f.Name] == nil {
			found.Missing(f.Name)
		}
	}
}

// Given reports whether any argument in the struct that target points to was sent, besides the named ones.
func (t *Table) Given(target any, besides ...string) bool {
	dest := reflect.ValueOf(target).Elem()
	return slices.ContainsFunc(t.Fields, func(f Field) bool {
		opt, _ := reflect.TypeAssert[interface{ Given() bool }](dest.FieldByIndex(f.index))
		return opt.Given() && !slices.Contains(besides, f.Name)
	})
}

// Merge copies the arguments that were sent from one struct of the table into another.
func (t *Table) Merge(from, into any) {
	source, dest := reflect.ValueOf(from).Elem(), reflect.ValueOf(into).Elem()
	for i := range t.Fields {
		value := source.FieldByIndex(t.Fields[i].index)
		if opt, _ := reflect.TypeAssert[interface{ Given() bool }](value); opt.Given() {
			dest.FieldByIndex(t.Fields[i].index).Set(value)
		}
	}
}

func (t *Table) fill(values Values, mode Mode, dest reflect.Value, prefix string, found *Problems) {
	for i := range t.Fields {
		f := &t.Fields[i]
		v, there := values[f.Name]
		if !there {
			if !f.HasDefault || f.Computed || mode == Updating || f.Default == "null" {
				continue
			}
			v = f.Default
		}
		opt := dest.FieldByIndex(f.index).Addr().Interface().(optional)
		opt.raw(v, f, prefix+f.Name, found)
	}
}

// object fills a struct nested in a list or an object argument. Required fields must be present in every mode,
// because the nested thing is new.
func (t *Table) object(values Values, target any, where string, found *Problems) {
	before := len(found.list)
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required && values[f.Name] == nil {
			found.Invalid(where, "problem.field.missing", map[string]any{"Field": f.Name})
		}
	}
	if len(found.list) > before {
		return
	}
	inner := &Problems{}
	t.fill(values, Creating, reflect.ValueOf(target).Elem(), "", inner)
	if c, ok := target.(Checker); ok && len(inner.list) == 0 {
		c.Check(inner)
	}
	if list := inner.Broken(); len(list) > 0 {
		found.Invalid(where, "problem.field.invalid", map[string]any{"Field": list[0].Arg, "Problem": list[0]})
	}
}

// unknown reports the names in values that are not fields of the object.
func (t *Table) unknown(values Values, where string, found *Problems) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if t.byName[name] == nil {
			found.Invalid(where, "problem.field.unknown", map[string]any{"Field": name})
		}
	}
}

// asInt parses an integer in any spelling of rule 3.12: 2, "2", "2.0", "1e0", " 1".
func asInt(s string) (int64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n != float64(int64(n)) || n > 1<<53 || n < -(1<<53) {
		return 0, false
	}
	return int64(n), true
}
