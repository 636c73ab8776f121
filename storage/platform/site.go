// Package platform stores in Postgres what belongs to the installation: its sites with their plans and domains, the provider's
// tokens and sessions, and the history of the provider's changes.
package platform

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// sites implements platform.SiteStore. Sites belong to the platform: no row-level policy guards their table.
type sites struct {
	db       *pg.DB
	exchange Exchange
}

// Exchange swaps the texts of a site's items when the site's language changes, in the same transaction:
// translations into the new language become the items' own texts.
type Exchange func(ctx context.Context, t *pg.Tx, from, to string) (tenancy.LanguageChange, error)

// Sites returns the store of the installation's sites.
func Sites(db *pg.DB) platform.SiteStore { return sites{db, nil} }

// SitesWith is Sites with an Exchange, which the store needs to change the language of a site.
func SitesWith(db *pg.DB, exchange Exchange) platform.SiteStore { return sites{db, exchange} }

// speak exchanges the texts of a site if its language has changed from the former one.
func (s sites) speak(ctx context.Context, t *pg.Tx, site *tenancy.Site, from string) error {
	if site.Language == from || s.exchange == nil {
		return nil
	}
	done, err := s.exchange(ctx, t, from, site.Language)
	if err != nil {
		return err
	}
	done.From, done.To = from, site.Language
	site.Spoke(done)
	return nil
}

// WithPlans is the FROM clause for SiteColumns.
const WithPlans = `
		FROM sites s
		JOIN plans p ON p.name = s.plan`

// SiteColumns are the columns that ScanSite reads, of sites s and their plans p.
const SiteColumns = `
	s.id,
	s.uid::text,
	s.slug,
	s.name,
	s.timezone,
	s.language,
	s.state,
	s.plan,
	COALESCE((s.overrides ->> 'geo')::integer <> 0, s.geo AND p.geo),
	COALESCE(CASE WHEN s.overrides ? 'requests_per_minute' THEN (s.overrides ->> 'requests_per_minute')::integer
		ELSE p.requests_per_minute END, 0),` + pg.HoldingColumns + `,
	s.overrides,
	s.deleted_at,
	s.purge_at,
	COALESCE(s.deleted_state, ''),
	s.version,
	s.created_at,
	s.changed_at,
	ARRAY(SELECT d.domain FROM domains d WHERE d.site_id = s.id ORDER BY d.domain),
	s.sources,
	NULLIF(s.fields, '[]'),` + settingsColumns

// ScanSite reads SiteColumns. It returns tenancy.ErrNoSite if there is no row.
func ScanSite(row pgx.Row) (*tenancy.Site, error) {
	s := &tenancy.Site{}
	h := pg.Holding{}
	columns := []any{&s.ID, &s.UID, &s.Slug, &s.Name, &s.Timezone, &s.Language, &s.State,
		&s.Plan.Name, &s.Plan.Geo, &s.Plan.RequestsPerMinute}
	columns = append(append(columns, h.Columns()...), &s.Overrides, (*pg.Sometime)(&s.Deletion.At), (*pg.Sometime)(&s.Deletion.Purge),
		&s.Deletion.Before, &s.Version, &s.Created, &s.Changed, &s.Domains, &s.Sources, &s.Fields)
	err := row.Scan(append(columns, settingsOf(&s.Settings)...)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, tenancy.ErrNoSite
	}
	if err != nil {
		return nil, err
	}
	s.Created, s.Changed = s.Created.UTC(), s.Changed.UTC()
	s.Usage, s.Plan.Limits = h.Has, h.Limits
	s.SetTimezone(s.Timezone)
	return s, nil
}

// ByHost returns the site that has the domain name host.
func (s sites) ByHost(ctx context.Context, host string) (*tenancy.Site, error) {
	const byHost = `SELECT (SELECT o.site_id FROM domains o WHERE o.domain = $1)`
	return s.found(ctx, s.db.Across("one site by the key of domains; the resolver remembers it").QueryRow(ctx, byHost, host))
}

// BySlug returns the site with this slug.
func (s sites) BySlug(ctx context.Context, slug string) (*tenancy.Site, error) {
	return s.found(ctx, s.db.Across("one site by a unique key; the resolver remembers it").QueryRow(ctx, idOf, slug))
}

// idOf returns the id of the site with a slug, or NULL if there is none.
const idOf = `SELECT site_of($1)`

// found returns the site whose id is in the row, or tenancy.ErrNoSite for NULL.
func (s sites) found(ctx context.Context, row pgx.Row) (*tenancy.Site, error) {
	id, err := s.idIn(row)
	if err != nil {
		return nil, err
	}
	return SiteAt(ctx, s.db, s.db.At("the row of one site by its key; the resolver remembers it", id), id)
}

// SiteAt returns the site with an id from the server that has it, or tenancy.ErrNoSite.
func SiteAt(ctx context.Context, db *pg.DB, at pg.Across, id int64) (*tenancy.Site, error) {
	site, err := ScanSite(at.QueryRow(ctx, getSite, id))
	return site, db.Failure(err)
}

