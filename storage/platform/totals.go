package platform

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

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

// Totals returns how many sites there are by state, and how long the oldest item that is due for publication has
// waited, by the database's clock.
func Totals(ctx context.Context, db *pg.DB) (sites map[string]int, overdue time.Duration, err error) {
	sites = map[string]int{}
	for _, state := range []tenancy.State{tenancy.Active, tenancy.ReadOnly, tenancy.Closed, tenancy.Deleted} {
		sites[string(state)] = 0 // 0 is reported as well
	}
	b := &pgx.Batch{}
	var state string
	var n int
	b.Queue(siteStates).Query(pg.Each([]any{&state, &n}, func() error {
		sites[state] = n
		return nil
	}))
	b.Queue(longestDue).QueryRow(func(row pgx.Row) error {
		var waited *time.Duration
		if err := row.Scan(&waited); err != nil || waited == nil {
			return err
		}
		overdue = *waited
		return nil
	})
	if err := db.Across("counted by an index when Prometheus asks").Send(ctx, b); err != nil {
		return nil, 0, db.Failure(err)
	}
	return sites, overdue, nil
}
