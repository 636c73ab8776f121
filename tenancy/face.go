package tenancy

import (
	"net/url"
	"strings"
)

// Face is what the public pages of a site look like, and where they lead beside events.
type Face struct {
	Tagline string // plain text below the name, or ""
	Theme   string // "plain", "journal", "poster", "board" or "night"
	Corners string // "square", "slight" or "round"
	Font    string // "theme", "sans", "serif", "humanist" or "slab"
	Logo    string // address of a picture, or ""
	Header  string // address of a picture above the pages, or ""
	Links   string // a line each: words | address
	Footer  string // likewise, at the end of the pages
}

// mostLinks is how many links a site has in a place.
const mostLinks = 8

// Link leads from the public pages to somewhere.
type Link struct{ Text, Address string }

// Links reads links from lines of words and an address. It reports whether all of them
// are such: http, https, mailto or tel, or a path of the site.
func Links(text string) (list []Link, ok bool) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		words, address, found := strings.Cut(line, "|")
		l := Link{strings.TrimSpace(words), strings.TrimSpace(address)}
		if !found || l.Text == "" || !Followed(l.Address) || len(list) == mostLinks {
			return list, false
		}
		list = append(list, l)
	}
	return list, true
}

// Followed reports whether an address may be linked by the pages of a site.
func Followed(address string) bool {
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return false
	}
	switch u.Scheme {
	case "http", "https":
		return u.Host != ""
	case "mailto", "tel":
		return u.Opaque != ""
	case "":
		return u.Host == "" && strings.HasPrefix(u.Path, "/") && !strings.HasPrefix(address, "//") && !strings.Contains(address, "\\")
	}
	return false
}
