package openapi_test

import (
	"go/parser"
	"go/token"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/web/openapi"
)

const document = `{"openapi":"3.1.0","info":{"title":"T","description":"D","version":"1"},"servers":[{"url":"https://example.org/v1/"}],
"tags":[{"name":"pet","description":"Pets: animals"},{"name":"none","description":"None"}],
"paths":{
 "/pets":{"get":{"tags":["pet"],"operationId":"listPets","summary":"List","parameters":[
   {"name":"limit","in":"query","schema":{"type":"integer","default":10,"minimum":1,"maximum":50}},
   {"name":"kind","in":"query","schema":{"type":"array","items":{"$ref":"#/components/schemas/Kind"}}},
   {"$ref":"#/components/parameters/strict"}],"responses":{"200":{"description":"Good","content":{"application/json":{"examples":{"sample":{"$ref":"#/components/examples/Pets"}}}}},"default":{"$ref":"#/components/responses/Error"}},"x-kalends-errors":[404],"security":[{},{"basic":[]}]},
  "post":{"tags":["pet"],"operationId":"createPet","summary":"Create","requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pet"},"example":{"name":"Rex's"}}}},"responses":{},"security":[{"basic":[]}]}},
 "/pets/photo":{"post":{"tags":["pet"],"operationId":"sendPhoto","summary":"Send","parameters":[{"name":"token","in":"query","required":true,"schema":{"type":"string"}}],
   "requestBody":{"content":{"multipart/form-data":{"schema":{"type":"object","properties":{"file":{"type":"string","format":"binary"}}}}}},
   "responses":{"200":{"description":"Good","content":{"text/calendar":{}}}},"security":[{}]}},
 "/pets/{id}":{"post":{"tags":["pet"],"operationId":"updatePetWithPost","summary":"Change","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}],"responses":{}},
  "patch":{"tags":["pet"],"operationId":"updatePet","summary":"Change","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}],"responses":{}},
  "put":{"tags":["pet"],"operationId":"updatePetWithPut","summary":"Change","responses":{}}}},
"components":{"parameters":{"strict":{"name":"strict","in":"query","description":"S","schema":{"type":"boolean"}}},
 "responses":{"Error":{"description":"Error"}},"x-kalends-errors":{"404":{"description":"Gone"}},"examples":{"Pets":{"value":[{"name":"Rex"}]}},
 "schemas":{"Pet":{"type":"object","required":["name"],"properties":{"zebra":{"type":["string","null"],"maxLength":5},"name":{"type":"string","description":"N"},
   "owner":{"anyOf":[{"type":"integer"},{"$ref":"#/components/schemas/Owner"}]}}},"Owner":{"type":"object"},"Kind":{"type":"string","enum":["cat","dog"]}}}}`

func TestRead(t *testing.T) {
	d, err := openapi.Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	pets := d.Resource("pet")
	if d.Server != "https://example.org/v1" || pets == nil || d.Resource("cow") != nil || len(pets.Operations) != 4 {
		t.Fatalf("%+v", d)
	}
	list, create, change := pets.Operations[0], pets.Operations[1], pets.Operations[3]
	if !list.Open || create.Open || list.Method != http.MethodGet || len(list.Arguments) != 3 {
		t.Errorf("%+v", list)
	}
	if a := list.Arguments[0]; a.Default != "10" || strings.Join(a.Limits, " ") != "≥ 1 ≤ 50" || a.Type != "integer" {
		t.Errorf("%+v", a)
	}
	if a := list.Arguments[1]; a.Type != "array of string" || strings.Join(a.Values, " ") != "cat dog" {
		t.Errorf("%+v", a)
	}
	if a := list.Arguments[2]; a.Name != "strict" || a.Description != "S" {
		t.Errorf("%+v", a)
	}
	if a := list.Answers; len(a) != 2 || !a[0].Good() || !strings.Contains(a[0].Example, "  \"name\": \"Rex\"") || a[1].Description != "Gone" || a[1].Good() {
		t.Errorf("%+v", a)
	}
	if f := create.Fields; len(f) != 3 || f[0].Name != "zebra" || f[0].Type != "string | null" || !f[1].Required || f[2].Type != "integer | object" {
		t.Errorf("%+v", f)
	}
	if change.ID != "updatePet" || change.Method != http.MethodPatch || strings.Join(change.Also, " ") != "POST PUT" {
		t.Errorf("%+v", change)
	}
	if _, err := openapi.Read([]byte(`{"paths":[]}`)); err == nil {
		t.Error("a list of paths is no document")
	}
}

func TestSamples(t *testing.T) {
	d, err := openapi.Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"listPets":  {`curl 'https://example.org/v1/pets'`, "fetch('https://example.org/v1/pets')", "requests.request('GET', 'https://example.org/v1/pets')"},
		"createPet": {`"name": "Rex'\''s"`, `"name": "Rex's"`, "YOUR_KEY", "Content-Type"},
		"updatePet": {"https://example.org/v1/pets/42", "PATCH"},
		"sendPhoto": {"'https://example.org/v1/pets/photo?token=YOUR_TOKEN'", "-F 'file=@photo.jpg'", "form.append('file', file", "files={'file': open('photo.jpg', 'rb')}",
			`form.CreateFormFile("file", "photo.jpg")`, "new CURLFile('photo.jpg')", "answer.text()", "answer.text)"},
	} {
		for _, o := range d.Resource("pet").Operations {
			if o.ID != name {
				continue
			}
			all := ""
			for _, s := range d.Samples(&o) {
				all += s.Code + "\n"
				if s.Name != "Go" {
					continue
				}
				if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+s.Code+"\n}", 0); err != nil {
					t.Errorf("%s: %v\n%s", name, err, s.Code)
				}
			}
			for _, text := range want {
				if !strings.Contains(all, text) {
					t.Errorf("%s: no %s in\n%s", name, text, all)
				}
			}
		}
	}
}
