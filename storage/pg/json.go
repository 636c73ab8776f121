package pg

import (
	"encoding/json"
	"strings"
)

// DecodeJSON reads JSON whose numbers stay as they are written. Nothing is read from nil.
func DecodeJSON(text []byte, into any) error {
	if text == nil {
		return nil
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// EncodeJSON returns JSON, and nil for nothing.
func EncodeJSON(v any) (*string, error) {
	text, err := json.Marshal(v)
	if err != nil || string(text) == "null" {
		return nil, err
	}
	s := string(text)
	return &s, nil
}
