package changes

import (
	"encoding/json"
	"testing"
)

// A filter that is shown as a query is read again as the same filter, whatever its texts are.
func TestNarrowingAsQuery(t *testing.T) {
	t.Parallel()
	filter := Narrowing{"search": "rock & roll + 50 % ; a=b", "city": "Köln am Rhein", "categories": []any{"music", json.Number("1234567")}, "featured": true}
	query := filter.Query()
	if want := "categories=music,1234567&city=Köln am Rhein&featured=true&search=rock %26 roll %2B 50 %25 %3B a=b"; query != want {
		t.Errorf("shown as %s, want %s", query, want)
	}
	read, err := ReadNarrowing(query)
	if err != nil || len(read) != len(filter) {
		t.Fatalf("read %v, %v", read, err)
	}
	for name, value := range filter {
		if read[name] != textOf(value) {
			t.Errorf("%s is read as %v, want %s", name, read[name], textOf(value))
		}
	}
}

// A filter that was stored means what it meant when it was sent: its numbers are still arguments.
func TestNarrowingIsReadAsSent(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"categories":[1,9007199254740993]}`, `{"venue":5}`, `{"featured":true,"organizer":[3]}`} {
		var filter Narrowing
		if err := json.Unmarshal([]byte(text), &filter); err != nil {
			t.Fatal(err)
		}
		if _, err := filter.Events(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if again, err := json.Marshal(filter); err != nil || string(again) != text {
			t.Errorf("%s is written as %s, %v", text, again, err)
		}
	}
}
