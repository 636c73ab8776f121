package events

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// mostExceptions is how many occurrences of a series may differ from it.
const mostExceptions = 5000

// storeEvent writes an event whose links have been resolved: a single event, a series with its occurrences, or one
// occurrence that differs from its series.
func storeEvent(ctx context.Context, t *content.Tx, was, e *calendar.Event, of *calendar.EventLinks) error {
	if was.ID != 0 && calendar.Rescheduled(was, e) {
		e.Sequence++
	}
	switch {
	case e.Series != nil:
		return storeOccurrence(ctx, t, was, e)
	case was.Recurring() || e.Recurring():
		return storeSeries(ctx, t, was, e, of)
	}
	writeEvent(t, was, e)
	return nil
}

// dropOccurrences deletes occurrences of one event. IS TRUE keeps Postgres from making a join of the ids: it looks each
// occurrence up in a hash of them. A join, of which Postgres expects one row before it has statistics, compared every
// occurrence with every id, as n = ANY would. That took 12 s for ten years of days.
const dropOccurrences = `
	DELETE FROM occurrences
	WHERE site_id = $1
	  AND event_id = $2
	  AND (n IN (SELECT unnest($3::bigint[]))) IS TRUE`

const parkOccurrences = `
	DELETE FROM occurrences
	WHERE site_id = $1
	  AND n <> 0
	  AND n = ANY($2)`

// storeOccurrence writes one occurrence of a series. It becomes an event of its own that belongs to the series.
func storeOccurrence(ctx context.Context, t *content.Tx, was, e *calendar.Event) error {
	if t.Together {
		return pg.ErrEntangled
	}
	plain := len(was.Series.Changed) == 0
	e.Series = &calendar.Series{ID: was.Series.ID, OriginalStart: was.Series.OriginalStart, Changed: was.Series.Changed,
		Title: was.Series.Title}
	if e.Differ(was); len(e.Series.Changed) == 0 {
		*e = *was
		return nil
	}
	if !plain {
		return storeException(ctx, t, was, e)
	}
	others, err := roomForException(ctx, t, e)
	if err != nil {
		return err
	}
	t.Queue(dropOccurrences, t.Site, e.Series.ID, []int64{e.ID})
	queueEventRow(t, &calendar.Event{}, e)
	queueEventLinks(t, &calendar.Event{}, e)
	countOccurrence(t, was, e, others)
	logEvent(t, was, e, "update", changesOf(was, e))
	return nil
}

// storeException writes an occurrence that differed before. Fields with the same value as in the series follow the
// series again. If no field differs, the occurrence becomes plain.
func storeException(ctx context.Context, t *content.Tx, was, e *calendar.Event) error {
	var series *calendar.Event
	var others []int64
	b := &pgx.Batch{}
	queueWhole(t, b, e.Series.ID, &series)
	queueOthers(t, b, e.Series.ID, e.ID, &others)
	if err := t.Send(ctx, b); err != nil {
		return err
	}
	if !e.Series.Back(was, e, series) {
		countOccurrence(t, was, e, others)
		writeEvent(t, was, e)
		return nil
	}
	countOccurrence(t, was, series, others)
	var plain dated
	when := series.OccurrenceAt(e.Series.OriginalStart)
	plain.add(e.ID, when)
	queueDelete(t, e.ID, false)
	plain.queue(t, insertOccurrences, series)
	logEvent(t, was, e, "update", changesOf(was, e))
	return nil
}

// roomForException returns the terms that a series has apart from an occurrence. It returns an error if too many occurrences
// differ.
func roomForException(ctx context.Context, t *content.Tx, e *calendar.Event) (others []int64, err error) {
	const count = `
		SELECT count(*)
		FROM events
		WHERE site_id = $1
		  AND series_id = $2`
	var n int
	b := &pgx.Batch{}
	b.Queue(count, t.Site, e.Series.ID).QueryRow(pg.One(&n))
	queueOthers(t, b, e.Series.ID, e.ID, &others)
	if err := t.Send(ctx, b); err != nil {
		return nil, err
	}
	if n >= mostExceptions {
		return nil, args.Invalid("recurrence", "problem.recurrence.exceptions", map[string]any{"N": mostExceptions})
	}
	return others, nil
}

// storeSeries writes a series, or an event that became a series or is no longer one.
func storeSeries(ctx context.Context, t *content.Tx, was, e *calendar.Event, of *calendar.EventLinks) error {
	if t.Together {
		return pg.ErrEntangled
	}
	var had timetable
	if was.ID != 0 { // an event that happens once may have been a series, whose ids it reuses
		if err := readTimetable(ctx, t, was.ID, &had); err != nil {
			return err
		}
	}
	return storeTimetable(t, was, e, &had, of)
}

// timetable holds the stored dates of a series.
type timetable struct {
	plain      []storedOccurrence // without differences
	exceptions []*calendar.Event  // that differ
	removed    []storedOccurrence
	waiting    []waitingDate
	stored     []waitingDate // the waiting dates, from the series' own row
}

// storedOccurrence is a row of occurrences or of removed_occurrences.
type storedOccurrence struct {
	id         int64
	original   time.Time
	start, end time.Time
	handed     bool // handed over by another series
}

const plainOccurrences = `
	SELECT n,
	       COALESCE(original_start, start_local),
	       start_local,
	       end_local
	FROM occurrences
	WHERE site_id = $1
	  AND event_id = $2
	  AND n <> 0`

const removedOccurrences = `
	SELECT id,
	       original_start,
	       original_start,
	       original_start
	FROM removed_occurrences
	WHERE site_id = $1
	  AND series_id = $2`

