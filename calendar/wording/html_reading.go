package wording

import (
	"html"
	"net/url"
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
)

// ReadingText returns sanitized HTML as plain text for people to read, such as in calendar programs: paragraphs with
// a blank line between them, lists with one entry per line, and links as "text (address)". Relative addresses are
// resolved against base. PlainText is the form for a single line.
func ReadingText(clean, base string) string {
	r := &readingWriter{}
	r.base, _ = url.Parse(base)
	tokens := xhtml.NewTokenizer(strings.NewReader(clean))
	for {
		switch tokens.Next() {
		case xhtml.ErrorToken:
			return strings.TrimSpace(r.out.String())
		case xhtml.TextToken:
			r.text(html.UnescapeString(string(tokens.Raw())))
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			r.start(tokens.Token())
		case xhtml.EndTagToken:
			name, _ := tokens.TagName()
			r.end(string(name))
		}
	}
}

// readingWriter builds the text of ReadingText.
type readingWriter struct {
	out   strings.Builder
	base  *url.URL
	lines int    // line ends to write before the next text
	blank bool   // a blank to write before it
	mark  string // bullet or number of a list entry to write before it
	lists []int  // open lists: number of the next entry, 0 for bullets
	pre   int    // open <pre> elements, which keep their whitespace
	link  string // address of the open link, or ""
	from  int    // where its text begins
}

// text adds text, with whitespace collapsed.
func (r *readingWriter) text(text string) {
	if r.pre > 0 {
		r.write(text)
		return
	}
	for i, word := range strings.FieldsFunc(text, isHTMLBlank) {
		if i > 0 || isHTMLBlank(rune(text[0])) {
			r.blank = true
		}
		r.write(word)
	}
	if text != "" && isHTMLBlank(rune(text[len(text)-1])) {
		r.blank = true
	}
}

func isHTMLBlank(c rune) bool { return strings.ContainsRune(htmlBlanks, c) }

// write adds a text, after the pending line ends, list mark and blank.
func (r *readingWriter) write(text string) {
	if r.out.Len() > 0 {
		r.out.WriteString(strings.Repeat("\n", r.lines))
		if r.lines == 0 && r.blank {
			r.out.WriteByte(' ')
		}
	}
	if r.mark != "" {
		r.out.WriteString(strings.Repeat("  ", max(len(r.lists)-1, 0)) + r.mark)
	}
	r.lines, r.blank, r.mark = 0, false, ""
	r.out.WriteString(text)
}

// apart sets the minimum number of pending line ends.
func (r *readingWriter) apart(lines int) {
	if lines > 0 {
		r.lines, r.blank = max(r.lines, lines), false
	}
}

// distance returns the number of line ends before and after an element: 0 for inline elements.
func (r *readingWriter) distance(name string) int {
	switch {
	case !blockTags[name]:
		return 0
	case name == "li", name == "tr", name == "dt", name == "dd", name == "summary", name == "figcaption", name == "caption",
		len(r.lists) > 0: // a list within a list, a paragraph of an entry
		return 1
	case name == "td", name == "th", name == "thead", name == "tbody", name == "tfoot", name == "col", name == "colgroup":
		return 0
	}
	return 2
}

// start begins an element.
func (r *readingWriter) start(tag xhtml.Token) {
	if r.mark == "" { // a paragraph at the start of an entry stays on its line
		r.apart(r.distance(tag.Data))
	}
	switch tag.Data {
	case "br":
		r.lines, r.blank = min(r.lines+1, 2), false
	case "hr":
		r.write("---")
		r.apart(2)
	case "pre":
		r.pre++
	case "img":
		if text := strings.TrimSpace(attribute(tag, "alt")); text != "" {
			r.write(text)
		}
	case "td", "th":
		r.blank = true
	case "ul":
		r.lists = append(r.lists, 0)
	case "ol":
		first, err := strconv.Atoi(attribute(tag, "start"))
		if err != nil || first < 1 {
			first = 1
		}
		r.lists = append(r.lists, first)
	case "li":
		r.apart(1)
		r.mark = r.nextMark()
	case "a":
		r.link = r.address(attribute(tag, "href"))
		r.from = r.out.Len()
	}
}

// nextMark returns the bullet or number of the next list entry.
func (r *readingWriter) nextMark() string {
	last := len(r.lists) - 1
	if last < 0 || r.lists[last] == 0 {
		return "• "
	}
	r.lists[last]++
	return strconv.Itoa(r.lists[last]-1) + ". "
}

// end ends an element.
func (r *readingWriter) end(name string) {
	switch name {
	case "pre":
		r.pre = max(r.pre-1, 0)
	case "ul", "ol":
		r.lists = r.lists[:max(len(r.lists)-1, 0)]
		r.mark = ""
	case "a":
		r.endLink()
	}
	r.apart(r.distance(name))
}

// endLink adds the URL of a link, unless the link's text is already the URL.
func (r *readingWriter) endLink() {
	text := strings.TrimSpace(r.out.String()[min(r.from, r.out.Len()):])
	address := r.link
	r.link = ""
	switch bare := bareAddress(address); {
	case address == "", bare != "" && strings.EqualFold(bareAddress(text), bare):
	case text == "":
		r.write(address)
	default:
		if strings.HasPrefix(address, "mailto:") || strings.HasPrefix(address, "tel:") {
			address = bareAddress(address)
		}
		r.write(" (" + address + ")")
	}
}

// bareAddress returns an address as people write it, without scheme, "www." and trailing slash.
func bareAddress(address string) string {
	for _, before := range []string{"https://", "http://", "mailto:", "tel:"} {
		address = strings.TrimPrefix(address, before)
	}
	return strings.TrimSuffix(strings.TrimPrefix(address, "www."), "/")
}

// address returns the address of a link that works outside its page, or "" for an anchor within the page.
func (r *readingWriter) address(href string) string {
	to, err := url.Parse(strings.TrimSpace(href))
	if err != nil || href == "" || strings.HasPrefix(href, "#") {
		return ""
	}
	if r.base != nil && !to.IsAbs() {
		to = r.base.ResolveReference(to)
	}
	if !to.IsAbs() {
		return ""
	}
	return to.String()
}

func attribute(tag xhtml.Token, name string) string {
	for _, a := range tag.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
