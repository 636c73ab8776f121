package tenancy

import (
	"net/mail"
	"net/url"
	"strings"
)

// Face is the look of a site's public pages, and their links to other pages.
type Face struct {
	Tagline string // plain text below the name, or ""
	Theme   string // "plain", "journal", "poster", "board" or "night"
	Corners string // "square", "slight" or "round"
	Font    string // "theme", "sans", "serif", "humanist" or "slab"
	Logo    string // URL of a picture, or ""
	Header  string // URL of a picture above the pages, or ""
	Links   string // one link per line: words | address
	Footer  string // the same for links at the end of the pages
}

// mostLinks is how many links the header and the footer can each have.
const mostLinks = 8

// Link is a link on the public pages.
type Link struct{ Text, Address string }

// Links reads one link from each line of text, written as its words, a "|" and its address. ok is false if a line
// is not a link, or if there are more than mostLinks. An address is http, https, mailto, tel, or a path of the
// site. An e-mail address without a scheme is a link to write to it.
func Links(text string) (list []Link, ok bool) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		words, address, found := strings.Cut(line, "|")
		l := Link{strings.TrimSpace(words), strings.TrimSpace(address)}
		if is, err := mail.ParseAddress(l.Address); err == nil && is.Address == l.Address {
			l.Address = "mailto:" + l.Address
		}
		if !found || l.Text == "" || !Followed(l.Address) || len(list) == mostLinks {
			return list, false
		}
		list = append(list, l)
	}
	return list, true
}

// Followed reports whether the pages of a site may link to an address.
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
