// Package args turns the named arguments of a request into structs. A struct
// field with an `arg` tag is one argument of the interface: its name, type,
// default and limits stand there and nowhere else. Parsing, the description of
// the root, /doc, the admin's forms and the generated tests all read the same
// table.
//
// The tag is `arg:"name,option,option=value"`:
//
//	required      must be there on create
//	default=V     used when absent, but not on updates
//	computed=V    the default shown; what really holds depends on the request
//	declared=T    the type the interface document names, when it differs from Go's
//	format=F      declared format
//	shown=T       another type, in which answers show it
//	min=N max=N   bounds of a number, or of the length of a text in characters
//	bytes=N       longest text in bytes
//	entries=N     longest list
//	enum=a|b      the allowed texts
//	nonempty      the empty text is refused
//	line          a text with line breaks or other control characters is refused
//	nonull        null is refused
//	exact         an object's unknown fields are refused
//	typed         a wrong value is of the wrong type, whatever else is wrong with it
//	always        required whatever the request does
//	path          taken from the path, and so always there
//	beyond        not in the interface document
//
// The tag `without:"name,name"` of an embedded struct leaves out some of its
// arguments.
package args

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Field is one argument.
type Field struct {
	Name     string
	Declared string // type as the interface document names it
	Format   string
	Items    string   // type of a list's entries; "" if it is not a list
	Takes    []string // types accepted besides the declared one: of a list's entries, or of the whole
	Loose    bool     // a list may be given as a single entry or as comma-separated text
	Spoken   bool     // accepts texts in many forms; Format describes the form in responses
	Default  string
	Min, Max *float64
	Bytes    int
	Entries  int
	Enum     []string

	HasDefault, Computed, Required, Always, NonEmpty, Line, NoNull, Blank, Exact, Typed, Path, Beyond bool

	index []int
	inner *Table // arguments of an object, or of the objects in a list
	named bool   // the objects have names chosen by the client
}

// Table is the argument table of one struct.
type Table struct {
	Fields []Field
	byName map[string]*Field
}

// optional is implemented by every Opt[T].
type optional interface {
	raw(v any, f *Field, where string, found *Problems)
	zero() any
}

// Checker is implemented by argument structs with rules that involve several fields.
type Checker interface{ Check(found *Problems) }

// tables are the tables built so far, by their types. Nothing changes a table.
var tables sync.Map // reflect.Type → *Table

// TableOf returns the table of a struct type, including embedded structs. Each type has one table, however many servers
// there are in a process. TableOf panics on an invalid tag, because tables are built at start.
func TableOf(t reflect.Type) *Table {
	if known, ok := tables.Load(t); ok {
		return known.(*Table) //nolint:forcetypeassert // it holds nothing else
	}
	table, _ := tables.LoadOrStore(t, build(t))
	return table.(*Table) //nolint:forcetypeassert // it holds nothing else
}

func build(t reflect.Type) *Table {
	table := &Table{byName: map[string]*Field{}}
	table.add(t, nil, nil)
	for i := range table.Fields {
		f := &table.Fields[i]
		if table.byName[f.Name] != nil {
			panic("args: " + t.String() + " declares " + f.Name + " twice")
		}
		table.byName[f.Name] = f
	}
	return table
}

// Field returns the argument with a name, or nil.
func (t *Table) Field(name string) *Field { return t.byName[name] }

func (t *Table) add(typ reflect.Type, index []int, without []string) {
	for i := range typ.NumField() {
		sf := typ.Field(i)
		at := append(append([]int(nil), index...), i)
		tag, tagged := sf.Tag.Lookup("arg")
		switch {
		case tagged:
			if f := readTag(typ, sf, tag, at); !slices.Contains(without, f.Name) {
				t.Fields = append(t.Fields, f)
			}
		case sf.Anonymous && sf.Type.Kind() == reflect.Struct:
			t.add(sf.Type, at, append(strings.Split(sf.Tag.Get("without"), ","), without...))
		}
	}
}

func readTag(typ reflect.Type, sf reflect.StructField, tag string, at []int) Field {
	parts := strings.Split(tag, ",")
	f := Field{Name: parts[0], index: at, Entries: mostEntries}
	opt, ok := reflect.TypeAssert[optional](reflect.New(sf.Type))
	if !ok {
		panic(fmt.Sprintf("args: %s.%s is no Opt", typ, sf.Name))
	}
	describe(&f, opt.zero())
	for _, part := range parts[1:] {
		if err := f.option(part); err != nil {
			panic(fmt.Sprintf("args: %s.%s: %v", typ, sf.Name, err))
		}
	}
	return f
}

func (f *Field) option(part string) error {
	name, value, _ := strings.Cut(part, "=")
	var err error
	switch name {
	case "required":
		f.Required, f.NoNull = true, true
	case "default":
		f.Default, f.HasDefault = value, true
	case "computed":
		f.Default, f.HasDefault, f.Computed = value, true, true
	case "declared":
		f.Declared = value
	case "format":
		f.Format = value
	case "shown":
		f.Takes = append(f.Takes, value)
	case "min":
		f.Min, err = number(value)
	case "max":
		f.Max, err = number(value)
	case "bytes":
		f.Bytes, err = strconv.Atoi(value)
	case "entries":
		f.Entries, err = strconv.Atoi(value)
	case "enum":
		f.Enum = strings.Split(value, "|")
	case "nonempty":
		f.NonEmpty = true
	case "line":
		f.Line = true
	case "nonull":
		f.NoNull = true
	case "blank": // forms can only send null as ""
		f.Blank = true
	case "exact":
		f.Exact = true
	case "typed":
		f.Typed = true
	case "path":
		f.Path, f.Required, f.Always = true, true, true
	case "always":
		f.Required, f.Always, f.NoNull = true, true, true
	case "beyond":
		f.Beyond = true
	default:
		err = fmt.Errorf("unknown option %q", name)
	}
	return err
}

func number(s string) (*float64, error) {
	n, err := strconv.ParseFloat(s, 64)
	return &n, err
}

// reportsWrongType reports whether clients are told that a rejected value has the wrong type. In TEC, most
// arguments have their own check, which reports only that a value is invalid. For booleans, null, and empty values
// that pass such a check, the type is reported (rules 4.1 and 3.12).
func (f *Field) reportsWrongType(v any) bool {
	if v == nil || f.Typed || f.Declared == "boolean" {
		return true
	}
	if f.Declared != "string" {
		return false
	}
	number, _ := v.(json.Number)
	if f.Format == "date-time" {
		return number != ""
	}
	list, isList := v.([]any)
	return !f.NonEmpty && (v == false || number == "0" || isList && len(list) == 0)
}

// Named reports whether the objects of Inner have names chosen by the client.
func (f *Field) Named() bool { return f.named }

// Inner returns the table of an object argument or of a list's objects, or nil.
func (f *Field) Inner() *Table { return f.inner }
