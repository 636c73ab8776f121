package public

import (
	"github.com/a-h/templ"

	"github.com/kalends/kalends/tenancy"
)

// face returns the appearance of the site, or the default without a site.
func (p *page) face() tenancy.Face {
	if p.scope.Site == nil {
		return tenancy.DefaultSettings().Face
	}
	return p.scope.Site.Settings.Face
}

// look returns the attributes by which style sheets select the appearance.
func (p *page) look() templ.Attributes {
	face := p.face()
	return templ.Attributes{"data-look": face.Theme, "data-corners": face.Corners, "data-font": face.Font}
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