func readTimetable(ctx context.Context, t *content.Tx, series int64, into *timetable) error {
	b := &pgx.Batch{}
	into.queue(b, t.Site, series)
	err := t.Send(ctx, b)
	into.stored = into.waiting
	return err
}

func (into *timetable) queue(b *pgx.Batch, site, series int64) {
	read := func(list *[]storedOccurrence) func(rows pgx.Rows) error {
		return func(rows pgx.Rows) error {
			var o storedOccurrence
			_, err := pgx.ForEachRow(rows, []any{&o.id, &o.original, &o.start, &o.end}, func() error {
				*list = append(*list, o)
				return nil
			})
			return err
		}
	}
	*into = timetable{}
	b.Queue(plainOccurrences, site, series).Query(read(&into.plain))
	b.Queue(removedOccurrences, site, series).Query(read(&into.removed))
	queueWaiting(b, site, series, &into.waiting)
	queueExceptions(b, site, series, &into.exceptions)
}

// queueExceptions reads the occurrences of a series that differ from it.
func queueExceptions(b *pgx.Batch, site, series int64, into *[]*calendar.Event) {
	b.Queue(Whole+ofSeries, site, series).Query(EachWhole(NewLinked(nil), func(e *calendar.Event, _ int64) { *into = append(*into, e) }))
}

// storeTimetable writes a series, the changes of its timetable, and the number of events of each term. Occurrences
// keep their ids.
func storeTimetable(t *content.Tx, was, e *calendar.Event, had *timetable, of *calendar.EventLinks) error {
	counted := tally{}
	counted.less(was, had)
	plan, err := writeTimetable(t, was, e, had, of)
	if err != nil {
		return err
	}
	counted.more(plan)
	countIn(t, counted)
	return nil
}

// writeTimetable is storeTimetable without the counts of terms.
func writeTimetable(t *content.Tx, was, e *calendar.Event, had *timetable, of *calendar.EventLinks) (*timetablePlan, error) {
	plan := newTimetablePlan(t, was, e, had, of)
	if err := plan.make(); err != nil {
		return nil, err
	}
	writeEvent(t, was, e)
	return plan, plan.write()
}

// planSeries sets when more dates of a series are to be stored.
func planSeries(t *content.Tx, e *calendar.Event) {
	const plan = `
		INSERT INTO schedule (site_id, kind, id, due_at)
		VALUES ($1, 'series', $2, $3)
		ON CONFLICT ON CONSTRAINT schedule_pkey DO UPDATE
		SET due_at = excluded.due_at`
	if !e.Recurring() || e.StoredUntil.IsZero() {
		t.Unschedule("series", e.ID)
		return
	}
	t.Queue(plan, t.Site, e.ID, calendar.ExtendAt(e.StoredUntil))
}

const insertOccurrences = `
	INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed, original_start)
	SELECT $1, $2, o.n, o.start_local, o.end_local, o.start_utc, o.end_utc, $3, NULLIF(o.original_start, o.start_local)
	FROM unnest($4::integer[], $5::timestamp[], $6::timestamp[], $7::timestamptz[], $8::timestamptz[], $9::timestamp[])
	     o (n, start_local, end_local, start_utc, end_utc, original_start)`

const moveOccurrences = `
	UPDATE occurrences x
	SET start_local = o.start_local,
	    end_local = o.end_local,
	    start_utc = o.start_utc,
	    end_utc = o.end_utc,
	    listed = $3,
	    original_start = NULLIF(o.original_start, o.start_local)
	FROM unnest($4::integer[], $5::timestamp[], $6::timestamp[], $7::timestamptz[], $8::timestamptz[], $9::timestamp[])
	     o (n, start_local, end_local, start_utc, end_utc, original_start)
	WHERE x.site_id = $1
	  AND x.event_id = $2
	  AND x.n = o.n`

// listOccurrences puts occurrences into public lists, or removes them from there.
const listOccurrences = `
	UPDATE occurrences
	SET listed = $3
	WHERE site_id = $1
	  AND event_id = $2
	  AND listed <> $3`

const noteRemoved = `
	INSERT INTO removed_occurrences (site_id, series_id, original_start, id, removed_at)
	SELECT $1, $2, r.original_start, r.id, $5
	FROM unnest($3::timestamp[], $4::bigint[]) r (original_start, id)
	ON CONFLICT ON CONSTRAINT removed_occurrences_pkey DO UPDATE
	SET id = excluded.id,
	    removed_at = excluded.removed_at`

const forgetRemoved = `
	DELETE FROM removed_occurrences
	WHERE site_id = $1
	  AND series_id = $2
	  AND id = ANY($3)`

// dated holds occurrences with their ids, column by column.
type dated struct {
	ids        []int32
	start, end []time.Time
	startUTC   []time.Time
	endUTC     []time.Time
	original   []time.Time
}

func (d *dated) add(id int64, o calendar.Occurrence) {
	d.ids = append(d.ids, int32(id))
	d.start, d.end = append(d.start, o.Start), append(d.end, o.End)
	d.startUTC, d.endUTC = append(d.startUTC, o.StartUTC), append(d.endUTC, o.EndUTC)
	d.original = append(d.original, o.Original)
}

func (d *dated) queue(t *content.Tx, statement string, e *calendar.Event) {
	if len(d.ids) > 0 {
		t.Queue(statement, t.Site, e.ID, listed(e), d.ids, d.start, d.end, d.startUTC, d.endUTC, d.original)
	}
}

// sameRules reports whether two events have the same rules.
func sameRules(a, b *calendar.Event) bool {
	x, y := rulesOf(a), rulesOf(b)
	if x == nil || y == nil {
		return x == y
	}
	return slices.Equal(x.Rules, y.Rules) && slices.Equal(x.Dates, y.Dates) && slices.Equal(x.Except, y.Except)
}
