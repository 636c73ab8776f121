package i18n

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// faulty returns a modified catalog.
func faulty(t *testing.T, tag string, change func(content string) string) []string {
	t.Helper()
	content, err := files.ReadFile(tag + ".json")
	if err != nil {
		t.Fatal(err)
	}
	style, err := files.ReadFile("style/" + tag + ".json")
	if err != nil {
		t.Fatal(err)
	}
	changed := change(string(content))
	if changed == string(content) {
		t.Fatal("nothing was changed")
	}
	found, err := Check(tag, []byte(changed), style)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range found {
		list = append(list, f.String())
	}
	return list
}

// Each fault in a catalog is found once.
func TestCheckFindsFaults(t *testing.T) {
	t.Parallel()
	swap := func(pattern, with string) func(string) string {
		return func(s string) string {
			at := regexp.MustCompile(pattern).FindStringIndex(s)
			if at == nil {
				return s
			}
			return s[:at[0]] + with + s[at[1]:]
		}
	}
	for name, c := range map[string]struct {
		change func(string) string
		want   string
	}{
		"a missing key":          {swap(`(?m)^  "admin.quick.new": .*\n`, ""), "de: admin.quick.new: it is missing"},
		"an extra key":           {swap(`(?m)^  "admin.quick.new": `, `  "admin.quick.neww": "x",`+"\n"+`  "admin.quick.new": `), "it is not in English"},
		"a key twice":            {swap(`(?m)^  "admin.quick.new": `, `  "admin.quick.new": "x",`+"\n"+`  "admin.quick.new": `), "it occurs twice"},
		"not in its form":        {swap(`(?m)^  "admin.quick.new": `, `    "admin.quick.new": `), "is not sorted by key"},
		"a plural form too few":  {swap(`(?s)("recurrence.count.number": \{\n)    "one": [^\n]*\n`, `"recurrence.count.number": {`+"\n"), "it has the forms [other], want [one other]"},
		"a plural form too many": {swap(`("recurrence.count.number": \{\n)`, `"recurrence.count.number": {`+"\n"+`    "few": "{{.Number}}-mal",`+"\n"), "want [one other]"},
		"a placeholder":          {swap(`alle {{.Number}} Tage`, "alle {{.Nummer}} Tage"), "its placeholders are [Nummer], want [Number]"},
		"a brace":                {swap(`alle {{.Number}} Tage`, "alle {{.Number}} }Tage"), "stray braces"},
		"a blank":                {swap(`Dieser Parameter ist erforderlich\.`, "Dieser Parameter ist erforderlich. "), "spaces around"},
		"a straight quote":       {swap(`Dieser Parameter ist`, `Dieser 'Parameter ist`), "a straight quote"},
		"a quote that is open":   {swap(`Dieser Parameter ist`, `Dieser „Parameter ist`), "quotes are opened and closed differently"},
		"English":                {swap(`Dieser Parameter ist erforderlich\.`, "This parameter is required."), "it is in English"},
		"a word decided against": {swap(`Dieser Parameter ist`, "Dein Parameter ist"), "elsewhere it is Sie"},
		"a technical name":       {swap(`Dieser Parameter ist`, "start_date ist"), "it names [start_date], English names []"},
		"a form nothing has":     {swap(`(?m)^  "admin.quick.new": `, `  "admin.quick.new@1": "x",`+"\n"+`  "admin.quick.new": `), `admin.quick.new has no form "1"`},
		"a class nothing has":    {swap(`(?m)^  "recurrence.nth.1": `, `  "recurrence.nth.1@f": "x",`+"\n"+`  "recurrence.nth.1": `), `recurrence.nth.1 has no form "f"`},
		"a wide weekday":         {swap(`"date.weekday.short.1": "Mo"`, `"date.weekday.short.1": "Montags am"`), "it has 10 columns, but room for 8"},
	} {
		found := faulty(t, "de", c.change)
		if !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, c.want) }) {
			t.Errorf("%s: found %q, want %q", name, found, c.want)
		}
	}
}

// Forms that a language needs are not faults.
func TestCheckKnowsForms(t *testing.T) {
	t.Parallel()
	found := faulty(t, "de", func(s string) string {
		s = strings.Replace(s, `  "recurrence.nth.1": `, `  "recurrence.nth.1@f": "erste {{.Day}}",
  "recurrence.nth.1@0": "ersten Werktag",
  "recurrence.nth.1": `, 1)
		s = strings.Replace(s, `  "date.weekday.3": `, `  "date.weekday.3@on": "Mittwochs",`+"\n"+`  "date.weekday.3": `, 1)
		s = strings.Replace(s, `  "language.name": `, `  "grammar.weekdays": "nnfmmff",`+"\n"+`  "language.name": `, 1)
		form, err := InForm([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return string(form)
	})
	if len(found) > 0 {
		t.Errorf("%q", found)
	}
}

func TestCheckRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][3]string{
		"no language":  {"not a language", "{}", `{"quotes":"“”"}`},
		"no JSON":      {"de", "{", `{"quotes":"“”"}`},
		"a list":       {"de", `{"a":[1]}`, `{"quotes":"“”"}`},
		"no style":     {"de", "{}", ``},
		"no quotes":    {"de", "{}", `{}`},
		"a bad rule":   {"de", "{}", `{"quotes":"“”","dropped":[{"pattern":"(","instead":"x"}]}`},
		"unknown rule": {"de", "{}", `{"quotes":"“”","colour":"blue"}`},
	} {
		if _, err := Check(c[0], []byte(c[1]), []byte(c[2])); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The plural forms are those of CLDR 48 as far as go-i18n supports them.
func TestPluralFormsOfLanguages(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"en": "one other", "ar": "few many one other two zero", "cs": "few many one other", "da": "one other", "de": "one other",
		"el": "one other", "es": "many one other", "fa": "one other", "fi": "one other", "fr": "many one other", "he": "one other two",
		"hi": "one other", "hu": "one other", "id": "other", "it": "many one other", "ja": "other", "ko": "other", "nl": "one other",
		"pl": "few many one other", "pt-BR": "many one other", "sv": "one other", "tr": "one other", "uk": "few many one other",
		"zh-Hans": "other",
	} {
		if got := strings.Join(pluralForms(tag), " "); got != want {
			t.Errorf("%s: %s, want %s", tag, got, want)
		}
	}
}

// A missing glossary term is a hint.
func TestCheckHints(t *testing.T) {
	t.Parallel()
	content, err := files.ReadFile("de.json")
	if err != nil {
		t.Fatal(err)
	}
	terms := func(pattern string) map[bool]int {
		found, err := Check("de", content, []byte(`{"quotes":"„“","terms":[{"english":"passkey","pattern":"`+pattern+`"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		n := map[bool]int{}
		for _, f := range found {
			n[f.Hint]++
		}
		return n
	}
	if right, wrong := terms("passkey"), terms("hauptschlüssel"); right[true] > 0 || wrong[true] == 0 || !maps.Equal(map[bool]int{false: right[false]}, map[bool]int{false: wrong[false]}) {
		t.Errorf("with the word %v, with another %v", right, wrong)
	}
}
