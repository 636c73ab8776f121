package events

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// datesAround selects the dates of series $2 before and after a position, the earlier one first. It is written for
// occurrences_series_idx: of the dates without changes of their own it reads only two.
var datesAround = func() string {
	beside := func(after bool) string {
		compare, direction := "<", " DESC"
		if after {
			compare, direction = ">", ""
		}
		order := " ORDER BY start_local" + direction + ", id" + direction + " LIMIT 1"
		return `(
			SELECT *
			FROM (
				(SELECT o.start_local, o.end_local, COALESCE(o.original_start, o.start_local) AS original_start, o.event_id, o.id
				FROM occurrences o
				WHERE o.site_id = $1
				  AND o.event_id = $2
				  AND o.n <> 0
				  AND o.start_local ` + compare + `= $3
				  AND (o.start_local ` + compare + ` $3 OR o.id ` + compare + ` $4)
				ORDER BY o.start_local` + direction + `
				LIMIT 1)
				UNION ALL
				(SELECT x.start_local, x.end_local, x.original_start, x.id, x.id
				FROM events x
				WHERE x.site_id = $1
				  AND x.series_id = $2
				  AND (x.start_local, x.id) ` + compare + ` ($3, $4)` + order + `)
			) d` + order + `)`
	}
	return `
		SELECT d.start_local > $3 OR d.start_local = $3 AND d.id > $4,
		       d.original_start,
		       d.start_local,
		       d.end_local,
		       e.event_status
		FROM (` + beside(false) + ` UNION ALL ` + beside(true) + `) d
		JOIN events e ON e.site_id = $1 AND e.id = d.event_id`
}()

// Around implements calendar.EventStore.
func (s Store) Around(ctx context.Context, series int64, at calendar.Place) (*calendar.Neighbours, error) {
	var n *calendar.Neighbours
	err := s.db.Quick(ctx, func(site int64, b *pgx.Batch) {
		n = &calendar.Neighbours{}
		queueEvent(b, site, calendar.Key{ID: series}, NewLinked(nil), func(e *calendar.Event, _ int64) { n.Whole = e })
		var after bool
		var d calendar.Date
		b.Queue(datesAround, site, series, at.Start, at.ID).
			Query(pg.Each([]any{&after, &d.Original, &d.Start, &d.End, &d.Happening.Status}, func() error {
				found := d
				if found.Happening.Status == "scheduled" {
					found.Happening.Status = ""
				}
				if after {
					n.Next = &found
				} else {
					n.Previous = &found
				}
				return nil
			}))
	})
	if err == nil && n.Whole == nil {
		err = calendar.ErrNotFound
	}
	return n, err
}
