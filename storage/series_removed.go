package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// removedDates are dates that the rules of their series leave out. What rules don't
// give any more was not removed by itself.
const removedDates = `
	SELECT r.id,
	       r.original_start,
	       e.id,
	       COALESCE(e.author, 0),
	       e.status,
	       e.title,
	       e.all_day,
	       count(*) OVER ()
	FROM removed_occurrences r
	JOIN events e ON e.site_id = $1 AND e.id = r.series_id
	WHERE r.site_id = $1
	  AND e.status <> 'trash'
	  AND (e.status = 'publish' OR $2 OR e.author = $3)
	  AND e.rules -> 'exdate' ? to_char(r.original_start, 'YYYY-MM-DD"T"HH24:MI:SS')
	ORDER BY r.removed_at DESC, r.id DESC
	LIMIT $4`

// Removed implements calendar.EventStore.
func (s events) Removed(ctx context.Context, viewer calendar.Viewer, most int) (list []calendar.RemovedDate, total int, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		list, total = nil, 0
		b.Queue(removedDates, site, viewer.All, viewer.User, most).Query(func(rows pgx.Rows) error {
			var d calendar.RemovedDate
			_, err := pgx.ForEachRow(rows, []any{&d.ID, &d.Original, &d.Series.ID,
				&d.Series.Author, &d.Series.Status, &d.Title, &d.AllDay, &total},
				func() error {
					list = append(list, d)
					return nil
				})
			return err
		})
	})
	return list, total, err
}
