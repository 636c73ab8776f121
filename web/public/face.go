package public

import (
	"github.com/a-h/templ"

	"github.com/kalends/kalends/tenancy"
)

// face is what the site looks like; where no site is, as any.
func (p *page) face() tenancy.Face {
	if p.scope.Site == nil {
		return tenancy.DefaultSettings().Face
	}
	return p.scope.Site.Settings.Face
}

// look are the attributes that style sheets choose a face by.
func (p *page) look() templ.Attributes {
	face := p.face()
	return templ.Attributes{"data-look": face.Theme, "data-corners": face.Corners, "data-font": face.Font}
}

// linksOf are the links of a text that the site has stored.
func linksOf(text string) []tenancy.Link {
	list, _ := tenancy.Links(text)
	return list
}

// named gives something a name for those who don't see it, "" for none.
func named(label string) templ.Attributes {
	if label == "" {
		return nil
	}
	return templ.Attributes{"aria-label": label}
}
