// Package wording converts the texts that people write: to cleaned HTML, to titles and single lines, to slugs, and to the
// folded form that searches compare.
package wording

import (
	"html"
	"strings"
	"unicode"

	xhtml "golang.org/x/net/html"

	"github.com/kalends/kalends/internal/args"
)

// CleanTitle returns the stored form of a title or name: plain text, with entities decoded once, control characters
// replaced by spaces, and trimmed (rule 4.3). It reverses EscapeTitle, so that reading and writing changes nothing.
func CleanTitle(s string) string {
	return Tidy(html.UnescapeString(s))
}

// CleanTerm is CleanTitle for names of categories and tags, and for costs. It drops HTML tags but keeps their text
// (rule 12.1).
func CleanTerm(s string) string {
	if strings.IndexByte(s, '<') >= 0 {
		s = stripTags(s, false, false)
	}
	return CleanTitle(s)
}

// PlainText returns the text of an HTML fragment on one line: without tags, with entities decoded and whitespace
// collapsed. It is used for search and json_ld.
func PlainText(fragment string) string {
	return strings.Join(strings.Fields(html.UnescapeString(stripTags(fragment, true, false))), " ")
}

// EscapeTitle returns a stored text as HTML that is also safe in attributes, where clients put titles. It escapes
// only &, <, > and " (rule 4.3).
func EscapeTitle(s string) string { return titleEscapes.Replace(s) }

// EscapeText escapes a text for use between HTML tags.
func EscapeText(s string) string { return textEscapes.Replace(s) }

var (
	textEscapes  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	titleEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

// TidyLines is Tidy for a text of several lines.
func TidyLines(s string) string {
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), "\n")
	for i := range lines {
		lines[i] = Tidy(lines[i])
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// Tidy replaces each run of control characters by a space, trims, and repairs invalid UTF-8. It returns "" for a text of which
// nothing can be seen.
func Tidy(s string) string {
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
	return args.Visible(s)
}

func blankFor(r rune, control bool) rune {
	if control {
		return ' '
	}
	return r
}

// stripTags removes tags and comments, and keeps entities as they are. It also removes the text of scripts and styles unless
// scripts is set. If spaced is set, a space replaces the tags of block elements, so that the texts around them stay apart.
func stripTags(s string, spaced, scripts bool) string {
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
			hidden = !scripts && kind == xhtml.StartTagToken && (tag == "script" || tag == "style")
			if spaced && (tag == "br" || blockTags[tag]) {
				b.WriteByte(' ')
			}
		}
	}
}

// CleanLine returns a text as a single line without tags, entities and line breaks (rule 8.2).
func CleanLine(s string) string { return CleanTerm(s) }

// LongestHTML is the maximum length of a description in bytes, both sent and stored, so that what is read can be
// written back (rule 3.14).
const LongestHTML = 256 << 10
