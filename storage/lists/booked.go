package lists

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// bookedSQL finds what takes place at the venues $2 during the spans that start at $3 and end at $4, except event
// $5 and its dates. For each venue it reads the events, and then by index their occurrences between the start of
// the first span and the end of the last ($6 to $7). An event that begins when another ends does not overlap it. An
// event without duration overlaps where it begins.
const bookedSQL = `
	SELECT f.venue_id,
	       f.id,
	       f.status,
	       f.span
	FROM (
		SELECT DISTINCT ON (COALESCE(e.series_id, e.id), w.id)
		       w.id AS venue_id,
		       o.id,
		       e.status,
		       t.n - 1 AS span,
		       o.start_utc
		FROM unnest($2::bigint[]) w (id)
		CROSS JOIN LATERAL (
			SELECT l.event_id
			FROM event_venues l
			WHERE l.site_id = $1
			  AND l.venue_id = w.id
			OFFSET 0
		) x
		CROSS JOIN LATERAL (
			SELECT o.id, o.start_utc, o.end_utc
			FROM occurrences o
			WHERE o.site_id = $1
			  AND o.event_id = x.event_id
			  AND o.start_utc <= $7
			  AND o.end_utc >= $6
			OFFSET 0
		) o
		JOIN unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY t (starts, ends, n)
		  ON (o.start_utc < t.ends OR o.start_utc = t.starts)
		 AND (o.end_utc > t.starts OR o.start_utc = t.starts)
		JOIN events e ON e.site_id = $1 AND e.id = x.event_id
		WHERE e.status <> 'trash'
		  AND e.id <> $5
		  AND e.series_id IS DISTINCT FROM $5
		  AND e.attendance <> 'online'
		  AND e.event_status NOT IN ('cancelled', 'postponed')
		ORDER BY COALESCE(e.series_id, e.id), w.id, o.start_utc, o.id
	) f
	ORDER BY f.start_utc, f.id, f.venue_id
	LIMIT $8`

// Booked implements calendar.EventStore.
func (s *Lists) Booked(ctx context.Context, q calendar.BookedQuery) ([]calendar.BookedAt, error) {
	starts, ends := make([]time.Time, 0, len(q.Spans)), make([]time.Time, 0, len(q.Spans))
	first, last := q.Spans[0].StartUTC, q.Spans[0].EndUTC
	for _, span := range q.Spans {
		starts, ends = append(starts, span.StartUTC), append(ends, span.EndUTC)
		if span.StartUTC.Before(first) {
			first = span.StartUTC
		}
		if span.EndUTC.After(last) {
			last = span.EndUTC
		}
	}
	var found []calendar.BookedAt
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		found = nil
		var one calendar.BookedAt
		b.Queue(bookedSQL, site, q.Venues, starts, ends, q.But, first, last, q.Most).
			Query(pg.Each([]any{&one.Venue, &one.Event, &one.Status, &one.Span}, func() error {
				found = append(found, one)
				return nil
			}))
	})
	return found, err
}
