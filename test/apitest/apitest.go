// Package apitest has what tests of api and the packages below it share: the scope of a request, and OpenAPI documents with
// which answers are compared.
package apitest

import (
	"bytes"
	"encoding/json"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kalends/kalends/tenancy"
)

// Scope returns the scope of an anonymous request to the API of a site, in a language.
func Scope(language string) tenancy.Scope {
	site := &tenancy.Site{ID: 1, Slug: "demo", Name: "Demo", Language: "en", Settings: tenancy.DefaultSettings(),
		Plan: tenancy.Plan{Geo: true}, State: tenancy.Active, Version: 7}
	site.SetTimezone("Europe/Berlin")
	return tenancy.Scope{Site: site, Language: language,
		Base: tenancy.Base{Origin: "https://demo.example", Namespace: "/calendar/events/v1"}}
}

// Load reads a document.
func Load(t *testing.T, document []byte) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Satisfies reports a response that violates a schema of a document.
func Satisfies(t *testing.T, doc *openapi3.T, schema string, answer []byte) {
	t.Helper()
	var value any
	if err := json.Unmarshal(answer, &value); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	if doc.Components.Schemas[schema] == nil {
		t.Fatalf("no schema %s", schema)
	}
	if err := Conforms(doc, schema, value); err != nil {
		t.Errorf("%v\n%s", err, answer)
	}
}

// Conforms returns an error if a value violates a schema of a document, or one that it refers to.
func Conforms(doc *openapi3.T, schema string, value any) error {
	compiled, err := compiledSchema(doc, schema)
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}

// compilers are those of documents, because they keep what they have compiled.
var compilers = struct {
	sync.Mutex
	of map[*openapi3.T]*jsonschema.Compiler
}{of: map[*openapi3.T]*jsonschema.Compiler{}}

func compiledSchema(doc *openapi3.T, schema string) (*jsonschema.Schema, error) {
	compilers.Lock()
	defer compilers.Unlock()
	c := compilers.of[doc]
	if c == nil {
		text, err := doc.MarshalJSON()
		if err != nil {
			return nil, err
		}
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		c = jsonschema.NewCompiler() // OpenAPI 3.1 has the schemas of draft 2020-12
		if err := c.AddResource("doc.json", parsed); err != nil {
			return nil, err
		}
		compilers.of[doc] = c
	}
	return c.Compile("doc.json#/components/schemas/" + schema)
}
