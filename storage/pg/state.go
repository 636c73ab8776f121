package pg

import (
	"context"
	"time"
)

// State is what a database says of itself.
type State struct {
	TakesWrites bool // a standby takes none, nor does one that was set so
	// Ahead is how far the clock of this machine is ahead of the database's, less
	// than zero when it is behind. As the question takes time that is the least it
	// can be; 0 when they may agree.
	Ahead time.Duration
}

// State asks the database how it is. Who asks while an answer is on its way gets that
// one, so it is one question however many ask.
func (db *DB) State(ctx context.Context) (State, error) {
	state, err, _ := db.looks.Do("", func() (any, error) { return db.look(ctx) })
	if err != nil {
		return State{}, db.failure(err)
	}
	return state.(State), nil
}

func (db *DB) look(ctx context.Context) (s State, err error) {
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

// reading is what the database's clock said at a moment of this machine's.
type reading struct{ here, there time.Time }

// Now returns the time by the database's clock, the one that all nodes share: as State read it last, and
// what has passed here since. Before State has read it, it is this machine's.
func (db *DB) Now() time.Time {
	now := db.machine()
	if last := db.reading.Load(); last != nil {
		return last.there.Add(now.Sub(last.here)) // which no change of this machine's clock moves
	}
	return now
}
