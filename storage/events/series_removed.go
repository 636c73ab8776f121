package events

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// removedDates selects the dates that were removed from their series individually, with who removed them. Dates
// that the rules no longer produce are not among them.
const removedDates = `
	SELECT d.id,
	       d.original_start,
	       d.removed_at,
	       d.series_id,
	       d.author,
	       d.status,
	       d.title,
	       d.all_day,
	       d.total,
	       COALESCE(c.user_id, 0),
	       COALESCE(c.who, ''),
	       COALESCE(c.via, '')
	FROM (` + removedFound + `) d
	LEFT JOIN LATERAL (
	    SELECT c.user_id,
	           c.who,
	           c.via
	    FROM changes c
	    WHERE c.site_id = $1
	      AND c.kind = 'event'
	      AND c.id = d.series_id
	      AND c.action <> 'create'
	      AND c.at = d.removed_at
	    ORDER BY c.version DESC
	    LIMIT 1
	) c ON true
	ORDER BY d.removed_at DESC, d.id DESC`

const removedFound = `
	SELECT r.id,
	       r.original_start,
	       r.removed_at,
	       r.series_id,
	       COALESCE(e.author, 0) AS author,
	       e.status,
	       e.title,
	       e.all_day,
	       count(*) OVER () AS total
	FROM removed_occurrences r
	JOIN events e ON e.site_id = $1 AND e.id = r.series_id
	WHERE r.site_id = $1
	  AND e.status <> 'trash'
	  AND (e.status = 'publish' OR $2 OR e.author = $3)
	  AND e.rules -> 'exdate' ? to_char(r.original_start, 'YYYY-MM-DD"T"HH24:MI:SS')
	ORDER BY r.removed_at DESC, r.id DESC
	LIMIT $4`

// Removed implements calendar.EventStore.
func (s Store) Removed(ctx context.Context, viewer calendar.Viewer, most int) (list []calendar.RemovedDate, total int, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		list, total = nil, 0
		var d calendar.RemovedDate
		b.Queue(removedDates, site, viewer.All, viewer.User, most).
			Query(pg.Each([]any{&d.ID, &d.Original, (*pg.UTC)(&d.By.At), &d.Series.ID,
				&d.Series.Author, &d.Series.Status, &d.Title, &d.AllDay, &total, &d.By.UserID, &d.By.Who, &d.By.Via},
				func() error {
					list = append(list, d)
					return nil
				}))
	})
	return list, total, err
}
