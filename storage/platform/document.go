package platform

import (
	"context"
	"maps"
	"strconv"
	"time"

	"github.com/kalends/kalends/storage/accounts"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// SiteDocument is a site as the history keeps it.
func SiteDocument(s *tenancy.Site) pg.Document {
	return pg.Document{
		"slug":              s.Slug,
		"name":              s.Name,
		"timezone":          s.Timezone,
		"language":          s.Language,
		"domains":           append([]string{}, s.Domains...),
		"state":             string(s.State),
		"plan":              s.Plan.Name,
		"limits":            ownLimits(s.Overrides),
		"deleted":           deletionDocument(&s.Deletion),
		"per_page":          s.Settings.PerPage,
		"currency_symbol":   s.Settings.CurrencySymbol,
		"currency_code":     s.Settings.CurrencyCode,
		"currency_position": s.Settings.CurrencyPosition,
		"currency_fixed":    s.Settings.CurrencyFixed,
		"languages":         append([]string{}, s.Settings.Languages...),
		"week_start":        s.Settings.WeekStart,
		"date_form":         s.Settings.DateForm,
		"time_form":         s.Settings.TimeForm,
		"english":           s.Settings.English,
		"calendar":          s.Settings.Calendar,
		"accent":            s.Settings.Accent,
		"tagline":           s.Settings.Face.Tagline,
		"theme":             s.Settings.Face.Theme,
		"corners":           s.Settings.Face.Corners,
		"font":              s.Settings.Face.Font,
		"logo":              s.Settings.Face.Logo,
		"header":            s.Settings.Face.Header,
		"links":             s.Settings.Face.Links,
		"footer_links":      s.Settings.Face.Footer,
		"map_tiles":         s.Settings.Map.Tiles,
		"map_credit":        s.Settings.Map.Credit,
		"submissions":       s.Settings.Submissions.On,
		"submission_terms":  s.Settings.Submissions.Terms,
		"reports":           s.Settings.Reports,
		"numbers":           s.Settings.Numbers,
		"review":            s.Settings.Review,
		"listed":            s.Settings.Listed,
		"mailing":           string(s.Settings.Mailing),
		"content_languages": append([]string{}, s.Settings.ContentLanguages...),
		"share":             append([]string{}, s.Settings.Share.With...),
		"share_on":          s.Settings.Share.On,
		"seasons":           seasonsDocument(s.Settings.Seasons),
		"translations":      siteTextsDocument(s.Settings.Texts),
		"fields":            append([]tenancy.Field{}, s.Fields...),
	}
}

// seasonsDocument returns a site's seasons by number, or nil if there are none.
func seasonsDocument(all [tenancy.MostSeasons]tenancy.Season) any {
	d := map[string]any{}
	for n, s := range all {
		if s != (tenancy.Season{}) {
			d[strconv.Itoa(n+1)] = map[string]any{
				"name":   s.Name,
				"from":   s.From,
				"until":  s.Until,
				"header": s.Header,
				"accent": s.Accent,
				"lead":   s.Lead,
			}
		}
	}
	if len(d) == 0 {
		return nil
	}
	return d
}

// siteTextsDocument returns a site's texts in other languages, or nil if there are none.
func siteTextsDocument(all map[string]tenancy.SiteText) any {
	if len(all) == 0 {
		return nil
	}
	d := map[string]any{}
	for language, t := range all {
		texts := map[string]any{"outdated": t.Outdated}
		for _, f := range tenancy.SiteTextFields {
			texts[f.Name] = *f.At(&t)
		}
		d[language] = texts
	}
	return d
}

// deletionDocument returns the details of a site's deletion, or nil if the site is not deleted.
func deletionDocument(d *tenancy.Deletion) any {
	if *d == (tenancy.Deletion{}) {
		return nil
	}
	return map[string]any{"at": d.At.UTC().Format(time.RFC3339), "purge": d.Purge.UTC().Format(time.RFC3339), "state": string(d.Before)}
}

// ownLimits returns the limits that a site has instead of its plan's.
func ownLimits(o tenancy.Overrides) map[string]any {
	list := map[string]any{}
	for name, limit := range o {
		list[name] = nil
		if limit != nil {
			list[name] = *limit
		}
	}
	return list
}

// Present returns the scope's site as the history keeps it.
func Present(ctx context.Context, db *pg.DB) (pg.Document, error) {
	site, err := Sites(db).BySlug(ctx, tenancy.Current(ctx).Site.Slug)
	if err != nil {
		return nil, err
	}
	signIn, err := accounts.SignInDocument(ctx, db)
	if err != nil {
		return nil, err
	}
	whole := SiteDocument(site)
	maps.Copy(whole, signIn)
	return whole, nil
}
