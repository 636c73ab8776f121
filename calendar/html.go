package calendar

import (
	"html"
	"strings"
	"unicode"

	xhtml "golang.org/x/net/html"
)

// CleanTitle returns what is stored of a title or name a client sent: plain
// text, its entities decoded once, control characters turned into blanks, and
// trimmed (wire §4). What EscapeTitle wrote of a stored title comes back as it
// was, so reading and writing changes nothing.
func CleanTitle(s string) string {
	return tidy(html.UnescapeString(s))
}

// CleanTerm is CleanTitle for the names of categories and tags, and for costs:
// HTML tags are dropped, their text stays (rule 12.1).
func CleanTerm(s string) string {
	if strings.IndexByte(s, '<') >= 0 {
		s = stripTags(s, false)
	}
	return CleanTitle(s)
}

// PlainText returns the text of an HTML fragment in one line: tags dropped,
// entities decoded, every run of white space one blank. Searches and json_ld
// use it.
func PlainText(fragment string) string {
	return strings.Join(strings.Fields(html.UnescapeString(stripTags(fragment, true))), " ")
}

// EscapeTitle returns a stored text as safe HTML, in an attribute too, for that is
// where clients put titles: &, <, > and " are escaped and nothing else (wire §4).
func EscapeTitle(s string) string { return titleEscapes.Replace(s) }

// escapeText returns a text as HTML that stands between tags.
func escapeText(s string) string { return textEscapes.Replace(s) }

var (
	textEscapes  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	titleEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

// tidy makes every run of control characters one blank, trims, and repairs
// what is no UTF-8.
func tidy(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.IndexFunc(s, unicode.IsControl) >= 0 {
		var b strings.Builder
		blank := false
		for _, r := range s {
			if control := unicode.IsControl(r); !control || !blank {
				b.WriteRune(blankFor(r, control))
				blank = control
			}
		}
		s = b.String()
	}
	return strings.TrimSpace(s)
}

func blankFor(r rune, control bool) rune {
	if control {
		return ' '
	}
	return r
}

// stripTags drops tags, comments and the content of scripts and styles; the
// entities of the text stay as they are. With spaced, what a block element
// parts stays apart.
func stripTags(s string, spaced bool) string {
	var b strings.Builder
	tokens := xhtml.NewTokenizer(strings.NewReader(s))
	hidden := false
	for {
		switch kind := tokens.Next(); kind {
		case xhtml.ErrorToken:
			return b.String()
		case xhtml.TextToken:
			if !hidden {
				b.Write(tokens.Raw())
			}
		case xhtml.StartTagToken, xhtml.EndTagToken, xhtml.SelfClosingTagToken:
			name, _ := tokens.TagName()
			tag := string(name)
			hidden = kind == xhtml.StartTagToken && (tag == "script" || tag == "style")
			if spaced && (tag == "br" || blockTags[tag]) {
				b.WriteByte(' ')
			}
		}
	}
}
