package i18n

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n/template"
)

// splitter parses the texts of the catalogs. A text may contain {{.Name}} but nothing else of text/template: nothing
// is executed, and values are not parsed again.
type splitter struct{}

var _ template.Parser = splitter{}

// Cacheable returns true, so that a text is parsed once.
func (splitter) Cacheable() bool { return true }

// Parse parses a text. It returns an error if a placeholder is malformed.
func (splitter) Parse(src, _, _ string) (template.ParsedTemplate, error) { return split(src) }

// pieces is a text split at its placeholders.
type pieces []piece

// piece is literal text or the name of a placeholder.
type piece struct{ literal, name string }

// split splits a text at its placeholders.
func split(src string) (pieces, error) {
	var list pieces
	for src != "" {
		before, rest, found := strings.Cut(src, "{{")
		if before != "" {
			list = append(list, piece{literal: before})
		}
		if !found {
			break
		}
		name, after, closed := strings.Cut(rest, "}}")
		name, dotted := strings.CutPrefix(name, ".")
		if !closed || !dotted || !isName(name) {
			return nil, fmt.Errorf("malformed placeholder at %q", "{{"+rest)
		}
		list = append(list, piece{name: name})
		src = after
	}
	return list, nil
}

func isName(s string) bool {
	for _, r := range s {
		if (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return s != ""
}

// Execute returns the text with the values in data, a map[string]any. Missing values are empty. The error is always
// nil.
func (p pieces) Execute(data any) (string, error) {
	values, _ := data.(map[string]any)
	var b strings.Builder
	for _, one := range p {
		b.WriteString(one.literal)
		if one.name != "" {
			b.WriteString(written(values[one.name]))
		}
	}
	return b.String(), nil
}

// written formats a value for a text. Numbers are formatted in plain digits, as the API accepts them.
func written(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// count returns the number that selects the plural form for go-i18n, or nil.
func count(data map[string]any) any {
	for _, name := range []string{"Count", "Max", "Min"} {
		switch n := data[name].(type) {
		case int, int64:
			return n
		case float64, json.Number:
			return written(n)
		}
	}
	return nil
}
