package wording

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlWriter renders a parsed fragment in the canonical form of CleanHTML.
type htmlWriter struct {
	out  []byte
	open []string // the elements around what is written
	deep bool     // whether elements were nested too deeply to be parsed again
}

var plainParagraph = &html.Node{Type: html.ElementNode, DataAtom: atom.P, Data: "p"}

// flow renders the children of a body or blockquote: blocks unchanged, and everything between them as paragraphs,
// one block per line.
func (w *htmlWriter) flow(parent *html.Node) {
	var inline []*html.Node
	for n := range parent.ChildNodes() {
		if !holdsBlock(n) {
			inline = append(inline, n)
			continue
		}
		w.wrap(plainParagraph, inline)
		inline = nil
		w.newLine()
		w.block(n)
	}
	w.wrap(plainParagraph, inline)
}

// block renders a node that contains a block element.
func (w *htmlWriter) block(n *html.Node) {
	switch n.Data {
	case "p":
		w.wrap(n, slices.Collect(n.ChildNodes()))
	case "blockquote":
		w.element(n, func() {
			w.out = append(w.out, '\n')
			w.flow(n)
			w.newLine()
		})
	default:
		w.node(n)
	}
}

// wrap renders inline nodes as non-empty paragraphs like p.
func (w *htmlWriter) wrap(p *html.Node, nodes []*html.Node) {
	for _, paragraph := range paragraphs(nodes) {
		paragraph = trimmed(paragraph)
		if len(paragraph) == 0 {
			continue
		}
		w.newLine()
		w.element(p, func() { w.inline(paragraph) })
	}
}

// inline renders nodes of a paragraph with line ends as <br />. Line ends next to an existing break are whitespace.
func (w *htmlWriter) inline(nodes []*html.Node) {
	for i, n := range nodes {
		switch {
		case isBreak(n):
			w.out = append(w.out, "<br />\n"...)
		case n.Type == html.TextNode:
			w.lines(n.Data, i > 0 && isBreak(nodes[i-1]), i+1 < len(nodes) && isBreak(nodes[i+1]))
		default:
			w.element(n, func() { w.inline(slices.Collect(n.ChildNodes())) })
		}
	}
}

// lines renders a text with one break for every run of line ends.
func (w *htmlWriter) lines(s string, afterBreak, beforeBreak bool) {
	if afterBreak {
		s = strings.TrimLeft(s, htmlBlanks)
	}
	if beforeBreak {
		s = strings.TrimRight(s, htmlBlanks)
	}
	for {
		line, rest, more := strings.Cut(s, "\n")
		if !more {
			w.text(line)
			return
		}
		w.text(strings.TrimRight(line, htmlBlanks))
		w.out = append(w.out, "<br />\n"...)
		s = strings.TrimLeft(rest, htmlBlanks)
	}
}

// node renders a node unchanged.
func (w *htmlWriter) node(n *html.Node) {
	if n.Type == html.TextNode {
		w.text(n.Data)
		return
	}
	w.element(n, func() {
		from := len(w.out)
		w.children(n)
		if n.Data == "pre" && from < len(w.out) && w.out[from] == '\n' {
			w.out = slices.Insert(w.out, from, '\n') // the parser drops the first newline
		}
	})
}

// children renders what is in a node unchanged.
func (w *htmlWriter) children(n *html.Node) {
	for child := range n.ChildNodes() {
		w.node(child)
	}
}

// deepest is how deep elements may be nested. The parser refuses 512, and has some of its own around them.
const deepest = 500

// element renders an element with its content. It leaves out the tags of one that a parser would not find where it is.
func (w *htmlWriter) element(n *html.Node, content func()) {
	if !w.stays(n.Data) {
		if blockTags[n.Data] {
			w.out = append(w.out, ' ')
		}
		content()
		return
	}
	w.out = appendStart(w.out, n.Data, n.Attr)
	if voidTags[n.Data] {
		return
	}
	w.open = append(w.open, n.Data)
	if w.deep = w.deep || len(w.open) > deepest; !w.deep {
		content()
	}
	w.open = w.open[:len(w.open)-1]
	w.out = appendEnd(w.out, n.Data)
}

