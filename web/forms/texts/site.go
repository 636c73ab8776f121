package texts

import (
	"context"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// FillSite fills in the translations of the site's own texts.
func FillSite(ctx context.Context, f *frame.Form, site *tenancy.Site) {
	for _, language := range Languages(ctx) {
		text := site.Settings.Texts[language]
		for _, of := range tenancy.SiteTextFields {
			f.Set(control(language, of.Name), *of.At(&text))
		}
	}
}

// siteStateIn returns the state of the site's own texts in a language: missing, outdated or current.
func siteStateIn(site *tenancy.Site, language string) string {
	switch text := site.Settings.Texts[language]; {
	case text.Empty():
		return "missing"
	case text.Outdated:
		return "outdated"
	}
	return "current"
}
