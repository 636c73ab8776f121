package i18n

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

var update = flag.Bool("update", false, "rewrite the catalogues in their form: sorted by key, two blanks of indent")

// entry is one text of a file: its plural forms, or the form "other" alone.
type entry struct {
	forms  map[string]string
	plural bool
}

// entries returns what a catalogue's file says, read without go-i18n.
func entries(t *testing.T, tag string) map[string]entry {
	t.Helper()
	content, err := files.ReadFile(tag + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]any
	if err := json.Unmarshal(content, &raw); err != nil {
		t.Fatalf("%s: %v", tag, err)
	}
	list := map[string]entry{}
	for key, value := range raw {
		switch value := value.(type) {
		case string:
			list[key] = entry{forms: map[string]string{"other": value}}
		case map[string]any:
			e := entry{forms: map[string]string{}, plural: true}
			for form, text := range value {
				e.forms[form], _ = text.(string)
			}
			list[key] = e
		default:
			t.Errorf("%s: %s is neither a text nor plural forms", tag, key)
		}
	}
	return list
}

func TestFilesAreInTheirForm(t *testing.T) {
	for _, tag := range Languages() {
		name := tag + ".json"
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var raw map[string]any
		if err := json.Unmarshal(content, &raw); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var b bytes.Buffer
		w := json.NewEncoder(&b)
		w.SetEscapeHTML(false)
		w.SetIndent("", "  ")
		if err := w.Encode(raw); err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(b.Bytes(), content) {
			continue
		}
		if !*update {
			t.Errorf("%s is not sorted by key and indented; run the test with -update", name)
			continue
		}
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestNoKeyTwice(t *testing.T) {
	t.Parallel()
	for _, tag := range Languages() {
		content, err := files.ReadFile(tag + ".json")
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^  "([^"]+)":`).FindAllStringSubmatch(string(content), -1) {
			if seen[m[1]] {
				t.Errorf("%s has %s twice", tag, m[1])
			}
			seen[m[1]] = true
		}
	}
}

func TestEveryLanguageHasEveryText(t *testing.T) {
	t.Parallel()
	english := entries(t, source)
	for _, tag := range Languages() {
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			texts := entries(t, tag)
			for key := range english {
				if _, ok := texts[key]; !ok {
					t.Errorf("%s is missing", key)
				}
			}
			for key, e := range texts {
				if _, ok := english[key]; !ok {
					t.Errorf("%s is not in English", key)
					continue
				}
				checkForms(t, tag, key, e, english[key].plural)
				checkPlaceholders(t, key, e, english[key])
			}
		})
	}
}

// checkForms wants each plural form of the language (CLDR), and no other.
func checkForms(t *testing.T, tag, key string, e entry, pluralised bool) {
	t.Helper()
	if e.plural != pluralised {
		t.Errorf("%s: plural forms here %t, in English %t", key, e.plural, pluralised)
		return
	}
	want := []string{"other"}
	if e.plural {
		want = formsOf(tag)
	}
	if have := slices.Sorted(maps.Keys(e.forms)); !slices.Equal(have, want) {
		t.Errorf("%s has the forms %v, want %v", key, have, want)
	}
	for form, text := range e.forms {
		if strings.TrimSpace(text) == "" || text != strings.TrimSpace(text) {
			t.Errorf("%s, form %s: empty or with blanks around: %q", key, form, text)
		}
	}
}

// formsOf returns the plural forms of a language, found by counting; the form
// for millions is in newer CLDR than the counting, so it is named.
func formsOf(tag string) []string {
	names := map[plural.Form]string{plural.Other: "other", plural.Zero: "zero", plural.One: "one",
		plural.Two: "two", plural.Few: "few", plural.Many: "many"}
	forms := map[string]bool{"other": true}
	for n := range 1000 {
		forms[names[plural.Cardinal.MatchPlural(language.Make(tag), n, 0, 0, 0, 0)]] = true
	}
	switch tag {
	case "ca", "es", "fr", "gl", "it", "pt":
		forms["many"] = true
	}
	return slices.Sorted(maps.Keys(forms))
}

var placeholder = regexp.MustCompile(`{{\.([A-Za-z]+)}}`)

// checkPlaceholders wants the placeholders of English in every form; only the
// forms for zero, one and two may say the number in words.
func checkPlaceholders(t *testing.T, key string, e, english entry) {
	t.Helper()
	want := placeholders(english.forms["other"])
	for form, text := range e.forms {
		have := placeholders(text)
		inWords := e.plural && (form == "zero" || form == "one" || form == "two") && slices.Equal(have, slices.DeleteFunc(slices.Clone(want), isNumber))
		if !inWords && !slices.Equal(have, want) {
			t.Errorf("%s, form %s: placeholders %v, want %v", key, form, have, want)
		}
		if rest := placeholder.ReplaceAllString(text, ""); strings.ContainsAny(rest, "{}") {
			t.Errorf("%s, form %s: stray braces: %q", key, form, text)
		}
	}
}

// isNumber reports whether a placeholder holds the number that chooses the form.
func isNumber(name string) bool {
	return slices.Contains([]string{"Number", "Count", "Max", "Min"}, name)
}

func placeholders(text string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Arguments, values and codes stay as they are in every language, so what is
// written in Latin letters with an underscore must be the same everywhere.
func TestTechnicalNamesStay(t *testing.T) {
	t.Parallel()
	technical := regexp.MustCompile(`[a-z]+_[a-z_]+|https?://|UTC[+0-9]*|\bpublish\b|\bnull\b|\btrue\b|\bfalse\b|\bMiB\b|\bJSON\b|\bWebP\b`)
	english := entries(t, source)
	for _, tag := range Languages() {
		for key, e := range entries(t, tag) {
			want := technical.FindAllString(english[key].forms["other"], -1)
			have := technical.FindAllString(e.forms["other"], -1)
			slices.Sort(want)
			slices.Sort(have)
			if !slices.Equal(slices.Compact(want), slices.Compact(have)) {
				t.Errorf("%s: %s names %v, English names %v", tag, key, have, want)
			}
		}
	}
}
