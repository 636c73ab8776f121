package calendar

import (
	"strings"

	"golang.org/x/net/html"
)

// mostHTML bounds what parsing and writing a text may make of it, in bytes: four
// times the longest that is stored.
const mostHTML = 4 * longestHTML

// formattingTags are the elements that HTML continues in each block that follows,
// until their end tag is found in the right place. A text that leaves a hundred of
// them open has a hundred new ones in every paragraph.
var formattingTags = tagSet("a", "b", "big", "code", "em", "i", "s", "small", "strike", "strong", "tt", "u")

// An element is continued so often at most, of those that are the same; a misplaced
// end tag takes apart so many (HTML, "the Noah's Ark clause" and "the adoption agency algorithm").
const (
	alikeElements = 3
	adopted       = 8 * 4
)

// htmlCost adds up what parsing a text makes of it at most, token by token.
type htmlCost struct {
	total   int
	open    []openElement  // without a block between them: their end tags end them
	left    map[string]int // formatting elements that others may continue, by tag and attributes
	leftAll int            // their length, start tags and end tags
	link    int            // of the longest link among them: a new one ends the one before
}

// openElement is an element in open.
type openElement struct {
	name string
	raw  string // its start tag
}

// parsedLength returns how long at most a sanitised text is when it is parsed and written
// again, or a length beyond mostHTML. End tags and parts of tables that nobody wrote are not counted.
func parsedLength(s string) int {
	cost := htmlCost{left: map[string]int{}}
	tokens := html.NewTokenizer(strings.NewReader(s))
	for cost.total <= mostHTML {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		raw := string(tokens.Raw())
		cost.total += len(raw) + len("</>")
		switch kind {
		case html.TextToken:
			cost.total += cost.leftAll
		case html.StartTagToken, html.SelfClosingTagToken:
			cost.start(tokens, raw)
		case html.EndTagToken:
			cost.end(tokens)
		}
	}
	return cost.total
}

// start counts a start tag.
func (c *htmlCost) start(tokens *html.Tokenizer, raw string) {
	tag, _ := tokens.TagName()
	name := string(tag)
	c.total += c.leftAll
	switch {
	case blockTags[name]:
		c.leave()
	case !voidTags[name]:
		c.open = append(c.open, openElement{name, raw})
	}
}

// end counts an end tag: an element that was opened last is over.
func (c *htmlCost) end(tokens *html.Tokenizer) {
	tag, _ := tokens.TagName()
	name := string(tag)
	if last := len(c.open) - 1; last >= 0 && c.open[last].name == name {
		c.open = c.open[:last]
		return
	}
	c.leave()
	if formattingTags[name] {
		c.total += adopted*(len("<></>")+len(name)) + c.leftAll
	}
}

// leave takes the open formatting elements for ones that others may continue.
func (c *htmlCost) leave() {
	for _, e := range c.open {
		if !formattingTags[e.name] {
			continue
		}
		long := len(e.raw) + len("</>") + len(e.name)
		switch {
		case e.name == "a":
			c.leftAll += max(0, long-c.link)
			c.link = max(c.link, long)
		case c.left[e.raw] < alikeElements:
			c.left[e.raw]++
			c.leftAll += long
		}
	}
	c.open = c.open[:0]
}
