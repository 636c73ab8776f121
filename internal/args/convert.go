package args

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parser is implemented by argument types that parse themselves.
type parser interface {
	// parse reads v and reports problems under where. It returns false if there is no value.
	parse(v any, f *Field, where string, found *Problems) bool
	// describe sets what the type determines of the field's declaration.
	describe(f *Field)
}

// describe sets the declared type of a field from its Go type.
func describe(f *Field, zero any) {
	switch zero.(type) {
	case nil:
		f.Declared = "any"
	case string:
		f.Declared = "string"
	case bool:
		f.Declared = "boolean"
	case int, int64:
		f.Declared = "integer"
	case float64:
		f.Declared = "number"
	default:
		if p, ok := reflect.TypeAssert[parser](reflect.New(reflect.TypeOf(zero))); ok {
			p.describe(f)
			return
		}
		panic("args: no reading for " + reflect.TypeOf(zero).String())
	}
}

// convert parses v into target, a pointer to one of the argument types.
func convert(target, v any, f *Field, where string, found *Problems) bool {
	switch t := target.(type) {
	case *string:
		return toText(t, v, f, where, found)
	case *bool:
		return toBool(t, v, where, found)
	case *int:
		var n int64
		ok := toInt(&n, v, f, where, found)
		*t = int(n)
		return ok
	case *int64:
		return toInt(t, v, f, where, found)
	case *float64:
		return toNumber(t, v, f, where, found)
	case *any:
		*t = v
		return true
	case parser:
		return t.parse(v, f, where, found)
	}
	panic("args: no reading for " + reflect.TypeOf(target).String())
}

func toText(t *string, v any, f *Field, where string, found *Problems) bool {
	s, ok := v.(string)
	if !ok {
		found.WrongType(where, "string")
		return false
	}
	*t = s
	return checkText(s, f, where, found)
}

// Readable reports whether s is valid UTF-8 without NUL, which Postgres cannot store.
func Readable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// OneLine reports whether s has no line breaks or other control characters.
func OneLine(s string) bool { return !strings.ContainsFunc(s, unicode.IsControl) }

// checkText checks that s is readable and within the limits of its tag.
func checkText(s string, f *Field, where string, found *Problems) bool {
	switch {
	case !Readable(s):
		found.Invalid(where, "problem.characters", nil)
	case f.Line && !OneLine(s):
		found.Invalid(where, "problem.line", nil)
	case f.NonEmpty && s == "":
		found.Invalid(where, "problem.empty", nil)
	case f.NonEmpty && f.Required && Visible(s) == "":
		found.Invalid(where, "problem.blank", nil)
	case f.Bytes > 0 && len(s) > f.Bytes:
		found.Invalid(where, "problem.bytes", map[string]any{"Max": f.Bytes})
	case f.Max != nil && utf8.RuneCountInString(s) > int(*f.Max):
		found.Invalid(where, "problem.length", map[string]any{"Max": int(*f.Max)})
	case len(f.Enum) > 0 && s != "" && !slices.Contains(f.Enum, s):
		found.Invalid(where, "problem.enum", map[string]any{"Allowed": strings.Join(f.Enum, ", ")})
	default:
		return true
	}
	return false
}

// toBool parses the booleans of rule 3.12.
func toBool(t *bool, v any, where string, found *Problems) bool {
	switch b := v.(type) {
	case bool:
		*t = b
		return true
	case json.Number:
		if b == "1" || b == "0" {
			*t = b == "1"
			return true
		}
	case string:
		switch strings.ToLower(b) {
		case "1", "true":
			*t = true
			return true
		case "0", "false":
			*t = false
			return true
		}
	}
	found.WrongType(where, "boolean")
	return false
}

func toInt(t *int64, v any, f *Field, where string, found *Problems) bool {
	text, ok := numeral(v)
	n, isInt := asInt(text)
	switch {
	case !ok || !isInt:
		found.WrongType(where, "integer")
		return false
	case f.Min != nil && float64(n) < *f.Min:
		found.Invalid(where, "problem.min", map[string]any{"Min": int64(*f.Min)})
		return false
	case f.Max != nil && float64(n) > *f.Max:
		found.Invalid(where, "problem.max", map[string]any{"Max": int64(*f.Max)})
		return false
	}
	*t = n
	return true
}

func toNumber(t *float64, v any, f *Field, where string, found *Problems) bool {
	text, ok := numeral(v)
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case !ok || err != nil || math.IsInf(n, 0) || math.IsNaN(n):
		found.WrongType(where, "number")
		return false
	case f.Min != nil && n < *f.Min:
		found.Invalid(where, "problem.min", map[string]any{"Min": *f.Min})
		return false
	case f.Max != nil && n > *f.Max:
		found.Invalid(where, "problem.max", map[string]any{"Max": *f.Max})
		return false
	}
	*t = n
	return true
}

// numeral returns the digits of a number or of a trimmed text.
func numeral(v any) (string, bool) {
	switch n := v.(type) {
	case json.Number:
		return n.String(), true
	case string:
		s := strings.TrimSpace(n)
		return s, s != "" && !strings.ContainsAny(s, "xXpP_iInN")
	}
	return "", false
}
