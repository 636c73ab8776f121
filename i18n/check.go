package i18n

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	goi18n "github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// Finding is something wrong with a catalog.
type Finding struct {
	Language string `json:"language"`
	Key      string `json:"key,omitempty"`
	Form     string `json:"form,omitempty"` // the plural form; "" if there is only one text
	Problem  string `json:"problem"`
	Text     string `json:"text,omitempty"`
	Hint     bool   `json:"hint,omitempty"` // worth a look, but not an error
}

func (f Finding) String() string {
	place := f.Language
	if f.Key != "" {
		place += ": " + f.Key
	}
	if f.Form != "" {
		place += " (" + f.Form + ")"
	}
	if f.Text == "" {
		return place + ": " + f.Problem
	}
	return fmt.Sprintf("%s: %s: %q", place, f.Problem, f.Text)
}

// Checked returns the findings in the embedded catalogs of some languages.
func Checked(tags ...string) ([]Finding, error) {
	var all []Finding
	for _, tag := range tags {
		content, err := files.ReadFile(tag + ".json")
		if err != nil {
			return nil, err
		}
		style, err := files.ReadFile("style/" + tag + ".json")
		if err != nil {
			return nil, err
		}
		found, err := Check(tag, content, style)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// IsLanguage reports whether a tag names a language, with a catalog or without.
func IsLanguage(tag string) bool {
	_, err := language.Parse(tag)
	return err == nil
}

// Check returns the findings in the catalog of a language, compared with the English one. style is the content of the
// language's file in the directory style. It returns an error if one of the two cannot be parsed.
func Check(tag string, content, style []byte) ([]Finding, error) {
	if !IsLanguage(tag) {
		return nil, fmt.Errorf("%q is not a language", tag)
	}
	c := &checker{tag: tag, plurals: pluralForms(tag)}
	var err error
	if c.own, err = entriesOf(content); err != nil {
		return nil, fmt.Errorf("%s: %w", tag, err)
	}
	if c.style, err = readStyle(style); err != nil {
		return nil, fmt.Errorf("style of %s: %w", tag, err)
	}
	english, err := files.ReadFile(source + ".json")
	if err != nil {
		return nil, err
	}
	if c.english, err = entriesOf(english); err != nil {
		return nil, err
	}
	c.file(content)
	c.keys()
	c.signs()
	c.words()
	c.places()
	slices.SortStableFunc(c.found, func(a, b Finding) int { return cmp.Compare(a.Key, b.Key) })
	return c.found, nil
}

// checker checks one catalog.
type checker struct {
	tag          string
	own, english map[string]entry
	style        *style
	plurals      []string
	found        []Finding
}

// entry is one text of a file: its plural forms, or only the form "other".
type entry struct {
	forms  map[string]string
	plural bool
}

// entriesOf parses a catalog file without go-i18n.
func entriesOf(content []byte) (map[string]entry, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(content, &raw); err != nil {
		return nil, err
	}
	list := make(map[string]entry, len(raw))
	for key, value := range raw {
		e := entry{forms: map[string]string{}}
		var text string
		if json.Unmarshal(value, &text) == nil {
			e.forms["other"] = text
		} else if e.plural = true; json.Unmarshal(value, &e.forms) != nil {
			return nil, fmt.Errorf("%s is neither a text nor plural forms", key)
		}
		list[key] = e
	}
	return list, nil
}

func (c *checker) wrong(key, form, text, problem string, values ...any) {
	if !c.own[key].plural {
		form = ""
	}
	c.found = append(c.found, Finding{Language: c.tag, Key: key, Form: form, Text: text, Problem: fmt.Sprintf(problem, values...)})
}

// keyLine matches the line on which a key begins.
var keyLine = regexp.MustCompile(`(?m)^  "([^"]+)":`)

// file checks the file itself: unique sorted keys, indented by two spaces.
func (c *checker) file(content []byte) {
	seen := map[string]bool{}
	for _, m := range keyLine.FindAllSubmatch(content, -1) {
		if seen[string(m[1])] {
			c.wrong(string(m[1]), "", "", "it occurs twice")
		}
		seen[string(m[1])] = true
	}
	if form, err := InForm(content); err != nil || !bytes.Equal(form, content) {
		c.wrong("", "", "", "the file is not sorted by key and indented by two spaces (i18n check --write does it)")
	}
}

// InForm formats a catalog like the files: sorted by key, indented by two spaces.
func InForm(content []byte) ([]byte, error) {
	var raw map[string]any
	if err := json.Unmarshal(content, &raw); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	err := w.Encode(raw)
	return b.Bytes(), err
}

// keys checks every key, its plural forms and its placeholders.
func (c *checker) keys() {
	for key, e := range c.english {
		if _, there := c.own[key]; !there && !strings.Contains(key, formSign) {
			c.wrong(key, "", e.forms["other"], "it is missing")
		}
	}
	for key, e := range c.own {
		base, form, isForm := strings.Cut(key, formSign)
		english, known := c.english[base]
		switch {
		case isForm && (!known || !c.mayHave(base, form)):
			c.wrong(key, "", "", "%s has no form %q", base, form)
			continue
		case isForm:
			english.forms, english.plural = map[string]string{"other": english.forms["other"]}, false
		case !known && !slices.Contains(ownKeys, key):
			c.wrong(key, "", "", "it is not in English")
			continue
		case !known:
			english = entry{forms: e.forms}
		}
		c.pluralsOf(key, e, english.plural)
		c.placeholders(key, e, english, isForm)
	}
}

// ownKeys are keys that languages have only if their grammar needs them.
var ownKeys = []string{"grammar.weekdays", "grammar.monthdays", "recurrence.ordinal.zero", "recurrence.ordinal.many"}

// mayHave lists keys that may have forms, and which. "weekday" and "monthday" stand for the number of a day and the
// letters of its classes.
var mayHave = []struct{ key, forms string }{
	{`date\.weekday\.[1-7]`, "each|on|nth|quick"},
	{`date\.month\.\d+`, "in|alone|quick|british|jalali"},
	{`date\.month\.short\.\d+`, "alone|british|jalali"},
	{`(date\.(am|pm|week\.start|pattern\..+)|(admin|public)\..+)`, "british"},
	{`recurrence\.list\.(two|last)`, "number"},
	{`recurrence\.(weekly\.(each|second)\.one|weekday|onlyif|nth\.-?\d)`, "weekday"},
	{`recurrence\.(monthday|date|until|until\.after|ordinal\.[a-z]+)`, "monthday"},
}

// mayHave reports whether a key may have a form in this language.
func (c *checker) mayHave(key, form string) bool {
	for _, one := range mayHave {
		if !regexp.MustCompile(`^` + one.key + `$`).MatchString(key) {
			continue
		}
		switch one.forms {
		case "weekday":
			return regexp.MustCompile(`^[0-7]$`).MatchString(form) || c.isClass("grammar.weekdays", form)
		case "monthday":
			return regexp.MustCompile(`^([1-9]|[12]\d|3[01])$`).MatchString(form) || c.isClass("grammar.monthdays", form)
		}
		return slices.Contains(strings.Split(one.forms, "|"), form)
	}
	return false
}

// isClass reports whether a form is a letter in a grammar key.
func (c *checker) isClass(key, form string) bool {
	letters := []rune(form)
	return len(letters) == 1 && unicode.IsLetter(letters[0]) && strings.ContainsRune(c.own[key].forms["other"], letters[0])
}

// pluralsOf requires exactly the plural forms of the language.
func (c *checker) pluralsOf(key string, e entry, plural bool) {
	if e.plural != plural {
		c.wrong(key, "", "", "plural forms here %t, in English %t", e.plural, plural)
		return
	}
	want := []string{"other"}
	if e.plural {
		want = c.plurals
	}
	if have := slices.Sorted(maps.Keys(e.forms)); !slices.Equal(have, want) {
		c.wrong(key, "", "", "it has the forms %v, want %v", have, want)
	}
	for form, text := range e.forms {
		if strings.TrimSpace(text) == "" || text != strings.TrimSpace(text) {
			c.wrong(key, form, text, "it is empty or has spaces around it")
		}
	}
}

// pluralForms returns the plural forms of a language according to go-i18n.
func pluralForms(tag string) []string {
	bundle := goi18n.NewBundle(language.Make(tag))
	m := &goi18n.Message{ID: "n", Zero: "zero", One: "one", Two: "two", Few: "few", Many: "many", Other: "other"}
	if err := bundle.AddMessages(language.Make(tag), m); err != nil {
		return nil
	}
	localizer, forms := goi18n.NewLocalizer(bundle, tag), map[string]bool{}
	count := func(n any) {
		if form, err := localizer.Localize(&goi18n.LocalizeConfig{MessageID: "n", PluralCount: n}); err == nil {
			forms[form] = true
		}
	}
	for n := range 1000 {
		count(n)
	}
	count(1_000_000)
	count("0.5")
	count("1.5")
	return slices.Sorted(maps.Keys(forms))
}

var placeholder = regexp.MustCompile(`{{\.([A-Za-z]+)}}`)

// placeholders requires the placeholders of English in every form. Only the forms zero, one and two may spell out the
// number, and forms for days the day.
func (c *checker) placeholders(key string, e, english entry, isForm bool) {
	want := placeholdersOf(english.forms["other"])
	for form, text := range e.forms {
		have := placeholdersOf(text)
		without := func(may func(string) bool) bool {
			return slices.Equal(slices.DeleteFunc(slices.Clone(have), may), slices.DeleteFunc(slices.Clone(want), may)) &&
				!slices.ContainsFunc(have, func(name string) bool { return !slices.Contains(want, name) })
		}
		inWords := e.plural && (form == "zero" || form == "one" || form == "two") && without(isNumber) || isForm && without(isDay)
		if !inWords && !slices.Equal(have, want) {
			c.wrong(key, form, text, "its placeholders are %v, want %v", have, want)
		}
		if rest := placeholder.ReplaceAllString(text, ""); strings.ContainsAny(rest, "{}") {
			c.wrong(key, form, text, "stray braces")
		}
	}
}

// isNumber reports whether a placeholder contains the number that selects the form.
func isNumber(name string) bool {
	return slices.Contains([]string{"Number", "Count", "Max", "Min"}, name)
}

// isDay reports whether a placeholder contains the day that selects a form.
func isDay(name string) bool {
	return slices.Contains([]string{"Day", "Days", "Number", "Ordinal"}, name)
}

func placeholdersOf(text string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
