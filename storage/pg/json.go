package pg

import (
	"encoding/json"
	"strings"
)

// DecodeJSON decodes JSON and keeps numbers as they were written. It does nothing for nil.
func DecodeJSON(text []byte, into any) error {
	if text == nil {
		return nil
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// EncodeJSON returns JSON, or nil for null.
func EncodeJSON(v any) (*string, error) {
	text, err := json.Marshal(v)
	if err != nil || string(text) == "null" {
		return nil, err
	}
	s := string(text)
	return &s, nil
}
