package public

import (
	"context"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/ui"
)

// inSeason adds the season of today to a page. On a site with seasons, every page can change at midnight.
func (w *Pages) inSeason(ctx context.Context, a *shown) {
	site := ui.SiteOf(ctx)
	if site == nil || !site.Seasonal() {
		return
	}
	if n, on := site.SeasonOn(w.today(ctx)); on {
		a.page.season = n + 1
	}
	a.changes(w.midnight(ctx))
}

// seasonal returns the season of the page, or one without anything.
func (p *page) seasonal() tenancy.Season {
	if p.season == 0 {
		return tenancy.Season{}
	}
	return p.scope.Site.Settings.Seasons[p.season-1]
}

// accentSheet returns the address of the style sheet of the page's accent, or "".
func (p *page) accentSheet() string {
	if p.accent != "" {
		return p.accent
	}
	if accent := p.seasonal().Accent; accent != "" {
		return ui.AccentAddress(accent)
	}
	return ui.SiteAccent(p.scope.Site)
}
