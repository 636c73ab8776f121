package wording

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mustBeSafe fails unless what a text is cleaned to has nothing that may not be, is cleaned to itself, is parsed to the same tree by a
// browser, and has all letters of what is allowed of the text.
func mustBeSafe(t *testing.T, sent string) {
	t.Helper()
	got := CleanHTML(sent)
	if again := CleanHTML(got); again != got && len(got) <= LongestHTML {
		t.Fatalf("%q:\nfirst  %q\nsecond %q", sent, got, again)
	}
	inline := CleanInline(sent)
	if again := CleanInline(inline); again != inline {
		t.Fatalf("%q inline:\nfirst  %q\nsecond %q", sent, inline, again)
	}
	for _, clean := range []string{got, inline} {
		if tree := seen(t, clean); tree != clean {
			t.Fatalf("%q becomes\n%q, which browsers see as\n%q", sent, clean, tree)
		}
	}
	allowed, _ := allowedOnly(lineEnds.Replace(strings.ToValidUTF8(sent, "\uFFFD")))
	if was, is := letters(allowed), letters(got); allowed != "" && was != is {
		t.Fatalf("%q:\n%q\nhas the letters %q instead of %q", sent, got, is, was)
	}
}

// seen parses a text as browsers do and returns the tree as HTML. It fails for what may not be, whatever the rules say.
func seen(t *testing.T, clean string) string {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	nodes, err := html.ParseFragment(strings.NewReader(clean), body)
	if err != nil {
		t.Fatalf("%.200q: %v", clean, err)
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	for n := range body.Descendants() {
		if n.Type == html.TextNode {
			continue
		}
		if n.Type != html.ElementNode || n.Namespace != "" || !allowedTags[n.Data] {
			t.Fatalf("%q has %v <%s>", clean, n.Type, n.Data)
		}
		for _, a := range n.Attr {
			value := strings.ToLower(strings.TrimLeftFunc(a.Val, func(c rune) bool { return c <= ' ' }))
			scheme, _, absolute := strings.Cut(value, ":")
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "id", a.Key == "name", strings.HasPrefix(a.Key, "xlink"):
				t.Fatalf("%q has %s=%q", clean, a.Key, a.Val)
			case a.Key != "href" && a.Key != "src" && a.Key != "cite":
			case absolute && !strings.ContainsAny(scheme, "/?#") && scheme != "http" && scheme != "https" && scheme != "mailto" && scheme != "tel",
				strings.ContainsFunc(value, unicode.IsControl):
				t.Fatalf("%q leads to %q", clean, a.Val)
			}
		}
	}
	var w htmlWriter
	w.children(body)
	return string(w.out)
}

// letters returns the letters of a text in alphabetical order: some parts of tables move.
func letters(s string) string {
	var list []rune
	for _, c := range PlainText(s) {
		if !unicode.IsSpace(c) {
			list = append(list, c)
		}
	}
	slices.Sort(list)
	return string(list)
}

