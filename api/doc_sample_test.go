package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/args"
)

// Every request body has an example that its route accepts.
func TestRequestSamplesAreTaken(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		doc := load(t, s.document(t, "en"))
		for i := range s.routes {
			r := &s.routes[i]
			if r.mode == args.Reading || r.uploads() {
				continue
			}
			decoder := json.NewDecoder(strings.NewReader(requestSample(r)))
			decoder.UseNumber()
			values := args.Values{}
			if err := decoder.Decode(&values); err != nil {
				t.Errorf("%s: %v", r.Name, err)
				continue
			}
			if unknown := r.table.Unknown(values); len(unknown) > 0 {
				t.Errorf("%s knows no %v", r.Name, unknown)
			}
			if err := conforms(doc, bodyName(r), plain(t, values)); err != nil {
				t.Errorf("%s: %v", r.Name, err)
			}
		}
	}
}

// plain is JSON with plain numbers.
func plain(t *testing.T, values args.Values) (object map[string]any) {
	t.Helper()
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// Every response has an example that satisfies its schema.
func TestAnswerSamplesSatisfySchemas(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		doc := load(t, s.document(t, "en"))
		for i := range s.routes {
			name := s.routes[i].Answers
			if name == "" || name == "Root" || name == "Document" {
				continue
			}
			sample := doc.Components.Examples[name]
			if sample == nil {
				t.Errorf("no example of %s", name)
				continue
			}
			if err := conforms(doc, name, sample.Value.Value); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Schemas of request bodies accept every supported form: those in the README and those of the API's own responses.
func TestBodiesTellAllForms(t *testing.T) {
	t.Parallel()
	doc := load(t, skins()[0].document(t, "en"))
	base := map[string]any{"title": "T", "start_date": "tomorrow 10:00", "end_date": "2030-01-01"}
	for name, forms := range map[string][]any{
		"categories": {[]any{"music"}, []any{1.0, "music"}, "music,2", 3.0, nil},
		"venue":      {1.0, []any{1.0}, map[string]any{"id": 5.0}, map[string]any{"venue": "Hall"}, []any{map[string]any{"venue": "Hall"}, 2.0}, "1,2", nil},
		"image":      {"https://example.org/a.png", 5.0, nil},
		"cost":       {"5 €", 5.0, []any{"5", 10.0}},
	} {
		for _, form := range forms {
			base[name] = form
			if err := conforms(doc, "EventCreate", base); err != nil {
				t.Errorf("%s = %v: %v", name, form, err)
			}
		}
		delete(base, name)
	}
	for _, wrong := range []any{true, []any{true}, []any{[]any{"a"}}} {
		base["categories"] = wrong
		if err := conforms(doc, "EventCreate", base); err == nil {
			t.Errorf("categories = %v is allowed", wrong)
		}
	}
}

// The documents have no null defaults, which client generators would treat as required, and every operation lists all
// possible responses.
func TestDocumentsForGenerators(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		document := s.document(t, "en")
		if strings.Contains(string(document), `"default":null`) || strings.Contains(string(document), `{"type":"array","maxItems":0}`) {
			t.Errorf("%s: a default of null, or a list without entries", s.name)
		}
		doc := load(t, document)
		for path, item := range doc.Paths.Map() {
			for method, operation := range item.Operations() {
				for _, status := range []int{http.StatusMethodNotAllowed, http.StatusTooManyRequests, http.StatusNotImplemented} {
					if operation.Responses.Status(status) == nil {
						t.Errorf("%s %s: no %d", method, path, status)
					}
				}
				names := map[string]bool{}
				for _, p := range operation.Parameters {
					names[p.Value.Name] = true
				}
				if !names["strict"] || names["If-None-Match"] != (method == http.MethodGet) ||
					names["If-Match"] != (operation.Responses.Status(http.StatusPreconditionFailed) != nil) || operation.Description == "" {
					t.Errorf("%s %s: %v %q", method, path, names, operation.Description)
				}
			}
		}
	}
}
