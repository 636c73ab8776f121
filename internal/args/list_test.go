package args_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
)

func TestIDs(t *testing.T) {
	t.Parallel()
	for _, v := range []any{"3,1,3", []any{n("3"), "1", n("3")}, " 3 , 1 ", []any{n("3.0"), n("1e0")}} {
		e, got := parse(t, args.Values{"ids": v}, args.Updating)
		if ids := e.IDs.Or(nil); got != "" || !reflect.DeepEqual(ids, args.IDs{3, 1}) {
			t.Errorf("%v: %v %s", v, ids, got)
		}
	}
	for _, v := range []any{"", "  ", []any{}} {
		e, got := parse(t, args.Values{"ids": v}, args.Updating)
		if ids, given := e.IDs.Get(); got != "" || !given || len(ids) != 0 {
			t.Errorf("%v: %v %s", v, ids, got)
		}
	}
	check(t, []refusal{
		{"ids", n("5"), ""}, {"ids", "0", "ids"}, {"ids", "-1", "ids"}, {"ids", "1,", "ids"}, {"ids", "a", "ids"}, {"ids", true, "ids"},
		{"ids", []any{nil}, "ids"}, {"ids", []any{[]any{n("1")}}, "ids"}, {"ids", map[string]any{"a": n("1")}, "ids"},
		{"ids", "1,2,3,4", "entries"}, {"ids", []any{n("1"), n("1"), n("1"), n("1")}, "entries"}, {"ids", "99999999999999999999", "ids"},
	})
}

func TestRefs(t *testing.T) {
	t.Parallel()
	e, got := parse(t, args.Values{"refs": []any{n("5"), "music", " 7 "}}, args.Updating)
	if want := (args.Refs{{ID: 5}, {Text: "music"}, {ID: 7}}); got != "" || !reflect.DeepEqual(e.Refs.Or(nil), want) {
		t.Errorf("%v %s", e.Refs, got)
	}
	e, got = parse(t, args.Values{"refs": []any{n("0"), "", nil}}, args.Updating)
	if refs, given := e.Refs.Get(); got != "" || !given || len(refs) != 0 {
		t.Errorf("blank entries are skipped: %v %s", refs, got)
	}
	check(t, []refusal{
		{"refs", "a,b,c,d", "entries"}, {"refs", true, "terms"}, {"refs", []any{map[string]any{"count": n("1")}}, "terms"},
		{"refs", []any{[]any{}}, "terms"}, {"refs", strings.Repeat("x", 201), "length"}, {"refs", "a\x00", "characters"},
	})
}

func TestTextLists(t *testing.T) {
	t.Parallel()
	for _, v := range []any{"a,b", "a , b", []any{"a", "b"}} {
		e, got := parse(t, args.Values{"texts": v}, args.Updating)
		if got != "" || !reflect.DeepEqual(e.Texts.Or(nil), args.Texts{"a", "b"}) {
			t.Errorf("%v: %v %s", v, e.Texts, got)
		}
	}
	check(t, []refusal{{"texts", "a,c", "enum"}, {"texts", []any{n("1")}, "type.string"}, {"texts", "a,a,a,a", "entries"}})
}

func TestLinks(t *testing.T) {
	t.Parallel()
	fields := map[string]any{"name": "x"}
	for _, v := range []any{"3,1", []any{n("3"), "1", n("0"), ""}, []any{map[string]any{"id": n("3")}, n("1"), "3"}} {
		e, got := parse(t, args.Values{"links": v}, args.Updating)
		if list := e.Links.Or(nil); got != "" || len(list) != 2 || list[0].ID != 3 || list[1].ID != 1 {
			t.Errorf("%v: %v %s", v, list, got)
		}
	}
	e, got := parse(t, args.Values{"links": []any{fields, n("1"), fields}}, args.Updating)
	list := e.Links.Or(nil)
	if got != "" || len(list) != 3 || list[0].New.Name.Or("") != "x" || list[0].New.Count.Or(0) != 7 {
		t.Errorf("%v %s", list, got)
	}
	for _, id := range []any{nil, "", "0", n("0")} { // none yet
		e, got := parse(t, args.Values{"links": map[string]any{"id": id, "name": "x"}}, args.Updating)
		if list := e.Links.Or(nil); got != "" || len(list) != 1 || list[0].New == nil || list[0].New.Name.Or("") != "x" {
			t.Errorf("id %v: %v %s", id, list, got)
		}
	}
	for _, v := range []any{"", n("0"), "0", []any{}, []any{nil}, map[string]any{"id": ""}, map[string]any{"id": n("0"), "name": ""}} {
		e, got := parse(t, args.Values{"links": v}, args.Updating)
		if list, given := e.Links.Get(); got != "" || !given || len(list) != 0 {
			t.Errorf("%v: %v %s", v, list, got)
		}
	}
	check(t, []refusal{
		{"links", "x", "links"}, {"links", n("-1"), "links"}, {"links", true, "links"}, {"links", []any{[]any{n("1")}}, "links"},
		{"links", map[string]any{}, "field.missing"}, {"links", map[string]any{"name": ""}, "field.invalid"},
		{"links", map[string]any{"name": "too long"}, "field.invalid"}, {"links", map[string]any{"name": n("5")}, "field.invalid"},
		{"links", map[string]any{"id": map[string]any{}}, "links"}, {"links", "1,2,3,4,5", "entries"},
	})
}

func TestObjectLists(t *testing.T) {
	t.Parallel()
	e, got := parse(t, args.Values{"objects": []any{map[string]any{"name": "x", "count": n("2")}}}, args.Updating)
	if list := e.Objects.Or(nil); got != "" || len(list) != 1 || list[0].Name.Or("") != "x" || list[0].Count.Or(0) != 2 {
		t.Errorf("%v %s", list, got)
	}
	check(t, []refusal{
		{"objects", "", ""}, {"objects", []any{}, ""}, {"objects", "x", "entries"}, {"objects", []any{n("1")}, "type.object"},
		{"objects", []any{map[string]any{}}, "field.missing"}, {"objects", []any{map[string]any{"name": "x", "count": "y"}}, "field.invalid"},
		{"objects", []any{map[string]any{"name": "x"}, map[string]any{"name": "x"}, map[string]any{"name": "x"}}, "entries"},
	})
}
