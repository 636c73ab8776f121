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

// wanted are the keys that are asked for, each with those within it; nil is all.
type wanted map[string]wanted

// pick keeps only the named keys of the answer: of its objects, and of the objects
// in its lists, by a dotted path (rule 3.2).
func (a *Answer) pick(fields string) {
	all := wanted{}
	for field := range strings.SplitSeq(fields, ",") {
		all.add(strings.Split(strings.TrimSpace(field), "."))
	}
	picked, err := pickFrom(a.Body, all)
	if err != nil {
		return // our own JSON is never broken
	}
	a.Body = picked
	version, _ := taggedVersion(a.ETag)
	a.ETag = etag(version, picked)
}

// add notes a path. Who asks for a whole and for a part of it gets the whole.
func (w wanted) add(path []string) {
	within, seen := w[path[0]]
	switch {
	case len(path) == 1:
		w[path[0]] = nil
	case seen && within == nil:
	default:
		if !seen {
			within = wanted{}
			w[path[0]] = within
		}
		within.add(path[1:])
	}
}

// pickFrom copies the wanted members of an object in their order, or of each object
// of a list. Other values have no members.
func pickFrom(value json.RawMessage, all wanted) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(value))
	switch t, err := decoder.Token(); {
	case err != nil:
		return nil, err
	case t == json.Delim('{'):
		return pickMembers(decoder, all)
	case t == json.Delim('['):
		return pickEntries(decoder, all)
	}
	return json.RawMessage("[]"), nil
}

func pickMembers(decoder *json.Decoder, all wanted) (json.RawMessage, error) {
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
		within, ok := all[key]
		if !ok {
			continue
		}
		if within != nil {
			if value, err = pickFrom(value, within); err != nil {
				return nil, err
			}
		}
		w.raw(key, string(value))
	}
	w.close('}')
	return w.b, nil
}

func pickEntries(decoder *json.Decoder, all wanted) (json.RawMessage, error) {
	w := &writer{b: []byte{'['}}
	for decoder.More() {
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		if len(value) == 0 || value[0] != '{' {
			continue
		}
		picked, err := pickFrom(value, all)
		if err != nil {
			return nil, err
		}
		w.comma()
		w.b = append(w.b, picked...)
	}
	w.close(']')
	return w.b, nil
}
