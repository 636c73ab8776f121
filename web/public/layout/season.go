package layout

import (
	"context"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// InSeason adds the season of today to a page. On a site with seasons, every page can change at midnight.
func (w *Pages) InSeason(ctx context.Context, a *Shown) {
	site := ui.SiteOf(ctx)
	if site == nil || !site.Seasonal() {
		return
	}
	if n, on := site.SeasonOn(w.Today(ctx)); on {
		a.Page.Season = n + 1
	}
	a.Changes(w.Midnight(ctx))
}

// seasonal returns the season of the page, or an empty one.
func (p *Page) seasonal() tenancy.Season {
	if p.Season == 0 {
		return tenancy.Season{}
	}
	return p.scope.Site.Settings.Seasons[p.Season-1]
}

// accentSheet returns the address of the style sheet of the page's accent, or "".
func (p *Page) accentSheet() string {
	if p.accent != "" {
		return p.accent
	}
	if accent := p.seasonal().Accent; accent != "" {
		return ui.AccentAddress(accent)
	}
	return ui.SiteAccent(p.scope.Site)
}
