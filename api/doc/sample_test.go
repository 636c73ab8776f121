package doc_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/test/apitest"
)

// Every request body has an example that its route accepts.
func TestRequestSamplesAreTaken(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		read := load(t, s.document(t, "en"))
		for i := range s.routes {
			r := &s.routes[i]
			if r.Mode == args.Reading || r.TakesFile() {
				continue
			}
			body := read.Paths.Value(r.Path).GetOperation(r.Methods[0]).RequestBody.Value.Content["application/json"]
			values, isObject := body.Example.(map[string]any)
			if !isObject {
				t.Errorf("%s has no example", r.Name)
				continue
			}
			if unknown := r.Others.Unknown(values); len(unknown) > 0 {
				t.Errorf("%s knows no %v", r.Name, unknown)
			}
			if err := apitest.Conforms(read, strings.TrimPrefix(body.Schema.Ref, "#/components/schemas/"), values); err != nil {
				t.Errorf("%s: %v", r.Name, err)
			}
		}
	}
}

// raw is a value as JSON.
func raw(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Every response has an example that satisfies its schema.
func TestAnswerSamplesSatisfySchemas(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		read := load(t, s.document(t, "en"))
		for i := range s.routes {
			name := s.routes[i].Answers
			if name == "" || name == "Root" || name == "Document" {
				continue
			}
			sample := read.Components.Examples[name]
			if sample == nil {
				t.Errorf("no example of %s", name)
				continue
			}
			if err := apitest.Conforms(read, name, sample.Value.Value); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Schemas of request bodies accept every supported form: those in the README and those of the API's own responses.
func TestBodiesTellAllForms(t *testing.T) {
	t.Parallel()
	read := load(t, skins()[0].document(t, "en"))
	base := map[string]any{"title": "T", "start_date": "tomorrow 10:00", "end_date": "2030-01-01"}
	for name, forms := range map[string][]any{
		"categories": {[]any{"music"}, []any{1.0, "music"}, "music,2", 3.0, nil},
		"venue":      {1.0, []any{1.0}, map[string]any{"id": 5.0}, map[string]any{"venue": "Hall"}, []any{map[string]any{"venue": "Hall"}, 2.0}, "1,2", nil},
		"image":      {"https://example.org/a.png", 5.0, nil},
		"cost":       {"5 €", 5.0, []any{"5", 10.0}},
	} {
		for _, form := range forms {
			base[name] = form
			if err := apitest.Conforms(read, "EventCreate", base); err != nil {
				t.Errorf("%s = %v: %v", name, form, err)
			}
		}
		delete(base, name)
	}
	for _, wrong := range []any{true, []any{true}, []any{[]any{"a"}}} {
		base["categories"] = wrong
		if err := apitest.Conforms(read, "EventCreate", base); err == nil {
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
		read := load(t, document)
		for path, item := range read.Paths.Map() {
			for method, operation := range item.Operations() {
				if operation.Responses.Default() == nil || operation.Responses.Default().Ref != "#/components/responses/Error" {
					t.Errorf("%s %s: no response for errors", method, path)
				}
				if failed := slices.ContainsFunc(slices.Collect(maps.Keys(operation.Responses.Map())), func(status string) bool { return status[0] == '4' || status[0] == '5' }); failed {
					t.Errorf("%s %s: an error beside the one for all errors", method, path)
				}
				errors := errorsOf(t, operation)
				for _, status := range []int{http.StatusMethodNotAllowed, http.StatusTooManyRequests, http.StatusNotImplemented} {
					if !slices.Contains(errors, status) {
						t.Errorf("%s %s: no %d", method, path, status)
					}
				}
				if created := operation.Responses.Status(http.StatusCreated); created != nil && created.Value.Headers["Location"] == nil {
					t.Errorf("%s %s: no Location", method, path)
				}
				names := map[string]bool{}
				for _, p := range operation.Parameters {
					names[p.Value.Name] = true
				}
				if !names["strict"] || names["If-None-Match"] != (method == http.MethodGet) ||
					names["If-Match"] != slices.Contains(errors, http.StatusPreconditionFailed) || operation.Description == "" {
					t.Errorf("%s %s: %v %q", method, path, names, operation.Description)
				}
			}
		}
	}
}

// Every property of every schema has a description, so that generated clients and the people who read them know what it
// is. TestEverythingHasItsText has the texts in every language.
func TestPropertiesAreDescribed(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		var document struct {
			Components struct{ Schemas map[string]any }
		}
		if err := json.Unmarshal(s.document(t, "en"), &document); err != nil {
			t.Fatal(err)
		}
		described := 0
		for name, one := range document.Components.Schemas {
			eachSchema(one, name, func(path string, property map[string]any) {
				text, _ := property["description"].(string)
				if text == "" || strings.HasPrefix(text, "member.") || strings.HasPrefix(text, "arg.") {
					t.Errorf("%s: %s has no description: %q", s.name, path, text)
				}
				described++
			})
		}
		if described < 200 {
			t.Errorf("%s: only %d properties", s.name, described)
		}
	}
}

// Generators make code that does not compile, or types nobody can tell apart, of some schemas that are valid.
func TestSchemasForGenerators(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		var document any
		if err := json.Unmarshal(s.document(t, "en"), &document); err != nil {
			t.Fatal(err)
		}
		eachObject(document, "", func(path string, object map[string]any) {
			_, chosen := object["enum"]
			for _, limit := range []string{"minLength", "maxLength"} {
				if _, limited := object[limit]; chosen && limited {
					t.Errorf("%s: %s beside enum at %s", s.name, limit, path)
				}
			}
			if _, items := object["items"]; object["type"] == "array" && !items {
				t.Errorf("%s: a list of nothing at %s", s.name, path)
			}
			kinds, _ := object["type"].([]any)
			if number := object["type"] == "number" || slices.Contains(kinds, any("number")); number && object["format"] != "double" {
				t.Errorf("%s: a number without its format at %s", s.name, path)
			}
		})
	}
}

// What several operations take, or several answers have, is one schema with a name (ADR 123).
func TestSchemasStandOnce(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		var document struct {
			Paths      any
			Components struct{ Schemas map[string]any }
		}
		if err := json.Unmarshal(s.document(t, "en"), &document); err != nil {
			t.Fatal(err)
		}
		at := map[string]string{}
		see := func(path string, object map[string]any) {
			if !strings.HasSuffix(path, ".properties") && worthAName(object) {
				delete(object, "description")
				delete(object, "default")
				text := string(raw(t, object))
				if first, again := at[text]; again {
					t.Errorf("%s: %s is written again at %s: %s", s.name, first, path, text)
				}
				at[text] = path
			}
		}
		eachObject(document.Paths, "paths", see)
		for name, one := range document.Components.Schemas {
			for key, inner := range one.(map[string]any) {
				eachObject(inner, name+"."+key, see)
			}
		}
		if len(at) < 10 {
			t.Errorf("%s: only %d schemas", s.name, len(at))
		}
	}
}

// worthAName reports whether generators make a type of a schema. They don't of one that may be null, besides.
func worthAName(schema map[string]any) bool {
	for _, of := range []string{"anyOf", "oneOf"} {
		if forms, ok := schema[of].([]any); ok {
			return len(forms) > 2 || !slices.ContainsFunc(forms, func(form any) bool { return form.(map[string]any)["type"] == "null" })
		}
	}
	return schema["enum"] != nil || schema["properties"] != nil || schema["allOf"] != nil
}

// eachSchema calls see with each property in a schema.
func eachSchema(schema any, path string, see func(path string, property map[string]any)) {
	eachObject(schema, path, func(at string, object map[string]any) {
		properties, _ := object["properties"].(map[string]any)
		if strings.HasSuffix(at, ".properties") {
			return // a property that is called properties
		}
		for name, one := range properties {
			property, _ := one.(map[string]any)
			see(at+"."+name, property)
		}
	})
}

// eachObject calls see with each object in a JSON value.
func eachObject(value any, path string, see func(path string, object map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		see(path, value)
		for name, inner := range value {
			eachObject(inner, path+"."+name, see)
		}
	case []any:
		for _, inner := range value {
			eachObject(inner, path, see)
		}
	}
}

// Coordinates are given together or not at all.
func TestBodiesKnowPairs(t *testing.T) {
	t.Parallel()
	read := load(t, skins()[0].document(t, "en"))
	for _, name := range []string{"VenueCreate", "VenueLink"} {
		body := map[string]any{"venue": "Hall", "geo_lat": 50.7, "geo_lng": 7.1}
		if err := apitest.Conforms(read, name, body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		delete(body, "geo_lng")
		if err := apitest.Conforms(read, name, body); err == nil {
			t.Errorf("%s takes a latitude without a longitude", name)
		}
	}
}
