// Package accounts stores in Postgres who may do what on a site, and how they prove who they are: users with their
// sessions, keys and passkeys, invitations, and the number of failed sign-ins.
package accounts

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// users implements accounts.UserStore.
type users struct{ db *pg.DB }

// Users returns the store of a site's users.
func Users(db *pg.DB) accounts.UserStore { return users{db} }

// userColumns are the columns of users u that userRow reads.
const userColumns = `
	u.id,
	u.login,
	u.email,
	u.name,
	u.role,
	u.password_hash,
	u.language,
	u.theme,
	u.told,
	u.created_at,
	NULLIF(u.categories, '{}'),
	NULLIF(u.venues, '{}'),
	NULLIF(u.organizers, '{}'),
	EXISTS (
	    SELECT
	    FROM second_factors f
	    WHERE f.site_id = u.site_id
	      AND f.user_id = u.id)`

// userRow returns the destinations of userColumns.
func userRow(u *tenancy.User) []any {
	return []any{&u.ID, &u.Login, &u.Email, &u.Name, &u.Role, &u.PasswordHash, &u.Language, &u.Theme, &u.Told, (*pg.UTC)(&u.Created),
		&u.Area.Categories, &u.Area.Venues, &u.Area.Organizers, &u.SecondFactor}
}

// List returns one page of the users by login, in one round trip.
func (s users) List(ctx context.Context, q tenancy.Query) (tenancy.Page[tenancy.User], error) {
	const found = `
		FROM users u
		WHERE u.site_id = @site
		  AND (@role = '' OR u.role = @role)
		  AND (@search = ''
		       OR strpos(u.login_key, @search) > 0
		       OR strpos(u.email_key, @search) > 0
		       OR strpos(lower(u.name), @search) > 0)`
	const count = `SELECT count(*)` + found
	const list = `SELECT` + userColumns + found + `
		ORDER BY u.login_key
		LIMIT @limit
		OFFSET @offset`
	var page tenancy.Page[tenancy.User]
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		a := pg.PageArgs(q)
		a["site"], a["role"] = site, string(q.Role)
		b.Queue(count, a).QueryRow(pg.One(&page.Total))
		b.Queue(list, a).Query(pg.All(&page.Items, func(row pgx.CollectableRow) (*tenancy.User, error) {
			u := &tenancy.User{}
			return u, row.Scan(userRow(u)...)
		}))
	})
	return page, err
}

// Stranded returns users who cannot sign in: they have no password, no passkey and no valid invitation.
func (s users) Stranded(ctx context.Context, at time.Time, most int) (list []*tenancy.User, err error) {
	const stranded = `SELECT` + userColumns + `
		FROM users u
		WHERE u.site_id = $1
		  AND u.password_hash = ''
		  AND NOT EXISTS (
		      SELECT
		      FROM vouchers v
		      WHERE v.site_id = $1
		        AND v.user_id = u.id
		        AND v.kind = 'invitation'
		        AND v.expires_at > $2)
		  AND NOT EXISTS (
		      SELECT
		      FROM passkeys p
		      WHERE p.site_id = $1
		        AND p.user_id = u.id)
		ORDER BY u.login_key
		LIMIT $3`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(stranded, site, at, most).Query(pg.All(&list, func(row pgx.CollectableRow) (*tenancy.User, error) {
			u := &tenancy.User{}
			err := row.Scan(userRow(u)...)
			return u, err
		}))
	})
	return list, err
}

// Get returns one user.
func (s users) Get(ctx context.Context, id int64) (*tenancy.User, error) {
	u := &tenancy.User{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) { queueUser(b, site, id, u) })
	if err != nil {
		return nil, pg.NotFound(err, accounts.ErrNoUser)
	}
	return u, nil
}

func queueUser(b *pgx.Batch, site, id int64, u *tenancy.User) {
	const get = `SELECT` + userColumns + `
		FROM users u
		WHERE u.site_id = $1
		  AND u.id = $2`
	b.Queue(get, site, id).QueryRow(pg.One(userRow(u)...))
}

// writeIn makes a change that grants access or rights. The caller must still have the password and the role that
// their session started with: a request that was running while the password changed must not grant access
// afterwards.
func writeIn(ctx context.Context, db *pg.DB, change func(ctx context.Context, t *pg.Tx) error) error {
	return db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		if err := stillIn(ctx, t); err != nil {
			return err
		}
		return change(ctx, t)
	})
}

// stillIn returns nil if the caller has no session, or still has the password and role that it started with.
func stillIn(ctx context.Context, t *pg.Tx) error {
	p := tenancy.Current(ctx).Principal
	if p.Seal == "" {
		return nil
	}
	u, b := &tenancy.User{}, &pgx.Batch{}
	queueUser(b, t.Site, p.UserID, u)
	if err := t.Send(ctx, b); err != nil {
		return pg.NotFound(err, tenancy.ErrUnauthenticated)
	}
	return u.Still(p)
}

// ByLogin returns the user with that login, or else the user with that e-mail address.
func (s users) ByLogin(ctx context.Context, login string) (*tenancy.User, error) {
	const byLogin = `SELECT` + userColumns + `
		FROM users u
		WHERE u.site_id = @site
		  AND (u.login_key = @name OR u.email_key = @name)
		ORDER BY u.login_key = @name DESC
		LIMIT 1`
	u := &tenancy.User{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(byLogin, pgx.NamedArgs{"site": site, "name": tenancy.Fold(login)}).QueryRow(pg.One(userRow(u)...))
	})
	if err != nil {
		return nil, pg.NotFound(err, accounts.ErrNoUser)
	}
	return u, nil
}
