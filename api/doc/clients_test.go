package doc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/api"
)

// The small clients have types that are written from the document of the interface.
func TestClientsHaveTheTypesOfTheInterface(t *testing.T) {
	t.Parallel()
	document, err := readOrdered([]byte(structure(t, skins()[0].document(t, "en"))))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{
		"ts/types.ts":             typesIn(document, &typeScript{}),
		"python/kalends/types.py": typesIn(document, &python{}),
	}
	for file, place := range map[string]string{"ts/package.json": `(\n  "version": ")[^"]*`, "python/pyproject.toml": `(\nversion = ")[^"]*`} {
		was, err := os.ReadFile(filepath.Join("..", "..", "clients", file))
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = regexp.MustCompile(place).ReplaceAllString(string(was), "${1}"+api.Version)
	}
	for file, text := range texts {
		file = filepath.Join("..", "..", "clients", file)
		was, err := os.ReadFile(file)
		switch {
		case *update:
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Error(err)
			}
		case err != nil:
			t.Error(err)
		case string(was) != text:
			t.Errorf("%s is not what the document says: go test ./api/doc -update", file)
		}
	}
}

// member is a member of a JSON object, in the order of the text.
type member struct {
	name  string
	value any // []member, []any, string, json.Number, bool or nil
}

// readOrdered reads JSON without losing the order of members.
func readOrdered(text []byte) ([]member, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	value, err := readValue(decoder)
	object, _ := value.([]member)
	return object, err
}

func readValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := []member{}
		for decoder.More() {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			value, err := readValue(decoder)
			if err != nil {
				return nil, err
			}
			object = append(object, member{name.(string), value})
		}
		_, err = decoder.Token()
		return object, err
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			value, err := readValue(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = decoder.Token()
		return list, err
	}
	return token, nil
}

// in returns a member by its path, nil if there is none.
func in(value any, path ...string) any {
	for _, name := range path {
		object, _ := value.([]member)
		i := slices.IndexFunc(object, func(m member) bool { return m.name == name })
		if i < 0 {
			return nil
		}
		value = object[i].value
	}
	return value
}

func listIn(value any, path ...string) []any { list, _ := in(value, path...).([]any); return list }

func objectIn(value any, path ...string) []member { o, _ := in(value, path...).([]member); return o }

// tongue is how a programming language writes types.
type tongue interface {
	head(version string) string
	union(of []string) string
	list(of string) string
	mapping(of string) string
	named(name string) string
	literal(text string) string
	simple(kind string) string
	record(name string, fields []typeField) string
	alias(name, of string) string
}

// typeField is a field of a record.
type typeField struct {
	name, of string
	needed   bool
}

// typesIn returns the types of all schemas, and of the parameters of all lists.
func typesIn(document []member, to tongue) string {
	out := to.head(in(document, "info", "version").(string))
	for _, schema := range objectIn(document, "components", "schemas") {
		out += declared(schema.name, schema.value, to)
	}
	for _, path := range objectIn(document, "paths") {
		id, _ := in(path.value, "get", "operationId").(string)
		var fields []typeField
		for _, p := range listIn(path.value, "get", "parameters") {
			if in(p, "in") == "query" {
				fields = append(fields, typeField{in(p, "name").(string), typeIn(in(p, "schema"), to), in(p, "required") == true})
			}
		}
		if strings.HasPrefix(id, "list") && len(fields) > 0 {
			out += to.record(strings.ToUpper(id[:1])+id[1:]+"Query", fields)
		}
	}
	return out
}

func declared(name string, schema any, to tongue) string {
	fields := objectIn(schema, "properties")
	if len(fields) == 0 {
		return to.alias(name, typeIn(schema, to))
	}
	needed := listIn(schema, "required")
	list := make([]typeField, len(fields))
	for i, f := range fields {
		list[i] = typeField{f.name, typeIn(f.value, to), slices.Contains(needed, any(f.name))}
	}
	return to.record(name, list)
}

