package tenancy

import (
	"net/url"
	"strings"

	"github.com/kalends/kalends/args"
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

// FaceFields are the arguments of a Face.
type FaceFields struct {
	Theme   args.Opt[string] `arg:"theme,nonempty,nonull,enum=plain|journal|poster|board|night"`
	Corners args.Opt[string] `arg:"corners,nonempty,nonull,enum=square|slight|round"`
	Font    args.Opt[string] `arg:"font,nonempty,nonull,enum=theme|sans|serif|humanist|slab"`
	Logo    args.Opt[string] `arg:"logo,max=500"`
	Header  args.Opt[string] `arg:"header,max=500"`
	Links   args.Opt[string] `arg:"links,max=2000"`
	Footer  args.Opt[string] `arg:"footer_links,max=2000"`
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

// pictured reports whether an address may be that of a picture: https, or a path of the
// site.
func pictured(address string) bool {
	return address == "" || Followed(address) && (strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "/"))
}

// check refuses addresses that lead nowhere.
func (f *FaceFields) check(found *args.Problems) {
	for name, text := range map[string]args.Opt[string]{"logo": f.Logo, "header": f.Header} {
		if !pictured(strings.TrimSpace(text.Or(""))) {
			found.Invalid(name, "problem.picture_address", nil)
		}
	}
	for name, text := range map[string]args.Opt[string]{"links": f.Links, "footer_links": f.Footer} {
		if _, ok := Links(text.Or("")); !ok {
			found.Invalid(name, "problem.links", nil)
		}
	}
}

// patch writes what is given into a face.
func (f *FaceFields) patch(face *Face) {
	f.Theme.Patch(&face.Theme, "plain")
	f.Corners.Patch(&face.Corners, "slight")
	f.Font.Patch(&face.Font, "theme")
	for _, one := range []struct {
		given args.Opt[string]
		into  *string
	}{{f.Logo, &face.Logo}, {f.Header, &face.Header}, {f.Links, &face.Links}, {f.Footer, &face.Footer}} {
		if one.given.Given() {
			*one.into = lines(one.given.Or(""))
		}
	}
}
