package kit

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// At returns what the answer has at a dotted path ("venue.id", "events.0.slug");
// "-" stands for nothing there, and lists end in their length ("events.#").
func (a Answer) At(path string) any {
	var v any
	if json.Unmarshal(a.Raw, &v) != nil {
		return "-"
	}
	for step := range strings.SplitSeq(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			inner, ok := in[step]
			if !ok {
				return "-"
			}
			v = inner
		case []any:
			n, err := strconv.Atoi(step)
			switch {
			case step == "#":
				return len(in)
			case err != nil || n >= len(in):
				return "-"
			}
			v = in[n]
		default:
			return "-"
		}
	}
	return v
}

// Has fails the test unless the answer has these values at these paths, given
// in pairs.
func (a Answer) Has(t testing.TB, pairs ...any) Answer {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		path, _ := pairs[i].(string)
		if got, want := fmt.Sprint(a.At(path)), fmt.Sprint(pairs[i+1]); got != want {
			t.Errorf("%s: got %q, want %q\n%.600s", path, got, want, a)
		}
	}
	return a
}

// IDs returns the ids of a list, comma between, in their order.
func (a Answer) IDs(collection string) string {
	list, _ := a.Body[collection].([]any)
	texts := make([]string, 0, len(list))
	for _, entry := range list {
		object, _ := entry.(map[string]any)
		texts = append(texts, fmt.Sprint(object["id"]))
	}
	return strings.Join(texts, ",")
}

// Refused fails the test unless exactly this argument is refused.
func (a Answer) Refused(t testing.TB, arg string) Answer {
	t.Helper()
	a.Want(t, 400, "rest_invalid_param")
	if _, ok := a.Params()[arg]; !ok || len(a.Params()) != 1 {
		t.Errorf("refused %v, want %s", a.Params(), arg)
	}
	return a
}

// Item is the path of an item.
func Item(collection string, id int64) string { return fmt.Sprintf("/%s/%d", collection, id) }

// Made makes an item as the administrator and returns its id.
func (k *Kit) Made(path string, body map[string]any) int64 {
	k.T.Helper()
	a := k.Post(path, "administrator", body)
	if a.Status != 201 {
		k.T.Fatalf("create at %s: %s", path, a)
	}
	return a.ID()
}

// Object is a body of a request.
type Object = map[string]any

// Times are the required arguments of an event.
func Times(fields Object) Object {
	body := Object{"title": "Event", "start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00"}
	maps.Copy(body, fields)
	return body
}

// Query returns a path with arguments given in pairs.
func Query(path string, pairs ...string) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return path + "?" + values.Encode()
}

// NewWithFixedClock returns a kit whose clock stands at noon of 20 February 2030, UTC.
func NewWithFixedClock(t testing.TB) *Kit {
	k := New(t)
	k.Clock = time.Date(2030, 2, 20, 12, 0, 0, 0, time.UTC)
	return k
}
