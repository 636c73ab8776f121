package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/tenancy"
)

// Create stores a new site with its domains and its first user.
func (s sites) Create(ctx context.Context, site *tenancy.Site, first *tenancy.User) error {
	err := s.db.writeNew(ctx, func(t *tx, b *pgx.Batch) { t.queueSite(b, site) }, func(ctx context.Context, t *tx) error {
		if first != nil {
			if err := t.Hold(ctx); err != nil {
				return err
			}
			if err := t.createUser(ctx, first, nil); err != nil {
				return err
			}
		}
		return s.db.noteProvider(ctx, t, providerChange{"site", "create", site.ID, site.Slug, nil, siteDocument(site)})
	})
	if err != nil {
		return err
	}
	after, err := s.BySlug(ctx, site.Slug) // with what the plan grants
	if err == nil {
		*site = *after
	}
	return err
}

// queueSite makes the row of the site.
func (t *tx) queueSite(b *pgx.Batch, site *tenancy.Site) {
	const create = `
		WITH made AS (
			INSERT INTO sites (slug, name, timezone, language, state, per_page, currency_symbol, currency_code,
				currency_position, languages, content_languages, geo, plan, overrides, created_at)
			VALUES (@slug, @name, @timezone, @language, @state, @per_page, @currency_symbol, @currency_code,
				@currency_position, @languages, @content_languages,
				COALESCE((@overrides::jsonb ->> 'geo')::integer <> 0, true), @plan, @overrides, @now)
			RETURNING id
		), named AS (
			INSERT INTO domains (domain, site_id)
			SELECT unnest(@domains::text[]), id
			FROM made
		)
		SELECT id
		FROM made`
	a := siteArgs(site)
	a["now"] = t.Now
	b.Queue(create, a).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&site.ID)
		t.Site = site.ID
		return err
	})
}
