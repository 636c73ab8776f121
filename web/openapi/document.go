// Package openapi parses an OpenAPI 3.1 document for display: resources, operations, arguments, and sample requests
// in several programming languages.
package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Document is an interface and its operations.
type Document struct {
	Title, Description, Version string
	Server                      string // base address of the paths, without trailing slash
	Resources                   []Resource
}

// Resource is a group of operations.
type Resource struct {
	Name        string // name of its tag
	Description string
	Operations  []Operation
}

// Operation is one operation that clients can call.
type Operation struct {
	ID, Method, Path     string
	Also                 []string // other methods with the same effect
	Summary, Description string
	Arguments            []Argument // of path, query and headers, in order
	Fields               []Argument // of the body
	Request              string     // example of the body as JSON, or ""
	Answers              []Answer
	Open                 bool   // requires no credentials
	Media                string // media type of the body, or ""
	Returns              string // media type of the response to a successful request
}

// File reports whether the body is not JSON but a file, or a form with one.
func (o *Operation) File() bool { return o.Media != "" && o.Media != jsonType }

const jsonType = "application/json"

// Argument is an argument of a request.
type Argument struct {
	Name, In, Description string
	Type                  string // in terms of JSON Schema: "integer", "string | null", "array of string"
	Required              bool
	Binary                bool   // a file
	Default               string // as JSON, or ""
	Values                []string
	Limits                []string // such as "≥ 1", "≤ 500"
}

// Answer is a possible response to an operation.
type Answer struct {
	Status, Description string
	Example             string // as indented JSON, or ""
}

// Good reports whether the response indicates success.
func (a Answer) Good() bool { return strings.HasPrefix(a.Status, "2") }

// The parts of a document in its own structure.
type (
	file struct {
		Info struct {
			Title, Description, Version string
		} `json:"info"`
		Servers []struct{ URL string }               `json:"servers"`
		Tags    []struct{ Name, Description string } `json:"tags"`
		Paths   ordered[ordered[operation]]          `json:"paths"`

		Components struct {
			Schemas    map[string]schema                          `json:"schemas"`
			Responses  map[string]response                        `json:"responses"`
			Parameters map[string]parameter                       `json:"parameters"`
			Examples   map[string]struct{ Value json.RawMessage } `json:"examples"`
			Errors     map[string]response                        `json:"x-kalends-errors"`
		} `json:"components"`
	}
	operation struct {
		Tags        []string
		OperationID string `json:"operationId"`
		Summary     string
		Description string
		Parameters  []parameter
		RequestBody *struct {
			Content ordered[struct {
				Schema  schema
				Example json.RawMessage
			}]
		} `json:"requestBody"`
		Responses ordered[response]
		Errors    []json.Number `json:"x-kalends-errors"`
		Security  []map[string]any
	}
	parameter struct {
		Ref         string `json:"$ref"`
		Name, In    string
		Description string
		Required    bool
		Schema      schema
	}
	response struct {
		Ref         string `json:"$ref"`
		Description string
		Content     ordered[struct {
			Examples map[string]struct {
				Ref string `json:"$ref"`
			}
		}]
	}
	schema struct {
		Ref         string `json:"$ref"`
		Type        json.RawMessage
		Format      string
		Description string
		Properties  ordered[schema]
		Required    []string
		Items       *schema
		AnyOf       []schema `json:"anyOf"`
		OneOf       []schema `json:"oneOf"`
		Enum        []any
		Default     json.RawMessage
		Minimum     *json.Number
		Maximum     *json.Number
		MinLength   *json.Number `json:"minLength"`
		MaxLength   *json.Number `json:"maxLength"`
		MaxItems    *json.Number `json:"maxItems"`
	}
)

// ordered is a JSON object whose members keep their order.
type ordered[T any] []member[T]

type member[T any] struct {
	name  string
	value T
}

// UnmarshalJSON parses an object. It returns the errors of encoding/json.
func (o *ordered[T]) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	switch begin, err := d.Token(); {
	case err != nil:
		return err
	case begin != json.Delim('{'):
		return fmt.Errorf("%v is not an object", begin)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		m := member[T]{name: fmt.Sprint(name)}
		if err := d.Decode(&m.value); err != nil {
			return err
		}
		*o = append(*o, m)
	}
	return nil
}

// Read parses a document. It returns the errors of encoding/json.
func Read(data []byte) (*Document, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil { //nolint:musttag // members are those of OpenAPI, matched without case
		return nil, fmt.Errorf("read an OpenAPI document: %w", err)
	}
	d := &Document{Title: f.Info.Title, Description: f.Info.Description, Version: f.Info.Version}
	if len(f.Servers) > 0 {
		d.Server = strings.TrimSuffix(f.Servers[0].URL, "/")
	}
	at := map[string]int{}
	for i, tag := range f.Tags {
		d.Resources = append(d.Resources, Resource{Name: tag.Name, Description: tag.Description})
		at[tag.Name] = i
	}
	for _, path := range f.Paths {
		for _, method := range path.value {
			if i, ok := at[first(method.value.Tags)]; ok {
				d.Resources[i].add(f.operation(path.name, method.name, &method.value))
			}
		}
	}
	return d, nil
}

