package storage

import (
	"context"
	"time"
)

// Ahead returns how far the clock of this machine is ahead of the database's, less
// than zero when it is behind. As the question takes time that is the least it can
// be; 0 when they may agree.
func (db *DB) Ahead(ctx context.Context) (time.Duration, error) {
	const clock = `SELECT clock_timestamp()`
	var there time.Time
	before := db.clock()
	if err := db.pool.QueryRow(ctx, clock).Scan(&there); err != nil {
		return 0, failure(err)
	}
	if ahead := before.Sub(there); ahead > 0 {
		return ahead, nil
	}
	return min(0, db.clock().Sub(there)), nil
}

// TakesWrites reports whether the database does: a standby doesn't, nor does one that
// was set so.
func (db *DB) TakesWrites(ctx context.Context) (bool, error) {
	const query = `SELECT NOT current_setting('transaction_read_only')::bool`
	var takes bool
	err := db.pool.QueryRow(ctx, query).Scan(&takes)
	return takes, failure(err)
}
