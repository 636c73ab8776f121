package events

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// noteFormer remembers which occurrence a series had at a start, for addresses that
// name it.
const noteFormer = `
	INSERT INTO former_dates (site_id, series_id, original_start, id)
	SELECT $1, $2, f.original_start, f.id
	FROM unnest($3::timestamp[], $4::bigint[]) f (original_start, id)
	ON CONFLICT ON CONSTRAINT former_dates_pkey DO UPDATE
	SET id = excluded.id`

// noteDivided is noteFormer of all that a series hands over.
const noteDivided = `
	INSERT INTO former_dates (site_id, series_id, original_start, id)
	SELECT $1, $2, COALESCE(o.original_start, o.start_local), o.n
	FROM occurrences o
	WHERE o.site_id = $1
	  AND o.event_id = $2
	  AND o.n <> 0
	  AND COALESCE(o.original_start, o.start_local) >= $3
	UNION ALL
	SELECT $1, $2, x.original_start, x.id
	FROM events x
	WHERE x.site_id = $1
	  AND x.series_id = $2
	  AND x.original_start >= $3
	ON CONFLICT ON CONSTRAINT former_dates_pkey DO UPDATE
	SET id = excluded.id`

// formerDates are dates of a series whose address has changed.
type formerDates struct {
	originals []time.Time
	ids       []int64
}

// note remembers where an occurrence was, if its address named that.
func (p *timetablePlan) note(id int64, was, now time.Time) {
	if !hasAddress(p.was) || was.Equal(now) || !p.of.Start.IsZero() { // what is divided is noted whole
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
	}
}

// formerDate finds what was at a day of a series, whose slug may be a former one: the
// occurrence that was there, the series when it happens once by now, a date that was moved
// there, at last what was removed from there.
const formerDate = `
	SELECT d.id
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
	CROSS JOIN LATERAL (
		SELECT 1 AS place, f.id, f.original_start
		FROM former_dates f
		WHERE f.site_id = $1
		  AND f.series_id = s.id
		  AND f.original_start >= $3
		  AND f.original_start < $4
		UNION ALL
		SELECT 2, e.id, e.start_local
		FROM events e
		WHERE e.site_id = $1
		  AND e.id = s.id
		  AND e.rules IS NULL
		  AND e.start_local >= $3
		  AND e.start_local < $4
		UNION ALL
		SELECT 2, e.id, e.start_local
		FROM events e
		WHERE e.site_id = $1
		  AND e.series_id = s.id
		  AND e.start_local >= $3
		  AND e.start_local < $4
		UNION ALL
		SELECT 3, r.id, r.original_start
		FROM removed_occurrences r
		WHERE r.site_id = $1
		  AND r.series_id = s.id
		  AND r.original_start >= $3
		  AND r.original_start < $4
	) d
	ORDER BY d.place, d.original_start
	LIMIT 10`

// formerly reads what was at a day of a series where nothing is now:
// *calendar.RemovedError for what was removed, calendar.ErrNotFound for what never was.
// Only who asks in vain pays for it.
func (s Store) formerly(ctx context.Context, key calendar.Key) (*calendar.Event, error) {
	var ids []int64
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(formerDate, site, key.Slug, key.On.From, key.On.To).Query(func(rows pgx.Rows) (err error) {
			ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	err = calendar.ErrNotFound
	for _, id := range ids {
		e, unknown := s.known(ctx, calendar.Key{ID: id})
		if _, removed := errors.AsType[*calendar.RemovedError](unknown); unknown == nil || !removed {
			return e, unknown
		}
		err = unknown
	}
	return nil, err
}
