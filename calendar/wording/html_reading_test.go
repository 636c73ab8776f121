package wording

import (
	"strings"
	"testing"
	"unicode"
)

func TestReadingText(t *testing.T) {
	t.Parallel()
	for clean, want := range map[string]string{
		"":                                  "",
		"<p>One</p>\n<p>Two</p>":            "One\n\nTwo",
		"<p>One<br />\nTwo &amp; three</p>": "One\nTwo & three",
		"<p>a<br /><br /><br />b</p>":       "a\n\nb",
		"<p> a  <b>b</b>c\n d </p>":         "a bc d",
		"<p>Bring:</p><ul><li>cake</li><li><p>tea</p></li></ul><p>End</p>":                                   "Bring:\n\n• cake\n• tea\n\nEnd",
		"<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>":                                     "• a\n  • b\n• c",
		"<ol><li>a</li><li>b</li></ol>":                                                                      "1. a\n2. b",
		`<ol start="4"><li>a</li><li>b</li></ol>`:                                                            "4. a\n5. b",
		"<h2>Heading</h2><p>Text</p><hr /><blockquote>\n<p>Said</p>\n</blockquote>":                          "Heading\n\nText\n\n---\n\nSaid",
		`<p>See <a href="https://a.example/x?y=1&amp;z=2">our page</a>.</p>`:                                 "See our page (https://a.example/x?y=1&z=2).",
		`<p><a href="https://www.a.example/">a.example</a></p>`:                                              "a.example",
		`<p><a href="https://a.example/x">https://a.example/x</a></p>`:                                       "https://a.example/x",
		`<p><a href="mailto:ann@a.example">Ann</a>, <a href="tel:+491">+491</a></p>`:                         "Ann (ann@a.example), +491",
		`<p><a href="/events/">all</a> <a href="#below">below</a></p>`:                                       "all (https://site.example/events/) below",
		`<p><a href="https://a.example/"><img src="/x.png" alt="A poster" /></a></p>`:                        "A poster (https://a.example/)",
		`<p><a href="https://a.example/p"><img src="/x.png" /></a></p>`:                                      "https://a.example/p",
		"<pre>a\n  b</pre><p>c</p>":                                                                          "a\n  b\n\nc",
		"<table><tbody><tr><th>Fri</th><td>8 pm</td></tr><tr><th>Sat</th><td>9 pm</td></tr></tbody></table>": "Fri 8 pm\nSat 9 pm",
		"<dl><dt>Who</dt><dd>All</dd></dl>":                                                                  "Who\nAll",
		"<p>kilo\u00a0metre 東京</p>":                                                                          "kilo\u00a0metre 東京",
	} {
		if got := ReadingText(clean, "https://site.example/event/x/"); got != want {
			t.Errorf("%q: %q, want %q", clean, got, want)
		}
	}
	if got := ReadingText(`<a href="/x">x</a>`, ""); got != "x" {
		t.Errorf("without a base: %q", got)
	}
}

// FuzzReadingText compares the result with PlainText: nothing is lost, and lines have no loose ends.
func FuzzReadingText(f *testing.F) {
	f.Add("<p>Body with <strong>HTML</strong>.</p> &amp; <ul><li>a</li></ul>")
	f.Add("</ol></pre></a><li>x")
	f.Fuzz(func(t *testing.T, s string) {
		clean := CleanHTML(s)
		got := ReadingText(clean, "")
		letters := func(text string) string {
			return strings.Map(func(c rune) rune {
				if unicode.IsSpace(c) {
					return -1
				}
				return c
			}, text)
		}
		rest := letters(got)
		for _, c := range letters(PlainText(clean)) {
			at := strings.IndexRune(rest, c)
			if at < 0 {
				t.Fatalf("%q: %q lacks %q of %q", s, got, c, PlainText(clean))
			}
			rest = rest[at+len(string(c)):]
		}
	})
}
