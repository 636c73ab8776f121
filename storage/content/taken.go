package content

import (
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
)

// TakenPosts and TakenTerms select which of some ids are taken, for posts and for terms. Ids of deleted items are
// not used again. Dates of a series that wait to be stored have ids that no table lists, so while there are any,
// every id up to the counter counts as taken.
const (
	TakenPosts = `
		SELECT w.id
		FROM unnest($2::bigint[]) w (id)
		WHERE EXISTS (SELECT FROM events x WHERE x.site_id = $1 AND x.id = w.id)
		   OR EXISTS (SELECT FROM venues x WHERE x.site_id = $1 AND x.id = w.id)
		   OR EXISTS (SELECT FROM organizers x WHERE x.site_id = $1 AND x.id = w.id)
		   OR EXISTS (SELECT FROM images x WHERE x.site_id = $1 AND x.id = w.id)
		   OR EXISTS (SELECT FROM occurrences x WHERE x.site_id = $1 AND x.n = w.id AND x.n <> 0)
		   OR EXISTS (SELECT FROM removed_occurrences x WHERE x.site_id = $1 AND x.id = w.id)
		   OR EXISTS (SELECT FROM changes x WHERE x.site_id = $1 AND x.kind IN ('event', 'venue', 'organizer', 'image') AND x.id = w.id
		              AND x.action = 'delete')
		   OR w.id <= (SELECT s.last_post_id FROM sites s WHERE s.id = $1)
		      AND EXISTS (SELECT FROM events x WHERE x.site_id = $1 AND x.waiting_dates IS NOT NULL)`
	TakenTerms = `
		SELECT w.id
		FROM unnest($2::bigint[]) w (id)
		WHERE EXISTS (SELECT FROM terms x WHERE x.site_id = $1 AND x.id = w.id)
		   OR EXISTS (SELECT FROM changes x WHERE x.site_id = $1 AND x.kind IN ('category', 'tag') AND x.id = w.id AND x.action = 'delete')`
)

// LookUpTaken sets ids[id] to true for every id that is taken. statement is TakenPosts or TakenTerms.
func (t *Tx) LookUpTaken(b *pgx.Batch, statement string, ids map[int64]bool) {
	delete(ids, 0)
	if len(ids) == 0 {
		return
	}
	var id int64
	b.Queue(statement, t.Site, slices.Sorted(maps.Keys(ids))).Query(pg.Each([]any{&id}, func() error { ids[id] = true; return nil }))
}
