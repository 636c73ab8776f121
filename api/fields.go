package api

import (
	"bytes"
	"encoding/json"
	"strings"
)

// fieldsAsked returns _fields as comma-separated text, whether it was sent as text or as a list.
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

// wanted are the requested keys, each with those requested within it; nil means all.
type wanted map[string]wanted

// pick reduces the answer to the named keys of its objects and of the objects in its lists, given as dotted paths
// (rule 3.2).
func (a *Answer) pick(fields string) {
	all := wanted{}
	for field := range strings.SplitSeq(fields, ",") {
		all.add(strings.Split(strings.TrimSpace(field), "."))
	}
	picked, err := pickFrom(a.Body, all)
	if err != nil {
		return // our own JSON is always valid
	}
	a.Body = picked
	version, _ := taggedVersion(a.ETag)
	a.ETag = etag(version, picked)
}

// add adds a path. Requesting a whole object overrides requesting parts of it.
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

// pickFrom copies the wanted members of an object in their order, or those of each object in a list. Other values
// have no members.
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
