package pg

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// Due is a kind of work in the background that sites have.
type Due struct {
	Why    reason           // why all sites are asked
	Column string           // of sites: when the site is due, null for never
	Hold   time.Duration    // how long the node that takes a site has it for itself
	Now    func() time.Time // in UTC
}

// TakeDue takes the site that has been due longest, or the given one if it is due. take returns the work for the site at a
// moment, or nil; TakeDue then goes on to the next site. It returns nil if no site is due.
func TakeDue[T any](ctx context.Context, db *DB, due Due, only int64, take func(site int64, now time.Time) (*T, error)) (*T, error) {
	for {
		now := due.Now()
		ids, err := due.next(ctx, db, now, only)
		if len(ids) == 0 {
			return nil, err
		}
		var task *T
		for _, id := range ids { // of a cluster each server may have one
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

// patience is how long TakeDue waits for a site that somebody is writing to.
const patience = 2 * time.Second

// next makes the next site due later, and returns it. Sites that somebody is writing to come last, but their turn comes too: one with
// many writes would be skipped again and again.
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
		return db.Everywhere(ctx, d.Why, next, []any{now, now.Add(d.Hold), only}, func(rows pgx.Rows) error {
			some, err := pgx.CollectRows(rows, pgx.RowTo[int64])
			ids = append(ids, some...)
			return err
		})
	}
	if err = take(ctx, "SKIP LOCKED"); err != nil || len(ids) > 0 {
		return ids, err
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err = take(waiting, ""); waiting.Err() != nil && ctx.Err() == nil {
		err = nil // it is still due the next time
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
