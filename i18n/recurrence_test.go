package i18n

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/recur"
)

// What the rules of testdata/recurrence.json are called in each language. The
// series begins on Tuesday 5 January 2027 at 19:30 in Berlin.
func TestRecurrence(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "recurrence.json")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Lines string            `json:"lines"`
		Words map[string]string `json:"words"`
	}
	if err := json.Unmarshal(content, &cases); err != nil {
		t.Fatal(err)
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	c := recur.Clock{Zone: berlin, Start: time.Date(2027, 1, 5, 19, 30, 0, 0, time.UTC)}
	for i, have := range cases {
		set, problems := recur.ParseLines(have.Lines, c)
		if len(problems) > 0 {
			t.Fatalf("%s: %+v", have.Lines, problems)
		}
		words := map[string]string{}
		for _, lang := range Languages() {
			words[lang] = Recurrence(lang, set, c)
			if words[lang] != have.Words[lang] && !*update {
				t.Errorf("%s\ngot  %s\nwant %s", have.Lines, words[lang], have.Words[lang])
			}
			if strings.Contains(words[lang], "recurrence.") || strings.Contains(words[lang], "<no value>") {
				t.Errorf("%s: %s", lang, words[lang])
			}
		}
		cases[i].Words = words
	}
	if len(cases) < 40 {
		t.Errorf("%d rules", len(cases))
	}
	if !*update {
		return
	}
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	if err := w.Encode(cases); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
