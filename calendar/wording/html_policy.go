package wording

import (
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// allowedTags are the elements that descriptions and excerpts may contain: text, headings, lists, links, images,
// tables and figures, but no scripts, styles, frames, forms or embedded objects (rule 3.14). The content of all of
// them is parsed as HTML. There is no raw text, which could be interpreted differently or contain other languages.
var allowedTags = tagSet(
	"p", "br", "hr", "div", "span", "section", "article", "aside", "header", "footer", "address",
	"h1", "h2", "h3", "h4", "h5", "h6", "pre", "code", "kbd", "samp", "var", "blockquote",
	"b", "strong", "i", "em", "u", "s", "strike", "small", "big", "sub", "sup", "mark", "abbr", "acronym", "cite", "dfn", "q",
	"del", "ins", "bdi", "tt", "wbr", "ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "details", "summary",
	"table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td", "img", "ruby", "rt", "rp", "time", "a",
)

// hiddenTags are the elements whose content is not text to read. It is one token, up to the end tag.
var hiddenTags = tagSet("iframe", "noembed", "noframes", "noscript", "script", "style", "title")

// attributeRule defines which values of an attribute are allowed.
type attributeRule struct {
	on      map[string]bool // the elements that may have it; nil for all
	values  *regexp.Regexp  // nil for any
	address bool            // whether it is an address
}

const (
	className = `(align(left|right|center|none|wide|full)|has-text-align-(left|right|center)|wp-caption(-text)?|` +
		`size-[a-z_]{1,20}|wp-image-[0-9]{1,12})`
	linkKind = `(nofollow|noopener|noreferrer|external|tag)`
)

var (
	// classNames are the classes with which WordPress's editors align a picture or a line. Our style sheets do not
	// use these names for anything else, so a text cannot look like a part of the page around it. For the same
	// reason, ids are not allowed.
	classNames = regexp.MustCompile(`^` + className + `( ` + className + `){0,9}$`)
	linkKinds  = regexp.MustCompile(`^` + linkKind + `( ` + linkKind + `){0,4}$`)
	languages  = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$`)
	directions = regexp.MustCompile(`(?i)^(rtl|ltr)$`)
	sizes      = regexp.MustCompile(`^[0-9]{1,5}%?$`)
	counts     = regexp.MustCompile(`^[0-9]{1,4}$`)
	scopes     = regexp.MustCompile(`^(row|col)(group)?$`)
	newTab     = regexp.MustCompile(`^_blank$`)
	loading    = regexp.MustCompile(`^(lazy|eager)$`)
	moments    = regexp.MustCompile(`^[0-9]{4}(-[0-9]{2}(-[0-9]{2}([ T][0-9]{2}(:[0-9]{2}){1,2}(.[0-9]{1,6})?Z?([\+-][0-9]{2}:[0-9]{2})?)?)?)?$`)
)

// attributeRules are the attributes that may be.
var attributeRules = map[string]attributeRule{
	"class":    {values: classNames},
	"lang":     {values: languages},
	"dir":      {values: directions},
	"title":    {},
	"href":     {on: tagSet("a"), address: true},
	"target":   {on: tagSet("a"), values: newTab},
	"rel":      {on: tagSet("a"), values: linkKinds},
	"src":      {on: tagSet("img"), address: true},
	"alt":      {on: tagSet("img")},
	"loading":  {on: tagSet("img"), values: loading},
	"width":    {on: sizedTags, values: sizes},
	"height":   {on: sizedTags, values: sizes},
	"cite":     {on: tagSet("blockquote", "q", "del", "ins"), address: true},
	"datetime": {on: tagSet("time", "del", "ins"), values: moments},
	"start":    {on: tagSet("ol", "li"), values: counts},
	"value":    {on: tagSet("ol", "li"), values: counts},
	"colspan":  {on: spanTags, values: counts},
	"rowspan":  {on: spanTags, values: counts},
	"span":     {on: spanTags, values: counts},
	"scope":    {on: tagSet("th"), values: scopes},
}

var (
	sizedTags = tagSet("img", "table", "th", "td", "col")
	spanTags  = tagSet("th", "td", "col", "colgroup")
)

// allowedAttributes returns the attributes of an element that are allowed.
func allowedAttributes(tag string, attributes []html.Attribute) []html.Attribute {
	allowed := attributes[:0]
	for _, a := range attributes {
		rule, known := attributeRules[a.Key]
		if !known || rule.on != nil && !rule.on[tag] || rule.values != nil && !rule.values.MatchString(a.Val) {
			continue
		}
		if rule.address {
			if a.Val = allowedAddress(a.Val); a.Val == "" {
				continue
			}
		}
		allowed = append(allowed, a)
	}
	return allowed
}

// allowedAddress returns an address if a link or a picture may have it, and otherwise "".
func allowedAddress(s string) string {
	s = strings.TrimSpace(s)
	to, err := url.Parse(s)
	if err != nil || strings.ContainsAny(s, " \t\n") {
		return ""
	}
	switch to.Scheme {
	case "", "http", "https", "mailto", "tel":
		return to.String()
	}
	return ""
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
