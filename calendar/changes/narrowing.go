package changes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Narrowing are the arguments of a list of events, as someone sent them for following events. nil means no filter.
type Narrowing map[string]any

// UnmarshalJSON implements json.Unmarshaler. It keeps numbers as they were sent, because arguments accept only
// those.
func (n *Narrowing) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode((*map[string]any)(n))
}

// narrowing has the filter as an argument, so that problems refer to that argument.
type narrowing struct {
	Filter args.Opt[args.Object[Events]] `arg:"filter,exact"`
}

var narrowingTable = args.TableOf(reflect.TypeFor[narrowing]())

// longestNarrowing is the maximum length of a filter as JSON, in bytes.
const longestNarrowing = 4000

// ReadNarrowing returns a filter that was sent as an object, or as a query.
func ReadNarrowing(sent any) (Narrowing, error) {
	filter := Narrowing{}
	switch sent := sent.(type) {
	case map[string]any:
		filter = sent
	case string:
		query, err := url.ParseQuery(strings.TrimSpace(sent))
		if err != nil {
			return nil, args.Invalid("filter", "problem.type.object", nil)
		}
		for name, values := range query {
			filter[strings.TrimSuffix(name, "[]")] = strings.Join(values, ",")
		}
	}
	if len(filter) == 0 {
		return nil, nil //nolint:nilnil // no filter, no error
	}
	text, err := json.Marshal(filter)
	if err != nil {
		return nil, fmt.Errorf("write a filter: %w", err)
	}
	if len(text) > longestNarrowing {
		return nil, args.Invalid("filter", "problem.bytes", map[string]any{"Max": longestNarrowing})
	}
	return filter, nil
}

// inQuery escapes the characters that have a meaning in a query.
var inQuery = strings.NewReplacer("%", "%25", "&", "%26", "+", "%2B", ";", "%3B")

// Query returns a filter as people type it. ReadNarrowing reads it.
func (n Narrowing) Query() string {
	parts := make([]string, 0, len(n))
	for _, name := range slices.Sorted(maps.Keys(n)) {
		parts = append(parts, name+"="+inQuery.Replace(textOf(n[name])))
	}
	return strings.Join(parts, "&")
}

// textOf returns the value of an argument as text.
func textOf(value any) string {
	if list, ok := value.([]any); ok {
		texts := make([]string, len(list))
		for i, one := range list {
			texts[i] = textOf(one)
		}
		return strings.Join(texts, ",")
	}
	return fmt.Sprint(value)
}

// Events returns the conditions of a filter, or its problems.
func (n Narrowing) Events() (*Events, error) {
	if len(n) == 0 {
		return &Events{}, nil
	}
	in := &narrowing{}
	if err := narrowingTable.Parse(args.Values{"filter": map[string]any(n)}, args.Reading, in); err != nil {
		return nil, err
	}
	object, _ := in.Filter.Get()
	found := &args.Problems{}
	if object.Fields.Check(found); found.Err() != nil {
		return nil, args.Renamed("series", "filter", found)
	}
	return &object.Fields, nil
}

// Selection returns the selection of events that the scope's principal sees with a filter. It returns nil if there
// is no filter.
func (n Narrowing) Selection(ctx context.Context, now time.Time) (*Selection, error) {
	if len(n) == 0 {
		return nil, nil //nolint:nilnil // all events, no error
	}
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	events, err := n.Events()
	if err != nil {
		return nil, err
	}
	return events.Selection(scope, now)
}
