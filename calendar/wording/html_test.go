package wording

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestCleanTitle(t *testing.T) {
	t.Parallel()
	tests := []struct{ sent, stored, shown string }{
		{"Rock & Roll", "Rock & Roll", "Rock &amp; Roll"},
		{"Rock &amp; Roll", "Rock & Roll", "Rock &amp; Roll"},
		{"Rock &#038; Roll", "Rock & Roll", "Rock &amp; Roll"},
		{"&amp;lt;b&amp;gt;", "&lt;b&gt;", "&amp;lt;b&amp;gt;"},
		{"a <b>b</b>", "a <b>b</b>", "a &lt;b&gt;b&lt;/b&gt;"},
		{`"It's" &#8220;x&#8221;`, `"It's" “x”`, `&quot;It's&quot; “x”`},
		{`&quot;It&#039;s&quot;`, `"It's"`, `&quot;It's&quot;`},
		{" two\r\n\tlines\x00 ", "two lines", "two lines"},
		{"&#10;x&nbsp;", "x", "x"},
		{"a\xffb", "a\uFFFDb", "a\uFFFDb"},
		{"0", "0", "0"},
		{"", "", ""},
		{"\u200b&#8205;\u3164", "", ""},
	}
	for _, test := range tests {
		stored := CleanTitle(test.sent)
		if shown := EscapeTitle(stored); stored != test.stored || shown != test.shown {
			t.Errorf("%q: stored %q, shown %q", test.sent, stored, shown)
		}
	}
}

func TestCleanTerm(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"Beta & <b>bold</b> ü":              "Beta & bold ü",
		"Beta &amp; &lt;b&gt;":              "Beta & <b>",
		"<script>alert(1)</script>Music":    "Music",
		"<style>a{}</style><!-- x -->Music": "Music",
		"1 < 2":                             "1 < 2",
		"<br><br/>":                         "",
	}
	for sent, want := range tests {
		if got := CleanTerm(sent); got != want {
			t.Errorf("%q: got %q, want %q", sent, got, want)
		}
	}
}

func TestPlainText(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"<p>One &amp; <b>t</b>wo</p>\n<p>Three<br />four</p>": "One & two Three four",
		"<ul><li>a</li><li>b</li></ul><script>x</script>":     "a b",
		"&lt;b&gt;&nbsp;  x": "<b> x",
		"":                   "",
	}
	for fragment, want := range tests {
		if got := PlainText(fragment); got != want {
			t.Errorf("%q: got %q, want %q", fragment, got, want)
		}
	}
}

func TestCleanHTML(t *testing.T) {
	t.Parallel()
	tests := []struct{ sent, want string }{
		{"", ""},
		{" \n ", ""},
		{"Short text", "<p>Short text</p>"},
		{"<p>Body with <strong>HTML</strong>.</p>\n\nSecond paragraph", "<p>Body with <strong>HTML</strong>.</p>\n<p>Second paragraph</p>"},
		{"One\n\nTwo\r\n \r\n\r\nThree", "<p>One</p>\n<p>Two</p>\n<p>Three</p>"},
		{"One\nTwo", "<p>One<br />\nTwo</p>"},
		{"One<br>\nTwo<br/>Three", "<p>One<br />\nTwo<br />\nThree</p>"},
		{"One\n<strong>Two</strong>\nThree", "<p>One<br />\n<strong>Two</strong><br />\nThree</p>"},
		{"<p>One\n\nTwo</p>", "<p>One</p>\n<p>Two</p>"},
		{"<p></p><p> </p>x", "<p>x</p>"},
		{"<h2>Head</h2>Text", "<h2>Head</h2>\n<p>Text</p>"},
		{"Text\n<ul>\n<li>a</li>\n<li>b\nc</li>\n</ul>\nmore", "<p>Text</p>\n<ul>\n<li>a</li>\n<li>b\nc</li>\n</ul>\n<p>more</p>"},
		{"<blockquote>Said\nso</blockquote>", "<blockquote>\n<p>Said<br />\nso</p>\n</blockquote>"},
		{"<pre>a\n\nb</pre>", "<pre>a\n\nb</pre>"},
		{"<div>a\n\nb</div>", "<div>a\n\nb</div>"},
		{"<strong><p>x</p></strong>", "<strong><p>x</p></strong>"},
		{"<p class=\"has-text-align-center\">x</p>", "<p class=\"has-text-align-center\">x</p>"},
		{`<img class="alignleft size-medium wp-image-12" src="/a.png" alt="">`, `<p><img class="alignleft size-medium wp-image-12" src="/a.png" alt="" /></p>`},
		{"<p class=\"lead\" id=\"main\">x</p>", "<p>x</p>"},
		{"<div class=\"index\"><a href=\"https://evil.example\">x</a></div>", "<div><a href=\"https://evil.example\">x</a></div>"},
		{"<p class=\"unseen\">x</p><p class=\"alignleft hidden\">y</p>", "<p>x</p>\n<p>y</p>"},
		{"<p class=\"a;b\" style=\"color:red\" onclick=\"x()\">x</p>", "<p>x</p>"},
		{`<a href="https://example.org/?a=1&b=2">x</a>`, `<p><a href="https://example.org/?a=1&amp;b=2">x</a></p>`},
		{`<a href="/x" target="_blank" rel="noopener">x</a>`, `<p><a href="/x" rel="noopener" target="_blank">x</a></p>`},
		{`<a href="javascript:alert(1)">x</a>`, `<p><a>x</a></p>`},
		{`<a href="java&#10;script:alert(1)">x</a>`, `<p><a>x</a></p>`},
		{`<img src="https://example.org/a.png" alt="A &quot;b&quot;" onerror="x()">`, `<p><img src="https://example.org/a.png" alt="A &quot;b&quot;" /></p>`},
		{`<img src="data:image/svg+xml;base64,AAAA">`, ""},
		{"<script>alert(1)</script>x<iframe src=\"https://example.org\"></iframe>", "<p>x</p>"},
		{"<svg><style><img src=x onerror=y></style></svg>x", "<p>x</p>"},
		{"a & b < c", "<p>a &amp; b &lt; c</p>"},
		{"a &amp; b &lt;b&gt; \"q\" 'q'", "<p>a &amp; b &lt;b&gt; \"q\" 'q'</p>"},
		{"<!-- hidden -->x", "<p>x</p>"},
		{"<table><tr><td>1</td></tr></table>", "<table><tbody><tr><td>1</td></tr></tbody></table>"},
		{"<figure><img src=\"/a.png\" alt=\"\"><figcaption>c</figcaption></figure>", "<figure><img src=\"/a.png\" alt=\"\" /><figcaption>c</figcaption></figure>"},
		{"<b>open", "<p><b>open</b></p>"},
		{"a\x00b\xff", "<p>ab\uFFFD</p>"},
		{"x\n\n<hr>\n\ny", "<p>x</p>\n<hr />\n<p>y</p>"},
		{"<br>x<br>\n\ny<br><br>", "<p>x</p>\n<p>y</p>"},
		{"<p>&nbsp;</p>", "<p>\u00a0</p>"},
		{"<big>x</big><img>y", "<p><big>x</big>y</p>"},
		{"<p>a<object><p>b</object><frame>c", "<p>a</p>\n<p>bc</p>"},
		{"<h1><b>a<h2>b</b>c", "<h1><b>a</b> <b>b</b>c</h1>"},
		{"<a href=/x>a<table><tr><td><a href=/y>b</a></table>", "<a href=\"/x\">a<table><tbody><tr><td><a href=\"/y\">b</a></td></tr></tbody></table></a>"},
		{"<a href=/x>a<table><a href=/y>b", "<a href=\"/x\">ab<table></table></a>"},
	}
	for _, test := range tests {
		got := CleanHTML(test.sent)
		if got != test.want {
			t.Errorf("%q:\ngot  %q\nwant %q", test.sent, got, test.want)
		}
		if again := CleanHTML(got); again != got {
			t.Errorf("%q: then %q", got, again)
		}
	}
}

