package wording

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlPasses is how often a text is cleaned at most until it no longer changes. Nearly every text needs two passes.
const htmlPasses = 6

// CleanHTML returns a description or excerpt in its stored form: sanitized HTML, with paragraphs if the author wrote
// none (rule 3.14). A blank line separates paragraphs, a single line end becomes <br />, and block elements stand on
// their own. It is idempotent, unless the result is too long to store. Markup too tangled or too deeply nested to
// stabilize is reduced to its text. It returns the context's error if the context ends first.
func CleanHTML(ctx context.Context, s string) (string, error) {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if settled(s) {
		return s, nil
	}
	if settledParagraph(s) && !strings.Contains(s, "\n") {
		return "<p>" + s + "</p>", nil
	}
	for range htmlPasses {
		if err := ctx.Err(); err != nil {
			return "", fmt.Errorf("clean HTML: %w", err)
		}
		cleaned, ok := cleanOnce(s)
		if !ok {
			break
		}
		if cleaned == s || len(cleaned) > LongestHTML {
			return cleaned, nil
		}
		s = cleaned
	}
	plain := EscapeText(PlainText(s))
	if plain == "" {
		return "", nil
	}
	return "<p>" + plain + "</p>", nil
}

// settled reports whether a text is certainly in the form CleanHTML produces. Editors mostly send such texts:
// paragraphs, one per line, in which some words are strong or emphasized.
func settled(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		text, opened := strings.CutPrefix(line, "<p>")
		text, closed := strings.CutSuffix(text, "</p>")
		if !opened || !closed || !settledParagraph(text) {
			return false
		}
	}
	return true
}

// settledParagraph reports whether the inside of a paragraph is plain text, but for words that are strong or emphasized.
func settledParagraph(text string) bool {
	if !isTrimmed(text) {
		return false
	}
	for {
		plain, rest, marked := strings.Cut(text, "<")
		if strings.ContainsAny(plain, markupBytes) {
			return false
		}
		if !marked {
			return true
		}
		tag, rest, _ := strings.Cut(rest, ">")
		words, rest, closed := strings.Cut(rest, "</"+tag+">")
		if tag != "strong" && tag != "em" || !closed || !isTrimmed(words) || strings.ContainsAny(words, markupBytes) {
			return false
		}
		text = rest
	}
}

// isTrimmed reports whether a text neither is empty nor begins or ends with a blank.
func isTrimmed(s string) bool { return s != "" && strings.Trim(s, htmlBlanks) == s }

// markupBytes are the bytes that a text without markup does not contain.
const markupBytes = "<>&\r\x00"

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "")

// cleanOnce sanitizes, parses and renders a text. It fails if the markup is too tangled or nested too deeply to
// parse.
func cleanOnce(s string) (string, bool) {
	s = lineEnds.Replace(s)
	s = strings.Trim(htmlPolicy.Sanitize(s), htmlBlanks)
	if s == "" {
		return "", true
	}
	if parsedLength(s) > mostHTML {
		return "", false
	}
	body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	nodes, err := html.ParseFragment(strings.NewReader(s), body)
	if err != nil {
		return "", false
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	var w htmlWriter
	w.flow(body)
	return strings.Trim(w.out.String(), htmlBlanks), true
}

// htmlBlanks is HTML whitespace. A no-break space counts as text.
const htmlBlanks = " \t\n\f\r"

// isBlankText reports whether a node contains only whitespace.
func isBlankText(n *html.Node) bool {
	return n.Type == html.TextNode && strings.Trim(n.Data, htmlBlanks) == ""
}

// holdsBlock reports whether a node is or contains a block element.
func holdsBlock(n *html.Node) bool {
	if n.Type == html.ElementNode && blockTags[n.Data] {
		return true
	}
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && blockTags[d.Data] {
			return true
		}
	}
	return false
}

// paragraphs splits inline content at blank lines.
func paragraphs(nodes []*html.Node) [][]*html.Node {
	var all [][]*html.Node
	var current []*html.Node
	for _, n := range nodes {
		if n.Type != html.TextNode {
			current = append(current, n)
			continue
		}
		for i, part := range splitBlankLines(n.Data) {
			if i > 0 {
				all, current = append(all, current), nil
			}
			current = append(current, &html.Node{Type: html.TextNode, Data: part})
		}
	}
	return append(all, current)
}

// splitBlankLines splits a text at lines that are empty or contain only whitespace.
func splitBlankLines(s string) []string {
	var parts []string
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '\n' {
			continue
		}
		rest := strings.TrimLeft(s[i:], htmlBlanks)
		if strings.Count(s[i:len(s)-len(rest)], "\n") > 1 {
			parts = append(parts, s[start:i])
			start = len(s) - len(rest)
		}
		i = len(s) - len(rest) - 1
	}
	return append(parts, s[start:])
}
