package args_test

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
)

// refusal is a value of one argument with the expected problem, or "".
type refusal struct {
	name  string
	value any
	want  string
}

func check(t *testing.T, list []refusal) {
	t.Helper()
	for _, one := range list {
		want := one.want
		if want != "" {
			want = one.name + ": " + want
		}
		if _, got := parse(t, args.Values{one.name: one.value}, args.Updating); got != want {
			t.Errorf("%s = %.60v: %q, want %q", one.name, one.value, got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	check(t, []refusal{
		{"text", "a", ""}, {"text", "ääääà", ""}, {"text", "aaaaaa", "length"}, {"text", "", "empty"}, {"text", "  ", "blank"},
		{"text", n("5"), "type.string"}, {"text", true, "type.string"}, {"text", []any{"a"}, "type.string"},
		{"text", map[string]any{}, "type.string"}, {"text", "a\x00", "characters"}, {"text", "\xff", "characters"},
		{"word", "one", ""}, {"word", "", ""}, {"word", "three", "enum"}, {"word", "One", "enum"},
		{"text", "a\nb", "line"}, {"text", "a\x1bb", "line"}, {"text", "a\u0085b", "line"}, {"text", "\u200faéö", ""},
		{"bytes", "äö", ""}, {"bytes", "äöü", "bytes"},
	})
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	const integer, number = "type.integer", "type.number"
	check(t, []refusal{
		{"whole", n("2"), ""}, {"whole", "2", ""}, {"whole", "2.0", ""}, {"whole", "1e0", ""}, {"whole", " 1", ""}, {"whole", n("1e1"), ""},
		{"whole", n("0"), "min"}, {"whole", n("-1"), "min"}, {"whole", n("11"), "max"}, {"whole", "1e2", "max"},
		{"whole", n("1.5"), integer}, {"whole", "", integer}, {"whole", "x", integer}, {"whole", "0x1", integer}, {"whole", "1_0", integer},
		{"whole", "Inf", integer}, {"whole", "NaN", integer}, {"whole", "1\x00", integer}, {"whole", true, integer}, {"whole", []any{}, integer},
		{"whole", "1e999", integer}, {"whole", "٣", integer},
		{"long", n("9223372036854775807"), ""}, {"long", n("9223372036854775808"), integer}, {"long", "9007199254740993", ""},
		{"number", n("0.5"), ""}, {"number", "-1", ""}, {"number", "1e-3", ""}, {"number", n("1.1"), "max"}, {"number", "-2", "min"},
		{"number", n("1e999"), number}, {"number", "", number}, {"number", "x", number}, {"number", true, number}, {"number", "infinity", number},
		{"any", []any{map[string]any{}}, ""}, {"any", true, ""},
	})
	if e, _ := parse(t, args.Values{"long": "9007199254740993"}, args.Updating); e.Long.Or(0) != 9007199254740993 {
		t.Errorf("digits are lost: %d", e.Long.Or(0))
	}
}

func TestBooleans(t *testing.T) {
	t.Parallel()
	for _, yes := range []any{true, n("1"), "1", "true", "TRUE"} {
		if e, _ := parse(t, args.Values{"switch": yes}, args.Updating); !e.Switch.Or(false) {
			t.Errorf("%v is true", yes)
		}
	}
	for _, no := range []any{false, n("0"), "0", "false", "False"} {
		if e, _ := parse(t, args.Values{"switch": no}, args.Updating); e.Switch.Or(true) {
			t.Errorf("%v is false", no)
		}
	}
	for _, v := range []any{"yes", "on", "", n("2"), "2", n("1.0"), []any{true}, map[string]any{}} {
		check(t, []refusal{{"switch", v, "type.boolean (type)"}})
	}
	for _, yes := range []any{true, n("1"), n("-2"), "0.5", "1", "yes", "Y", "ON", "enable", "enabled", " true "} {
		if e, got := parse(t, args.Values{"truthy": yes}, args.Updating); got != "" || !bool(e.Truthy.Or(false)) {
			t.Errorf("%v is truthy", yes)
		}
	}
	for _, no := range []any{false, n("0"), "0", "0.0", "", "no", "banana", []any{"1"}, map[string]any{"a": true}, strings.Repeat("9", 400)} {
		if e, got := parse(t, args.Values{"truthy": no}, args.Updating); got != "" || bool(e.Truthy.Or(true)) {
			t.Errorf("%.20v is not truthy: %q", no, got)
		}
	}
}
