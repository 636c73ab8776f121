package events

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// noteFormer records which occurrence of a series had a start, because URLs name the start.
const noteFormer = `
	INSERT INTO former_dates (site_id, series_id, original_start, id)
	SELECT $1, $2, f.original_start, f.id
	FROM unnest($3::timestamp[], $4::bigint[]) f (original_start, id)
	ON CONFLICT ON CONSTRAINT former_dates_pkey DO UPDATE
	SET id = excluded.id`

// noteDivided records which series has the dates from a start on.
const noteDivided = `
	INSERT INTO divided_series (site_id, series_id, from_start, heir_id)
	VALUES ($1, $2, $3, $4)
	ON CONFLICT ON CONSTRAINT divided_series_pkey DO UPDATE
	SET heir_id = excluded.heir_id`

// mostFormer is how many former dates of a series are kept; the latest are kept. Without a limit, moving a series
// back and forth would fill the table.
const mostFormer = 20_000

const forgetFormer = `
	DELETE FROM former_dates
	WHERE site_id = $1
	  AND series_id = $2
	  AND original_start <= (
	      SELECT f.original_start
	      FROM former_dates f
	      WHERE f.site_id = $1
	        AND f.series_id = $2
	      ORDER BY f.original_start DESC
	      OFFSET $3
	      LIMIT 1)`

// formerDates are dates of a series whose URL has changed.
type formerDates struct {
	originals []time.Time
	ids       []int64
}

// recordFormer records the former start of an occurrence if its URL named that start.
func (p *timetablePlan) recordFormer(id int64, was, now time.Time) {
	if !hasAddress(p.was) || was.Equal(now) {
		return
	}
	day := func(t time.Time) string { return t.Format(time.DateOnly) }
	if p.was.Several || p.e.Several || day(was) != day(now) {
		p.former.originals, p.former.ids = append(p.former.originals, was), append(p.former.ids, id)
	}
}

// hasAddress reports whether an event has a public page.
func hasAddress(e *calendar.Event) bool { return e.Status == calendar.Publish && e.Slug != "" }

func (p *timetablePlan) writeFormer() {
	if len(p.former.ids) > 0 {
		p.t.Queue(noteFormer, p.t.Site, p.e.ID, p.former.originals, p.former.ids)
		p.t.Queue(forgetFormer, p.t.Site, p.e.ID, mostFormer)
	}
}

// formerDate finds what a former URL of a date leads to: a day of a series, named by a present or former slug. It
// also searches the series that took over dates when this series was divided. It finds, in this order: the
// occurrence that was on that day, the occurrence that is on it now, the series if it now happens only once, a date
// that was moved to that day, and finally a removed date.
const formerDate = `
	WITH RECURSIVE line AS (
		SELECT s.id,
		       0 AS place
		FROM (
			SELECT e.id
			FROM events e
			WHERE e.site_id = $1
			  AND e.slug = $2
			  AND e.slug <> ''
			UNION ALL
			SELECT r.id
			FROM redirects r
			WHERE r.site_id = $1
			  AND r.kind = 'event'
			  AND r.slug = $2
		) s
		UNION ALL
		SELECT d.heir_id,
		       l.place + 1
		FROM line l
		CROSS JOIN LATERAL (
			SELECT d.heir_id
			FROM divided_series d
			WHERE d.site_id = $1
			  AND d.series_id = l.id
			  AND d.from_start < $4
			ORDER BY d.from_start DESC
			LIMIT 1
		) d
		WHERE l.place < 100
	)
	SELECT d.id
	FROM line s
	CROSS JOIN LATERAL (
		SELECT 1 AS place, f.id, f.original_start
		FROM former_dates f
		WHERE f.site_id = $1
		  AND f.series_id = s.id
		  AND f.original_start >= $3
		  AND f.original_start < $4
		UNION ALL
		SELECT 2, o.n, COALESCE(o.original_start, o.start_local)
		FROM occurrences o
		WHERE o.site_id = $1
		  AND o.event_id = s.id
		  AND o.n <> 0
		  AND s.place > 0
		  AND o.start_local >= $3::timestamp - interval '1 day'
		  AND o.start_local < $4::timestamp + interval '1 day'
		  AND COALESCE(o.original_start, o.start_local) >= $3
		  AND COALESCE(o.original_start, o.start_local) < $4
		UNION ALL
		SELECT 2, e.id, e.original_start
		FROM events e
		WHERE e.site_id = $1
		  AND e.series_id = s.id
		  AND s.place > 0
		  AND e.original_start >= $3
		  AND e.original_start < $4
		UNION ALL
		SELECT 3, e.id, e.start_local
		FROM events e
		WHERE e.site_id = $1
		  AND e.id = s.id
		  AND e.rules IS NULL
		  AND e.start_local >= $3
		  AND e.start_local < $4
		UNION ALL
		SELECT 3, e.id, e.start_local
		FROM events e
		WHERE e.site_id = $1
		  AND e.series_id = s.id
		  AND e.start_local >= $3
		  AND e.start_local < $4
		UNION ALL
		SELECT 4, r.id, r.original_start
		FROM removed_occurrences r
		WHERE r.site_id = $1
		  AND r.series_id = s.id
		  AND r.original_start >= $3
		  AND r.original_start < $4
	) d
	ORDER BY d.place = 4, s.place DESC, d.place, d.original_start
	LIMIT 10`

// formerly reads what was on a day of a series if nothing is there now. It returns *calendar.RemovedError for a
// removed date, and calendar.ErrNotFound if there never was a date. It runs only after a failed look-up.
func (s Store) formerly(ctx context.Context, key calendar.Key) (*calendar.Event, error) {
	var ids []int64
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(formerDate, site, key.Slug, key.On.From, key.On.To).Query(pg.All(&ids, pgx.RowTo[int64]))
	})
	if err != nil {
		return nil, err
	}
	err = calendar.ErrNotFound
	for _, id := range ids {
		e, unknown := s.present(ctx, calendar.Key{ID: id})
		if _, removed := errors.AsType[*calendar.RemovedError](unknown); unknown == nil || !removed {
			return e, unknown
		}
		err = unknown
	}
	return nil, err
}
