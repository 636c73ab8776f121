package tenancy

import (
	"maps"
	"slices"
	"strings"
)

// Field is a field that a site adds to its events, its venues or both (rule 23.1).
type Field struct {
	Key      string               `json:"key"` // never changes
	Kind     FieldKind            `json:"kind"`
	Of       []string             `json:"of"`                // FieldOfEvents, FieldOfVenues
	Texts    map[string]FieldText `json:"texts"`             // by language
	Options  []string             `json:"options,omitempty"` // for a choice: keys of its options, in order
	Public   bool                 `json:"public"`            // everyone sees it
	Filter   bool                 `json:"filter"`            // everyone can filter events by it
	Archived bool                 `json:"archived"`          // not shown anywhere; its values are kept
	Version  int64                `json:"version"`           // version of the site when the field was last changed
}

// FieldText is the name and the explanation of a field in one language. "" means that a text is missing.
type FieldText struct {
	Label   string            `json:"label,omitempty"`
	Hint    string            `json:"hint,omitempty"`    // for people who fill in the field
	Unit    string            `json:"unit,omitempty"`    // of a number
	Options map[string]string `json:"options,omitempty"` // labels by the keys of options
}

// FieldKind is the kind of value in a field.
type FieldKind string

// The kinds of fields.
const (
	TextField   FieldKind = "text"   // one line
	ChoiceField FieldKind = "choice" // the key of one of its options
	YesNoField  FieldKind = "yes_no"
	NumberField FieldKind = "number"
	LinkField   FieldKind = "link"
	DateField   FieldKind = "date" // YYYY-MM-DD
)

// The kinds of entries that have fields.
const (
	FieldOfEvents = "event"
	FieldOfVenues = "venue"
)

// MostFields is how many fields a site can add, archived ones included.
const MostFields = 30

// Filters reports whether the kind has few possible values, so that visitors can filter by them.
func (k FieldKind) Filters() bool { return k == ChoiceField || k == YesNoField }

// Values returns the values that visitors can filter events by: the keys of the options, or true and false. It
// returns nil for fields that are not filters.
func (f *Field) Values() []string {
	switch {
	case f.Archived || !f.Filter:
		return nil
	case f.Kind == YesNoField:
		return []string{"true", "false"}
	}
	return f.Options
}

// FieldNamed returns the field with a key, or nil if there is none.
func (s *Site) FieldNamed(key string) *Field {
	if i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Key == key }); i >= 0 {
		return &s.Fields[i]
	}
	return nil
}

// FieldsOf returns the fields of events or venues in their order, without archived ones. If public is true, it returns only
// the fields that everyone sees.
func (s *Site) FieldsOf(kind string, public bool) (list []*Field) {
	for i := range s.Fields {
		if f := &s.Fields[i]; !f.Archived && (f.Public || !public) && slices.Contains(f.Of, kind) {
			list = append(list, f)
		}
	}
	return list
}

// Fields returns the fields of events or venues that the principal may see, in their order. People who cannot write
// events see only the public fields.
func (s *Scope) Fields(kind string) []*Field {
	if s.Site == nil {
		return nil
	}
	return s.Site.FieldsOf(kind, !s.Principal.MayRead(EditOwn))
}

// FieldText returns the texts of a field for the reader, each in the best available language.
func (s *Scope) FieldText(f *Field) FieldText {
	languages := append(slices.Clone(s.Texts), s.Site.Language)
	languages = append(languages, slices.Sorted(maps.Keys(f.Texts))...)
	text := FieldText{Options: map[string]string{}}
	for _, language := range languages {
		one := f.Texts[language]
		for _, part := range []struct{ into, by *string }{{&text.Label, &one.Label}, {&text.Hint, &one.Hint}, {&text.Unit, &one.Unit}} {
			if *part.into == "" {
				*part.into = *part.by
			}
		}
		for key, label := range one.Options {
			if text.Options[key] == "" {
				text.Options[key] = label
			}
		}
	}
	return text
}

// OptionLabel returns the label of an option, or its key if it has no label.
func (t *FieldText) OptionLabel(key string) string {
	if label := t.Options[key]; label != "" {
		return label
	}
	return key
}

// FieldKey reports whether a text can be the key of a field or of an option: at most 40 lower-case letters, digits and underscores.
func FieldKey(text string) bool {
	return text != "" && len(text) <= 40 && text != "id" && !strings.ContainsFunc(text, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_'
	})
}
