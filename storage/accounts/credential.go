package accounts

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// credentials implements accounts.CredentialStore.
type credentials struct{ db *pg.DB }

// Credentials returns the store of application passwords and API keys.
func Credentials(db *pg.DB) accounts.CredentialStore { return credentials{db} }

// credentialColumns are the columns of credentials c that credentialRow reads.
const credentialColumns = `
	c.id,
	c.user_id,
	c.kind,
	c.name,
	c.hash,
	c.read_only,
	c.created_at,
	c.last_used_at,
	c.scopes,
	COALESCE(c.categories, '{}'),
	c.expires_at`

// credentialRow returns the destinations of credentialColumns.
func credentialRow(c *accounts.Credential) []any {
	return []any{
		&c.ID, &c.UserID, &c.Kind, &c.Name, &c.Hash, &c.ReadOnly, (*pg.UTC)(&c.Created), (*pg.Sometime)(&c.LastUsed),
		&c.Scopes, &c.Categories, (*pg.Sometime)(&c.Expires),
	}
}

// List returns a user's credentials, the newest first.
func (s credentials) List(ctx context.Context, user int64) ([]*accounts.Credential, error) {
	const list = `SELECT` + credentialColumns + `
		FROM credentials c
		WHERE c.site_id = $1
		  AND c.user_id = $2
		ORDER BY c.id DESC`
	var found []*accounts.Credential
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(list, site, user).Query(pg.All(&found, func(row pgx.CollectableRow) (*accounts.Credential, error) {
			c := &accounts.Credential{}
			return c, row.Scan(credentialRow(c)...)
		}))
	})
	return found, err
}

// ownedRow returns the destinations of credentialColumns and of the user's login and name.
func ownedRow(k *accounts.OwnedKey) []any {
	return append(credentialRow(&k.Credential), &k.Login, &k.Owner)
}

// All returns one page of the credentials of all users, or of one.
func (s credentials) All(ctx context.Context, q tenancy.Query, user int64) (page tenancy.Page[accounts.OwnedKey], err error) {
	const found = `
		FROM credentials c
		JOIN users u ON u.site_id = c.site_id AND u.id = c.user_id
		WHERE c.site_id = @site
		  AND (@user::bigint = 0 OR c.user_id = @user)
		  AND (@search = ''
		       OR strpos(lower(c.name), @search) > 0
		       OR strpos(u.login_key, @search) > 0
		       OR strpos(lower(u.name), @search) > 0)`
	const count = `SELECT count(*)` + found
	const list = `SELECT` + credentialColumns + `,
		u.login,
		u.name` + found + `
		ORDER BY c.id DESC
		LIMIT @limit
		OFFSET @offset`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		a := pg.PageArgs(q)
		a["site"], a["user"] = site, user
		b.Queue(count, a).QueryRow(pg.One(&page.Total))
		b.Queue(list, a).Query(pg.All(&page.Items, func(row pgx.CollectableRow) (*accounts.OwnedKey, error) {
			k := &accounts.OwnedKey{}
			return k, row.Scan(ownedRow(k)...)
		}))
	})
	return page, err
}

// Find returns the credential with this hash and its user.
func (s credentials) Find(ctx context.Context, hash []byte) (*accounts.Credential, *tenancy.User, error) {
	const find = `SELECT` + credentialColumns + `,` + userColumns + `
		FROM credentials c
		JOIN users u ON u.site_id = c.site_id AND u.id = c.user_id
		WHERE c.site_id = $1
		  AND c.hash = $2`
	return s.one(ctx, find, hash)
}

// ByID returns the credential with this id and its user.
func (s credentials) ByID(ctx context.Context, id int64) (*accounts.Credential, *tenancy.User, error) {
	const byID = `SELECT` + credentialColumns + `,` + userColumns + `
		FROM credentials c
		JOIN users u ON u.site_id = c.site_id AND u.id = c.user_id
		WHERE c.site_id = $1
		  AND c.id = $2`
	return s.one(ctx, byID, id)
}

