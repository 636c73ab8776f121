package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Pick returns an object, or a list of objects, with only the named keys, given as comma-separated dotted paths. It
// returns an error if value is not JSON.
func Pick(value []byte, fields string) ([]byte, error) {
	all := wanted{}
	for field := range strings.SplitSeq(fields, ",") {
		all.add(strings.Split(strings.TrimSpace(field), "."))
	}
	return pickFrom(value, all)
}

// wanted are the requested keys, each with those requested within it; nil means all.
type wanted map[string]wanted

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
// have no members and stay unchanged, such as the value of image for an event without an image.
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
	return value, nil
}

func pickMembers(decoder *json.Decoder, all wanted) (json.RawMessage, error) {
	w := &Writer{Bytes: []byte{'{'}}
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
		w.Raw(key, string(value))
	}
	w.Close('}')
	_, err := decoder.Token()
	return w.Bytes, err
}

func pickEntries(decoder *json.Decoder, all wanted) (json.RawMessage, error) {
	w := &Writer{Bytes: []byte{'['}}
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
		w.Comma()
		w.Bytes = append(w.Bytes, picked...)
	}
	w.Close(']')
	_, err := decoder.Token()
	return w.Bytes, err
}
