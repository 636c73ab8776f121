package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// datesAround are the dates of series $2 before and after a place, the one before
// first.
const datesAround = `
	WITH dates AS NOT MATERIALIZED (
		SELECT o.event_id,
		       o.id,
		       o.start_local,
		       o.end_local,
		       o.original_start
		FROM occurrences o
		WHERE o.site_id = $1
		  AND o.event_id = ANY(ARRAY(
			SELECT $2::bigint
			UNION ALL
			SELECT x.id
			FROM events x
			WHERE x.site_id = $1
			  AND x.series_id = $2))
		  AND (o.n <> 0 OR o.event_id <> $2)
	)
	SELECT d.after,
	       COALESCE(e.original_start, d.original_start, d.start_local),
	       d.start_local,
	       d.end_local,
	       e.event_status
	FROM (
		(SELECT false AS after, * FROM dates WHERE (start_local, id) < ($3, $4) ORDER BY start_local DESC, id DESC LIMIT 1)
		UNION ALL
		(SELECT true, * FROM dates WHERE (start_local, id) > ($3, $4) ORDER BY start_local, id LIMIT 1)
	) d
	JOIN events e ON e.site_id = $1 AND e.id = d.event_id`

// Around implements calendar.EventStore.
func (s events) Around(ctx context.Context, series int64, at calendar.Place) (*calendar.Neighbours, error) {
	var n *calendar.Neighbours
	err := s.db.quick(ctx, func(site int64, b *pgx.Batch) {
		n = &calendar.Neighbours{}
		queueEvent(b, site, calendar.Key{ID: series}, newNested(nil), func(e *calendar.Event, _ int64) { n.Whole = e })
		b.Queue(datesAround, site, series, at.Start, at.ID).Query(func(rows pgx.Rows) error {
			var after bool
			var d calendar.Date
			_, err := pgx.ForEachRow(rows, []any{&after, &d.Original, &d.Start, &d.End, &d.Happening.Status}, func() error {
				found := d
				found.Happening.Status = unless(found.Happening.Status, "scheduled")
				if after {
					n.Next = &found
				} else {
					n.Previous = &found
				}
				return nil
			})
			return err
		})
	})
	if err == nil && n.Whole == nil {
		err = calendar.ErrNotFound
	}
	return n, err
}
