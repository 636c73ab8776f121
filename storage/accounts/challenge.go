package accounts

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy/accounts"
)

// challenges implements accounts.ChallengeStore.
type challenges struct{ db *pg.DB }

// Challenges returns the store of challenges to passkeys.
func Challenges(db *pg.DB) accounts.ChallengeStore { return challenges{db} }

const createChallenge = `
	INSERT INTO challenges (site_id, id, data, expires_at)
	VALUES ($1, $2, $3, $4)`

// Create stores a challenge and deletes expired ones.
func (s challenges) Create(ctx context.Context, hash, data []byte, now, expires time.Time) error {
	const clean = `
		DELETE FROM challenges
		WHERE site_id = $1
		  AND id IN (
		      SELECT c.id
		      FROM challenges c
		      WHERE c.site_id = $1
		        AND c.expires_at <= $2
		      LIMIT 100
		      FOR UPDATE SKIP LOCKED)`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(createChallenge, site, hash, data, expires)
		b.Queue(clean, site, now)
	})
}

// Take removes a challenge and returns its data, so only one caller gets it.
func (s challenges) Take(ctx context.Context, hash []byte, now time.Time) (data []byte, err error) {
	const take = `
		DELETE FROM challenges
		WHERE site_id = $1
		  AND id = $2
		RETURNING data, expires_at > $3`
	var good bool
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(take, site, hash, now).QueryRow(pg.One(&data, &good))
	})
	if err == nil && !good {
		return nil, accounts.ErrNoChallenge
	}
	return data, pg.NotFound(err, accounts.ErrNoChallenge)
}

// Look reads a challenge.
func (s challenges) Look(ctx context.Context, hash []byte, now time.Time) (data []byte, err error) {
	const look = `
		SELECT c.data
		FROM challenges c
		WHERE c.site_id = $1
		  AND c.id = $2
		  AND c.expires_at > $3`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(look, site, hash, now).QueryRow(pg.One(&data))
	})
	return data, pg.NotFound(err, accounts.ErrNoChallenge)
}
