package wording

import (
	"math"
	"testing"
)

func TestBeginning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		html  string
		words int
		text  string
		more  bool
	}{
		{"", 5, "", false},
		{"<p>Body with <strong>HTML</strong>.</p>\n<p>Second</p>", 9, "Body with HTML. Second", false},
		{"<p>Body with <strong>HTML</strong>.</p>\n<p>Second</p>", 3, "Body with HTML.", true},
		{"<p>one</p><p>two</p>", 1, "one", true},
		{"a<br />b &amp; c&nbsp;d &lt;e&gt;", 9, "a b & c d <e>", false},
		{"<ul><li>x</li><li>y</li></ul>", 9, "x y", false},
		{"日本 語", 1, "日本", true},
	} {
		if text, more := Beginning(c.html, c.words); text != c.text || more != c.more {
			t.Errorf("%q, %d: %q %v", c.html, c.words, text, more)
		}
	}
}

// FuzzBeginning compares the result with PlainText, which processes the whole text.
func FuzzBeginning(f *testing.F) {
	f.Add("<p>Body with <strong>HTML</strong>.</p> &amp; <a href=\"https://a.example/?x=1&amp;y=2\">more</a>")
	f.Add("a<hr>b<img src=x alt=y>c")
	f.Fuzz(func(t *testing.T, s string) {
		clean := CleanHTML(s)
		if text, more := Beginning(clean, math.MaxInt); more || text != PlainText(clean) {
			t.Errorf("%q: %q, want %q", clean, text, PlainText(clean))
		}
	})
}