// attacks are what is known to have got through filters of HTML, or to become something else when it is parsed again.
var attacks = []string{
	// scripts
	"<script>alert(1)</script>", "<SCRIPT SRC=//e.example/x.js></SCRIPT>", "<scr<script>ipt>alert(1)</scr</script>ipt>", "<<script>alert(1)//<</script>",
	"<script/x>alert(1)</script>", "<script\n>alert(1)</script\n>", "<script>alert(1)", "<scrİpt>x</scrİpt>", "<<b>script>alert(1)<<b>/script>",
	// handlers
	"<img src=x onerror=alert(1)>", "<img/src=x/onerror=alert(1)>", "<b onmouseover=alert(1)>x</b>", `<a href="x" "onclick=alert(1)>x</a>`,
	"<img src=`x` onerror=alert(1)>", `<p title="x" onclick="y" title="z">x</p>`, "<details open ontoggle=alert(1)>x", `<a title='"><img src=x onerror=y>'>x</a>`,
	"<body onload=alert(1)>x", "<br size=\"&{alert(1)}\">", `<img title="&quot;&gt;&lt;script&gt;">`, "<div style=\"background:url(javascript:x)\">x</div>",
	// addresses
	"<a href=javascript:alert(1)>x</a>", "<a href=' javascript:alert(1)'>x</a>", "<a href=JaVaScRiPt:alert(1)>x</a>", "<a href='java\tscript:x'>x</a>",
	"<a href='java&Tab;script:x'>x</a>", "<a href='java&NewLine;script:x'>x</a>", "<a href='&#1;javascript:x'>x</a>", "<a href='&#x6A;avascript:x'>x</a>",
	"<a href='javascript&colon;x'>x</a>", "<a href='\u00a0javascript:x'>x</a>", "<a href=vbscript:x>x</a>", "<a href='data:text/html,<script>x</script>'>x</a>",
	"<img src=data:image/svg+xml,x>", "<a href=view-source:x>x</a>", "<a href=blob:x>x</a>", "<q cite=javascript:x>x</q>", "<a href='//e.example'>x</a>",
	"<a href='\\\\e.example'>x</a>", "<a href='/\\e.example'>x</a>", "<a href='http:javascript:x'>x</a>", "<a href='%6Aavascript:x'>x</a>", "<a href='javascript\x00:x'>x</a>",
	"<a href='x:y@javascript:z'>x</a>", "<a href='http://[::1'>x</a>", "<a href='mailto:a@b?subject=x%0d%0ay'>x</a>", "<a href=?a:b>x</a>", "<a href=./a:b>x</a>",
	// foreign content and raw text
	"<svg onload=alert(1)>", "<svg><script>alert(1)</script></svg>", "<svg><style><img src=x onerror=y></style></svg>x", "<math><mtext><table><mglyph><style><img src=x onerror=y>",
	"<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">", "<math><mi><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
	"<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>", "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
	"<svg><p><style><g title=\"</style><img src onerror=alert(1)>\">", "<svg><![CDATA[<img src=x onerror=y>]]></svg>", "<title><a title=\"</title><img src=x onerror=y>\">",
	"<textarea><b title=\"</textarea><img src=x onerror=y>\">", "<xmp><p title=\"</xmp><img src=x onerror=y>\">", "<noembed><b title=\"</noembed><img src=x onerror=y>\">",
	"<plaintext><script>x</script>", "<iframe srcdoc='<script>x</script>'></iframe>", "<iframe><b title=\"</iframe><img src=x onerror=y>\">", "<template><script>x</script><b>y</b></template>",
	"<select><iframe></select><img src=x onerror=y>", "<select><option><style></option></select><img src=x onerror=y></style>", "<svg><a xlink:href=javascript:x>y</a></svg>",
	"<math href=javascript:x>y</math>", "<svg><foreignObject><p>x<style><!--</style>--><b>", "<math><annotation-xml encoding=text/html><style><img src=x>",
	"<frameset><frame src=javascript:x></frameset>y", "<noframes><p title='</noframes><script>x</script>'>", "<isindex type=image src=1 onerror=y>",
	// comments and declarations
	"<!-- x --><b>y</b>", "<!--><img src=x onerror=y>-->", "<!--[if gte IE 4]><script>x</script><![endif]-->", "<! x ><b>", "<?xml version=1 ?><b>", "<!doctype html><b>x",
	"<![CDATA[x]]>", "</ x><b>", "<!-- -- --!><img src=x onerror=y>", "<!--", "<b", "<b title='",
	// embedded and other elements
	"<object data=x><embed src=x></object>", "<embed src=javascript:x>", "<applet code=x>", "<base href=//e.example>", "<link rel=stylesheet href=x>", "<meta http-equiv=refresh content=0>",
	"<style>@import 'x'</style>", "<form action=javascript:x><input type=submit><button formaction=javascript:y>", "<video><source onerror=x>", "<audio src=x onerror=y>",
	"<marquee onstart=x>y</marquee>", "<keygen autofocus onfocus=x>", "<dialog open>x</dialog>", "<p>a</body></html>b<div id=main class=admin>c", "x</div></div></main><p>y",
	// misplaced markup
	"<table><a href=/x>1<tr><td><a href=/y>2", "<b><p>1</b>2<i>3</p>4", "<a><table><a>", "<h1><b><h2></b>x", "<li><table><li>x", "<dd><table><dt>x", "<ruby><rt><table><rt>x",
	"<ruby><blockquote>a<rt>b", "<pre><a><table><a>\n\nx", "<ul><b><li>x<li>y</b></ul>z", "<table><td><b><table><td></b>x", "<p><table><p>x</table>y</p>z", "<i><p><b></i></p>x",
	"<caption>x<td>y</caption>z", "<table><caption><table><td>x", "<table><colgroup>x<col>y", "<p></br></p>x</p>", "<table>x<b>y<tr>z", "<hr/><p/>x", "<li><b><div><li>x",
}