// typeIn returns the type of a schema.
func typeIn(schema any, to tongue) string {
	if ref, ok := in(schema, "$ref").(string); ok {
		return to.named(ref[strings.LastIndex(ref, "/")+1:])
	}
	var all []string
	add := func(one string) {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	for _, either := range append(listIn(schema, "anyOf"), listIn(schema, "oneOf")...) {
		add(typeIn(either, to))
	}
	for _, value := range append(listIn(schema, "enum"), in(schema, "const")) {
		if text, ok := value.(string); ok {
			add(to.literal(text))
		}
	}
	if len(all) > 0 {
		return to.union(all)
	}
	kinds, several := in(schema, "type").([]any)
	if !several {
		kinds = []any{in(schema, "type")}
	}
	for _, kind := range kinds {
		switch kind, _ := kind.(string); kind {
		case "array":
			add(to.list(typeIn(in(schema, "items"), to)))
		case "object":
			of := to.simple("")
			if more := in(schema, "additionalProperties"); more != nil && more != true && more != false {
				of = typeIn(more, to)
			}
			add(to.mapping(of))
		default:
			add(to.simple(kind))
		}
	}
	return to.union(all)
}

const generated = "Types of the interface of Kalends, written from its document (GET /doc) by go test ./api/doc -update."

type typeScript struct{}

func (*typeScript) head(version string) string {
	return "// " + generated + "\n\nexport const version = " + fmt.Sprintf("%q", version) + ";\n"
}
func (*typeScript) union(of []string) string { return strings.Join(of, " | ") }
func (*typeScript) list(of string) string {
	if strings.Contains(of, " | ") {
		of = "(" + of + ")"
	}
	return of + "[]"
}
func (*typeScript) mapping(of string) string   { return "Record<string, " + of + ">" }
func (*typeScript) named(name string) string   { return name }
func (*typeScript) literal(text string) string { return fmt.Sprintf("%q", text) }
func (*typeScript) simple(kind string) string {
	return map[string]string{"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null", "": "unknown"}[kind]
}

func (*typeScript) record(name string, fields []typeField) string {
	out := "\nexport interface " + name + " {\n"
	for _, f := range fields {
		label := f.name
		if !identifier.MatchString(label) {
			label = fmt.Sprintf("%q", label)
		}
		if !f.needed {
			label += "?"
		}
		out += "  " + label + ": " + f.of + ";\n"
	}
	return out + "}\n"
}
func (*typeScript) alias(name, of string) string { return "\nexport type " + name + " = " + of + ";\n" }

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)

type python struct{}

func (*python) head(version string) string {
	return `"""` + generated + "\"\"\"\n\nfrom __future__ import annotations\n\nfrom typing import Any, Literal, NotRequired, TypedDict, Union\n\n" +
		"version = " + fmt.Sprintf("%q", version) + "\n"
}
func (*python) union(of []string) string {
	if len(of) == 1 {
		return of[0]
	}
	return "Union[" + strings.Join(of, ", ") + "]"
}
func (*python) list(of string) string      { return "list[" + of + "]" }
func (*python) mapping(of string) string   { return "dict[str, " + of + "]" }
func (*python) named(name string) string   { return `"` + name + `"` }
func (*python) literal(text string) string { return "Literal[" + fmt.Sprintf("%q", text) + "]" }
func (*python) simple(kind string) string {
	return map[string]string{"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "": "Any"}[kind]
}

// record writes a dictionary by a call: members may be called like words of the language.
func (*python) record(name string, fields []typeField) string {
	out := "\n" + name + " = TypedDict(" + fmt.Sprintf("%q", name) + ", {\n"
	for _, f := range fields {
		of := f.of
		if !f.needed {
			of = "NotRequired[" + of + "]"
		}
		out += "    " + fmt.Sprintf("%q", f.name) + ": " + of + ",\n"
	}
	return out + "})\n"
}
func (*python) alias(name, of string) string { return "\n" + name + " = " + of + "\n" }
