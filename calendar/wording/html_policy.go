package wording

import (
	"regexp"

	"github.com/microcosm-cc/bluemonday"
)

// htmlPolicy defines what descriptions and excerpts may contain: text, headings, lists, links, images, tables and figures, but
// no scripts, styles, frames, forms or embedded objects (rule 3.14).
var htmlPolicy = newHTMLPolicy()

const className = `(align(left|right|center|none|wide|full)|has-text-align-(left|right|center)|wp-caption(-text)?|size-[a-z_]{1,20}|wp-image-[0-9]{1,12})`

var (
	// classNames are the classes with which WordPress's editors align a picture or a line. Our style sheets use these names
	// for nothing else, so that a text cannot look like part of the page around it. For the same reason, ids are not allowed.
	classNames = regexp.MustCompile(`^` + className + `( ` + className + `){0,9}$`)
	linkKinds  = regexp.MustCompile(`^(nofollow|noopener|noreferrer|external|tag)( (nofollow|noopener|noreferrer|external|tag)){0,4}$`)
	languages  = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$`)
	sizes      = regexp.MustCompile(`^[0-9]{1,5}%?$`)
	counts     = regexp.MustCompile(`^[0-9]{1,4}$`)
	scopes     = regexp.MustCompile(`^(row|col)(group)?$`)
	newTab     = regexp.MustCompile(`^_blank$`)
	loading    = regexp.MustCompile(`^(lazy|eager)$`)
)

func newHTMLPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes("http", "https", "mailto", "tel")

	p.AllowElements(
		"p", "br", "hr", "div", "span", "section", "article", "aside", "header", "footer", "address",
		"h1", "h2", "h3", "h4", "h5", "h6", "pre", "code", "kbd", "samp", "var", "blockquote",
		"b", "strong", "i", "em", "u", "s", "strike", "small", "big", "sub", "sup", "mark", "abbr", "acronym", "cite", "dfn", "q",
		"del", "ins", "bdi", "tt", "wbr", "ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "details", "summary",
		"table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td", "img", "ruby", "rt", "rp", "time", "a",
	)
	p.AllowNoAttrs().OnElements("a", "span")

	p.AllowAttrs("class").Matching(classNames).Globally()
	p.AllowAttrs("lang").Matching(languages).Globally()
	p.AllowAttrs("dir").Matching(bluemonday.Direction).Globally()
	p.AllowAttrs("title").Globally()
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("target").Matching(newTab).OnElements("a")
	p.AllowAttrs("rel").Matching(linkKinds).OnElements("a")
	p.AllowAttrs("src", "alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(sizes).OnElements("img", "table", "th", "td", "col")
	p.AllowAttrs("loading").Matching(loading).OnElements("img")
	p.AllowAttrs("cite").OnElements("blockquote", "q", "del", "ins")
	p.AllowAttrs("datetime").Matching(bluemonday.ISO8601).OnElements("time", "del", "ins")
	p.AllowAttrs("start", "value").Matching(counts).OnElements("ol", "li")
	p.AllowAttrs("colspan", "rowspan", "span").Matching(counts).OnElements("th", "td", "col", "colgroup")
	p.AllowAttrs("scope").Matching(scopes).OnElements("th")
	return p
}

// blockTags are the elements that cannot be inside paragraphs.
var blockTags = tagSet("p", "hr", "div", "section", "article", "aside", "header", "footer", "address",
	"h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption",
	"details", "summary", "table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td")

// voidTags are the elements without content.
var voidTags = tagSet("br", "hr", "img", "col", "wbr")

func tagSet(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
