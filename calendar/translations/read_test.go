package translations

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// storedTexts are texts as stores write them, and others.
var storedTexts = []string{
	`{}`, ` {} `, `null`, ``, `[]`, `{"de": {}}`,
	`{"de": {"title": "Chor", "slug": "chor", "version": 42, "outdated": true}, "pt-BR": {"cost": ["5 €", "frei"], "outdated": false}}`,
	`{"de":{"description":"<p class=\"a\">Eins,\nzwei \\ drei\/vier\t</p>","excerpt":"","cost":[]}}`,
	`{"de": {"title": "a\u0001\u00fc\ud83d\ude00b"}}`, `{"de": {"title": "ü😀"}, "de": {"slug": "x"}}`,
	`{"de": {"title": 1}}`, `{"de": {"version": 007}}`, `{"de": {"version": -1}}`, `{"de": {"version": 1.5}}`, `{"de": {"version": 12345678901234567890}}`,
	`{"de": {"version": 1234567890123456789}}`, `{"de": {"other": {"a": [1, "b"]}, "title": "x"}}`, `{"de": null}`, `{"de": {"title": null}}`,
	`{"de": {"title": "x"}`, `{"de": {"title": "x"}} x`, `{"de": {"title": "x\q"}}`, `{"de": {"title": "x`, `{"de": {"title": "x\`, `{,}`, `{"de": {"title": "x",}}`,
	`{"de": {"outdated": tru}}`, "{\n\"de\": {\"Title\": \"x\"}}",
}

// Texts are parsed like encoding/json does.
func TestReadTexts(t *testing.T) {
	t.Parallel()
	for _, raw := range storedTexts {
		sameTexts(t, raw)
	}
	r := textReader{s: storedTexts[6]}
	r.object(func(string) { r.object(func(name string) { r.field(&Text{}, name) }) })
	if r.odd {
		t.Error("what stores write is left to encoding/json")
	}
}

func sameTexts(t *testing.T, raw string) {
	t.Helper()
	want := map[string]Text{}
	if json.Unmarshal([]byte(raw), &want) != nil && !strings.HasPrefix(raw, "{") {
		want = map[string]Text{}
	}
	if got := readTexts([]byte(raw)); len(got)+len(want) > 0 && !cmp.Equal(got, want, cmpopts.EquateEmpty()) {
		t.Errorf("%s: %s", raw, cmp.Diff(want, got))
	}
}

// For any input, both parsers agree.
func FuzzReadTexts(f *testing.F) {
	for _, raw := range storedTexts {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if utf8.ValidString(raw) && json.Valid([]byte(raw)) {
			sameTexts(t, raw)
		}
	})
}

func BenchmarkReadTexts(b *testing.B) {
	raw := []byte(`{"de": {"slug": "choere-im-park", "title": "Chöre im Park", "excerpt": "<p>Kurz gesagt.</p>", "version": 12, "description": "` +
		strings.Repeat(`<p class=\"x\">Was hier geschieht, ist der Rede wert.</p>\n`, 20) + `"}}`)
	b.Run("readTexts", func(b *testing.B) {
		for b.Loop() {
			readTexts(raw)
		}
	})
	b.Run("json", func(b *testing.B) {
		for b.Loop() {
			all := map[string]Text{}
			if err := json.Unmarshal(raw, &all); err != nil {
				b.Fatal(err)
			}
		}
	})
}
