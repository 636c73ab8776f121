package lists

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// patternsSQL finds the titles that people of site $1 enter again and again, among the last $4 entries: first the
// $5 titles that user $2 has entered last, then the most frequent ones. For each title it returns one date: that of
// the latest single event, or of a series the last date up to $3, otherwise its first date. Events from sources are
// excluded, because nobody entered them, and so are submissions that nobody has checked.
const patternsSQL = `
	SELECT COALESCE(
	           (SELECT o.id
	            FROM occurrences o
	            WHERE o.site_id = $1
	              AND o.event_id = g.id
	              AND o.start_utc <= $3
	            ORDER BY o.start_local DESC
	            LIMIT 1),
	           (SELECT o.id
	            FROM occurrences o
	            WHERE o.site_id = $1
	              AND o.event_id = g.id
	            ORDER BY o.start_local
	            LIMIT 1),
	           g.id)
	FROM (
		SELECT (array_agg(e.id ORDER BY e.start_local DESC, e.id DESC))[1] AS id,
		       count(*) AS times,
		       max(e.id) AS latest,
		       row_number() OVER (ORDER BY max(e.id) FILTER (WHERE e.author = $2) DESC NULLS LAST) <= $5
		           AND bool_or(e.author = $2) AS own
		FROM (
			SELECT n.id, n.title, n.author, n.start_local, n.status, n.source_id, n.series_id
			FROM events n
			WHERE n.site_id = $1
			ORDER BY n.id DESC
			LIMIT $4
		) e
		WHERE e.status <> 'trash'
		  AND (e.status <> 'pending' OR e.author IS NOT NULL)
		  AND e.source_id IS NULL
		  AND e.series_id IS NULL
		GROUP BY lower(e.title)
	) g
	ORDER BY COALESCE(g.own, false) DESC, g.times DESC, g.latest DESC
	LIMIT $6`

// The limits of patterns: how many entries are examined, and how many titles of the user come first.
const (
	entriesForPatterns = 200
	ownPatterns        = 3
)

// Patterns implements calendar.EventStore.
func (s *Lists) Patterns(ctx context.Context, now time.Time, most int) ([]int64, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	var ids []int64
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(patternsSQL, site, scope.Principal.UserID, now, entriesForPatterns, ownPatterns, most).Query(pg.All(&ids, pgx.RowTo[int64]))
	})
	return ids, err
}
