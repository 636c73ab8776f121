package saving

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/texts"
)

// Fields are the fields of a form in order. Apart has the fields that are compared in their own way.
type Fields struct {
	Names    []string
	Apart    map[string]Field
	Together [][]string // groups of fields that belong together, such as start and end
}

// Field says how to compare a field that is not a single text in one control.
type Field struct {
	Text   func(f *frame.Form) string // returns its content as a text for comparing; nil: the text of its control
	Sent   func(f *frame.Form) bool   // reports whether a form includes it; nil: if it has a control with this name
	Owns   func(control string) bool  // reports whether a control with another name belongs to it; nil: none does
	Secret bool                       // its stored value is in no form and is shown to nobody
}

// Set returns the Field for a name with several values, whose order does not matter.
func Set(name string) Field {
	return Field{Text: func(f *frame.Form) string { return strings.Join(slices.Sorted(slices.Values(f.All(name))), ",") }}
}

// translations is the field for translations, which many forms have.
var translations = Field{Text: texts.Text, Sent: texts.Sent,
	Owns: func(control string) bool { return strings.HasPrefix(control, texts.Field+".") }}

func (s Fields) field(name string) Field {
	if name == texts.Field {
		return translations
	}
	return s.Apart[name]
}

// Text returns the content of a field as a text for comparing.
func (s Fields) Text(f *frame.Form, name string) string {
	if text := s.field(name).Text; text != nil {
		return text(f)
	}
	return f.Text(name)
}

// Sent reports whether a form has a field at all.
func (s Fields) Sent(f *frame.Form, name string) bool {
	if sent := s.field(name).Sent; sent != nil {
		return sent(f)
	}
	return f.Has(name)
}

// Changed reports whether a field of the form differs from the stored value.
func (s Fields) Changed(f, now *frame.Form, name string) bool {
	return s.Sent(f, name) && s.Text(f, name) != s.Text(now, name)
}

// Stamp writes into a form which version it shows, and a hash of each field.
func (s Fields) Stamp(f *frame.Form, version string) {
	q := url.Values{}
	for _, name := range s.Names {
		q.Set(name, hashed(s.Text(f, name)))
	}
	f.Set("version", version)
	f.Set("base", q.Encode())
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
