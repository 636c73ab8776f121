package events

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// Limits on how many series and dates one transaction stores, because other writes to the site wait for it.
const (
	seriesAtOnce = 20
	datesAtOnce  = 5000
)

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

// storedLater are the starts of the dates that are stored individually after the series' stored_until.
const storedLater = `
	SELECT COALESCE(original_start, start_local)
	FROM occurrences
	WHERE site_id = $1
	  AND event_id = $2
	  AND n <> 0
	  AND start_local > (SELECT stored_until FROM events WHERE site_id = $1 AND id = $2)`

// postponeSeries sets when a series is due again: tomorrow, because the series or the site may store no more dates
// now.
const postponeSeries = `
	INSERT INTO schedule (site_id, kind, id, due_at)
	VALUES ($1, 'series', $2, $3)
	ON CONFLICT ON CONSTRAINT schedule_pkey DO UPDATE
	SET due_at = excluded.due_at`

// ExtendSeries stores more occurrences of the site's series that are due, and returns the number of these series.
// Lists show the occurrences, so the version rises. The history gets no entry, because nobody changed anything.
func ExtendSeries(ctx context.Context, t *content.Tx, now time.Time) (int, error) {
	var due []int64
	b := &pgx.Batch{}
	b.Queue(dueSeries, t.Site, now, seriesAtOnce).Query(pg.All(&due, pgx.RowTo[int64]))
	if err := t.Send(ctx, b); err != nil {
		return 0, err
	}
	room := datesAtOnce
	for _, id := range due {
		if room == 0 {
			t.Queue(postponeSeries, t.Site, id, now)
			continue
		}
		stored, err := extend(ctx, t, id, now, room)
		if err != nil {
			return 0, err
		}
		room -= stored
	}
	return len(due), nil
}

// extend stores more dates of one series, at most as many as there is room for, and returns how many it stored.
func extend(ctx context.Context, t *content.Tx, id int64, now time.Time, room int) (int, error) {
	var e *calendar.Event
	var stored int
	var waiting []waitingDate
	var later []time.Time
	b := &pgx.Batch{}
	queueEvent(b, t.Site, calendar.Key{ID: id}, NewLinked(nil), func(found *calendar.Event, _ int64) { e = found })
	b.Queue(countOccurrences, t.Site, id).QueryRow(pg.One(&stored))
	b.Queue(storedLater, t.Site, id).Query(pg.All(&later, pgx.RowTo[time.Time]))
	queueWaiting(b, t.Site, id, &waiting)
	if err := t.Send(ctx, b); err != nil || e == nil || !e.Recurring() || e.StoredUntil.IsZero() {
		return 0, err
	}
	more, until := e.More(e.StoredUntil, calendar.Horizon(now), stored, min(room, t.Room()))
	was := *e
	e.StoredUntil = until
	if len(more) == 0 && !until.IsZero() {
		t.Queue(postponeSeries, t.Site, id, now.AddDate(0, 0, 1))
		return 0, nil
	}
	ids := make(map[int64]int64, len(waiting))
	for _, d := range waiting {
		ids[d.original.Unix()] = d.id
	}
	for _, x := range e.Exceptions {
		later = append(later, x.OriginalStart)
	}
	for _, at := range later {
		ids[at.Unix()] = 0
	}
	var added dated
	for _, original := range more {
		o := e.OccurrenceAt(original)
		e.LastStart = o.StartUTC
		own, known := ids[original.Unix()]
		switch {
		case known && own == 0:
			continue
		case !known:
			own = t.NextPost()
		}
		delete(ids, original.Unix())
		added.add(own, o)
	}
	queueEventRow(t, &was, e)
	taken := func(d waitingDate) bool { return ids[d.original.Unix()] != d.id }
	if left := slices.DeleteFunc(slices.Clone(waiting), taken); len(left) < len(waiting) {
		if err := keepWaiting(t, id, left); err != nil {
			return 0, err
		}
	}
	added.queue(t, insertOccurrences, e)
	usesDates(t, len(added.ids))
	planSeries(t, e)
	t.Raised = true
	return len(more), nil
}
