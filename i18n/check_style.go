package i18n

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/width"
)

// style describes how a language is written, from its file in the directory style.
type style struct {
	Quotes   string     `json:"quotes"`   // opening and closing quotation marks
	Mistakes []mistake  `json:"mistakes"` // typographic mistakes
	Dropped  []mistake  `json:"dropped"`  // rejected words
	Same     []string   `json:"same"`     // texts that are rightly the same as in English
	Machine  string     `json:"machine"`  // pattern of machine-readable words
	Terms    []termRule `json:"terms"`    // words of the glossary
	machine  *regexp.Regexp
}

// mistake is a forbidden pattern, with an explanation or the replacement.
type mistake struct {
	What    string `json:"what,omitempty"`
	Instead string `json:"instead,omitempty"`
	Pattern string `json:"pattern"`
	pattern *regexp.Regexp
}

// termRule gives the pattern by which a translation shows that it uses the glossary's word for an English one.
type termRule struct {
	English string `json:"english"`
	Pattern string `json:"pattern"`
	english *regexp.Regexp
	pattern *regexp.Regexp
}

// everywhere are mistakes in all languages.
var everywhere = []mistake{
	{What: "a straight quote or apostrophe", Pattern: `["']`},
	{What: "three dots instead of …", Pattern: `\.\.\.`},
	{What: "two spaces, or a tab", Pattern: `  |\t`},
	{What: "a space at the end of a line", Pattern: `[ \x{a0}]\n`},
}

// readStyle parses a style file. The error names an invalid pattern.
func readStyle(content []byte) (*style, error) {
	s := &style{}
	decoder := json.NewDecoder(strings.NewReader(string(content)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(s); err != nil {
		return nil, err
	}
	s.Mistakes = slices.Concat(everywhere, s.Mistakes)
	var err error
	compile := func(pattern string) *regexp.Regexp {
		compiled, wrong := regexp.Compile(pattern)
		if wrong != nil && err == nil {
			err = wrong
		}
		return compiled
	}
	for _, list := range [][]mistake{s.Mistakes, s.Dropped} {
		for i := range list {
			list[i].pattern = compile(list[i].Pattern)
		}
	}
	for i := range s.Terms {
		s.Terms[i].english = compile(`(?i)\b(` + s.Terms[i].English + `)s?\b`)
		s.Terms[i].pattern = compile(`(?i)` + s.Terms[i].Pattern)
	}
	if s.Machine != "" {
		s.machine = compile(s.Machine)
	}
	if n := len([]rune(s.Quotes)); err == nil && n != 2 {
		err = fmt.Errorf("quotes have to be an opening and a closing mark, not %q", s.Quotes)
	}
	return s, err
}

// each calls check with every text, one plural form at a time. It skips date. and grammar. keys, which contain
// patterns, CLDR forms and letters.
func (c *checker) each(check func(key, form, text string)) {
	for key, e := range c.own {
		if isGrammar(key) {
			continue
		}
		for form, text := range e.forms {
			check(key, form, text)
		}
	}
}

func isGrammar(key string) bool {
	return strings.HasPrefix(key, "date.") || strings.HasPrefix(key, "grammar.")
}

// signs checks quotation marks, spaces and punctuation.
func (c *checker) signs() {
	quotes := []rune(c.style.Quotes)
	c.each(func(key, form, text string) {
		plain := text
		if c.style.machine != nil {
			plain = c.style.machine.ReplaceAllString(text, "")
		}
		for _, m := range c.style.Mistakes {
			if at := m.pattern.FindString(plain); at != "" {
				c.wrong(key, form, text, "%s (%q)", m.What, at)
			}
		}
		opened, closed := strings.Count(text, string(quotes[0])), strings.Count(text, string(quotes[1]))
		if opened != closed || quotes[0] == quotes[1] && opened%2 != 0 {
			c.wrong(key, form, text, "quotes are opened and closed differently")
		}
	})
}

// technical matches what stays the same in every language: arguments, values, codes.
var technical = regexp.MustCompile(`[a-z]+_[a-z_]+|https?://|UTC[+0-9]*|\bpublish\b|\bnull\b|\btrue\b|\bfalse\b|\bMiB\b|\bJSON\b|\bWebP\b`)

var latinWord = regexp.MustCompile(`[A-Za-z]{2}`)

// words checks the words: no rejected ones, none left in English, technical names unchanged, words of the glossary.
func (c *checker) words() {
	c.each(func(key, form, text string) {
		if strings.HasSuffix(key, formSign+british) {
			return // spelt in its own way
		}
		for _, d := range c.style.Dropped {
			if at := d.pattern.FindString(text); at != "" {
				c.wrong(key, form, text, "it has %q, elsewhere it is %s", at, d.Instead)
			}
		}
	})
	same := map[string]bool{}
	for key, e := range c.own {
		text, english := e.forms["other"], c.english[key].forms["other"]
		if english == "" {
			continue
		}
		if want, have := technicalIn(english), technicalIn(text); !slices.Equal(want, have) {
			c.wrong(key, "other", text, "it names %v, English names %v", have, want)
		}
		c.terms(key, text, english)
		if c.tag == source || isGrammar(key) || text != english || !latinWord.MatchString(placeholder.ReplaceAllString(text, "")) {
			continue
		}
		if same[text] = true; !slices.Contains(c.style.Same, text) {
			c.wrong(key, "other", text, "it is in English")
		}
	}
	for _, text := range c.style.Same {
		if !same[text] {
			c.wrong("", "", text, "the style file lists it as the same in English, but no text is")
		}
	}
}

func technicalIn(text string) []string {
	list := technical.FindAllString(text, -1)
	slices.Sort(list)
	return slices.Compact(list)
}

// terms reports texts without the glossary's word for an English one as a hint.
func (c *checker) terms(key, text, english string) {
	for _, t := range c.style.Terms {
		if t.english.MatchString(english) && !t.pattern.MatchString(text) {
			c.found = append(c.found, Finding{Language: c.tag, Key: key, Text: text, Hint: true,
				Problem: fmt.Sprintf("English has %q, but this text does not match %q", t.English, t.Pattern)})
		}
	}
}

// columns returns the display width of a text, with wide characters as two.
func columns(text string) int {
	n := 0
	for _, r := range text {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// narrow are texts with limited space on phones, and the number of columns.
var narrow = []struct {
	keys *regexp.Regexp
	most int
}{
	{regexp.MustCompile(`^date\.weekday\.short\.`), 8},
	{regexp.MustCompile(`^date\.month\.short\.\d+$`), 8},
}

// places requires texts in narrow places to be short.
func (c *checker) places() {
	for key, e := range c.own {
		for _, place := range narrow {
			if text := e.forms["other"]; place.keys.MatchString(key) && columns(text) > place.most {
				c.wrong(key, "other", text, "it has %d columns, but room for %d", columns(text), place.most)
			}
		}
	}
}
