package platform

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/accounts"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// Create stores a new site with its domains and its first user.
func (s sites) Create(ctx context.Context, site *tenancy.Site, first *tenancy.User) error {
	id, err := NewSite(ctx, s.db)
	if err != nil {
		return err
	}
	site.ID = id
	err = s.db.WriteNew(ctx, id, func(t *pg.Tx, b *pgx.Batch) { queueSite(t, b, site) }, func(ctx context.Context, t *pg.Tx) error {
		if first != nil {
			if err := t.Hold(ctx); err != nil {
				return err
			}
			if err := accounts.CreateUser(ctx, t, first, nil); err != nil {
				return err
			}
		}
		return Note(ctx, s.db, t, Change{"site", "create", site.ID, site.Slug, nil, SiteDocument(site)})
	})
	if err != nil {
		return err
	}
	after, err := SiteAt(ctx, s.db, s.db.At("the row of one site by its key, with what the plan grants", id), id)
	if err != nil {
		return err
	}
	*site = *after
	return nil
}

// NewSite returns an id for the next site. On a cluster the site will be on a server that answers.
func NewSite(ctx context.Context, db *pg.DB) (int64, error) {
	const next = `SELECT nextval('sites_id_seq')`
	return db.Draw(ctx, func() (id int64, err error) {
		err = db.Across("sites are numbered in one place").QueryRow(ctx, next).Scan(&id)
		return id, db.Failure(err)
	})
}

// NameSite sets the slug of a site. The slug NULL removes it.
const NameSite = `SELECT name_site($1, $2)`

// queueSite creates the row of the site, with its slug and domains.
func queueSite(t *pg.Tx, b *pgx.Batch, site *tenancy.Site) {
	const create = `
		INSERT INTO sites (id, slug, name, timezone, language, state, per_page, currency_symbol, currency_code,
			currency_position, currency_fixed, calendar, languages, content_languages, tagline, theme, map_tiles, map_credit,
			translations, share, share_on, listed, geo, plan, overrides, created_at)
		OVERRIDING SYSTEM VALUE
		VALUES (@id, @slug, @name, @timezone, @language, @state, @per_page, @currency_symbol, @currency_code,
			@currency_position, @currency_fixed, @calendar, @languages, @content_languages, @tagline, @theme, @map_tiles, @map_credit,
			@translations, @share, @share_on, @listed,
			COALESCE((@overrides::jsonb ->> 'geo')::integer <> 0, true), @plan, @overrides, @now)`
	site.Settings.Stamp(t.Version)
	a := siteArgs(site)
	a["id"], a["now"] = t.Site, t.Now
	b.Queue(create, a)
	b.Queue(NameSite, t.Site, site.Slug)
	for _, domain := range site.Domains {
		b.Queue(nameDomain, domain, t.Site)
	}
}

const nameDomain = `INSERT INTO domains (domain, site_id) VALUES ($1, $2)`
