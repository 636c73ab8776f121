package storage

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/tenancy"
)

// Connections is the state of the connections to the database.
type Connections struct {
	Max, Acquired, Idle int
	Acquires, Waits     int64         // since the start: all, and those that had to wait
	Waited              time.Duration // all of them together
}

// Connections returns the state of the connections.
func (db *DB) Connections() Connections {
	s := db.pool.Stat()
	return Connections{Max: int(s.MaxConns()), Acquired: int(s.AcquiredConns()), Idle: int(s.IdleConns()),
		Acquires: s.AcquireCount(), Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime()}
}

const siteStates = `
	SELECT CASE WHEN deleted_at IS NOT NULL THEN 'deleted' ELSE state END,
	       count(*)
	FROM sites
	GROUP BY 1`

const longestDue = `
	SELECT now() - min(d.due_at)
	FROM schedule d
	JOIN sites s ON s.id = d.site_id
	WHERE d.due_at <= now()
	  AND s.state = 'active'`

// Totals returns how many sites there are by state, and for how long the oldest
// of what is due has waited to be published, by the database's clock.
func (db *DB) Totals(ctx context.Context) (sites map[string]int, overdue time.Duration, err error) {
	sites = map[string]int{}
	for _, state := range []tenancy.State{tenancy.Active, tenancy.ReadOnly, tenancy.Closed, tenancy.Deleted} {
		sites[string(state)] = 0 // is a number too
	}
	b := &pgx.Batch{}
	b.Queue(siteStates).Query(func(rows pgx.Rows) error {
		var state string
		var n int
		_, err := pgx.ForEachRow(rows, []any{&state, &n}, func() error {
			sites[state] = n
			return nil
		})
		return err
	})
	b.Queue(longestDue).QueryRow(func(row pgx.Row) error {
		var waited *time.Duration
		if err := row.Scan(&waited); err != nil || waited == nil {
			return err
		}
		overdue = *waited
		return nil
	})
	if err := db.pool.SendBatch(ctx, b).Close(); err != nil {
		return nil, 0, failure(err)
	}
	return sites, overdue, nil
}
