package platform

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy/accounts"
)

// providerChallenges implements accounts.ChallengeStore for the console, which belongs to no site.
type providerChallenges struct{ db *pg.DB }

// ProviderChallenges returns the store of challenges for browsers that sign in to the console.
func ProviderChallenges(db *pg.DB) accounts.ChallengeStore { return providerChallenges{db} }

func (s providerChallenges) platform() pg.Across {
	return s.db.Across("challenges of the console belong to the platform")
}

// Create stores a challenge and deletes expired ones.
func (s providerChallenges) Create(ctx context.Context, hash, data []byte, now, expires time.Time) error {
	const create = `
		INSERT INTO provider_challenges (id, data, expires_at)
		VALUES ($1, $2, $3)`
	const clean = `
		DELETE FROM provider_challenges
		WHERE expires_at <= $1`
	b := &pgx.Batch{}
	b.Queue(create, hash, data, expires)
	b.Queue(clean, now)
	return s.db.Failure(s.platform().Send(ctx, b))
}

// Take removes a challenge and returns its data, so only one caller gets it.
func (s providerChallenges) Take(ctx context.Context, hash []byte, now time.Time) (data []byte, err error) {
	const take = `
		DELETE FROM provider_challenges
		WHERE id = $1
		RETURNING data, expires_at > $2`
	var good bool
	err = s.platform().QueryRow(ctx, take, hash, now).Scan(&data, &good)
	if err == nil && !good {
		return nil, accounts.ErrNoChallenge
	}
	return data, pg.NotFound(s.db.Failure(err), accounts.ErrNoChallenge)
}

// Look reads a challenge.
func (s providerChallenges) Look(ctx context.Context, hash []byte, now time.Time) (data []byte, err error) {
	const look = `
		SELECT c.data
		FROM provider_challenges c
		WHERE c.id = $1
		  AND c.expires_at > $2`
	err = s.platform().QueryRow(ctx, look, hash, now).Scan(&data)
	return data, pg.NotFound(s.db.Failure(err), accounts.ErrNoChallenge)
}
