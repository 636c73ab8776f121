package storage

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// MergedInto implements tenancy.HistoryStore. A merge deletes objects and changes another of the same kind in one write, and
// the slugs of those it deleted lead to the one that is left, also after further merges.
func (s history) MergedInto(ctx context.Context, kind string, ids []int64) (into map[int64]int64, err error) {
	const query = `
		SELECT c.id,
		       r.id
		FROM changes c
		JOIN redirects r ON r.site_id = $1 AND r.kind = c.kind AND r.slug = c.before ->> 'slug'
		WHERE c.site_id = $1
		  AND c.kind = $2
		  AND c.id = ANY($3)
		  AND c.action = 'delete'
		  AND r.id <> c.id
		  AND c.version > (SELECT s.replaced_version FROM sites s WHERE s.id = $1)
		  AND EXISTS (
		      SELECT
		      FROM changes k
		      WHERE k.site_id = $1
		        AND k.version = c.version
		        AND k.kind = c.kind
		        AND k.action = 'update')`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		into = map[int64]int64{}
		b.Queue(query, site, kind, ids).Query(func(rows pgx.Rows) error {
			var gone, left int64
			_, err := pgx.ForEachRow(rows, []any{&gone, &left}, func() error {
				into[gone] = left
				return nil
			})
			return err
		})
	})
	return into, err
}
