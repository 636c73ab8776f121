package i18n

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// said is a rule with its description in a file of testdata/recurrence.
type said struct {
	Lines string `json:"lines"`
	Words string `json:"words"`
}

// The descriptions of rules in each language equal those in testdata/recurrence. The rules are those of the English
// file. The series begins on Tuesday, 5 January 2027, at 19:30 in Berlin.
func TestRecurrence(t *testing.T) {
	t.Parallel()
	rules := goldenOf(t, source)
	if len(rules) < 40 {
		t.Errorf("%d rules", len(rules))
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	c := recur.Clock{Zone: berlin, Start: time.Date(2027, 1, 5, 19, 30, 0, 0, time.UTC)}
	for _, lang := range Languages() {
		want := map[string]string{}
		for _, one := range goldenOf(t, lang) {
			want[one.Lines] = one.Words
		}
		var list []said
		for _, rule := range rules {
			set, problems := recur.ParseLines(rule.Lines, c)
			if len(problems) > 0 {
				t.Fatalf("%s: %+v", rule.Lines, problems)
			}
			words := Recurrence(lang, set, c)
			if words != want[rule.Lines] && !*update {
				t.Errorf("%s: %s\ngot  %s\nwant %s", lang, rule.Lines, words, want[rule.Lines])
			}
			if strings.Contains(words, "recurrence.") || strings.Contains(words, "<no value>") {
				t.Errorf("%s: %s", lang, words)
			}
			list = append(list, said{rule.Lines, words})
		}
		if len(want) != len(list) && !*update {
			t.Errorf("%s: %d rules, English has %d", lang, len(want), len(list))
		}
		if *update {
			keep(t, lang, list)
		}
	}
}

func goldenPath(lang string) string { return filepath.Join("testdata", "recurrence", lang+".json") }

// goldenOf reads the file of a language, or nothing for a new language.
func goldenOf(t *testing.T, lang string) []said {
	t.Helper()
	content, err := os.ReadFile(goldenPath(lang))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var list []said
	if err == nil {
		err = json.Unmarshal(content, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func keep(t *testing.T, lang string, list []said) {
	t.Helper()
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	if err := w.Encode(list); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(goldenPath(lang), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The sentences shown to translators use every text about series.
func TestSentencesNeedEveryText(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	marked := map[string]any{}
	for key, e := range entries(t, source) {
		if !strings.HasPrefix(key, "recurrence.") && !strings.HasPrefix(key, "date.") {
			continue
		}
		text := "⟨" + key + "⟩"
		for _, name := range placeholdersOf(e.forms["other"]) {
			text += "{{." + name + "}}"
		}
		if marked[key] = text; e.plural {
			marked[key] = map[string]string{"one": text, "other": text}
		}
		asked[key] = strings.HasPrefix(key, "recurrence.")
	}
	content, err := json.Marshal(marked)
	if err != nil {
		t.Fatal(err)
	}
	list, err := Sentences("da", content)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.English == "" || strings.Contains(s.English, "⟨") {
			t.Errorf("%s: %q in English", s.Rule, s.English)
		}
		for key := range asked {
			if strings.Contains(s.Words, "⟨"+key+"⟩") {
				delete(asked, key)
			}
		}
	}
	for _, key := range []string{"recurrence.ordinal.one", "recurrence.ordinal.two", "recurrence.ordinal.few"} {
		delete(asked, key) // which Danish hasn't
	}
	for key, text := range asked {
		if text {
			t.Errorf("no sentence needs %s", key)
		}
	}
}

// The forms of a language are used where they apply.
func TestForms(t *testing.T) {
	t.Parallel()
	content := []byte(`{
		"date.weekday.3": "středa", "date.weekday.3@on": "středu", "date.weekday.2": "úterý", "date.weekday.2@nth": "úterek", "date.weekday.5": "pátek",
		"date.month.1": "ledna", "date.month.1@in": "lednu", "date.month.3": "března", "date.month.3@alone": "březen", "date.digits": "0123456789",
		"grammar.weekdays": "nnfmmffm", "grammar.monthdays": "aaaaaaaeaaaaaaaaaaaaaaaaaaaaaaa",
		"recurrence.weekly.each.one": "každé {{.Days}}", "recurrence.weekly.each.one@f": "každou {{.Days}}", "recurrence.weekly.each.one@5": "v pátek",
		"recurrence.nth.2": "druhé {{.Day}}", "recurrence.nth.2@f": "druhou {{.Day}}", "recurrence.nth.2@m": "druhý {{.Day}}", "recurrence.workday": "všední den",
		"recurrence.monthly.each": "{{.Days}} v měsíci", "recurrence.monthday": "il {{.Ordinal}}", "recurrence.monthday@e": "l’{{.Ordinal}}",
		"recurrence.monthday@11": "l’undici", "recurrence.ordinal.other": "{{.Number}}.", "recurrence.list.two": "{{.First}} a {{.Second}}",
		"recurrence.each.day": "každý den", "recurrence.months": "{{.Rule}}, jen v {{.Months}}",
		"recurrence.part.months": "měsíce: {{.List}}", "recurrence.parts": "{{.Rule}} ({{.Parts}})", "recurrence.part.monthdays": "", "recurrence.list.parts": "{{.First}}",
		"recurrence.each.month": "každý měsíc", "recurrence.list.more": "{{.First}}, {{.Second}}", "recurrence.part.back": "-"
	}`)
	own := &catalogue{tag: "cs", files: oneFile(content)}
	texts := &set{byTag: map[string]*catalogue{source: loaded().byTag[source], "cs": own}}
	clock := recur.Clock{Zone: time.UTC, Start: time.Date(2027, 1, 5, 19, 30, 0, 0, time.UTC)}
	for lines, want := range map[string]string{
		"FREQ=WEEKLY;BYDAY=TU": "každé úterý", "FREQ=WEEKLY;BYDAY=WE": "každou středu", "FREQ=WEEKLY;BYDAY=FR": "v pátek",
		"FREQ=MONTHLY;BYDAY=2TU": "druhé úterek v měsíci", "FREQ=MONTHLY;BYDAY=2WE": "druhou středu v měsíci", "FREQ=MONTHLY;BYDAY=2FR": "druhý pátek v měsíci",
		"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2": "druhý všední den v měsíci",
		"FREQ=MONTHLY;BYMONTHDAY=5,8":                  "il 5. a l’8. v měsíci", "FREQ=MONTHLY;BYMONTHDAY=11": "l’undici v měsíci",
		"FREQ=DAILY;BYMONTH=1":                   "každý den, jen v lednu",
		"FREQ=MONTHLY;BYMONTHDAY=-5;BYMONTH=1,3": "každý měsíc (měsíce: ledna, březen)",
	} {
		rules, problems := recur.ParseLines(lines, clock)
		if len(problems) > 0 {
			t.Fatalf("%s: %+v", lines, problems)
		}
		if got := (words{texts: texts, lang: "cs", clock: clock}).set(rules); got != want {
			t.Errorf("%s: %q, want %q", lines, got, want)
		}
	}
}

// On pages, no line breaks within a date of a recurrence, in any language. Apart from that, the words are those of the API.
func TestRecurrenceOnPage(t *testing.T) {
	t.Parallel()
	c := recur.Clock{Zone: time.UTC, Start: time.Date(2027, 1, 5, 19, 30, 0, 0, time.UTC)}
	on := func(month time.Month, day int) time.Time { return time.Date(2028, month, day, 19, 30, 0, 0, time.UTC) }
	weekly := recur.Rule{Freq: recur.Weekly}
	until := weekly
	until.Until = on(3, 31)
	for _, lang := range Languages() {
		w := words{texts: loaded(), lang: lang}
		for name, one := range map[string]recur.Set{
			"until":  {Rules: []recur.Rule{until}},
			"except": {Rules: []recur.Rule{weekly}, Except: []time.Time{on(3, 31)}},
		} {
			page, api := RecurrenceOnPage(lang, one, c, ""), Recurrence(lang, one, c)
			if strings.Contains(api, "\u00a0") || strings.ReplaceAll(page, "\u00a0", " ") != api {
				t.Errorf("%s, %s: %q on pages, %q in the API", lang, name, page, api)
			}
			whole := func(part string) bool {
				return strings.Contains(part, w.digits(2028)) && strings.Contains(part, w.digits(31)) && strings.Contains(part, w.month(3))
			}
			if !slices.ContainsFunc(strings.Split(page, " "), whole) {
				t.Errorf("%s, %s: a line may break within the date of %q", lang, name, page)
			}
		}
	}
}
