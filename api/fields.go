package api

import (
	"bytes"
	"encoding/json"
	"strings"
)

// fieldsAsked returns what _fields asks for as a comma list; it may be a list.
func fieldsAsked(value any) string {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var texts []string
	for _, entry := range list {
		if text, ok := entry.(string); ok && text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ",")
}

// pick keeps only the named top-level keys of the answer, or parts of its
// objects by a dotted path (reference §1.5).
func (a *Answer) pick(fields string) {
	wanted := map[string][]string{}
	for field := range strings.SplitSeq(fields, ",") {
		top, rest, _ := strings.Cut(strings.TrimSpace(field), ".")
		if list, seen := wanted[top]; rest == "" || seen && list == nil {
			wanted[top] = nil
		} else {
			wanted[top] = append(list, rest)
		}
	}
	picked, err := pickFrom(a.Body, wanted)
	if err != nil {
		return // our own JSON is never broken
	}
	a.Body = picked
	version, _ := taggedVersion(a.ETag)
	a.ETag = etag(version, picked)
}

// pickFrom copies the wanted members of an object in their order.
func pickFrom(object json.RawMessage, wanted map[string][]string) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if t, err := decoder.Token(); err != nil || t != json.Delim('{') {
		return json.RawMessage("[]"), err // lists and scalars have no members
	}
	w := &writer{b: []byte{'{'}}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		key, _ := name.(string)
		paths, ok := wanted[key]
		if !ok {
			continue
		}
		if paths != nil {
			inner := map[string][]string{}
			for _, path := range paths {
				inner[path] = nil
			}
			if value, err = pickFrom(value, inner); err != nil {
				return nil, err
			}
		}
		w.raw(key, string(value))
	}
	w.close('}')
	return w.b, nil
}
