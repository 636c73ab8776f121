package args

import (
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"unicode"
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

// URL is an absolute address with scheme and host, or "" (rule 3.12). It accepts only schemes that are safe in a
// link.
type URL string

func (u *URL) describe(f *Field) { f.Declared = "string"; f.Format = "uri"; f.Bytes = 2000 }

func (u *URL) parse(v any, f *Field, where string, found *Problems) bool {
	var s string
	if !toText(&s, v, f, where, found) {
		return false
	}
	if s != "" && !SafeURL(s) {
		found.Invalid(where, "problem.url", nil)
		return false
	}
	*u = URL(s)
	return true
}

// SafeURL reports whether s is an absolute http, https, ftp or mailto address in ASCII without spaces.
func SafeURL(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || strings.IndexByte("\"<>\\^`{|}", s[i]) >= 0 {
			return false
		}
	}
	parsed, err := url.Parse(s)
	if err != nil {
		return false
	}
	switch strings.ToLower(parsed.Scheme) {
	case "http", "https", "ftp":
		return parsed.Hostname() != ""
	case "mailto":
		return parsed.Opaque != ""
	}
	return false
}

// Email is an email address (RFC 5322 addr-spec) without invisible characters, or "".
type Email string

func (e *Email) describe(f *Field) { f.Declared = "string"; f.Bytes = 254 }

func (e *Email) parse(v any, f *Field, where string, found *Problems) bool {
	var s string
	if !toText(&s, v, f, where, found) {
		return false
	}
	hidden := strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
	if addr, err := mail.ParseAddress(s); s != "" && (err != nil || addr.Address != s || hidden) {
		found.Invalid(where, "problem.email", nil)
		return false
	}
	*e = Email(s)
	return true
}

// Image refers to an image: the id of one of the site's, or the address of one to fetch (rule 6.2). The zero Image
// means none.
type Image struct {
	ID  int64
	URL string
}

func (i *Image) describe(f *Field) { f.Declared, f.Takes = "string", []string{"integer"} }

func (i *Image) parse(v any, f *Field, where string, found *Problems) bool {
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

// TextOrObject is an argument that is text or an object. Whoever declares it interprets the value.
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
