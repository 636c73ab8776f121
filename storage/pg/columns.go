package pg

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Column is a column of a table whose rows hold values of type T.
type Column[T any] struct {
	Name  string
	Type  string            // in SQL
	Value func(*T) any      // returns the value to store; nil: statements that write leave the column out
	Read  func(*Fields, *T) // reads the value into a record; nil: statements that read leave the column out
	From  string            // SQL to select instead of the column
	// Same reports whether two records have the same value. It is set if that is faster than comparing the results of
	// Value.
	Same func(a, b *T) bool
}

// Columns are the columns of a table after site_id; the first is id. Row returns values and Read reads fields in this order.
type Columns[T any] []Column[T]

// written returns the columns that have a Value.
func (c Columns[T]) written() Columns[T] {
	return slices.DeleteFunc(slices.Clone(c), func(one Column[T]) bool { return one.Value == nil })
}

// Names returns the names of the columns that are written, separated by commas.
func (c Columns[T]) Names() string {
	return c.each(func(_ int, one Column[T]) string { return one.Name })
}

// Types returns the type of each column that is written, by its name.
func (c Columns[T]) Types() map[string]string {
	types := map[string]string{}
	for _, one := range c.written() {
		types[one.Name] = one.Type
	}
	return types
}

// each calls of for every written column, and joins the results with commas.
func (c Columns[T]) each(of func(i int, one Column[T]) string) string {
	var list []string
	for i, one := range c.written() {
		list = append(list, of(i, one))
	}
	return strings.Join(list, ", ")
}

// Select returns the SQL that selects the columns from the table with this alias, to be read by Read. instead
// replaces the SQL of some columns, by name.
func (c Columns[T]) Select(alias string, instead map[string]string) string {
	var list []string
	for _, one := range c {
		switch from, is := instead[one.Name]; {
		case one.Read == nil:
		case is:
			list = append(list, from)
		case one.From != "":
			list = append(list, one.From)
		default:
			list = append(list, alias+"."+one.Name)
		}
	}
	return strings.Join(list, ", ")
}

// Read reads what Select selects.
func (c Columns[T]) Read(f *Fields, into *T) {
	for i := range c {
		if read := c[i].Read; read != nil {
			read(f, into)
		}
	}
}

// Row returns the values of a record in the order of the columns.
func (c Columns[T]) Row(of *T) []any {
	row := make([]any, 0, len(c))
	for i := range c {
		if value := c[i].Value; value != nil {
			row = append(row, value(of))
		}
	}
	return row
}

// Insert returns the statement that stores n rows. Its first parameter is the site, the others are the values of the rows.
func (c Columns[T]) Insert(table string, n int) string {
	next, rows := 2, make([]string, n)
	for i := range rows {
		rows[i] = "($1, " + c.each(func(i int, _ Column[T]) string { return "$" + strconv.Itoa(next+i) }) + ")"
		next += len(c.written())
	}
	return "INSERT INTO " + table + " (site_id, " + c.Names() + ") VALUES " + strings.Join(rows, ", ")
}

// Values returns n rows of parameters as a table. The parameters are numbered from first. Each has a type, because
// Postgres cannot infer it from a column.
func (c Columns[T]) Values(n, first int) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = "(" + c.each(func(i int, one Column[T]) string { return fmt.Sprintf("$%d::%s", first+i, one.Type) }) + ")"
		first += len(c.written())
	}
	return "(VALUES " + strings.Join(rows, ", ") + ")"
}

// Update returns the statement that stores now in place of was, and its parameters. The first two are site and id.
// The statement sets only the columns that differ, and is "" if there are none.
func (c Columns[T]) Update(table string, site int64, was, now *T) (sql string, parameters []any) {
	set, values := c[1:].Set(was, now, 3)
	if set == "" {
		return "", nil
	}
	return "UPDATE " + table + " SET " + set + " WHERE site_id = $1 AND id = $2", append([]any{site, c[0].Value(now)}, values...)
}

// Set returns the SET clause of an UPDATE for the columns in which now differs from was, and their values. Its
// parameters are numbered from first.
func (c Columns[T]) Set(was, now *T, first int) (set string, values []any) {
	differing, values := c.Differing(was, now)
	return differing.each(func(i int, one Column[T]) string { return one.Name + " = $" + strconv.Itoa(first+i) }), values
}

// differs returns the column's value in now, and whether was has a different value.
func (c *Column[T]) differs(was, now *T) (value any, differs bool) {
	if c.Value == nil || c.Same != nil && c.Same(was, now) {
		return nil, false
	}
	value = c.Value(now)
	return value, c.Same != nil || !same(c.Value(was), value)
}

// Differing returns the columns in which was and now differ, and their values in now.
func (c Columns[T]) Differing(was, now *T) (columns Columns[T], values []any) {
	for i := range c {
		if value, other := c[i].differs(was, now); other {
			columns, values = append(columns, c[i]), append(values, value)
		}
	}
	return columns, values
}

