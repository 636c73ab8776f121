package platform

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// providerSessions implements accounts.ProviderSessionStore. Sessions of the
// console belong to the platform.
type providerSessions struct{ db *pg.DB }

// ProviderSessions returns the store of sessions of the console.
func ProviderSessions(db *pg.DB) accounts.ProviderSessionStore { return providerSessions{db} }

func (s providerSessions) platform() pg.Across {
	return s.db.Across("sessions of the provider belong to the platform")
}

// Create stores a session if its token still exists, and records the sign-in.
func (s providerSessions) Create(ctx context.Context, made *accounts.ProviderSession) error {
	const clean = `
		DELETE FROM provider_sessions
		WHERE expires_at <= $1`
	const create = `
		WITH made AS (
			INSERT INTO provider_sessions (id, token_id, name, seal, csrf, created_at, last_seen_at, expires_at)
			SELECT @id, NULLIF(@token::bigint, 0), @name, @seal, @csrf, @created, @seen, @expires
			WHERE @token::bigint = 0
			   OR EXISTS (SELECT FROM provider_tokens t WHERE t.id = @token::bigint)
			RETURNING name
		)
		INSERT INTO provider_changes (at, kind, action, object, name, who, via, address)
		SELECT @created, 'session', 'sign_in', @token::bigint, m.name, m.name, @via, @address
		FROM made m`
	b := &pgx.Batch{}
	b.Queue(clean, made.Created)
	b.Queue(create, pgx.NamedArgs{
		"id":      made.Hash,
		"token":   made.TokenID,
		"name":    made.Name,
		"seal":    made.Seal,
		"csrf":    made.CSRF,
		"created": made.Created,
		"seen":    made.LastSeen,
		"expires": made.Expires,
		"via":     string(tenancy.ViaProvider),
		"address": tenancy.Current(ctx).Address,
	}).Exec(pg.OneRow(accounts.ErrNoKey))
	return s.db.Failure(s.platform().Send(ctx, b))
}

// Refused records a failed sign-in. It stores neither the person, who is unknown, nor what was typed.
func (s providerSessions) Refused(ctx context.Context) error {
	const note = `
		INSERT INTO provider_changes (at, kind, action, object, name, address)
		VALUES ($1, 'session', 'sign_in_failed', 0, '', $2)`
	_, err := s.platform().Exec(ctx, note, s.db.Second(), tenancy.Current(ctx).Address)
	return s.db.Failure(err)
}

// Supports records that someone of the provider enters a site for support.
func (s providerSessions) Supports(ctx context.Context, site *tenancy.Site, f *accounts.SupportFields) error {
	return s.db.Failure(Note(ctx, s.db, s.platform(), Change{Kind: "site", Action: "sign_in", ID: site.ID, Name: site.Slug,
		After: pg.Document{"role": f.Role.Or(""), "reason": f.Reason.Or("")}}))
}

// Find returns the session with this hash.
func (s providerSessions) Find(ctx context.Context, hash []byte) (*accounts.ProviderSession, error) {
	const find = `
		SELECT id,
		       COALESCE(token_id, 0),
		       name,
		       seal,
		       csrf,
		       created_at,
		       last_seen_at,
		       expires_at
		FROM provider_sessions
		WHERE id = $1`
	f := &accounts.ProviderSession{}
	err := s.platform().QueryRow(ctx, find, hash).Scan(&f.Hash, &f.TokenID, &f.Name, &f.Seal, &f.CSRF,
		(*pg.UTC)(&f.Created), (*pg.UTC)(&f.LastSeen), (*pg.UTC)(&f.Expires))
	if err != nil {
		return nil, pg.NotFound(s.db.Failure(err), accounts.ErrNoKey)
	}
	return f, nil
}

// Touch records when a session was last used.
func (s providerSessions) Touch(ctx context.Context, hash []byte, at time.Time) error {
	const touch = `
		UPDATE provider_sessions
		SET last_seen_at = $2
		WHERE id = $1
		  AND last_seen_at < $2`
	_, err := s.platform().Exec(ctx, touch, hash, at)
	return s.db.Failure(err)
}

// Delete removes a session.
func (s providerSessions) Delete(ctx context.Context, hash []byte) error {
	const remove = `
		DELETE FROM provider_sessions
		WHERE id = $1`
	_, err := s.platform().Exec(ctx, remove, hash)
	return s.db.Failure(err)
}
