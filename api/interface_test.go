package api

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/test/apitest"
)

// The route table equals that of the interface document, and additions are the intended ones.
func TestInterface(t *testing.T) {
	t.Parallel()
	routes := New(services.New(nil, nil, nil)).routes
	beyond := func(r *Route, f *args.Field) bool { return r.Beyond || f != nil && f.Beyond }
	for name, holds := range map[string]func(*Route, *args.Field) bool{
		"interface": func(r *Route, f *args.Field) bool { return !beyond(r, f) },
		"beyond":    beyond,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := goldenLines(t, name+".golden.txt")
			got := tableLines(routes, holds)
			slices.SortFunc(want, byName)
			slices.SortFunc(got, byName)
			for i := range got {
				if slices.ContainsFunc(want, func(l line) bool { return byName(l, got[i]) == 0 && l[2] == "-" }) {
					got[i][2] = "-" // the interface document gives no type
				}
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// line consists of route, argument, type, required and default. A route without arguments is a line with only its
// name.
type line [5]string

// byName orders lines by route and argument, because the interface has no order.
func byName(a, b line) int { return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1])) }

// goldenLines parses a table without blank lines and remarks. Methods and path are one cell, and the section at the
// end of a line is for people.
func goldenLines(t *testing.T, name string) []line {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	for text := range strings.Lines(string(content)) {
		cells := strings.Fields(text)
		if len(cells) == 0 || cells[0] == "#" {
			continue
		}
		if strings.HasPrefix(cells[len(cells)-1], "§") {
			cells = cells[:len(cells)-1]
		}
		one := line{cells[0] + " " + cells[1]}
		if len(cells) != 2 && copy(one[1:], cells[2:]) != 4 {
			t.Fatalf("%s: %q", name, text)
		}
		lines = append(lines, one)
	}
	return lines
}

// tableLines returns the lines of the actual arguments.
func tableLines(routes []Route, holds func(*Route, *args.Field) bool) []line {
	scope := apitest.Scope("en")
	v := NewView(&scope)
	var lines []line
	for i := range routes {
		r := &routes[i]
		name := strings.Join(r.Methods, ",") + " " + r.Path
		if len(r.InPath.Fields)+len(r.Others.Fields) == 0 && holds(r, nil) {
			lines = append(lines, line{name})
		}
		for j := range r.InPath.Fields {
			if f := &r.InPath.Fields[j]; holds(r, f) {
				lines = append(lines, line{name, "{" + f.Name + "}", f.Declared, "required", "-"})
			}
		}
		for j := range r.Others.Fields {
			if f := &r.Others.Fields[j]; holds(r, f) {
				lines = append(lines, line{name, f.Name, typeOf(f), requirement(r, f), v.shown(r, f)})
			}
		}
	}
	return lines
}

func typeOf(f *args.Field) string {
	if f.Declared == "array" {
		return "array[" + f.Items + "]"
	}
	return f.Declared
}

func requirement(r *Route, f *args.Field) string {
	if r.Requires(f) {
		return "required"
	}
	return "optional"
}

// shown returns a default as shown by the root.
func (v *View) shown(r *Route, f *args.Field) string {
	value, ok := v.DefaultOf(r, f)
	switch {
	case !ok && r.Mode != args.Updating && f.HasDefault:
		return "lost"
	case !ok && f.Name != "per_page":
		return "-"
	case r.Resource == "event" && r.Lists() && (f.Name == "start_date" || f.Name == "end_date"):
		return "computed"
	}
	return strings.Trim(value, `"`)
}
