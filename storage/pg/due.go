package pg

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// Due describes a kind of background work that is done for sites.
type Due struct {
	Why    reason           // the reason to query all sites
	Column string           // column of sites that says when a site is due; null: never
	Hold   time.Duration    // how long a site stays reserved for the node that takes it
	Now    func() time.Time // in UTC
}

// TakeDue takes the site that has been due longest, or the given one if it is due. take returns the work for a
// site. If it returns nil, TakeDue tries the next site. TakeDue returns nil if no site is due.
func TakeDue[T any](ctx context.Context, db *DB, due Due, only int64, take func(site int64, now time.Time) (*T, error)) (*T, error) {
	for {
		now := due.Now()
		ids, err := due.next(ctx, db, now, only)
		if len(ids) == 0 {
			return nil, err
		}
		var task *T
		for _, id := range ids { // on a cluster, one site of each server
			if task != nil {
				err = errors.Join(err, db.In(ctx, due.Why, id, func(site int64, b *pgx.Batch) { b.Queue(DueAt(due.Column), site, now) }))
				continue
			}
			one, failed := take(id, now)
			err = errors.Join(err, failed)
			task = one
		}
		if task != nil || err != nil {
			return task, err
		}
	}
}

// patience is how long TakeDue waits for a site that is locked by a writer.
const patience = 2 * time.Second

// next reserves the next site by making it due later, and returns it. Sites locked by a writer come last, but next
// then waits for them: otherwise a site with many writes would be skipped again and again.
func (d Due) next(ctx context.Context, db *DB, now time.Time, only int64) (ids []int64, err error) {
	take := func(ctx context.Context, locked string) error {
		next := `
		UPDATE sites
		SET ` + d.Column + ` = $2
		WHERE id IN (
		    SELECT d.id
		    FROM sites d
		    WHERE d.` + d.Column + ` <= $1
		      AND ($3::bigint = 0 OR d.id = $3)
		    ORDER BY d.` + d.Column + `, d.id
		    LIMIT 1
		    FOR NO KEY UPDATE ` + locked + `)
		RETURNING id`
		return db.Everywhere(ctx, d.Why, next, []any{now, now.Add(d.Hold), only}, More(&ids, pgx.RowTo[int64]))
	}
	if err = take(ctx, "SKIP LOCKED"); err != nil || len(ids) > 0 {
		return ids, err
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err = take(waiting, ""); waiting.Err() != nil && ctx.Err() == nil {
		err = nil // the site is still due the next time
	}
	return ids, err
}

// DueAt returns the statement that makes site $1 due at the moment $2.
func DueAt(column string) string {
	return `
	UPDATE sites
	SET ` + column + ` = $2
	WHERE id = $1`
}