// one returns the credential that a statement finds, and its user.
func (s credentials) one(ctx context.Context, find string, by any) (*accounts.Credential, *tenancy.User, error) {
	c, u := &accounts.Credential{}, &tenancy.User{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(find, site, by).QueryRow(pg.One(append(credentialRow(c), userRow(u)...)...))
	})
	if err != nil {
		return nil, nil, pg.NotFound(err, accounts.ErrNoKey)
	}
	return c, u, nil
}

// Create stores a credential of an existing user. The site must have the credential's categories.
func (s credentials) Create(ctx context.Context, c *accounts.Credential) error {
	return writeIn(ctx, s.db, func(ctx context.Context, t *pg.Tx) error {
		b := &pgx.Batch{}
		queueCredential(t, b, c)
		if err := t.Send(ctx, b); err != nil {
			return err
		}
		return checkArea(ctx, t, tenancy.Area{Categories: c.Categories})
	})
}

// queueCredential stores a credential, one per transaction. Its id is the site's version in that transaction, so ids are never
// used twice.
func queueCredential(t *pg.Tx, b *pgx.Batch, c *accounts.Credential) {
	const create = `
		INSERT INTO credentials (site_id, id, user_id, kind, name, hash, read_only, created_at, scopes, categories, expires_at)
		SELECT u.site_id, @id, u.id, @kind, @name, @hash, @read_only, @created, @scopes, @categories, @expires
		FROM users u
		WHERE u.site_id = @site
		  AND u.id = @user`
	c.ID, c.Created = t.Version, t.Now
	b.Queue(create, pgx.NamedArgs{
		"site":       t.Site,
		"id":         c.ID,
		"user":       c.UserID,
		"kind":       c.Kind,
		"name":       c.Name,
		"hash":       c.Hash,
		"read_only":  c.ReadOnly,
		"created":    c.Created,
		"scopes":     c.Scopes,
		"categories": c.Categories,
		"expires":    pg.Known(c.Expires),
	}).Exec(pg.OneRow(accounts.ErrNoUser))
	t.Log("key", c.ID, "create", nil)
}

// Delete removes one credential of a user.
func (s credentials) Delete(ctx context.Context, user, id int64) error {
	_, err := s.remove(ctx, user, id)
	return err
}

// DeleteAny removes one credential of any user.
func (s credentials) DeleteAny(ctx context.Context, id int64) (*accounts.OwnedKey, error) {
	return s.remove(ctx, 0, id)
}

// remove removes a credential of the user, or of any user if user is 0.
func (s credentials) remove(ctx context.Context, user, id int64) (*accounts.OwnedKey, error) {
	const remove = `
		DELETE FROM credentials c
		USING users u
		WHERE c.site_id = $1
		  AND ($2::bigint = 0 OR c.user_id = $2)
		  AND c.id = $3
		  AND u.site_id = c.site_id
		  AND u.id = c.user_id
		RETURNING` + credentialColumns + `,
			u.login,
			u.name`
	gone := &accounts.OwnedKey{}
	err := s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := t.QueryRow(ctx, remove, t.Site, user, id).Scan(ownedRow(gone)...)
		t.Log("key", id, "delete", keyDocument(&gone.Credential))
		return err
	})
	if err != nil {
		return nil, pg.NotFound(err, accounts.ErrNoKey)
	}
	return gone, nil
}

// Touch records when credentials were last used. It neither locks the site nor raises its version.
func (s credentials) Touch(ctx context.Context, used map[int64]time.Time) error {
	const touch = `
		UPDATE credentials c
		SET last_used_at = now.at
		FROM unnest(@ids::bigint[], @times::timestamptz[]) AS now (id, at)
		WHERE c.site_id = @site
		  AND c.id = now.id
		  AND (c.last_used_at IS NULL OR c.last_used_at < now.at)`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		a := pg.UseArgs(used)
		a["site"] = site
		b.Queue(touch, a)
	})
}
