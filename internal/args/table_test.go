package args_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
)

func TestTable(t *testing.T) {
	t.Parallel()
	text := table.Field("text")
	if text == nil || !text.Required || !text.NoNull || *text.Max != 5 || text.Declared != "string" {
		t.Errorf("text: %+v", text)
	}
	for name, want := range map[string][2]string{"any": {"any", ""}, "switch": {"boolean", ""}, "truthy": {"boolean", ""}, "long": {"integer", ""},
		"number": {"number", ""}, "ids": {"array", "integer"}, "texts": {"array", "string"}, "objects": {"array", "object"},
		"links": {"array", "integer"}, "date": {"string", ""}, "image": {"string", ""}} {
		if f := table.Field(name); f.Declared != want[0] || f.Items != want[1] {
			t.Errorf("%s: %s of %s", name, f.Declared, f.Items)
		}
	}
	if table.Field("nothing") != nil || table.Field("objects").Inner().Field("name") == nil || text.Inner() != nil {
		t.Error("fields by name")
	}
	if f := table.Field("today"); !f.HasDefault || !f.Computed || f.Default != "whatever" {
		t.Errorf("today: %+v", f)
	}
}

type embedding struct {
	inner2
	Own args.Opt[string] `arg:"own,path"`
}

type inner2 struct {
	Name args.Opt[string] `arg:"name,declared=any,format=f,beyond"`
}

func TestEmbedded(t *testing.T) {
	t.Parallel()
	table := args.TableOf(reflect.TypeFor[embedding]())
	name, own := table.Field("name"), table.Field("own")
	if len(table.Fields) != 2 || name.Declared != "any" || name.Format != "f" || !name.Beyond || !own.Path || !own.Required {
		t.Errorf("%+v", table.Fields)
	}
	var e embedding
	if err := table.Parse(args.Values{"name": "x", "own": "y"}, args.Updating, &e); err != nil || e.Name.Or("") != "x" {
		t.Errorf("%v %v", e, err)
	}
	if err := table.Parse(args.Values{}, args.Reading, &e); err == nil {
		t.Error("arguments of the path are required in every mode")
	}
}

// An invalid table panics at start.
func TestBadTables(t *testing.T) {
	t.Parallel()
	for want, typ := range map[string]reflect.Type{
		"unknown option": reflect.TypeFor[struct {
			A args.Opt[string] `arg:"a,surprising"`
		}](),
		"is no Opt": reflect.TypeFor[struct {
			A string `arg:"a"`
		}](),
		"twice": reflect.TypeFor[struct {
			A args.Opt[string] `arg:"a"`
			B args.Opt[string] `arg:"a"`
		}](),
		"no reading": reflect.TypeFor[struct {
			A args.Opt[complex64] `arg:"a"`
		}](),
		"invalid syntax": reflect.TypeFor[struct {
			A args.Opt[int] `arg:"a,min=x"`
		}](),
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(r.(string), want) {
					t.Errorf("panic %v, want %q", r, want)
				}
			}()
			args.TableOf(typ)
		}()
	}
}
