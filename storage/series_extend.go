package storage

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// seriesAtOnce is of how many series one transaction stores more.
const seriesAtOnce = 20

const dueSeries = `
	DELETE FROM schedule d
	USING (
		SELECT id
		FROM schedule
		WHERE site_id = $1
		  AND due_at <= $2
		  AND kind = 'series'
		ORDER BY due_at, id
		LIMIT $3
		FOR UPDATE SKIP LOCKED
	) first
	WHERE d.site_id = $1
	  AND d.kind = 'series'
	  AND d.id = first.id
	RETURNING d.id`

const countOccurrences = `
	SELECT count(*)
	FROM occurrences
	WHERE site_id = $1
	  AND event_id = $2`

// postponeSeries looks again tomorrow at a series of which as much is stored as may
// be, of it or of the site.
const postponeSeries = `
	INSERT INTO schedule (site_id, kind, id, due_at)
	VALUES ($1, 'series', $2, $3)
	ON CONFLICT ON CONSTRAINT schedule_pkey DO UPDATE
	SET due_at = excluded.due_at`

const extendEvent = `
	UPDATE events
	SET stored_until = $3,
	    last_start_utc = COALESCE($4, last_start_utc)
	WHERE site_id = $1
	  AND id = $2`

// extendSeries stores more occurrences of the site's series that are due, and
// returns of how many. Lists show them, so the version rises; nobody changed
// anything, so the history says nothing.
func (t *tx) extendSeries(ctx context.Context, now time.Time) (int, error) {
	var due []int64
	b := &pgx.Batch{}
	b.Queue(dueSeries, t.Site, now, seriesAtOnce).Query(func(rows pgx.Rows) (err error) {
		due, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
	if err := t.Send(ctx, b); err != nil {
		return 0, err
	}
	for _, id := range due {
		if err := t.extend(ctx, id, now); err != nil {
			return 0, err
		}
	}
	return len(due), nil
}

func (t *tx) extend(ctx context.Context, id int64, now time.Time) error {
	var e *calendar.Event
	var last time.Time
	var stored int
	b := &pgx.Batch{}
	queueEvent(b, t.Site, calendar.Key{ID: id}, newNested(nil), func(found *calendar.Event, _ int64) { e = found })
	b.Queue(countOccurrences, t.Site, id).QueryRow(func(row pgx.Row) error { return row.Scan(&stored) })
	if err := t.Send(ctx, b); err != nil || e == nil || !e.Recurring() || e.StoredUntil.IsZero() {
		return err
	}
	more, until := e.More(e.StoredUntil, calendar.Horizon(now), stored, t.Room())
	e.StoredUntil = until
	if len(more) == 0 {
		t.Queue(postponeSeries, t.Site, id, now.AddDate(0, 0, 1))
		return nil
	}
	var added dated
	for i := range more {
		added.add(t.NextPost(), &more[i])
		last = more[i].StartUTC
	}
	t.Queue(extendEvent, t.Site, id, instant(until), instant(last))
	added.queue(t, insertOccurrences, e)
	t.usesDates(len(more))
	t.planSeries(e)
	t.Raised = true
	return nil
}
