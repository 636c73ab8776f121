package pg

import (
	"context"
	"time"
)

// State is what a database reports about itself.
type State struct {
	TakesWrites bool // false for a standby or a read-only database
	// Ahead is how far the clock of this machine is ahead of the database's, negative when it is behind. Because
	// the query takes time, Ahead is the smallest possible difference, or 0 if the clocks may agree.
	Ahead time.Duration
}

// State asks the database for its state. Simultaneous callers share one query.
func (db *DB) State(ctx context.Context) (State, error) {
	state, err, _ := db.looks.Do("", func() (any, error) { return db.readState(ctx) })
	if err != nil {
		return State{}, db.failure(err)
	}
	return state.(State), nil
}

func (db *DB) readState(ctx context.Context) (s State, err error) {
	const query = `SELECT NOT current_setting('transaction_read_only')::bool, clock_timestamp()`
	var there time.Time
	before := db.machine()
	if err := db.pool.QueryRow(ctx, query).Scan(&s.TakesWrites, &there); err != nil {
		return s, err
	}
	after := db.machine()
	db.reading.Store(&reading{here: before.Add(after.Sub(before) / 2), there: there})
	if s.Ahead = before.Sub(there); s.Ahead < 0 {
		s.Ahead = min(0, after.Sub(there))
	}
	return s, nil
}

// reading is a time of the database's clock and the time of this machine at that moment.
type reading struct{ here, there time.Time }

// Now returns the time by the database's clock, which all nodes share: the last time that State read, plus the time passed
// here since. Before State has read it, Now is the time of this machine.
func (db *DB) Now() time.Time {
	now := db.machine()
	if last := db.reading.Load(); last != nil {
		return last.there.Add(now.Sub(last.here)) // monotonic, so a change of this machine's clock has no effect
	}
	return now
}
