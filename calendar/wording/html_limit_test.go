package wording

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// openly returns a text of a given length that repeatedly opens elements and closes them in the wrong place.
func openly(form string, n int, part string, length int) string {
	var b strings.Builder
	b.WriteString("<div>")
	for i := range n {
		b.WriteString(strings.ReplaceAll(form, "%d", fmt.Sprint(i)))
	}
	b.WriteString("</div>")
	for b.Len()+len(part) <= length {
		b.WriteString(part)
	}
	return b.String()
}

func TestCleanHTMLTangled(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]string{
		"many forms":      openly("<b title=a%d>", 200, "<p>x</p>", 64<<10),
		"as many as may":  openly("<b title=a%d>", 450, "<p>x</p>", LongestHTML),
		"long attributes": openly(`<i title="`+strings.Repeat("t", 5000)+`">`, 3, "<p>x</p>", 64<<10),
		"in cells":        "<table><td>" + openly("<u title=a%d>", 100, "<p>x</p>", 64<<10),
		"a long link":     openly(`<a href="/`+strings.Repeat("t", 5000)+`">`, 1, "<p>x</p>", 64<<10),
	} {
		if got, want := CleanHTML(s), "<p>"+PlainText(s)+"</p>"; got != want {
			t.Errorf("%s: got %d bytes: %.80q", name, len(got), got)
		}
	}
}

// TestCleanHTMLLong cleans long texts that are well-formed, or malformed in realistic ways.
func TestCleanHTMLLong(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]string{
		"formatted":  "<p>A <strong class=\"alignleft\">b</strong> <em>c <code>d</code></em> <a href=\"/%d\">e</a></p>\n",
		"cards":      "<a href=\"/%d\"><h3>Card</h3></a>\n",
		"around":     "<strong><p>Loud</p></strong>\n",
		"definition": "<dl><dt><b>T</b></dt><dd><i title=\"d%d\">D</i></dd></dl>\n",
	} {
		var b strings.Builder
		for i := range 600 {
			b.WriteString(strings.ReplaceAll(part, "%d", fmt.Sprint(i)))
		}
		s := strings.TrimSpace(b.String())
		if got := CleanHTML(s); got != s {
			t.Errorf("%s: got %d bytes of %d: %.80q", name, len(got), len(s), got)
		}
	}
}

// FuzzParsedLength compares the predicted length with that of the parser for texts with misplaced end tags.
func FuzzParsedLength(f *testing.F) {
	parts := []string{"<b>", "</b>", "<b id=a>", "<i>", "</i>", "<i id=b>", "<a href=x>", "</a>", "<a href=xyz>", "<p>", "</p>", "<div>", "</div>", "x",
		"<table>", "</table>", "<td>", "</td>", "<tr>", "<li>", "<ul>", "</ul>", "<h1>", "</h1>", "<span>", "</span>", "<blockquote>", "</blockquote>",
		"<br>", "<code>", "</code>", "<caption>", "<dd>", "<dl>", "</dl>", "<ruby>", "<rt>", "<pre>", "\n\n", "<hr>"}
	f.Add([]byte("\x11\x00\x02\x03\x05\x12\x09\x0d\x0a\x09\x0d\x0a"))
	f.Add([]byte("\x0e\x10\x00\x06\x11\x0d\x01\x06\x0f\x0d\x07\x0d"))
	f.Add([]byte("\x00\x03\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x01\x04\x0d"))
	f.Fuzz(func(t *testing.T, picks []byte) {
		var b strings.Builder
		for _, pick := range picks {
			b.WriteString(parts[int(pick)%len(parts)])
		}
		allowed, most := allowedOnly(b.String())
		if most > mostHTML {
			return
		}
		body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
		nodes, err := html.ParseFragment(strings.NewReader(allowed), body)
		if err != nil {
			return
		}
		var w htmlWriter
		for _, n := range nodes {
			w.node(n)
		}
		if len(w.out) > most+len("<tbody></tbody><colgroup></colgroup>")*len(picks) {
			t.Fatalf("%q became %d bytes, foreseen were %d", b.String(), len(w.out), most)
		}
	})
}
