package platform

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// CountUse recounts the usage of a site.
const CountUse = `
	UPDATE sites
	SET used_events = (SELECT count(*) FROM events e WHERE e.site_id = $1 AND e.series_id IS NULL AND e.given IS NULL),
	    used_occurrences = (SELECT count(*) FROM occurrences o WHERE o.site_id = $1 AND o.n <> 0)
	        + (SELECT count(*) FROM events e WHERE e.site_id = $1 AND e.series_id IS NOT NULL),
	    used_users = (SELECT count(*) FROM users u WHERE u.site_id = $1),
	    used_media_bytes = (
	        SELECT COALESCE(sum(i.bytes + (SELECT COALESCE(sum((z ->> 'bytes')::bigint), 0) FROM jsonb_array_elements(i.sizes) z)), 0)
	        FROM images i
	        WHERE i.site_id = $1
	    )
	WHERE id = $1`

// updateSite writes what the provider can change of a site.
const updateSite = `
	UPDATE sites
	SET slug = @slug,
	    name = @name,
	    timezone = @timezone,
	    language = @language,
	    state = @state,
	    per_page = @per_page,
	    currency_symbol = @currency_symbol,
	    currency_code = @currency_code,
	    currency_position = @currency_position,
	    currency_fixed = @currency_fixed,
	    languages = @languages,
	    content_languages = @content_languages,
	    tagline = @tagline,
	    map_tiles = @map_tiles,
	    map_credit = @map_credit,
	    translations = @translations,
	    share = @share,
	    share_on = @share_on,
	    listed = @listed,
	    geo = COALESCE((@overrides::jsonb ->> 'geo')::integer <> 0, geo OR overrides ? 'geo'),
	    plan = @plan,
	    overrides = @overrides,
	    deleted_at = @deleted_at,
	    purge_at = @purge_at,
	    deleted_state = NULLIF(@deleted_state::text, '')
	WHERE id = @site`

// keepDomains removes all domains of a site but those given.
const keepDomains = `
	DELETE FROM domains
	WHERE site_id = @site
	  AND domain <> ALL (@domains::text[])`

// Update changes a site. The provider may change read-only sites as well. If the plan changes, the usage of the
// site is recounted. An update without effect changes neither the version nor the histories.
func (s sites) Update(ctx context.Context, slug string, change func(*tenancy.Site) error) (*tenancy.Site, error) {
	var after *tenancy.Site
	err := s.change(ctx, slug, func(ctx context.Context, t *pg.Tx, site *tenancy.Site) error {
		before := SiteDocument(site)
		language := site.Language
		plan, overrides, deleted := site.Plan, maps.Clone(site.Overrides), site.Deleted()
		domains := slices.Clone(site.Domains)
		if err := change(site); err != nil {
			return err
		}
		if err := s.speak(ctx, t, site, language); err != nil {
			return err
		}
		now := SiteDocument(site)
		replaced := before.Unlike(now)
		if after = site; len(replaced) == 0 {
			return nil
		}
		site.Settings.Stamp(t.Version)
		a := siteArgs(site)
		a["site"] = t.Site
		t.Queue(updateSite, a)
		t.Queue(NameSite, t.Site, site.Slug)
		t.Queue(keepDomains, a)
		for _, domain := range site.Domains {
			if !slices.Contains(domains, domain) {
				t.Queue(nameDomain, domain, t.Site)
			}
		}
		if site.Plan.Name != plan.Name || !maps.Equal(site.Overrides, overrides) {
			t.Queue(CountUse, t.Site)
		}
		t.Queue(getSite, t.Site).QueryRow(func(row pgx.Row) (err error) {
			if after, err = ScanSite(row); err == nil {
				after.Version, after.Exchange = t.Version, site.Exchange
			}
			return err
		})
		t.Log("site", t.Site, "update", replaced)
		return Note(ctx, s.db, t, Change{"site", siteAction(deleted, site.Deleted()), t.Site, site.Slug,
			replaced, now.Unlike(before)})
	})
	return after, err
}

// siteAction returns the action for the history: was and is say whether the site is deleted before and after.
func siteAction(was, is bool) string {
	switch {
	case is && !was:
		return "delete"
	case was && !is:
		return "undelete"
	}
	return "update"
}

