package prices

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kalends/kalends/calendar/wording"
)

// ErrCost is returned for a value that is not a cost: nested lists or objects, a text of more than 1,000 characters,
// a list of more than 50 entries.
var ErrCost = errors.New("not a cost")

const (
	maxCostText    = 1000
	maxCostEntries = 50
)

// Parse converts the cost argument to its stored form: the prices as written, without HTML, or nil if there are
// none. Words for "free" in any language of the interface become "0"; "Free" stays. It accepts text, numbers, true
// (1), and lists and objects of these; null, false, "" and [] mean none (rule 11.1).
func Parse(raw any) ([]string, error) {
	switch v := raw.(type) {
	case []any:
		return costList(v)
	case []string:
		list := make([]any, len(v))
		for i, text := range v {
			list[i] = text
		}
		return costList(list)
	case map[string]any:
		list := make([]any, 0, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			list = append(list, v[key])
		}
		return costList(list)
	}
	return costList([]any{raw})
}

func costList(list []any) ([]string, error) {
	if len(list) > maxCostEntries {
		return nil, ErrCost
	}
	var stored []string
	for _, entry := range list {
		text, ok := costText(entry)
		if !ok || utf8.RuneCountInString(text) > maxCostText {
			return nil, ErrCost
		}
		if text = strings.Join(strings.Fields(wording.CleanTerm(text)), " "); text != "" {
			stored = append(stored, freeOrAsWritten(text))
		}
	}
	return stored, nil
}

// costText returns one price as text.
func costText(entry any) (string, bool) {
	switch v := entry.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case bool:
		if v {
			return "1", true
		}
		return "", true
	case json.Number:
		return decimal(v.String())
	case float64:
		return decimal(strconv.FormatFloat(v, 'f', -1, 64))
	case int:
		return strconv.Itoa(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	}
	return "", false
}

// decimal converts a JSON number literal to decimal notation.
func decimal(literal string) (string, bool) {
	if !strings.ContainsAny(literal, "eE") && literal != "-0" {
		return unambiguous(literal), true
	}
	f, err := strconv.ParseFloat(literal, 64)
	if f == 0 {
		return "0", err == nil
	}
	return unambiguous(strconv.FormatFloat(f, 'f', -1, 64)), err == nil
}

// unambiguous formats a number with another number of decimals if its three decimals would be read as thousands.
func unambiguous(number string) string {
	switch {
	case !ambiguous.MatchString(number):
		return number
	case strings.HasSuffix(number, "0"):
		return strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number + "0"
}
