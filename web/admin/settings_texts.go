package admin

import (
	"context"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/frame"
)

// siteTextsOf fills in what a site says of itself in other languages.
func siteTextsOf(ctx context.Context, f *frame.Form, site *tenancy.Site) {
	for _, language := range otherLanguages(ctx) {
		text := site.Settings.Texts[language]
		for field, said := range map[string]string{"name": text.Name, "tagline": text.Tagline, "links": text.Links,
			"footer_links": text.Footer, "submission_terms": text.Terms} {
			f.Set(textName(language, field), said)
		}
	}
}

// siteTextPanels are the panels of the settings, one for each other language.
func siteTextPanels(ctx context.Context, ed *settingsEditor) []textPanel {
	return panelsOf(ctx, ed.form, func(language string) string { return siteTextState(ed.site.Settings.Texts[language]) })
}

// siteTextState says how what a site says in a language stands.
func siteTextState(text tenancy.SiteText) string {
	switch {
	case text.Empty():
		return "missing"
	case text.Outdated:
		return "outdated"
	}
	return "current"
}
