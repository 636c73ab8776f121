package args

import (
	"strconv"
	"strings"
)

// Truthy is a boolean that accepts anything (rule 3.12). It is true for true, numbers other than zero and the words
// 1, true, yes, y, on, enable, enabled.
type Truthy bool

func (t *Truthy) describe(f *Field) { f.Declared, f.Takes = "boolean", []string{"boolean"} }

func (t *Truthy) parse(v any, _ *Field, _ string, _ *Problems) bool {
	switch b := v.(type) {
	case bool:
		*t = Truthy(b)
	default:
		text, _ := v.(string)
		if digits, ok := numeral(v); ok {
			n, err := strconv.ParseFloat(digits, 64)
			*t = Truthy(err == nil && n != 0)
		}
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "1", "true", "yes", "y", "on", "enable", "enabled":
			*t = true
		}
	}
	return true
}

func (d *Date) describe(f *Field) { f.Declared, f.Format, f.Spoken = "string", "date-time", true }

func (d *Date) parse(v any, _ *Field, where string, found *Problems) bool {
	s, ok := v.(string)
	if !ok {
		found.WrongType(where, "string")
		return false
	}
	parsed, err := ParseDate(s)
	if err != nil {
		found.Invalid(where, "problem.date", nil)
		return false
	}
	*d = parsed
	return true
}

func (z *Zone) describe(f *Field) { f.Declared = "string" }

// parse reads a zone. The empty text means the site's zone and yields the zero Zone.
func (z *Zone) parse(v any, _ *Field, where string, found *Problems) bool {
	s, ok := v.(string)
	if !ok {
		found.WrongType(where, "string")
		return false
	}
	if s == "" {
		*z = Zone{}
		return true
	}
	parsed, err := ParseZone(s)
	if err != nil {
		found.Invalid(where, "problem.timezone", nil)
		return false
	}
	*z = parsed
	return true
}

// Image refers to an image: the id of one of the site's, or the address of one to fetch (rule 6.2). The zero Image
// means none.
type Image struct {
	ID  int64
	URL string
}

func (i *Image) describe(f *Field) {
	f.Declared, f.Takes = "string", []string{"integer", "object", "boolean"}
}

// parse also reads an image as in responses: as an object with an id and an url, or as false for none.
func (i *Image) parse(v any, f *Field, where string, found *Problems) bool {
	if v == false {
		*i = Image{}
		return true
	}
	if object, ok := v.(map[string]any); ok {
		if v = object["id"]; v == nil {
			v = object["url"]
		}
	}
	if digits, ok := numeral(v); ok {
		if n, isInt := asInt(digits); isInt && n > 0 {
			i.ID = n
			return true
		}
	}
	s, ok := v.(string)
	switch {
	case !ok:
		found.WrongType(where, "string")
		return false
	case s == "" && f.NonEmpty:
		found.Invalid(where, "problem.empty", nil)
		return false
	case s == "":
		*i = Image{}
		return true
	case len(s) > 2000 || !SafeURL(s) || !strings.HasPrefix(strings.ToLower(s), "http"):
		found.Invalid(where, "problem.image", nil)
		return false
	}
	i.URL = s
	return true
}

// TextOrObject is an argument that is text or an object. The code that declares it interprets the value.
type TextOrObject struct{ Value any }

func (t *TextOrObject) describe(f *Field) { f.Declared, f.Takes = "object", []string{"string"} }

func (t *TextOrObject) parse(v any, _ *Field, where string, found *Problems) bool {
	switch v.(type) {
	case string, map[string]any:
		t.Value = v
		return true
	}
	found.WrongType(where, "object")
	return false
}
