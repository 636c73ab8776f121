package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// PurgeNumbers deletes the numbers of all sites from before a day, and all numbers of sites that no longer count.
func (db *DB) PurgeNumbers(ctx context.Context, before time.Time) error {
	const (
		which   = `(day < $2 OR NOT (SELECT s.numbers FROM sites s WHERE s.id = $1))`
		ofEvent = `
		DELETE FROM event_numbers
		WHERE site_id = $1
		  AND ` + which
		ofSite = `
		DELETE FROM site_numbers
		WHERE site_id = $1
		  AND ` + which
	)
	list, err := db.siteIDs(ctx)
	if err != nil {
		return err
	}
	for _, site := range list {
		err := db.In(ctx, "numbers of all sites that are too old", site, func(site int64, b *pgx.Batch) {
			b.Queue(ofEvent, site, before)
			b.Queue(ofSite, site, before)
		})
		if err != nil {
			return fmt.Errorf("purge the numbers of site %d: %w", site, err)
		}
	}
	return nil
}
