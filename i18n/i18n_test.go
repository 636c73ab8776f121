package i18n

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/kalends/kalends/tenancy"
)

func TestLanguages(t *testing.T) {
	t.Parallel()
	want := []string{"en", "ar", "de", "es", "fr", "ja"}
	got := Languages()
	if got[0] != "en" || !slices.IsSorted(got[1:]) {
		t.Errorf("Languages() = %v", got)
	}
	Languages()[0] = "changed"
	if Languages()[0] != "en" {
		t.Error("the caller can change the list")
	}
	for _, tag := range want {
		if !Supported(tag) {
			t.Errorf("%s is not supported", tag)
		}
	}
	for _, tag := range []string{"", "DE", "de-AT", "tlh", "../en"} {
		if Supported(tag) {
			t.Errorf("%q is supported", tag)
		}
	}
}

func TestDirectionAndNativeName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, direction, name string }{
		{"en", "ltr", "English"}, {"de", "ltr", "Deutsch"}, {"fr", "ltr", "Français"}, {"es", "ltr", "Español"},
		{"ar", "rtl", "العربية"}, {"ja", "ltr", "日本語"}, {"ar-EG", "rtl", "العربية"}, {"de-AT", "ltr", "Österreichisches Deutsch"},
		{"ca", "ltr", "Català"}, {"eu", "ltr", "Euskara"}, {"cy", "ltr", "Cymraeg"}, {"nb", "ltr", "Norsk bokmål"}, {"ru", "ltr", "Русский"},
		{"zh-Hant", "ltr", "繁體中文"}, {"pt-PT", "ltr", "Português europeu"}, {"ur", "rtl", "اردو"}, {"yi", "rtl", "ייִדיש"}, {"ckb", "rtl", "کوردیی ناوەندی"},
		{"", "ltr", ""}, {"tlh", "ltr", "tlh"},
	} {
		if got := Direction(c.lang); got != c.direction {
			t.Errorf("Direction(%q) = %q", c.lang, got)
		}
		if got := NativeName(c.lang); got != c.name {
			t.Errorf("NativeName(%q) = %q", c.lang, got)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	most := func(n any) map[string]any { return map[string]any{"Max": n} }
	for _, c := range []struct {
		lang, key string
		data      map[string]any
		want      string
	}{
		{"en", "problem.missing", nil, "This parameter is required."},
		{"de", "problem.missing", nil, "Dieser Parameter ist erforderlich."},
		{"de-AT", "problem.missing", nil, "Dieser Parameter ist erforderlich."},
		{"", "problem.missing", nil, "This parameter is required."},
		{"tlh", "problem.missing", nil, "This parameter is required."},
		{"en", "no.such.key", nil, "no.such.key"},
		{"de", "no.such.key", nil, "no.such.key"},
		{"en", "", nil, ""},
		{"en", "problem.max", most(int64(50)), "The number must be at most 50."},
		{"en", "problem.max", most(1e9), "The number must be at most 1000000000."},
		{"en", "problem.max", most(-90.5), "The number must be at most -90.5."},
		{"en", "problem.max", most(json.Number("7")), "The number must be at most 7."},
		{"en", "problem.max", nil, "The number must be at most ."},
		{"en", "problem.entries", most(1), "Enter a list with at most 1 entry."},
		{"en", "problem.entries", most(500), "Enter a list with at most 500 entries."},
		{"en", "problem.entries", most(1.0), "Enter a list with at most 1 entry."},
		{"en", "problem.entries", most("many"), "Enter a list with at most many entries."},
		{"en", "problem.entries", nil, "Enter a list with at most  entries."},
		{"en", "problem.entries", map[string]any{"Max": 500, "Count": 1}, "Enter a list with at most 500 entry."},
		{"de", "problem.entries", most(1), "Geben Sie eine Liste mit höchstens 1 Eintrag an."},
		{"de", "problem.entries", most(2), "Geben Sie eine Liste mit höchstens 2 Einträgen an."},
	} {
		if got := Text(c.lang, c.key, c.data); got != c.want {
			t.Errorf("Text(%q, %q, %v) = %q, want %q", c.lang, c.key, c.data, got, c.want)
		}
	}
}

// Every plural form of every language selects its own text.
func TestPluralForms(t *testing.T) {
	t.Parallel()
	for _, tag := range Languages() {
		for key, e := range entries(t, tag) {
			if !e.plural {
				continue
			}
			said := map[string]bool{}
			for _, n := range []any{0, 1, 2, 3, 11, 100, 1000000, 1.5} {
				text := Text(tag, key, map[string]any{"Count": n, "Max": n, "Min": n})
				if strings.ContainsAny(text, "{}") || text == key {
					t.Errorf("%s: %s with %v: %q", tag, key, n, text)
				}
				said[placeholder.ReplaceAllString(text, "")] = true
			}
			different := map[string]bool{}
			for _, text := range e.forms {
				different[text] = true
			}
			if len(said) < len(different) {
				t.Errorf("%s: %s says %d texts in %d forms", tag, key, len(said), len(different))
			}
		}
	}
}

func TestEnglishFillsGaps(t *testing.T) {
	t.Parallel()
	all, err := load(fstest.MapFS{
		"en.json": {Data: []byte(`{"a": "one", "b": "two {{.X}}"}`)},
		"he.json": {Data: []byte(`{"a": "אחת"}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all.tags, []string{"en", "he"}) || !all.byTag["he"].rightToLeft {
		t.Errorf("a new file is a new language: %v", all.tags)
	}
	if all.byTag["he"].all()["b"] != nil || all.byTag["en"].all()["b"] == nil {
		t.Error("texts of one language are known to another")
	}
}

func TestBrokenCataloguesAreRefused(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]fstest.MapFS{
		"no English":       {"de.json": {Data: []byte(`{"a": "eins"}`)}},
		"no JSON":          {"en.json": {Data: []byte(`{"a": `)}},
		"a call":           {"en.json": {Data: []byte(`{"a": "{{printf .X}}"}`)}},
		"a path":           {"en.json": {Data: []byte(`{"a": "{{.X.Y}}"}`)}},
		"not closed":       {"en.json": {Data: []byte(`{"a": "{{.X"}`)}},
		"no name":          {"en.json": {Data: []byte(`{"a": "{{.}}"}`)}},
		"in a plural form": {"en.json": {Data: []byte(`{"a": {"one": "{{X}}", "other": "x"}}`)}},
	} {
		all, err := load(files)
		if err == nil {
			err = all.byTag["en"].read()
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// secret has what a template could reach.
type secret struct{ Password string }

func (secret) String() string { return "shown" }
func (secret) Delete() string { panic("called") }

func TestDataIsNeverATemplate(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"{{.Allowed}}", "{{.Params}}", `{{printf "%d" 1}}`, "{{", "}}", "{{/*", "{{template \"x\"}}", "%s%d", "<b>&"} {
		got := Text("en", "error.rest_invalid_param", map[string]any{"Params": value, "Allowed": "leak"})
		if want := "These parameters are invalid: " + value + "."; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		plural := Text("en", "problem.entries", map[string]any{"Max": value})
		if !strings.Contains(plural, value) {
			t.Errorf("got %q", plural)
		}
		if got := Text("en", value, map[string]any{"Allowed": "leak"}); got != value {
			t.Errorf("key %q became %q", value, got)
		}
	}
	got := Text("en", "problem.max", map[string]any{"Max": secret{"hidden"}})
	if got != "The number must be at most shown." {
		t.Errorf("got %q", got)
	}
}

func TestT(t *testing.T) {
	t.Parallel()
	ctx := tenancy.With(context.Background(), tenancy.Scope{Language: "de"})
	if got := T(ctx, "problem.max", map[string]any{"Max": 3}); got != "Die Zahl darf höchstens 3 betragen." {
		t.Errorf("got %q", got)
	}
	if got := T(context.Background(), "problem.missing", nil); got != "This parameter is required." {
		t.Errorf("got %q", got)
	}
}

func TestPlainTextsAllocateNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { Text("de", "arg.event.title", nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { Match("de-AT,de;q=0.9", "en") }); n != 0 {
		t.Errorf("%v allocations of a remembered header", n)
	}
}

func BenchmarkText(b *testing.B) {
	data := map[string]any{"Max": 500}
	for _, key := range []string{"arg.event.title", "problem.max", "problem.entries"} {
		b.Run(key, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Text("de", key, data)
			}
		})
	}
}

// A path may begin with a language in any letter case, or without one.
func TestCut(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][3]string{
		"/de/events/": {"de", "/de", "/events/"}, "/PT-br": {"pt-BR", "/PT-br", ""}, "/events/": {"", "", "/events/"},
		"": {"", "", ""}, "/": {"", "", "/"}, "de": {"", "", "de"}, "/tlh/events": {"tlh", "/tlh", "/events"}, "/zh-hant/event/x/": {"zh-Hant", "/zh-hant", "/event/x/"}, "/NB": {"nb", "/NB", ""},
		"/tag/x/": {"", "", "/tag/x/"}, "/map": {"", "", "/map"}, "/rss": {"", "", "/rss"}, "/xx/events": {"", "", "/xx/events"}, "/de-x-private/": {"", "", "/de-x-private/"},
		"/mul/": {"", "", "/mul/"}, "/events-2/": {"", "", "/events-2/"}, "/ca-/": {"", "", "/ca-/"}, "//de/": {"", "", "//de/"},
	} {
		tag, prefix, rest := Cut(path)
		if got := [3]string{tag, prefix, rest}; got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// A site with British dates has British spelling on its pages, in English only.
func TestBritishSpelling(t *testing.T) {
	t.Parallel()
	site := &tenancy.Site{ID: 1, Settings: tenancy.Settings{English: "british"}}
	for language, want := range map[string]string{"en": "Colour", "de": Text("de", "admin.field.color", nil)} {
		ctx := tenancy.With(t.Context(), tenancy.Scope{Site: site, Language: language})
		if got := T(ctx, "admin.field.color", nil); got != want {
			t.Errorf("%s: %q, want %q", language, got, want)
		}
	}
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: 1}, Language: "en"})
	if got := T(ctx, "admin.field.color", nil); got != "Color" {
		t.Errorf("elsewhere %q", got)
	}
}

// Numbers in mail have the digits of the language.
func TestNumber(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"en": "30", "de": "30", "ar": "٣٠", "fa": "۳۰"} {
		if got := Number(language, 30); got != want {
			t.Errorf("%s: %s, want %s", language, got, want)
		}
	}
}

// Readers of a language without a catalog get the interface in the nearest language by CLDR.
func TestInterface(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"en": "en", "pt-BR": "pt-BR", "de-AT": "de", "ca": "es", "eu": "es", "gl": "es", "cy": "en", "ga": "en", "nb": "da",
		"pt-PT": "pt-BR", "zh-Hant": "zh-Hans", "tlh": "en", "": "en"} {
		if got := Interface(lang); got != want {
			t.Errorf("Interface(%q) = %q, want %q", lang, got, want)
		}
		if got := Text(lang, "language.name", nil); got != Text(want, "language.name", nil) {
			t.Errorf("texts in %q are as %q", lang, got)
		}
	}
}
