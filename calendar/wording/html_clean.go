package wording

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// CleanHTML returns a description or excerpt in its stored form: sanitized HTML, with paragraphs if the author wrote
// none (rule 3.14). A blank line separates paragraphs, a single line end becomes <br />, and block elements stand on
// their own. It is idempotent, unless the result is too long to store. Markup that is nested too deeply or grows
// too much when it is parsed is reduced to its text.
func CleanHTML(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if settled(s) {
		return s
	}
	if p := "<p>" + s + "</p>"; settled(p) && !strings.Contains(s, "\n") {
		return p
	}
	return cleanParsed(s)
}

// cleanParsed is CleanHTML without the look whether there is anything to clean.
func cleanParsed(s string) string {
	s = lineEnds.Replace(s)
	if body := parse(s); body != nil {
		var w htmlWriter
		if w.flow(body); !w.deep {
			return strings.Trim(string(w.out), htmlBlanks)
		}
	}
	plain := EscapeText(PlainText(s))
	if plain == "" {
		return ""
	}
	return "<p>" + plain + "</p>"
}

// settled reports whether a text is certainly in the form CleanHTML produces. Editors mostly send such texts:
// paragraphs, one per line, in which some words are strong or emphasized.
func settled(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		text, opened := strings.CutPrefix(line, "<p>")
		text, closed := strings.CutSuffix(text, "</p>")
		if !opened || !closed || text == "" || strings.Trim(text, htmlBlanks) != text {
			return false
		}
		tag := "p" // the tag that ends next
		for part := range strings.SplitSeq("/p>"+text, "<") {
			rest, ends := strings.CutPrefix(part, "/"+tag+">")
			switch {
			case ends && tag != "":
				tag = ""
			case tag == "" && (strings.HasPrefix(part, "strong>") || strings.HasPrefix(part, "em>")):
				tag, rest, _ = strings.Cut(part, ">")
			default:
				return false
			}
			if strings.ContainsAny(rest, ">&\r\x00") {
				return false
			}
		}
		if tag != "" {
			return false
		}
	}
	return true
}

// CleanInline returns sanitized HTML like CleanHTML, but does not add paragraphs. It is for descriptions of terms
// (rule 12.1).
func CleanInline(s string) string {
	s = lineEnds.Replace(strings.ToValidUTF8(s, "\uFFFD"))
	if body := parse(s); body != nil {
		var w htmlWriter
		if w.children(body); !w.deep {
			return strings.TrimSpace(string(w.out))
		}
	}
	return EscapeText(PlainText(s))
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "")

// parse returns a body with what is allowed of a text, or nil if the text is nested too deeply or grows too much.
func parse(s string) *html.Node {
	body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	s, length := allowedOnly(s)
	if length > mostHTML {
		return nil
	}
	nodes, err := html.ParseFragment(strings.NewReader(strings.Trim(s, htmlBlanks)), body)
	if err != nil {
		return nil
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	return body
}

// allowedOnly returns a text without the tags and attributes that are not allowed, and without the content of hidden elements, and
// how long it may become when it is parsed and written. It stops early if that is more than mostHTML.
//
// The parser moves elements, and closes some at the start of others. Elements that are not allowed are removed before, so that
// they move nothing, and so that the parser sees nothing but HTML in which text is text.
func allowedOnly(s string) (string, int) {
	var out []byte
	cost := htmlCost{left: map[string]int{}}
	tokens := html.NewTokenizer(strings.NewReader(s))
	hidden := false
	for cost.total <= mostHTML {
		kind := tokens.Next()
		from := len(out)
		switch kind {
		case html.ErrorToken:
			return string(out), cost.total
		case html.TextToken:
			if !hidden {
				out = append(out, EscapeText(string(tokens.Text()))...)
				cost.text(len(out) - from)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := tokens.Token()
			hidden = kind == html.StartTagToken && hiddenTags[tag.Data]
			tag.Attr = allowedAttributes(tag.Data, tag.Attr)
			if allowedTags[tag.Data] && (tag.Data != "img" || len(tag.Attr) > 0) {
				out = appendStart(out, tag.Data, tag.Attr)
				cost.start(tag.Data, string(out[from:]))
			}
		case html.EndTagToken:
			hidden = false
			if tag := tokens.Token(); allowedTags[tag.Data] {
				out = appendEnd(out, tag.Data)
				cost.end(tag.Data)
			}
		}
	}
	return "", cost.total
}

// htmlBlanks is HTML whitespace. A no-break space counts as text.
const htmlBlanks = " \t\n\f\r"

// holdsBlock reports whether a node is or contains a block element.
func holdsBlock(n *html.Node) bool {
	block := n.Type == html.ElementNode && blockTags[n.Data]
	for child := n.FirstChild; child != nil && !block; child = child.NextSibling {
		block = holdsBlock(child)
	}
	return block
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
