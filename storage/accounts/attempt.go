package accounts

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy/accounts"
)

// attempts implements accounts.AttemptStore.
type attempts struct{ db *pg.DB }

// Attempts returns the store of attempts to sign in.
func Attempts(db *pg.DB) accounts.AttemptStore { return attempts{db} }

// Take uses up an attempt if one is left. It does so in a single statement, so nodes take turns. It also removes
// rows that no longer limit anything, except rows that are locked, which could cause a deadlock.
//
// If the stored time is later than attempts can move it, it comes from a clock that has since been set back. Take
// then grants one attempt, the last for now. It adds intervals to times in UTC, because that does not depend on
// settings; a cluster accepts nothing else in an UPDATE.
func (s attempts) Take(ctx context.Context, hash []byte, now, latest time.Time, every time.Duration,
) (full time.Time, taken bool, err error) {
	const take = `
		INSERT INTO attempts (site_id, id, full_at)
		VALUES ($1, $2, $6)
		ON CONFLICT ON CONSTRAINT attempts_pkey DO UPDATE
		SET full_at = CASE WHEN attempts.full_at <= $4
		                   THEN (greatest(attempts.full_at, $3) AT TIME ZONE 'UTC' + $5::interval) AT TIME ZONE 'UTC'
		                   ELSE $7 END
		WHERE attempts.full_at <= $4
		   OR attempts.full_at > $7`
	const look = `
		SELECT full_at
		FROM attempts
		WHERE site_id = $1
		  AND id = $2`
	const clean = `
		DELETE FROM attempts
		WHERE site_id = $1
		  AND id IN (
		      SELECT a.id
		      FROM attempts a
		      WHERE a.site_id = $1
		        AND a.full_at < $2
		      ORDER BY a.full_at
		      LIMIT 100
		      FOR UPDATE SKIP LOCKED)`
	err = s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(take, site, hash, now, latest, every, now.Add(every), latest.Add(every)).Exec(pg.OneChanged(&taken))
		b.Queue(look, site, hash).QueryRow(pg.One((*pg.UTC)(&full)))
		b.Queue(clean, site, now)
	})
	return full, taken, err
}

// Back gives an attempt back.
func (s attempts) Back(ctx context.Context, hash []byte, every time.Duration) error {
	const back = `
		UPDATE attempts
		SET full_at = (full_at AT TIME ZONE 'UTC' - $3::interval) AT TIME ZONE 'UTC'
		WHERE site_id = $1
		  AND id = $2`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) { b.Queue(back, site, hash, every) })
}
