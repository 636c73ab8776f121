package i18n

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/width"
)

// style is what is known of how a language is written, from its file below style.
type style struct {
	Quotes   string     `json:"quotes"`   // the opening and the closing one
	Mistakes []mistake  `json:"mistakes"` // of signs
	Dropped  []mistake  `json:"dropped"`  // words that were decided against
	Same     []string   `json:"same"`     // texts that are the same as in English, as the word is
	Machine  string     `json:"machine"`  // a pattern of what is written as a machine wants it
	Terms    []termRule `json:"terms"`    // words of the glossary
	machine  *regexp.Regexp
}

// mistake is a pattern that no text may have: what it is, or what is said instead.
type mistake struct {
	What    string `json:"what,omitempty"`
	Instead string `json:"instead,omitempty"`
	Pattern string `json:"pattern"`
	pattern *regexp.Regexp
}

// termRule says by which pattern a translation shows that it has the word for an
// English one.
type termRule struct {
	English string `json:"english"`
	Pattern string `json:"pattern"`
	english *regexp.Regexp
	pattern *regexp.Regexp
}

// everywhere are mistakes of every language.
var everywhere = []mistake{
	{What: "a straight quote or apostrophe", Pattern: `["']`},
	{What: "three points instead of …", Pattern: `\.\.\.`},
	{What: "two blanks, or a tab", Pattern: `  |\t`},
	{What: "a blank at the end of a line", Pattern: `[ \x{a0}]\n`},
}

// readStyle reads a file below style. An error says which pattern makes no sense.
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
		err = fmt.Errorf("quotes are an opening and a closing sign, not %q", s.Quotes)
	}
	return s, err
}

// each calls back with every text, one plural form at a time. What is named date.
// and grammar. is left out: that is patterns, forms of CLDR and letters.
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

// signs looks at quotes, blanks and punctuation.
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

// technical is what stays as it is in every language: arguments, values, codes.
var technical = regexp.MustCompile(`[a-z]+_[a-z_]+|https?://|UTC[+0-9]*|\bpublish\b|\bnull\b|\btrue\b|\bfalse\b|\bMiB\b|\bJSON\b|\bWebP\b`)

var latinWord = regexp.MustCompile(`[A-Za-z]{2}`)

// words looks at the words themselves: none that was decided against, none left in
// English, technical names as they are, the words of the glossary.
func (c *checker) words() {
	c.each(func(key, form, text string) {
		for _, d := range c.style.Dropped {
			if at := d.pattern.FindString(text); at != "" {
				c.wrong(key, form, text, "it says %q, elsewhere it is %s", at, d.Instead)
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
			c.wrong("", "", text, "style has it as the same in English, and no text is")
		}
	}
}

func technicalIn(text string) []string {
	list := technical.FindAllString(text, -1)
	slices.Sort(list)
	return slices.Compact(list)
}

// terms hints at texts that lack the glossary's word for one that English has.
func (c *checker) terms(key, text, english string) {
	for _, t := range c.style.Terms {
		if t.english.MatchString(english) && !t.pattern.MatchString(text) {
			c.found = append(c.found, Finding{Language: c.tag, Key: key, Text: text, Hint: true,
				Problem: fmt.Sprintf("English says %q, and this has nothing of %q", t.English, t.Pattern)})
		}
	}
}

// columns is how wide a text is: wide characters are two.
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

// narrow are texts that have little room on a phone, and how many columns.
var narrow = []struct {
	keys *regexp.Regexp
	most int
}{
	{regexp.MustCompile(`^date\.weekday\.short\.`), 8},
	{regexp.MustCompile(`^date\.month\.short\.\d+$`), 8},
}

// places wants what stands in narrow places to be short.
func (c *checker) places() {
	for key, e := range c.own {
		for _, place := range narrow {
			if text := e.forms["other"]; place.keys.MatchString(key) && columns(text) > place.most {
				c.wrong(key, "other", text, "it has %d columns and room for %d", columns(text), place.most)
			}
		}
	}
}
