package args_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/kalends/kalends/internal/args"
)

type pageFields struct {
	Size   args.Opt[int]    `arg:"size,min=1,max=50"`
	Symbol args.Opt[string] `arg:"symbol,max=3"`
}

type objectFields struct {
	Page args.Opt[args.Object[pageFields]] `arg:"page"`
}

func parseObject(t *testing.T, v any) (objectFields, error) {
	t.Helper()
	var f objectFields
	table := args.TableOf(reflect.TypeFor[objectFields]())
	return f, table.Parse(args.Values{"page": v}, args.Updating, &f)
}

func TestObject(t *testing.T) {
	t.Parallel()
	f, err := parseObject(t, map[string]any{"size": json.Number("20"), "other": "x"})
	if err != nil {
		t.Fatal(err)
	}
	page, ok := f.Page.Get()
	if size, given := page.Fields.Size.Get(); !ok || !given || size != 20 || page.Fields.Symbol.Given() {
		t.Errorf("read %+v", page)
	}
}

func TestObjectRefuses(t *testing.T) {
	t.Parallel()
	for key, v := range map[string]any{
		"problem.type.object":   "text",
		"problem.field.invalid": map[string]any{"size": json.Number("51")},
	} {
		_, err := parseObject(t, v)
		var found *args.Problems
		if !errors.As(err, &found) || found.Broken()[0].Key != key || found.Broken()[0].Arg != "page" {
			t.Errorf("%v: %v, want %s", v, err, key)
		}
	}
}

// An exact object rejects unknown fields, even if everything else is valid.
func TestExactObjectRefusesUnknownFields(t *testing.T) {
	t.Parallel()
	type fields struct {
		Page args.Opt[args.Object[pageFields]] `arg:"page,exact"`
	}
	var f fields
	err := args.TableOf(reflect.TypeFor[fields]()).Parse(
		args.Values{"page": map[string]any{"size": json.Number("20"), "sizes": nil, "height": "x"}}, args.Updating, &f)
	want := args.Problem{Arg: "page", Key: "problem.field.unknown", Data: map[string]any{"Field": "height"}}
	var found *args.Problems
	if !errors.As(err, &found) || !reflect.DeepEqual(found.Broken(), []args.Problem{want}) || f.Page.Given() {
		t.Errorf("%v", err)
	}
}

func TestObjectDescribesItself(t *testing.T) {
	t.Parallel()
	f := args.TableOf(reflect.TypeFor[objectFields]()).Field("page")
	if f.Declared != "object" || f.Inner().Field("size") == nil {
		t.Errorf("declared %q with %v", f.Declared, f.Inner())
	}
}
