package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
)

// purgedAtOnce is how many entries of a site one transaction examines, and also how many sign-ins.
const purgedAtOnce = 1000

// PurgeHistory deletes the entries in the histories of all sites from before a time, at least 30 days ago, and
// returns how many it deleted. Only one node purges at a time; a call on another node returns without doing
// anything.
func (db *DB) PurgeHistory(ctx context.Context, before time.Time) (int64, error) {
	list, err := db.siteIDs(ctx)
	if err != nil {
		return 0, err
	}
	total := int64(0)
	for _, site := range list {
		for {
			mine, n, err := db.purgeSome(ctx, site, before)
			total += n
			if err != nil {
				return total, fmt.Errorf("purge the history of site %d: %w", site, err)
			}
			if !mine {
				return total, nil
			}
			if n == 0 {
				break
			}
		}
	}
	return total, nil
}

// siteIDs returns the ids of all sites, for work that is done site by site.
func (db *DB) siteIDs(ctx context.Context) ([]int64, error) {
	const sites = `
		SELECT s.id
		FROM sites s
		ORDER BY s.id`
	rows, err := db.Across("the ids of all sites, for what is then done to each by itself").Query(ctx, sites)
	if err != nil {
		return nil, db.Failure(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	return list, db.Failure(err)
}

// purgeSome deletes some of a site's entries, unless another node is doing so. Its lock ends with the transaction.
// It also deletes the rows of days that have no occurrences any more.
func (db *DB) purgeSome(ctx context.Context, site int64, before time.Time) (mine bool, n int64, err error) {
	const purge = `
		WITH turn AS MATERIALIZED (
			SELECT pg_try_advisory_xact_lock(hashtext('kalends purge_changes')) AS mine
		)
		SELECT t.mine,
		       CASE WHEN t.mine THEN purge_changes($1, $2) ELSE 0 END
		FROM turn t`
	const emptied = `
		DELETE FROM occurrence_days
		WHERE site_id = $1
		  AND occurrences = 0`
	err = db.In(ctx, "histories are purged by one node at a time, whichever the site", site, func(site int64, b *pgx.Batch) {
		b.Queue(purge, before, purgedAtOnce).QueryRow(pg.One(&mine, &n))
		b.Queue(emptied, site)
	})
	return mine, n, err
}