// appendStart adds a start tag to some HTML.
func appendStart(out []byte, tag string, attributes []html.Attribute) []byte {
	out = append(append(out, '<'), tag...)
	for _, a := range attributes {
		out = append(append(append(out, ' '), a.Key...), `="`...)
		out = append(append(out, EscapeTitle(a.Val)...), '"')
	}
	if voidTags[tag] {
		out = append(out, " /"...)
	}
	return append(out, '>')
}

// appendEnd adds an end tag to some HTML.
func appendEnd(out []byte, tag string) []byte {
	return append(append(append(out, "</"...), tag...), '>')
}

func (w *htmlWriter) text(s string) { w.out = append(w.out, EscapeText(s)...) }

// newLine starts a new line unless the output is already at one.
func (w *htmlWriter) newLine() {
	if len(w.out) > 0 && w.out[len(w.out)-1] != '\n' {
		w.out = append(w.out, '\n')
	}
}

func isBreak(n *html.Node) bool { return n.Type == html.ElementNode && n.Data == "br" }

// isEmpty reports whether a node is invisible at the edge of a paragraph.
func isEmpty(n *html.Node) bool {
	return isBreak(n) || n.Type == html.TextNode && strings.Trim(n.Data, htmlBlanks) == ""
}

// trimmed drops whitespace and breaks around a paragraph.
func trimmed(nodes []*html.Node) []*html.Node {
	for len(nodes) > 0 && isEmpty(nodes[0]) {
		nodes = nodes[1:]
	}
	for len(nodes) > 0 && isEmpty(nodes[len(nodes)-1]) {
		nodes = nodes[:len(nodes)-1]
	}
	if len(nodes) == 0 {
		return nil
	}
	if first := nodes[0]; first.Type == html.TextNode {
		first.Data = strings.TrimLeft(first.Data, htmlBlanks)
	}
	if last := nodes[len(nodes)-1]; last.Type == html.TextNode {
		last.Data = strings.TrimRight(last.Data, htmlBlanks)
	}
	return nodes
}

// stays reports whether a parser would find an element where it is. The start of some elements ends others, but not
// always if a table is between them or formatting ends in the wrong place. In these cases, parsing the text of the
// tree would result in a different tree.
func (w *htmlWriter) stays(tag string) bool {
	last := ""
	if len(w.open) > 0 {
		last = w.open[len(w.open)-1]
	}
	switch {
	case tag == "a":
		return !w.within(isCell, "a")
	case tag == "li":
		return !w.within(endsEntries, "li")
	case tag == "dd", tag == "dt":
		return !w.within(endsEntries, "dd", "dt")
	case headings[tag]:
		return !headings[last]
	case tag == "rp", tag == "rt":
		return !impliedEnds[last] || !w.within(isCell, "ruby")
	}
	return true
}

var (
	headings    = tagSet("h1", "h2", "h3", "h4", "h5", "h6")
	impliedEnds = tagSet("dd", "dt", "li", "p", "rp", "rt")
)

func isCell(tag string) bool { return tag == "caption" || tag == "td" || tag == "th" }

// endsEntries reports whether entries of lists may start in an element without an end of the entry around it.
func endsEntries(tag string) bool {
	return blockTags[tag] && tag != "address" && tag != "div" && tag != "p"
}

// within reports whether one of some elements is open, with no bound after it.
func (w *htmlWriter) within(isBound func(string) bool, tags ...string) bool {
	for _, open := range slices.Backward(w.open) {
		if slices.Contains(tags, open) {
			return true
		}
		if isBound(open) {
			return false
		}
	}
	return false
}
