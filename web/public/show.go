package public

import (
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/ui"
)

// restPath is where the API has the same, its root at least.
func restPath(p *page) string { return ui.FirstText(p.rest, "/") }

// apiRoot is what a page tells clients to ask: its event, or the events of its
// venue, organizer or term, and the root elsewhere (rule 1.5).
func apiRoot(p *page) string {
	if p != nil && strings.HasPrefix(p.rest, "/events/") {
		return p.rest
	}
	return "/"
}

// shortAddress is a web address as people read it.
func shortAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return strings.TrimPrefix(u.Host, "www.") + strings.TrimSuffix(u.Path, "/")
}

// dialled is a telephone number as it is dialled.
func dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '+' {
			return r
		}
		return -1
	}, phone)
}

// trimQuery is a query without its question mark.
func trimQuery(query string) string { return strings.TrimPrefix(query, "?") }

// pictured reports whether lists show a picture of an event.
func pictured(e *calendar.Event) bool { return e.Image != nil && !e.Masked && e.Image.Width > 0 }

// prominent reports whether an entry is one that the site features.
func (e agendaEntry) prominent() bool { return e.Featured && !e.Masked }

// thumbSizes says how wide the picture of an entry of a list is shown.
func (e agendaEntry) thumbSizes() string {
	if e.prominent() {
		return "(min-width: 48rem) 23rem, 92vw"
	}
	return "(min-width: 48rem) 14rem, 6rem"
}

// toneOf is the tone of a category, 0 for a tag.
func toneOf(t *calendar.Term) int {
	if t.Taxonomy == calendar.Tags {
		return 0
	}
	return ui.ToneOf(t)
}

// smallest is the address of the smallest size of a picture that is whole.
func smallest(i *calendar.Image) string {
	for _, s := range i.Sizes {
		if s.Name == "medium" {
			return ui.BlobPath(i, s.File)
		}
	}
	return ui.BlobPath(i, i.File)
}

// longestLine is how many letters lists show of what an event is about.
const longestLine = 120

// line is what an event is about in a line, "" for nothing.
func (e agendaEntry) line() string {
	if e.Masked {
		return ""
	}
	return beginning(e.Excerpt, e.Description, longestLine)
}

// within has a link of an embedded page lead to another within the same.
func within(embedded bool) templ.Attributes {
	if !embedded {
		return nil
	}
	return templ.Attributes{"target": "_self"}
}
