package platform

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// settingsColumns are the columns of sites s that settingsOf reads.
const settingsColumns = `
	s.per_page,
	s.currency_symbol,
	s.currency_code,
	s.currency_position,
	s.currency_fixed,
	NULLIF(s.languages, '{}'),
	s.week_start,
	s.date_form,
	s.time_form,
	s.english,
	s.calendar,
	s.accent,
	s.tagline,
	s.theme,
	s.corners,
	s.font,
	s.logo,
	s.header,
	s.links,
	s.footer_links,
	s.map_tiles,
	s.map_credit,
	s.submissions,
	s.submission_terms,
	s.mailing,
	NULLIF(s.content_languages, '{}'),
	s.translations,
	s.seasons,
	NULLIF(s.share, '{}'),
	s.share_on,
	s.reports,
	s.review,
	s.listed,
	s.numbers`

// settingsOf returns the destinations of settingsColumns.
func settingsOf(s *tenancy.Settings) []any {
	return []any{&s.PerPage, &s.CurrencySymbol, &s.CurrencyCode, &s.CurrencyPosition, &s.CurrencyFixed, &s.Languages,
		&s.WeekStart, &s.DateForm, &s.TimeForm, &s.English, &s.Calendar, &s.Accent, &s.Face.Tagline, &s.Face.Theme,
		&s.Face.Corners, &s.Face.Font,
		&s.Face.Logo, &s.Face.Header, &s.Face.Links, &s.Face.Footer, &s.Map.Tiles, &s.Map.Credit,
		&s.Submissions.On, &s.Submissions.Terms, &s.Mailing, &s.ContentLanguages, &s.Texts, &s.Seasons, &s.Share.With,
		&s.Share.On, &s.Reports, &s.Review, &s.Listed, &s.Numbers}
}

// configureSite writes what a site's own administrators may change.
const configureSite = `
	UPDATE sites
	SET name = @name,
	    timezone = @timezone,
	    language = @language,
	    per_page = @per_page,
	    currency_symbol = @currency_symbol,
	    currency_code = @currency_code,
	    currency_position = @currency_position,
	    currency_fixed = @currency_fixed,
	    languages = @languages,
	    week_start = @week_start,
	    date_form = @date_form,
	    time_form = @time_form,
	    english = @english,
	    calendar = @calendar,
	    accent = @accent,
	    tagline = @tagline,
	    theme = @theme,
	    corners = @corners,
	    font = @font,
	    logo = @logo,
	    header = @header,
	    links = @links,
	    footer_links = @footer_links,
	    map_tiles = @map_tiles,
	    map_credit = @map_credit,
	    submissions = @submissions,
	    submission_terms = @submission_terms,
	    mailing = @mailing,
	    content_languages = @content_languages,
	    translations = @translations,
	    seasons = @seasons,
	    share = @share,
	    share_on = @share_on,
	    reports = @reports,
	    review = @review,
	    listed = @listed,
	    numbers = @numbers
	WHERE id = @site`

// Configure changes what a site's own administrators may change.
func (s sites) Configure(ctx context.Context, slug string, change func(*tenancy.Site) error) (*tenancy.Site, error) {
	var after *tenancy.Site
	err := s.change(ctx, slug, func(ctx context.Context, t *pg.Tx, site *tenancy.Site) error {
		before, language := SiteDocument(site), site.Language
		if err := change(site); err != nil {
			return err
		}
		if err := s.speak(ctx, t, site, language); err != nil {
			return err
		}
		replaced := before.Unlike(SiteDocument(site))
		if after = site; len(replaced) == 0 {
			return nil
		}
		site.Settings.Stamp(t.Version)
		t.Queue(configureSite, pgx.NamedArgs{
			"site":              t.Site,
			"name":              site.Name,
			"timezone":          site.Timezone,
			"language":          site.Language,
			"per_page":          site.Settings.PerPage,
			"currency_symbol":   site.Settings.CurrencySymbol,
			"currency_code":     site.Settings.CurrencyCode,
			"currency_position": site.Settings.CurrencyPosition,
			"currency_fixed":    site.Settings.CurrencyFixed,
			"languages":         append([]string{}, site.Settings.Languages...),
			"week_start":        site.Settings.WeekStart,
			"date_form":         site.Settings.DateForm,
			"time_form":         site.Settings.TimeForm,
			"english":           site.Settings.English,
			"calendar":          site.Settings.Calendar,
			"accent":            site.Settings.Accent,
			"tagline":           site.Settings.Face.Tagline,
			"theme":             site.Settings.Face.Theme,
			"corners":           site.Settings.Face.Corners,
			"font":              site.Settings.Face.Font,
			"logo":              site.Settings.Face.Logo,
			"header":            site.Settings.Face.Header,
			"links":             site.Settings.Face.Links,
			"footer_links":      site.Settings.Face.Footer,
			"map_tiles":         site.Settings.Map.Tiles,
			"map_credit":        site.Settings.Map.Credit,
			"submissions":       site.Settings.Submissions.On,
			"submission_terms":  site.Settings.Submissions.Terms,
			"mailing":           site.Settings.Mailing,
			"content_languages": append([]string{}, site.Settings.ContentLanguages...),
			"translations":      site.Settings.Texts,
			"seasons":           site.Settings.Seasons,
			"share":             append([]string{}, site.Settings.Share.With...),
			"share_on":          site.Settings.Share.On,
			"reports":           site.Settings.Reports,
			"review":            site.Settings.Review,
			"listed":            site.Settings.Listed,
			"numbers":           site.Settings.Numbers,
		})
		t.Log("site", t.Site, "update", replaced)
		site.Version = t.Version
		return nil
	})
	return after, err
}
