package args

import (
	"net/mail"
	"net/url"
	"strings"
	"unicode"
)

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