const getSite = `SELECT` + SiteColumns + WithPlans + `
	WHERE s.id = $1`

// change runs do in a transaction that locks the site, and passes the site to do as the transaction sees it.
func (s sites) change(ctx context.Context, slug string, do func(context.Context, *pg.Tx, *tenancy.Site) error) error {
	id, err := s.idIn(s.db.Across("one site by a unique key, when the provider changes it").QueryRow(ctx, idOf, slug))
	if err != nil {
		return err
	}
	source := tenancy.SourceOf(ctx)
	if scope := tenancy.Current(ctx); scope.Site != nil && scope.Site.ID != id {
		source.UserID = 0 // of another site
	}
	return s.db.WriteTo(ctx, id, source, func(ctx context.Context, t *pg.Tx) error {
		var site *tenancy.Site
		b := &pgx.Batch{}
		b.Queue(getSite, id).QueryRow(func(row pgx.Row) (err error) {
			site, err = ScanSite(row)
			return err
		})
		if err := t.Send(ctx, b); err != nil {
			return err
		}
		return do(ctx, t, site)
	})
}

// siteArgs are the values of a site's row and its domains.
func siteArgs(s *tenancy.Site) pgx.NamedArgs {
	overrides := s.Overrides
	if overrides == nil {
		overrides = tenancy.Overrides{}
	}
	return pgx.NamedArgs{
		"slug":              s.Slug,
		"name":              s.Name,
		"timezone":          s.Timezone,
		"language":          s.Language,
		"state":             s.State,
		"per_page":          s.Settings.PerPage,
		"currency_symbol":   s.Settings.CurrencySymbol,
		"currency_code":     s.Settings.CurrencyCode,
		"currency_position": s.Settings.CurrencyPosition,
		"currency_fixed":    s.Settings.CurrencyFixed,
		"calendar":          s.Settings.Calendar,
		"languages":         append([]string{}, s.Settings.Languages...),
		"content_languages": append([]string{}, s.Settings.ContentLanguages...),
		"tagline":           s.Settings.Face.Tagline,
		"theme":             s.Settings.Face.Theme,
		"map_tiles":         s.Settings.Map.Tiles,
		"map_credit":        s.Settings.Map.Credit,
		"translations":      s.Settings.Texts,
		"share":             append([]string{}, s.Settings.Share.With...),
		"share_on":          s.Settings.Share.On,
		"listed":            s.Settings.Listed,
		"plan":              cmp.Or(s.Plan.Name, tenancy.DefaultPlan),
		"overrides":         overrides,
		"deleted_at":        pg.Known(s.Deletion.At),
		"purge_at":          pg.Known(s.Deletion.Purge),
		"deleted_state":     s.Deletion.Before,
		"domains":           append([]string{}, s.Domains...),
	}
}

// inLanguage counts the items of a site that have a title in a language, and all its items. The first count leaves
// out items whose own title is in that language.
const inLanguage = `
	SELECT count(*) FILTER (WHERE x.texts -> $2 ->> 'title' <> ''),
	       count(*)
	FROM (
		SELECT e.translations AS texts
		FROM events e
		WHERE e.site_id = $1
		  AND e.series_id IS NULL
		UNION ALL
		SELECT v.translations
		FROM venues v
		WHERE v.site_id = $1
		UNION ALL
		SELECT o.translations
		FROM organizers o
		WHERE o.site_id = $1
		UNION ALL
		SELECT t.translations
		FROM terms t
		WHERE t.site_id = $1
		UNION ALL
		SELECT i.translations
		FROM images i
		WHERE i.site_id = $1
		  AND i.alt <> ''
	) x
	WHERE NOT COALESCE(x.texts -> $2 -> 'original' ? 'title', false)`

// CountTexts returns how many items a change of the site's language would exchange and how many it would leave
// unchanged.
func (s sites) CountTexts(ctx context.Context, site int64, from, to string) (tenancy.LanguageChange, error) {
	done, all := tenancy.LanguageChange{From: from, To: to}, 0
	err := s.db.In(ctx, "what a site's administrator is shown before its language changes", site, func(site int64, b *pgx.Batch) {
		b.Queue(inLanguage, site, to).QueryRow(pg.One(&done.Exchanged, &all))
	})
	done.Kept = all - done.Exchanged
	return done, err
}