// UpdateMany returns the statement that changes n rows, each found by its key. Its first parameter is the site, the others are the
// id and the values of each row.
func (c Columns[T]) UpdateMany(table string, n int) string {
	keyed := append(Columns[T]{{Name: "id", Type: "bigint", Value: func(*T) any { return nil }}}, c...)
	set := c.each(func(_ int, one Column[T]) string { return one.Name + " = new." + one.Name })
	return "UPDATE " + table + " SET " + set + " FROM " + keyed.Values(n, 2) + " new (" + keyed.Names() + ") WHERE site_id = $1 AND " +
		table + ".id = new.id AND new.id " + ByKey
}

// ByKey is a condition that every ID meets. Postgres estimates that it leaves a single row, and therefore looks up
// each row by its key. Without it, Postgres would read all rows of a site that it expects to be small.
const ByKey = `BETWEEN 1 AND 9223372036854775807`

// same reports whether two values of a column are equal in Postgres. It may return false for equal values.
func same(a, b any) bool {
	switch a := a.(type) {
	case string:
		return a == b
	case time.Time:
		b, is := b.(time.Time)
		return is && a.Equal(b)
	case []byte:
		b, is := b.([]byte)
		return is && (a == nil) == (b == nil) && bytes.Equal(a, b)
	}
	return reflect.DeepEqual(a, b)
}

// TextColumn is a column with a text.
func TextColumn[T any](name string, of func(*T) *string) Column[T] {
	return Column[T]{Name: name, Type: "text", Value: func(t *T) any { return *of(t) }, Read: func(f *Fields, t *T) { *of(t) = f.Text() }}
}

// ChoiceColumn is a column with one of several words. The word usual in the column stands for "" in the field.
func ChoiceColumn[T any](name, usual string, of func(*T) *string) Column[T] {
	c := TextColumn(name, of)
	c.Value = func(t *T) any {
		if text := *of(t); text != "" {
			return text
		}
		return usual
	}
	c.Read = func(f *Fields, t *T) {
		if text := f.Text(); text != usual {
			*of(t) = text
		}
	}
	return c
}

// WordsColumn is a column with a list of words from this vocabulary. Reading skips all other words.
func WordsColumn[T any](name string, words []string, of func(*T) *[]string) Column[T] {
	return Column[T]{Name: name, Type: "text[]", Value: func(t *T) any { return append([]string{}, *of(t)...) },
		Same: func(a, b *T) bool { return slices.Equal(*of(a), *of(b)) },
		Read: func(f *Fields, t *T) {
			var list []string
			f.Elements(func(b []byte) {
				if i := slices.IndexFunc(words, func(word string) bool { return word == string(b) }); i >= 0 {
					list = append(list, words[i])
				}
			})
			*of(t) = list
		}}
}

// BoolColumn is a column with a boolean.
func BoolColumn[T any](name string, of func(*T) *bool) Column[T] {
	return Column[T]{
		Name:  name,
		Type:  "boolean",
		Value: func(t *T) any { return *of(t) },
		Read:  func(f *Fields, t *T) { *of(t) = f.Bool() },
	}
}

// NumberColumn is a column with a number that is never null.
func NumberColumn[T any](name string, of func(*T) *int64) Column[T] {
	return Column[T]{
		Name:  name,
		Type:  "bigint",
		Value: func(t *T) any { return *of(t) },
		Read:  func(f *Fields, t *T) { *of(t) = f.Int64() },
	}
}

// IDColumn is a column with the id of another item; 0 is stored as null.
func IDColumn[T any](name string, of func(*T) *int64) Column[T] {
	c := NumberColumn(name, of)
	c.Value = func(t *T) any {
		if id := *of(t); id != 0 {
			return &id
		}
		return (*int64)(nil)
	}
	return c
}

// DegreesColumn is a column with a floating-point number that may be null.
func DegreesColumn[T any](name string, of func(*T) **float64) Column[T] {
	return Column[T]{
		Name:  name,
		Type:  "double precision",
		Value: func(t *T) any { return *of(t) },
		Read:  func(f *Fields, t *T) { *of(t) = f.Float() },
	}
}

// The types of columns with a time: an instant, or a wall-clock time without a zone.
const (
	Instants  = "timestamptz"
	WallClock = "timestamp"
)

// TimeColumn is a column with a time that is never null.
func TimeColumn[T any](name, kind string, of func(*T) *time.Time) Column[T] {
	return Column[T]{Name: name, Type: kind, Value: func(t *T) any { return *of(t) }, Read: func(f *Fields, t *T) { *of(t) = f.Time() }}
}

// MomentColumn is a column with a time; the zero time is stored as null.
func MomentColumn[T any](name, kind string, of func(*T) *time.Time) Column[T] {
	return Column[T]{Name: name, Type: kind, Read: func(f *Fields, t *T) { *of(t) = f.Moment() },
		Value: func(t *T) any {
			if at := *of(t); !at.IsZero() {
				return &at
			}
			return (*time.Time)(nil)
		}}
}
