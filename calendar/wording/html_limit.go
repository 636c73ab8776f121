package wording

// mostHTML is the maximum size, in bytes, to which parsing and rendering may expand a text: four times the longest
// stored text.
const mostHTML = 4 * LongestHTML

// formattingTags are the elements that HTML reopens in every following block until they are properly closed. A text
// that leaves a hundred of them open gets a hundred in every paragraph.
var formattingTags = tagSet("a", "b", "big", "code", "em", "i", "s", "small", "strike", "strong", "tt", "u")

// Limits of the HTML parsing algorithm: an identical element is reopened only so often ("the Noah's Ark clause"), and
// a misplaced end tag splits only so many ("the adoption agency algorithm").
const (
	alikeElements = 3
	adopted       = 8 * 4
)

// htmlCost computes, token by token, an upper bound of a text's length after parsing and writing. It does not count end tags and
// parts of tables that the parser adds.
type htmlCost struct {
	total   int
	open    []openElement  // open elements since the last block, closed by their own end tags
	left    map[string]int // formatting elements that may be reopened, by tag and attributes
	leftAll int            // total length of left, including start and end tags
	link    int            // length of the longest link in left; a new link closes the previous one
}

// openElement is an entry of htmlCost.open.
type openElement struct {
	name string
	raw  string // its start tag
}

// text counts a text of n bytes.
func (c *htmlCost) text(n int) { c.total += n + len("</>") + c.leftAll }

// start counts a start tag.
func (c *htmlCost) start(name, raw string) {
	c.total += len(raw) + len("</>") + c.leftAll
	switch {
	case blockTags[name]:
		c.leave()
	case !voidTags[name]:
		c.open = append(c.open, openElement{name, raw})
	}
}

// end counts an end tag and closes the last open element if it matches.
func (c *htmlCost) end(name string) {
	c.total += len("</></>") + len(name)
	if last := len(c.open) - 1; last >= 0 && c.open[last].name == name {
		c.open = c.open[:last]
		return
	}
	c.leave()
	if formattingTags[name] {
		c.total += adopted*(len("<></>")+len(name)) + c.leftAll
	}
}

// leave moves the open formatting elements to those that may be reopened.
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
