package accounts

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// lobby implements accounts.LobbyStore. It finds the sites by a digest of the address, and enters one site after
// the other. No statement sees the users of two sites, so the row-level policies apply.
type lobby struct{ db *pg.DB }

// Lobby returns the store of accounts on all sites.
func Lobby(db *pg.DB) accounts.LobbyStore { return lobby{db} }

// sitesAtOnce is how many sites one round trip asks.
const sitesAtOnce = 500

// Desk returns the oldest site.
func (s lobby) Desk(ctx context.Context) (int64, error) {
	const desk = `
		SELECT s.id
		FROM sites s
		ORDER BY s.id
		LIMIT 1`
	var id int64
	err := s.db.Across("the first site by primary key, when somebody signs in to several").QueryRow(ctx, desk).Scan(&id)
	return id, pg.NotFound(s.db.Failure(err), tenancy.ErrNoSite)
}

// heldAccount is an account and when it was last used.
type heldAccount struct {
	accounts.Account
	used time.Time
}

// Accounts returns the accounts of an e-mail address, the most recently used first.
func (s lobby) Accounts(ctx context.Context, email string, most int) ([]accounts.Account, error) {
	const why = "the sites that have an account of an address, when somebody signs in to several: by an index"
	sites, err := s.sitesOf(ctx, email)
	if err == nil && len(sites) == 0 { // query one site even then, so that the response time reveals nothing
		var desk int64
		desk, err = s.Desk(ctx)
		sites = []siteSlug{{ID: desk}}
	}
	if err != nil {
		return nil, err
	}
	var found []heldAccount
	for some := range slices.Chunk(sites, sitesAtOnce) {
		slugs := make(map[int64]string, len(some))
		for _, p := range some {
			slugs[p.ID] = p.Slug
		}
		err := s.db.InEach(ctx, why, slices.Collect(maps.Keys(slugs)), func(site int64, b *pgx.Batch) {
			queueHeld(b, site, slugs[site], email, &found)
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(found, func(a, b heldAccount) int { return b.used.Compare(a.used) })
	list := make([]accounts.Account, 0, most)
	for _, one := range found[:min(most, len(found))] {
		list = append(list, one.Account)
	}
	return list, nil
}

// siteSlug is a site and its slug.
type siteSlug struct {
	ID   int64
	Slug string
}

// sitesOf returns the sites that have an account with an e-mail address, with or without a password.
func (s lobby) sitesOf(ctx context.Context, email string) (all []siteSlug, err error) {
	const where = `
		SELECT s.id,
		       s.slug
		FROM user_addresses a
		JOIN sites s ON s.id = a.site_id
		WHERE a.hash = $1
		ORDER BY s.id`
	hash := sha256.Sum256([]byte(email))
	err = s.db.Everywhere(ctx, "the sites that have an account of an address, by an index", where, []any{hash[:]},
		pg.More(&all, pgx.RowToStructByPos[siteSlug]))
	return all, err
}

// queueHeld looks for the account with this address on a site, if the account has a password.
func queueHeld(b *pgx.Batch, site int64, slug, email string, found *[]heldAccount) {
	const held = `SELECT` + userColumns + `,
		       COALESCE((
		           SELECT max(e.last_seen_at)
		           FROM sessions e
		           WHERE e.site_id = $1
		             AND e.user_id = u.id), u.created_at)
		FROM users u
		WHERE u.site_id = $1
		  AND u.email_key = $2
		  AND u.password_hash <> ''`
	b.Queue(held, site, email).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			one := heldAccount{Account: accounts.Account{SiteID: site, Slug: slug, User: &tenancy.User{}}}
			if err := rows.Scan(append(userRow(one.User), &one.used)...); err != nil {
				return err
			}
			*found = append(*found, one)
		}
		return rows.Err()
	})
}
