package pg

import (
	"encoding/json"
	"maps"
	"reflect"
)

// Document is an object as the history keeps it: field by field, without secrets. Times are instants, or wall-clock
// times without a zone.
type Document map[string]any

// Text returns the document as JSON, or nil for a nil document.
func (d Document) Text() *string {
	if d == nil {
		return nil
	}
	raw, err := json.Marshal(d)
	if err != nil { // for NaN or infinite numbers, which no column has
		raw = []byte("{}")
	}
	text := string(raw)
	return &text
}

// Unlike returns the fields of d whose values differ in now.
func (d Document) Unlike(now Document) Document {
	differs := maps.Clone(d)
	maps.DeleteFunc(differs, func(name string, value any) bool { return reflect.DeepEqual(value, now[name]) })
	return differs
}

// Protection is a digest of a password in a Document. Within the program, different passwords have different
// digests; as JSON, all of them are the same word.
type Protection []byte

// MarshalJSON implements json.Marshaler.
func (p Protection) MarshalJSON() ([]byte, error) {
	if len(p) == 0 {
		return []byte("null"), nil
	}
	return []byte(`"set"`), nil
}
