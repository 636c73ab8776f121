package wording

import (
	"strings"

	"golang.org/x/net/html"
)

// htmlWriter renders a parsed fragment in the canonical form of CleanHTML.
type htmlWriter struct {
	out strings.Builder
}

// flow renders the children of a body or blockquote: blocks as they are, everything between them as paragraphs, one
// block per line.
func (w *htmlWriter) flow(parent *html.Node) {
	var inline []*html.Node
	for n := range parent.ChildNodes() {
		if !holdsBlock(n) {
			inline = append(inline, n)
			continue
		}
		w.wrap(nil, inline)
		inline = nil
		w.newLine()
		w.block(n)
	}
	w.wrap(nil, inline)
}

// block renders a node that contains a block element.
func (w *htmlWriter) block(n *html.Node) {
	switch {
	case n.Data == "p" && !holdsInner(n):
		w.wrap(n, childrenOf(n))
	case n.Data == "blockquote":
		w.open(n)
		w.out.WriteByte('\n')
		w.flow(n)
		w.newLine()
		w.close(n)
	default:
		w.node(n)
	}
}

// wrap renders inline nodes as non-empty paragraphs with the attributes of p.
func (w *htmlWriter) wrap(p *html.Node, nodes []*html.Node) {
	for _, paragraph := range paragraphs(nodes) {
		paragraph = trimmed(paragraph)
		if len(paragraph) == 0 {
			continue
		}
		w.newLine()
		w.out.WriteString("<p")
		if p != nil {
			w.attributes(p)
		}
		w.out.WriteByte('>')
		for i, n := range paragraph {
			w.inline(n, i > 0 && isBreak(paragraph[i-1]), i+1 < len(paragraph) && isBreak(paragraph[i+1]))
		}
		w.out.WriteString("</p>")
	}
}

// inline renders a node of a paragraph with line ends as <br />. Line ends next to an existing break are whitespace.
func (w *htmlWriter) inline(n *html.Node, afterBreak, beforeBreak bool) {
	switch {
	case isBreak(n):
		w.out.WriteString("<br />\n")
	case n.Type == html.TextNode:
		w.lines(n.Data, afterBreak, beforeBreak)
	case n.Type == html.ElementNode:
		w.open(n)
		if voidTags[n.Data] {
			return
		}
		children := childrenOf(n)
		for i, child := range children {
			w.inline(child, i > 0 && isBreak(children[i-1]), i+1 < len(children) && isBreak(children[i+1]))
		}
		w.close(n)
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
		w.out.WriteString("<br />\n")
		s = strings.TrimLeft(rest, htmlBlanks)
	}
}

// node renders a node unchanged.
func (w *htmlWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data)
	case html.ElementNode:
		w.open(n)
		if voidTags[n.Data] {
			return
		}
		if n.Data == "pre" && n.FirstChild != nil && strings.HasPrefix(n.FirstChild.Data, "\n") {
			w.out.WriteByte('\n') // the parser drops the first newline
		}
		for child := range n.ChildNodes() {
			w.node(child)
		}
		w.close(n)
	}
}

func (w *htmlWriter) open(n *html.Node) {
	w.out.WriteByte('<')
	w.out.WriteString(n.Data)
	w.attributes(n)
	if voidTags[n.Data] {
		w.out.WriteString(" /")
	}
	w.out.WriteByte('>')
}

func (w *htmlWriter) close(n *html.Node) {
	w.out.WriteString("</")
	w.out.WriteString(n.Data)
	w.out.WriteByte('>')
}

func (w *htmlWriter) attributes(n *html.Node) {
	for _, a := range n.Attr {
		w.out.WriteByte(' ')
		w.out.WriteString(a.Key)
		w.out.WriteString(`="`)
		w.out.WriteString(EscapeTitle(a.Val))
		w.out.WriteByte('"')
	}
}

func (w *htmlWriter) text(s string) { w.out.WriteString(EscapeText(s)) }

// newLine starts a new line unless the output is already at one.
func (w *htmlWriter) newLine() {
	if s := w.out.String(); s != "" && s[len(s)-1] != '\n' {
		w.out.WriteByte('\n')
	}
}

// holdsInner reports whether a block contains another block.
func holdsInner(n *html.Node) bool {
	for child := range n.ChildNodes() {
		if holdsBlock(child) {
			return true
		}
	}
	return false
}

func childrenOf(n *html.Node) []*html.Node {
	var list []*html.Node
	for child := range n.ChildNodes() {
		list = append(list, child)
	}
	return list
}

func isBreak(n *html.Node) bool { return n.Type == html.ElementNode && n.Data == "br" }

// isEmpty reports whether a node is invisible at the edge of a paragraph.
func isEmpty(n *html.Node) bool { return isBlankText(n) || isBreak(n) }

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