// add adds an operation. If it differs from the previous one only in its method, the two are merged under the
// shorter operation id.
func (r *Resource) add(o Operation) {
	for i := range r.Operations {
		same := &r.Operations[i]
		if same.Path != o.Path || same.Summary != o.Summary {
			continue
		}
		if len(o.ID) < len(same.ID) {
			o.Also = append(slices.Clone(same.Also), same.Method)
			*same = o
			return
		}
		same.Also = append(same.Also, o.Method)
		return
	}
	r.Operations = append(r.Operations, o)
}

// Resource returns a resource by name, or nil.
func (d *Document) Resource(name string) *Resource {
	for i := range d.Resources {
		if d.Resources[i].Name == name {
			return &d.Resources[i]
		}
	}
	return nil
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func (f *file) operation(path, method string, o *operation) Operation {
	made := Operation{ID: o.OperationID, Method: strings.ToUpper(method), Path: path, Summary: o.Summary, Description: o.Description}
	made.Open = slices.ContainsFunc(o.Security, func(s map[string]any) bool { return len(s) == 0 })
	for _, p := range o.Parameters {
		if name := last(p.Ref); name != "" {
			p = f.Components.Parameters[name]
		}
		a := f.argument(p.Name, &p.Schema)
		a.In, a.Required, a.Description = p.In, p.Required, p.Description
		made.Arguments = append(made.Arguments, a)
	}
	if o.RequestBody != nil && len(o.RequestBody.Content) > 0 {
		body := o.RequestBody.Content[0]
		made.Media, made.Request = body.name, indented(body.value.Example)
		made.Fields = f.fields(&body.value.Schema)
	}
	made.Answers, made.Returns = f.answers(o)
	return made
}

// answers returns the responses of an operation, and the media type of the first successful one. It replaces the
// document's common error response by a response for each status that the operation lists.
func (f *file) answers(o *operation) (list []Answer, returns string) {
	for _, r := range o.Responses {
		if name := last(r.value.Ref); name != "" {
			r.value = f.Components.Responses[name]
		}
		if r.name == "default" && len(o.Errors) > 0 {
			for _, status := range o.Errors {
				list = append(list, Answer{Status: status.String(), Description: f.Components.Errors[status.String()].Description})
			}
			continue
		}
		a := Answer{Status: r.name, Description: r.value.Description}
		for _, content := range r.value.Content {
			if a.Good() && returns == "" {
				returns = content.name
			}
			for _, example := range content.value.Examples {
				a.Example = indented(f.Components.Examples[last(example.Ref)].Value)
			}
		}
		list = append(list, a)
	}
	return list, returns
}

// fields returns the members of an object as arguments of a body.
func (f *file) fields(s *schema) []Argument {
	s = f.resolve(s)
	var list []Argument
	for _, p := range s.Properties {
		a := f.argument(p.name, &p.value)
		a.In, a.Required = "body", slices.Contains(s.Required, p.name)
		list = append(list, a)
	}
	return list
}

func (f *file) argument(name string, s *schema) Argument {
	a := Argument{Name: name, Description: s.Description, Type: f.typeOf(s), Binary: s.Format == "binary"}
	if len(s.Default) > 0 && string(s.Default) != "null" {
		a.Default = string(s.Default)
	}
	a.Values = f.values(s)
	for _, limit := range []struct {
		sign  string
		value *json.Number
	}{{"≥ ", s.Minimum}, {"≤ ", s.Maximum}, {"length ≥ ", s.MinLength}, {"length ≤ ", s.MaxLength}, {"items ≤ ", s.MaxItems}} {
		if limit.value != nil {
			a.Limits = append(a.Limits, limit.sign+limit.value.String())
		}
	}
	return a
}

// values returns the possible texts of a value, or of an entry of a list.
func (f *file) values(s *schema) (list []string) {
	s = f.resolve(s)
	for _, v := range s.Enum {
		if v != nil {
			list = append(list, fmt.Sprint(v))
		}
	}
	inner := append(slices.Clone(s.AnyOf), s.OneOf...)
	if s.Items != nil {
		inner = append(inner, *s.Items)
	}
	for i := range inner {
		for _, v := range f.values(&inner[i]) {
			if !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	return list
}

// typeOf describes the types of a value.
func (f *file) typeOf(s *schema) string {
	s = f.resolve(s)
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var one string
	var several []string
	switch {
	case json.Unmarshal(s.Type, &one) == nil && one == "array" && s.Items != nil:
		add("array of " + f.typeOf(s.Items))
	case one != "":
		add(one)
	case json.Unmarshal(s.Type, &several) == nil:
		for _, name := range several {
			add(name)
		}
	}
	for _, choice := range append(slices.Clone(s.AnyOf), s.OneOf...) {
		add(f.typeOf(&choice))
	}
	return strings.Join(names, " | ")
}

// resolve follows a reference to a schema.
func (f *file) resolve(s *schema) *schema {
	name := last(s.Ref)
	if name == "" {
		return s
	}
	found := f.Components.Schemas[name]
	return &found
}

// last returns the last part of a reference, or "".
func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// indented returns indented JSON, or "" for nothing.
func indented(data json.RawMessage) string {
	var b bytes.Buffer
	if len(data) == 0 || json.Indent(&b, data, "", "  ") != nil {
		return ""
	}
	return b.String()
}
