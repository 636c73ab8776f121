package layout

import (
	"regexp"
	"strconv"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/tenancy"
)

// face returns the appearance of the site, or the default without a site.
func (p *Page) face() tenancy.Face {
	if p.scope.Site == nil {
		return tenancy.DefaultSettings().Face
	}
	return p.scope.Site.Settings.Face
}

// look returns the attributes that style sheets use to select the appearance.
func (p *Page) look() templ.Attributes {
	face := p.face()
	return templ.Attributes{"data-look": face.Theme, "data-corners": face.Corners, "data-font": face.Font}
}

// logoHeight is the height of a logo on a page in pixels.
const logoHeight = 40

// sizeInName finds the width and height of a picture at the end of its URL: the names of our own files end with
// them, and other URLs may have them after "#".
var sizeInName = regexp.MustCompile(`(?:^/media/.*-|#)([1-9][0-9]{0,4})x([1-9][0-9]{0,4})(?:\.[a-z]+)?$`)

// logoWidth returns the width of a logo of logoHeight, so that the page does not move when the logo has loaded. For
// a logo of unknown size it returns the width of a square.
func logoWidth(address string) int {
	size := sizeInName.FindStringSubmatch(address)
	if size == nil {
		return logoHeight
	}
	width, _ := strconv.Atoi(size[1])
	height, _ := strconv.Atoi(size[2])
	return max(1, width*logoHeight/height)
}

// linksOf parses the links in a stored setting.
func linksOf(text string) []tenancy.Link {
	list, _ := tenancy.Links(text)
	return list
}

// named returns an accessible name as attributes, or none for "".
func named(label string) templ.Attributes {
	if label == "" {
		return nil
	}
	return templ.Attributes{"aria-label": label}
}
