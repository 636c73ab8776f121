package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/tenancy"
)

// Create stores a new site with its domains.
func (s sites) Create(ctx context.Context, site *tenancy.Site) error {
	const create = `
		WITH made AS (
			INSERT INTO sites (slug, name, timezone, language, state, per_page, currency_symbol, currency_code,
				currency_position, geo, created_at)
			VALUES (@slug, @name, @timezone, @language, @state, @per_page, @currency_symbol, @currency_code,
				@currency_position, @geo, @now)
			RETURNING id
		), named AS (
			INSERT INTO domains (domain, site_id)
			SELECT unnest(@domains::text[]), id
			FROM made
		)
		SELECT id
		FROM made`
	made := s.db.now()
	a := siteArgs(site)
	a["now"] = made
	err := pgx.BeginFunc(ctx, s.db.pool, func(t pgx.Tx) error {
		if err := t.QueryRow(ctx, create, a).Scan(&site.ID); err != nil {
			return err
		}
		return s.db.noteProvider(ctx, t, providerChange{"site", "create", site.ID, site.Slug, nil, siteDocument(site)})
	})
	if err != nil {
		return failure(err)
	}
	site.Created, site.Version = made, 0
	return nil
}

// Update changes a site. Sites that take no writes are changed too when the
// provider asks.
func (s sites) Update(ctx context.Context, slug string, change func(*tenancy.Site) error) (*tenancy.Site, error) {
	const update = `
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
		    geo = @geo
		WHERE id = @site`
	const unname = `
		DELETE FROM domains
		WHERE site_id = @site
		  AND domain <> ALL (@domains::text[])`
	const name = `
		INSERT INTO domains (domain, site_id)
		SELECT unnest(@domains::text[]), @site::bigint
		EXCEPT
		SELECT domain, site_id
		FROM domains
		WHERE site_id = @site`
	var after *tenancy.Site
	err := s.change(ctx, slug, func(ctx context.Context, t *tx, site *tenancy.Site) error {
		before := siteDocument(site)
		if err := change(site); err != nil {
			return err
		}
		a := siteArgs(site)
		a["site"] = t.site
		t.queue(update, a)
		t.queue(unname, a)
		t.queue(name, a)
		now := siteDocument(site)
		t.logFrom("site", t.site, "update", before.unlike(now))
		site.Version = t.version
		after = site
		return s.db.noteProvider(ctx, t.conn, providerChange{"site", "update", t.site, site.Slug,
			before.unlike(now), now.unlike(before)})
	})
	return after, err
}

// Delete removes a site. What belongs to it goes first, table by table: row by
// row, as the foreign keys would do it, takes far longer.
func (s sites) Delete(ctx context.Context, slug string) (*tenancy.Site, error) {
	const remove = `DELETE FROM sites WHERE id = $1`
	contents := []string{
		`DELETE FROM event_venues WHERE site_id = $1`,
		`DELETE FROM event_organizers WHERE site_id = $1`,
		`DELETE FROM event_terms WHERE site_id = $1`,
		`DELETE FROM occurrences WHERE site_id = $1`,
		`DELETE FROM schedule WHERE site_id = $1`,
		`DELETE FROM redirects WHERE site_id = $1`,
		`DELETE FROM events WHERE site_id = $1`,
		`DELETE FROM venues WHERE site_id = $1`,
		`DELETE FROM organizers WHERE site_id = $1`,
		`DELETE FROM terms WHERE site_id = $1`,
		`DELETE FROM images WHERE site_id = $1`,
		`DELETE FROM credentials WHERE site_id = $1`,
		`DELETE FROM users WHERE site_id = $1`,
	}
	var last *tenancy.Site
	err := s.change(ctx, slug, func(ctx context.Context, t *tx, site *tenancy.Site) error {
		t.queue(`SET LOCAL statement_timeout = 0`)
		for _, sql := range append(contents, remove) {
			t.queue(sql, t.site)
		}
		last = site
		return s.db.noteProvider(ctx, t.conn, providerChange{"site", "delete", t.site, site.Slug, siteDocument(site), nil})
	})
	return last, err
}

// change runs do in a transaction that holds the site and gives it the site as
// it is then.
func (s sites) change(ctx context.Context, slug string, do func(context.Context, *tx, *tenancy.Site) error) error {
	const lookUp = `SELECT id FROM sites WHERE slug = $1`
	const get = `SELECT` + siteColumns + `
		FROM sites s
		WHERE s.id = $1`
	var id int64
	if err := s.db.pool.QueryRow(ctx, lookUp, slug).Scan(&id); err != nil {
		return notFound(failure(err), tenancy.ErrNoSite)
	}
	source := tenancy.SourceOf(ctx)
	if scope := tenancy.Current(ctx); scope.Site != nil && scope.Site.ID != id {
		source.UserID = 0 // of another site
	}
	return s.db.writeAs(ctx, id, source, func(ctx context.Context, t *tx) error {
		var site *tenancy.Site
		b := &pgx.Batch{}
		b.Queue(get, id).QueryRow(func(row pgx.Row) (err error) {
			site, err = scanSite(row)
			return err
		})
		if err := t.send(ctx, b); err != nil {
			return err
		}
		return do(ctx, t, site)
	})
}

// siteArgs are the values of a site's row and its domains.
func siteArgs(s *tenancy.Site) pgx.NamedArgs {
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
		"geo":               s.Plan.Geo,
		"domains":           append([]string{}, s.Domains...),
	}
}
