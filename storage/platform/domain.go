package platform

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// domains implements platform.DomainStore.
type domains struct{ db *pg.DB }

// Domains returns the store of the domains of a site, and of the domains that it has requested.
func Domains(db *pg.DB) platform.DomainStore { return domains{db} }

// List returns the site's domains and the domains that it has requested.
func (s domains) List(ctx context.Context, since time.Time) ([]platform.Domain, error) {
	const list = `
		SELECT d.domain,
		       d.verified_by,
		       d.verified_at,
		       '',
		       NULL::timestamptz,
		       NULL::timestamptz,
		       false
		FROM domains d
		WHERE d.site_id = $1
		UNION ALL
		SELECT c.domain,
		       '',
		       NULL,
		       c.token,
		       c.created_at,
		       c.checked_at,
		       EXISTS (SELECT FROM domains d WHERE d.domain = c.domain)
		FROM domain_claims c
		WHERE c.site_id = $1
		  AND c.created_at > $2
		  AND NOT EXISTS (SELECT FROM domains d WHERE d.domain = c.domain AND d.site_id = $1)
		ORDER BY 1`
	var found []platform.Domain
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(list, site, since).Query(pg.All(&found, func(row pgx.CollectableRow) (d platform.Domain, err error) {
			return d, row.Scan(&d.Name, &d.By, (*pg.Sometime)(&d.Proved), &d.Token, (*pg.Sometime)(&d.Asked),
				(*pg.Sometime)(&d.Checked),
				&d.Elsewhere)
		}))
	})
	return found, err
}

// Claim stores the site's request for a domain.
func (s domains) Claim(ctx context.Context, d platform.Domain, since time.Time, most int) (platform.Domain, error) {
	const clean = `
		DELETE FROM domain_claims
		WHERE site_id = $1
		  AND created_at <= $2`
	const claim = `
		INSERT INTO domain_claims (site_id, domain, token, created_at)
		SELECT @site, @domain, @token, @asked
		WHERE NOT EXISTS (SELECT FROM domains d WHERE d.domain = @domain)
		  AND (SELECT count(*) FROM domains d WHERE d.site_id = @site)
		      + (SELECT count(*) FROM domain_claims c WHERE c.site_id = @site) < @most
		ON CONFLICT ON CONSTRAINT domain_claims_pkey DO NOTHING`
	const find = `
		SELECT COALESCE((SELECT d.site_id FROM domains d WHERE d.domain = @domain), 0),
		       c.token,
		       c.created_at,
		       c.checked_at
		FROM (VALUES (1)) one
		LEFT JOIN domain_claims c ON c.site_id = @site AND c.domain = @domain`
	var owner, here int64
	var token *string
	err := s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		here = site
		a := pgx.NamedArgs{"site": site, "domain": d.Name, "token": d.Token, "asked": d.Asked, "most": most}
		b.Queue(clean, site, since)
		b.Queue(claim, a)
		b.Queue(find, a).QueryRow(pg.One(&owner, &token, (*pg.Sometime)(&d.Asked), (*pg.Sometime)(&d.Checked)))
	})
	var key string
	switch {
	case err != nil:
		return d, err
	case owner == here:
		key = "problem.domain.own"
	case owner != 0:
		key = "problem.domain.lost"
	case token == nil:
		key = "problem.domain.many"
	default:
		d.Token = *token
		return d, nil
	}
	return d, args.Invalid("domain", key, map[string]any{"Domain": d.Name, "Max": most})
}

// Touch records when the proof for a domain was last checked.
func (s domains) Touch(ctx context.Context, name string, at time.Time) error {
	const touch = `
		UPDATE domain_claims
		SET checked_at = $3
		WHERE site_id = $1
		  AND domain = $2`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(touch, site, name, at) })
}

// Prove gives a domain to the site that requested it. If two sites prove the same domain at the same time, the
// second one waits for the first one's transaction and then finds the domain taken.
func (s domains) Prove(ctx context.Context, name, token string, by platform.Proof) error {
	const asked = `
		SELECT EXISTS (
			SELECT FROM domain_claims c
			WHERE c.site_id = $1
			  AND c.domain = $2
			  AND c.token = $3
		)`
	const prove = `
		INSERT INTO domains (domain, site_id, verified_by, verified_at)
		VALUES ($2, $1, $3, $4)
		ON CONFLICT ON CONSTRAINT domains_pkey DO NOTHING`
	const owner = `SELECT COALESCE((SELECT site_id FROM domains WHERE domain = $1), 0)`
	const done = `
		DELETE FROM domain_claims
		WHERE site_id = $1
		  AND domain = $2`
	return s.change(ctx, func(ctx context.Context, t *pg.Tx) (bool, error) {
		var claimed bool
		b := &pgx.Batch{}
		b.Queue(asked, t.Site, name, token).QueryRow(pg.One(&claimed))
		if err := t.Send(ctx, b); err != nil {
			return false, err
		}
		var made, has int64
		b = &pgx.Batch{}
		if claimed {
			b.Queue(prove, t.Site, name, by, t.Now).Exec(func(tag pgconn.CommandTag) error {
				made = tag.RowsAffected()
				return nil
			})
		}
		b.Queue(owner, name).QueryRow(pg.One(&has))
		if err := t.Send(ctx, b); err != nil {
			return false, err
		}
		switch has {
		case t.Site:
			t.Queue(done, t.Site, name)
			return made > 0, nil
		case 0:
			return false, platform.ErrNoDomain
		}
		return false, args.Invalid("domain", "problem.domain.lost", map[string]any{"Domain": name})
	})
}

// Remove takes a domain from the site.
func (s domains) Remove(ctx context.Context, name string) error {
	const drop = `
		DELETE FROM domains
		WHERE site_id = $1
		  AND domain = $2`
	const forsake = `
		DELETE FROM domain_claims
		WHERE site_id = $1
		  AND domain = $2`
	return s.change(ctx, func(ctx context.Context, t *pg.Tx) (bool, error) {
		var had, asked int64
		b := &pgx.Batch{}
		b.Queue(drop, t.Site, name).Exec(func(tag pgconn.CommandTag) error { had = tag.RowsAffected(); return nil })
		b.Queue(forsake, t.Site, name).Exec(func(tag pgconn.CommandTag) error { asked = tag.RowsAffected(); return nil })
		if err := t.Send(ctx, b); err != nil {
			return false, err
		}
		if had+asked == 0 {
			return false, platform.ErrNoDomain
		}
		return had > 0, nil
	})
}

// change runs do in a transaction that locks the site. If do reports that the domains changed, change records the
// former domains in the histories of the site and of the provider.
func (s domains) change(ctx context.Context, do func(context.Context, *pg.Tx) (bool, error)) error {
	const names = `SELECT ARRAY(SELECT d.domain FROM domains d WHERE d.site_id = $1 ORDER BY d.domain)`
	return s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		read := func(into *[]string) error {
			b := &pgx.Batch{}
			b.Queue(names, t.Site).QueryRow(pg.One(into))
			return t.Send(ctx, b)
		}
		var before, after []string
		if err := read(&before); err != nil {
			return err
		}
		changed, err := do(ctx, t)
		if err != nil || !changed {
			return err
		}
		if err := read(&after); err != nil {
			return err
		}
		t.Log("site", t.Site, "update", pg.Document{"domains": before})
		return Note(ctx, s.db, t, Change{"site", "update", t.Site, tenancy.Current(ctx).Site.Slug,
			pg.Document{"domains": before}, pg.Document{"domains": after}})
	})
}
