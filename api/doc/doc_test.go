package doc_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gofiber/fiber/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/doc"
	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/api/platform"
	"github.com/kalends/kalends/api/schema"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/apitest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// skin is one of the two interfaces with a document of their own.
type skin struct {
	name   string
	path   string // of the document
	routes []api.Route
	shapes []schema.Component
	mount  func(fiber.Router)
}

func skins() []skin {
	a := api.New(services.New(nil, nil, nil)).Offering(api.Services{Manual: doc.Calendar})
	p := platform.New(nil, nil, "kalends.example", func(string) bool { return true })
	return []skin{{"calendar", api.Namespace + "/doc", a.Routes(), schema.Calendar, a.Mount},
		{"platform", api.PlatformNamespace + "/doc", p.Routes(), schema.Platform, p.Mount}}
}

// document returns the document of an interface in a language.
func (s skin) document(t testing.TB, language string) []byte {
	t.Helper()
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Use(func(c *fiber.Ctx) error {
		c.SetUserContext(tenancy.With(c.UserContext(), apitest.Scope(language)))
		return c.Next()
	})
	s.mount(app)
	answer, err := app.Test(httptest.NewRequestWithContext(t.Context(), http.MethodGet, s.path, nil), -1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	document, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%d, %v", answer.StatusCode, err)
	}
	return document
}

// load reads and validates a document.
func load(t *testing.T, document []byte) *openapi3.T {
	t.Helper()
	read := apitest.Load(t, document)
	if err := read.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestDocumentsAreValid(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			read := load(t, s.document(t, "en"))
			if !read.IsOpenAPI31OrLater() || len(read.Servers) != 1 || !strings.HasPrefix(read.Servers[0].URL, "https://demo.example/") {
				t.Errorf("%s at %v", read.OpenAPI, read.Servers)
			}
		})
	}
}

// Every method of every route is an operation with a unique name, in table order.
func TestDocumentsHoldEveryOperation(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			document := s.document(t, "en")
			read := load(t, document)
			names, n, at := map[string]bool{}, 0, 0
			for _, r := range s.routes {
				found := bytes.Index(document, []byte(`"`+r.Path+`":{"`))
				if found < at {
					t.Errorf("%s is out of order", r.Path)
				}
				at = max(at, found)
				for _, method := range r.Methods {
					n++
					id := read.Paths.Value(r.Path).GetOperation(method).OperationID
					if id == "" || names[id] {
						t.Errorf("%s %s: operation %q again", method, r.Path, id)
					}
					names[id] = true
				}
			}
			if n != len(names) {
				t.Errorf("%d operations, %d names", n, len(names))
			}
		})
	}
}

func TestDocumentsSaySameInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		want := structure(t, s.document(t, "en"))
		for _, language := range i18n.Languages() {
			got := structure(t, s.document(t, language))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s in %s:\n%s", s.name, language, diff)
			}
		}
	}
}

// The golden files are the documents without texts. A change of the interface requires a new Version; before its
// release, delete its golden file and write it again.
func TestInterfaceHasItsVersion(t *testing.T) {
	t.Parallel()
	for _, s := range skins() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			got := structure(t, s.document(t, "en"))
			file := filepath.Join("..", "testdata", "openapi."+s.name+".golden.json")
			golden, err := os.ReadFile(file)
			if err != nil && !*update {
				t.Fatal(err)
			}
			if got == string(golden) {
				return
			}
			diff := cmp.Diff(string(golden), got)
			switch {
			case bytes.Contains(golden, []byte(`"version": "`+api.Version+`"`)):
				t.Errorf("the interface changed and is still called %s:\n%s", api.Version, diff)
			case *update:
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Error(err)
				}
			default:
				t.Errorf("write the golden file of %s anew:\n%s", api.Version, diff)
			}
		})
	}
}