func TestCleanInline(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		"":                                   "",
		" Concerts\n\nand more ":             "Concerts\n\nand more",
		`Say "hi" & <b>bye</b><br>`:          `Say "hi" &amp; <b>bye</b><br />`,
		"<b>open":                            "<b>open</b>",
		"a</div></section>b":                 "ab",
		"<p>One</p>\n<p>Two":                 "<p>One</p>\n<p>Two</p>",
		"<a href=javascript:x>y</a><script>": "<a>y</a>",
		strings.Repeat("<i>", 600) + "deep":  "deep",
	} {
		got := CleanInline(sent)
		if got != want {
			t.Errorf("%q: %q, want %q", sent, got, want)
		}
		if again := CleanInline(got); again != got {
			t.Errorf("%q: then %q", got, again)
		}
	}
}

func TestCleanHTMLTooDeep(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("<blockquote>", 2000) + "deep"
	if got := CleanHTML(deep); got != "<p>deep</p>" {
		t.Errorf("got %d bytes: %.80q", len(got), got)
	}
}

func FuzzTitle(f *testing.F) {
	for _, seed := range []string{"a &amp;lt; b", "&copy &#0; &#x80;", "\x00 \u0085x", "<b>&#60;", "\xff&"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		title := CleanTitle(sent)
		if again := CleanTitle(EscapeTitle(title)); again != title {
			t.Fatalf("title %q, then %q", title, again)
		}
		term := CleanTerm(sent)
		if again := CleanTerm(EscapeTitle(term)); again != term {
			t.Fatalf("term %q, then %q", term, again)
		}
		if strings.ContainsFunc(title, unicode.IsControl) || !utf8.ValidString(title) || strings.ContainsAny(EscapeTitle(title), `<>"`) {
			t.Fatalf("%q is not clean", title)
		}
	})
}

// FuzzSettled verifies that texts considered clean are unchanged by cleaning.
func FuzzSettled(f *testing.F) {
	for _, seed := range []string{"One paragraph.", "a\nb", "  in  between ", "it's \"said\" \u00a0", "a\tb\fc", "\ufeff\u2028\u0085", "`x` = 'y'",
		"a <strong>b</strong> c", "<em>a</em><strong>b</strong>", "<em>a</em>\n<em>b c</em> ", "<strong><em>a</em></strong>", "<em>\u00a0</em>", "<em></em>a",
		"<em> a</em>", "a</em>b", "<em>a", "/>a", "<strong>a</em>", "a</>", "</em>", "<em>a<strong>b</em></strong>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		s := "<p>" + strings.ReplaceAll(text, "\n", "</p>\n<p>") + "</p>"
		if !settled(s) {
			return
		}
		if cleaned := cleanParsed(s); cleaned != s {
			t.Fatalf("%q is cleaned to %q", s, cleaned)
		}
		if cleaned := cleanParsed(text); !strings.Contains(text, "\n") && cleaned != s {
			t.Fatalf("%q is cleaned to %q, want %q", text, cleaned, s)
		}
	})
}

func BenchmarkEscapeTitle(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		EscapeTitle("Rock & Roll \"live\"")
	}
}

func BenchmarkCleanHTML(b *testing.B) {
	text := strings.Repeat("<p>Body with <strong>HTML</strong>.</p>\n\nSecond paragraph\nwith lines\n\n", 50)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		CleanHTML(text)
	}
}