func (s sites) idIn(row pgx.Row) (int64, error) {
	var id *int64
	if err := row.Scan(&id); err != nil {
		return 0, s.db.Failure(err)
	}
	if id == nil {
		return 0, tenancy.ErrNoSite
	}
	return *id, nil
}

// natural returns SQL that sorts a text by the values of its numbers: "Parish 2" comes before "Parish 10". It pads
// each number to 20 digits, because a database may lack the collations for this (ADR 69).
func natural(text string) string {
	return `regexp_replace(regexp_replace(` + text + `, '(\d+)', repeat('0', 20) || '\1', 'g'), '0*(\d{20})', '\1', 'g')`
}

// siteOrders are the sort expressions of lists of sites, by platform.SiteSorts.
var siteOrders = map[string]string{
	"":        natural("s.slug") + ", s.slug",
	"name":    natural("lower(s.name)") + ", s.slug",
	"state":   "CASE WHEN s.deleted_at IS NOT NULL THEN 'deleted' ELSE s.state END, " + natural("s.slug") + ", s.slug",
	"plan":    "s.plan, " + natural("s.slug") + ", s.slug",
	"events":  "s.used_events DESC, s.slug",
	"media":   "s.used_media_bytes DESC, s.slug",
	"changed": "s.changed_at DESC, s.slug",
}

// sitesFound is the condition of the provider's list of sites.
const sitesFound = `
	WHERE (@state = '' OR CASE WHEN s.deleted_at IS NOT NULL THEN 'deleted' ELSE s.state END = @state)
	  AND (@plan = '' OR s.plan = @plan)
	  AND (@search = ''
	   OR strpos(s.slug, @search) > 0
	   OR strpos(lower(s.name), @search) > 0
	   OR EXISTS (
	      SELECT
	      FROM domains o
	      WHERE o.site_id = s.id
	        AND (strpos(o.domain, @search) > 0
	         OR @domain <> '' AND strpos(o.domain, @domain) > 0)))`

// Sums returns the total usage of the sites in a list, from their counters.
func (s sites) Sums(ctx context.Context, q tenancy.Query) (tenancy.Usage, error) {
	const sums = `
		SELECT COALESCE(sum(s.used_events), 0)::bigint,
		       COALESCE(sum(s.used_occurrences), 0)::bigint,
		       COALESCE(sum(s.used_users), 0)::bigint,
		       COALESCE(sum(s.used_media_bytes), 0)::bigint
		FROM sites s` + sitesFound
	var u tenancy.Usage
	row := s.db.Across("the counters of the sites that the provider lists").QueryRow(ctx, sums, pg.PageArgs(q))
	err := row.Scan(&u.Events, &u.Occurrences, &u.Users, &u.MediaBytes)
	return u, s.db.Failure(err)
}

// List returns one page of the sites in the requested order.
func (s sites) List(ctx context.Context, q tenancy.Query) (tenancy.Page[tenancy.Site], error) {
	return s.page(ctx, s.db.Across("the provider's list of sites, for people"), sitesFound, siteOrders[q.Sort], q)
}

// Listed returns one page of the sites that chose to be listed publicly, sorted by name.
func (s sites) Listed(ctx context.Context, q tenancy.Query) (tenancy.Page[tenancy.Site], error) {
	const found = `
		WHERE s.listed
		  AND s.state <> 'closed'
		  AND s.deleted_at IS NULL
		  AND (@search = ''
		   OR strpos(s.slug, @search) > 0
		   OR strpos(lower(s.name), @search) > 0
		   OR strpos(lower(s.tagline), @search) > 0
		   OR EXISTS (
		      SELECT
		      FROM jsonb_each(s.translations) t
		      WHERE strpos(lower(t.value ->> 'name'), @search) > 0
		         OR strpos(lower(t.value ->> 'tagline'), @search) > 0))`
	return s.page(
		ctx,
		s.db.Across("sites that want everybody to find them; the directory remembers its pages"),
		found,
		"lower(s.name), s.slug",
		q,
	)
}

// page reads one page of the sites that meet a condition, and the number of these sites, in one round trip.
func (s sites) page(ctx context.Context, at pg.Across, found, order string, q tenancy.Query) (tenancy.Page[tenancy.Site], error) {
	count := `SELECT count(*) FROM sites s` + found
	list := `SELECT` + SiteColumns + WithPlans + found + `
		ORDER BY ` + order + `
		LIMIT @limit
		OFFSET @offset`
	var page tenancy.Page[tenancy.Site]
	b := &pgx.Batch{}
	b.Queue(count, pg.PageArgs(q)).QueryRow(pg.One(&page.Total))
	b.Queue(list, pg.PageArgs(q)).Query(pg.All(&page.Items, func(row pgx.CollectableRow) (*tenancy.Site, error) {
		return ScanSite(row)
	}))
	err := at.Send(ctx, b)
	return page, s.db.Failure(err)
}