func TestCleanHTMLAttacked(t *testing.T) {
	t.Parallel()
	for _, attack := range attacks {
		for _, form := range []string{"%", "<p>a</p>%<p>b</p>", "<ul><li>%</li></ul>", "<table><tr><td>%", "<table>%", "<svg>%", "<a title=\"%\">x</a>", "<pre>%</pre>"} {
			mustBeSafe(t, strings.ReplaceAll(form, "%", attack))
		}
	}
}

func TestCleanHTMLHuge(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]string{"blocks": "<div>", "formatting": "<b>", "spans": "<span>", "tables": "<table><tr><td>", "lists": "<ul><li>", "pictures": "<svg>"} {
		if got := CleanHTML(strings.Repeat(part, 100_000) + "x"); got != "<p>x</p>" {
			t.Errorf("%s: %d bytes: %.80q", name, len(got), got)
		}
	}
	// As deep as may be: what is written is not too deep to be read.
	for n := deepest - 5; n < deepest+15; n++ {
		mustBeSafe(t, strings.Repeat("<blockquote>", n)+"x")
		mustBeSafe(t, strings.Repeat("<div>", n-2)+"<table><td>x")
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		"<p>Body with <strong>HTML</strong>.</p>\n\nSecond", "a\n<br>\nb", "<a href=javascript:x>y<a>", "<table><a>x<tr><td>y", "<b><p>x</b>y",
		"<pre>\n\nx</pre>", "<ul>x<li>y", "<details><summary>a", "<p>a<blockquote>b\n\nc", "<ruby>a<rt>b", "&lt;script&gt;", "<dl><dt>a<dd>b", "<h1><h2>x",
	} {
		f.Add(seed)
	}
	for _, attack := range attacks {
		f.Add(attack)
	}
	f.Fuzz(mustBeSafe)
}

// FuzzCleanTangled cleans texts made of tags in any order.
func FuzzCleanTangled(f *testing.F) {
	parts := []string{"x", "y\n", "\n\n", " ", "<br>", "<img src=/a>", "<img>", "<hr>", "<script>s</script>", "<!-- c -->"}
	for _, tag := range []string{"p", "b", "i", "a", "em", "span", "div", "blockquote", "ul", "li", "dl", "dt", "dd", "h1", "h2", "pre", "table", "caption", "colgroup", "col",
		"tbody", "tr", "td", "th", "figure", "details", "ruby", "rt", "rp", "code", "svg", "math", "template", "select", "option", "button", "object", "form", "textarea", "title"} {
		parts = append(parts, "<"+tag+">", "</"+tag+">", "<"+tag+" title=t>")
	}
	for seed := range byte(40) {
		picks := make([]byte, 60)
		for i := range picks {
			picks[i] = byte(int(seed)*31+i*i*7+i*int(seed)*3) ^ byte(i>>1)
		}
		f.Add(picks)
	}
	f.Fuzz(func(t *testing.T, picks []byte) {
		var b strings.Builder
		for _, pick := range picks {
			b.WriteString(parts[int(pick)%len(parts)])
		}
		mustBeSafe(t, b.String())
	})
}