// structure returns an indented document with empty texts.
func structure(t *testing.T, document []byte) string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	w := &jsontext.Writer{}
	emptied(t, decoder, w, "")
	var out bytes.Buffer
	if err := json.Indent(&out, w.Bytes, "", " "); err != nil {
		t.Fatal(err)
	}
	return out.String() + "\n"
}

// emptied copies a JSON value in order, without texts for people.
func emptied(t *testing.T, d *json.Decoder, w *jsontext.Writer, path string) {
	t.Helper()
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	bracket, opens := token.(json.Delim)
	if !opens {
		if strings.HasSuffix(path, ".description") || strings.HasSuffix(path, ".summary") || path == ".info.title" {
			token = ""
		}
		text, err := json.Marshal(token)
		if err != nil {
			t.Fatal(err)
		}
		w.Bytes = append(w.Bytes, text...)
		return
	}
	w.Bytes = append(w.Bytes, byte(bracket))
	for d.More() {
		inner := path + "[]"
		if bracket == '{' {
			name, _ := d.Token()
			inner = path + "." + name.(string)
			w.Key(name.(string))
		} else {
			w.Comma()
		}
		emptied(t, d, w, inner)
	}
	closing, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	w.Bytes = append(w.Bytes, byte(closing.(json.Delim)))
}

// No text of the documents is missing in any language.
func TestEverythingHasItsText(t *testing.T) {
	t.Parallel()
	keys := []string{"schema.Error", "doc.title", "doc.description", "doc.platform.title", "doc.platform.description", "doc.server", "doc.platform.server"}
	for _, s := range skins() {
		read := load(t, s.document(t, "en"))
		for i := range s.routes {
			r := &s.routes[i]
			keys = append(keys, textKeys(t, r, read.Paths.Value(r.Path).GetOperation(r.Methods[0]))...)
		}
		keys = append(keys, s.memberKeys()...)
	}
	for key := range catalogue(t, "en") {
		if strings.HasPrefix(key, "member.") && !slices.Contains(keys, key) {
			t.Errorf("nothing in an answer is described by %s", key)
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for _, language := range i18n.Languages() {
		texts := catalogue(t, language)
		for _, key := range keys {
			if len(texts[key]) <= len(`""`) {
				t.Errorf("%s has no text for %s", language, key)
			}
		}
	}
}

// catalogue reads the texts of one language directly, because missing texts would be shown in English.
func catalogue(t *testing.T, language string) map[string]json.RawMessage {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "i18n", "texts", language+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]json.RawMessage
	if err := json.Unmarshal(content, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

// memberKeys returns the keys of the descriptions of everything in answers.
func (s skin) memberKeys() (keys []string) {
	for _, one := range s.shapes {
		one.Shape.Append(nil, func(key string) string {
			keys = append(keys, key)
			return ""
		})
	}
	return keys
}

// textKeys returns the keys of all texts about a route and its operation.
func textKeys(t *testing.T, r *api.Route, operation *openapi3.Operation) []string {
	t.Helper()
	keys := []string{"route." + r.Name, "doc.tag." + operation.Tags[0], "doc.answer." + strconv.Itoa(r.Status)}
	if r.Answers != "" {
		keys = append(keys, "schema."+r.Answers)
	}
	if r.GivesArchive() {
		keys = append(keys, "doc.answer.206")
	}
	for _, f := range append(r.Arguments(), r.Others.Fields...) {
		keys = append(keys, api.ArgumentKey(r, &f))
	}
	for _, status := range errorsOf(t, operation) {
		keys = append(keys, "doc.answer."+strconv.Itoa(status))
	}
	return keys
}

// errorsOf returns the statuses of errors that an operation lists.
func errorsOf(t *testing.T, operation *openapi3.Operation) (statuses []int) {
	t.Helper()
	if err := json.Unmarshal(raw(t, operation.Extensions["x-kalends-errors"]), &statuses); err != nil {
		t.Error(err)
	}
	return statuses
}

func BenchmarkDocument(b *testing.B) {
	s := skins()[0]
	for b.Loop() {
		s.document(b, "en")
	}
}
