package calendar

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlPasses is how often a text is cleaned until it no longer changes; nearly
// every text needs two.
const htmlPasses = 6

// CleanHTML returns a description or excerpt as it is stored and answered:
// sanitised HTML, with paragraphs where the author wrote none (wire §4). A
// blank line parts paragraphs, a single line end is a <br />, block elements
// stand alone. CleanHTML of its own result changes nothing, unless that is too long to
// be stored. Markup too tangled or too deep to come to rest is reduced to its text.
// It returns the context's error when that ends first.
func CleanHTML(ctx context.Context, s string) (string, error) {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if settled(s) {
		return s, nil
	}
	for range htmlPasses {
		if err := ctx.Err(); err != nil {
			return "", fmt.Errorf("clean HTML: %w", err)
		}
		cleaned, ok := cleanOnce(s)
		if !ok {
			break
		}
		if cleaned == s || len(cleaned) > longestHTML {
			return cleaned, nil
		}
		s = cleaned
	}
	plain := escapeText(PlainText(s))
	if plain == "" {
		return "", nil
	}
	return "<p>" + plain + "</p>", nil
}

// settled reports whether a text is beyond doubt as CleanHTML writes it, as what
// editors send mostly is: paragraphs without markup inside, one to a line.
func settled(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		text, opened := strings.CutPrefix(line, "<p>")
		text, closed := strings.CutSuffix(text, "</p>")
		if !opened || !closed || text == "" || strings.Trim(text, htmlBlanks) != text || strings.ContainsAny(text, "<>&\r\x00") {
			return false
		}
	}
	return true
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "")

// cleanOnce sanitises, parses and writes anew; it fails on markup too tangled or
// nested too deep to parse.
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

// htmlBlanks is the white space of HTML; a no-break space is text.
const htmlBlanks = " \t\n\f\r"

// isBlankText tells whether a node is nothing but white space.
func isBlankText(n *html.Node) bool {
	return n.Type == html.TextNode && strings.Trim(n.Data, htmlBlanks) == ""
}

// holdsBlock tells whether a node is a block element or has one inside.
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

// paragraphs splits the inline content of a flow at its blank lines.
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

// splitBlankLines splits a text where lines of white space only part it.
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
