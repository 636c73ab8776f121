package accounts

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// sessions implements accounts.SessionStore. Pages do not show who is signed in, so sessions do not change the
// site's version.
type sessions struct{ db *pg.DB }

// Sessions returns the store of a site's sessions.
func Sessions(db *pg.DB) accounts.SessionStore { return sessions{db} }

// sessionColumns are the columns of sessions s that sessionRow reads.
const sessionColumns = `
	s.id,
	s.user_id,
	s.seal,
	s.csrf,
	s.created_at,
	s.last_seen_at,
	s.expires_at,
	s.user_agent,
	s.address`

// sessionRow returns the destinations of sessionColumns.
func sessionRow(s *accounts.Session) []any {
	return []any{
		&s.Hash, &s.UserID, &s.Seal, &s.CSRF, (*pg.UTC)(&s.Created), (*pg.UTC)(&s.LastSeen), (*pg.UTC)(&s.Expires),
		&s.UserAgent, &s.Address,
	}
}

// Create stores a session of an existing user.
func (s sessions) Create(ctx context.Context, made *accounts.Session) error {
	const clean = `
		DELETE FROM sessions
		WHERE site_id = $1
		  AND user_id = $2
		  AND expires_at <= $3`
	const create = `
		INSERT INTO sessions (site_id, id, user_id, seal, csrf, created_at, last_seen_at, expires_at, user_agent, address)
		SELECT u.site_id, @id, u.id, @seal, @csrf, @created, @seen, @expires, @agent, @address
		FROM users u
		WHERE u.site_id = @site
		  AND u.id = @user
		  AND (@passed
		       OR NOT EXISTS (
		           SELECT
		           FROM second_factors f
		           WHERE f.site_id = @site
		             AND f.user_id = u.id))`
	return pg.NotFound(s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(clean, site, made.UserID, made.Created)
		b.Queue(create, pgx.NamedArgs{
			"site":    site,
			"id":      made.Hash,
			"user":    made.UserID,
			"seal":    made.Seal,
			"csrf":    made.CSRF,
			"created": made.Created,
			"seen":    made.LastSeen,
			"expires": made.Expires,
			"agent":   made.UserAgent,
			"address": made.Address,
			"passed":  made.Passed,
		}).Exec(pg.OneRow(accounts.ErrNoUser))
		queueSignIn(b, site, s.db.Time(), made)
	}), accounts.ErrNoUser)
}

// Find returns the session with this hash and its user.
func (s sessions) Find(ctx context.Context, hash []byte) (*accounts.Session, *tenancy.User, error) {
	const find = `SELECT` + sessionColumns + `,` + userColumns + `
		FROM sessions s
		JOIN users u ON u.site_id = s.site_id AND u.id = s.user_id
		WHERE s.site_id = $1
		  AND s.id = $2`
	found, u := &accounts.Session{}, &tenancy.User{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(find, site, hash).QueryRow(pg.One(append(sessionRow(found), userRow(u)...)...))
	})
	if err != nil {
		return nil, nil, pg.NotFound(err, accounts.ErrNoKey)
	}
	return found, u, nil
}

// Touch records when a session was last used.
func (s sessions) Touch(ctx context.Context, hash []byte, at time.Time) error {
	const touch = `
		UPDATE sessions
		SET last_seen_at = $3
		WHERE site_id = $1
		  AND id = $2
		  AND last_seen_at < $3`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(touch, site, hash, at) })
}

// List returns a user's sessions, the most recently used first.
func (s sessions) List(ctx context.Context, user int64) ([]*accounts.Session, error) {
	const list = `SELECT` + sessionColumns + `
		FROM sessions s
		WHERE s.site_id = $1
		  AND s.user_id = $2
		ORDER BY s.last_seen_at DESC, s.created_at DESC, s.id
		LIMIT 200`
	var found []*accounts.Session
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(list, site, user).Query(pg.All(&found, func(row pgx.CollectableRow) (*accounts.Session, error) {
			one := &accounts.Session{}
			return one, row.Scan(sessionRow(one)...)
		}))
	})
	return found, err
}

// Delete removes a session of a user.
func (s sessions) Delete(ctx context.Context, user int64, hash []byte) error {
	const remove = `
		DELETE FROM sessions
		WHERE site_id = $1
		  AND user_id = $2
		  AND id = $3`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(remove, site, user, hash).Exec(pg.OneRow(accounts.ErrNoKey))
	})
}

// DeleteOthers removes all sessions of a user except one.
func (s sessions) DeleteOthers(ctx context.Context, user int64, but []byte) error {
	const remove = `
		DELETE FROM sessions
		WHERE site_id = $1
		  AND user_id = $2
		  AND id <> $3`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(remove, site, user, but) })
}
