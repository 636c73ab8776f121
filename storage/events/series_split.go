package events

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

const removedOccurrence = `
	SELECT r.series_id,
	       r.id,
	       r.original_start
	FROM removed_occurrences r
	WHERE r.site_id = $1
	  AND r.id = $2`

// queueRemoved reads the removed occurrence with an id, if there is one.
func queueRemoved(b *pgx.Batch, site, id int64, removed **calendar.RemovedError) {
	var r calendar.RemovedError
	b.Queue(removedOccurrence, site, id).Query(pg.Each([]any{&r.Series, &r.ID, &r.Original}, func() error {
		*removed = &r
		return nil
	}))
}

// Exceptions implements calendar.EventStore.
func (s Store) Exceptions(ctx context.Context, series int64) (list []*calendar.Event, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		list = nil
		queueExceptions(b, site, series, &list)
	})
	return list, err
}

// Split implements calendar.EventStore.
func (s Store) Split(ctx context.Context, occurrence int64,
	change func(series, rest, at *calendar.Event) (calendar.EventLinks, error),
) (*calendar.Event, error) {
	var made *calendar.Event
	var counts map[int64]int
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) (err error) {
		made, err = split(ctx, t, occurrence, change)
		counts = t.Counts
		return err
	})
	if err != nil {
		return nil, err
	}
	setCounts(made, counts)
	return made, nil
}

// whole reads an event with all linked items, or nil if it does not exist.
func whole(ctx context.Context, t *content.Tx, id int64) (e *calendar.Event, err error) {
	b := &pgx.Batch{}
	queueWhole(t, b, id, &e)
	return e, t.Send(ctx, b)
}

func queueWhole(t *content.Tx, b *pgx.Batch, id int64, into **calendar.Event) {
	queueEvent(b, t.Site, calendar.Key{ID: id}, &Linked{Fresh: t.Seen}, func(found *calendar.Event, _ int64) { *into = found })
}

func split(ctx context.Context, t *content.Tx, occurrence int64,
	change func(series, rest, at *calendar.Event) (calendar.EventLinks, error),
) (*calendar.Event, error) {
	at, err := whole(ctx, t, occurrence)
	if err == nil && at == nil {
		err = absent(ctx, t, occurrence)
	}
	if err != nil {
		return nil, err
	}
	if at.Series == nil {
		return nil, calendar.ErrNotFound
	}
	series, err := whole(ctx, t, at.Series.ID)
	if err != nil {
		return nil, err
	}
	was, rest := *series, *series
	rest.UID, rest.Sequence, rest.ID = "", 0, 0
	of, err := change(series, &rest, at)
	if err != nil {
		return nil, err
	}
	rest.ID = t.NextPost()
	if rest.Slug != "" && rest.Slug == was.Slug {
		rest.Slug = was.Slug + "-" + strconv.Itoa(2)
	}
	lookups := &pgx.Batch{}
	links := queueLinks(t, lookups, &rest, of)
	queueEventSlug(t, lookups, &calendar.Event{}, &rest)
	if err := t.Send(ctx, lookups); err != nil {
		return nil, err
	}
	stamp(t, &was, &rest)
	stamp(t, &was, series)
	if err := t.SettleTexts(ctx, "event", rest.ID, content.Worded{}, content.WordedPost(&rest.Post)); err != nil {
		return nil, err
	}
	if err := links.resolve(ctx, t, &rest); err != nil {
		return nil, err
	}
	return &rest, divide(ctx, t, &was, series, &rest, at.Series.OriginalStart, &of)
}

const (
	handOverOccurrences = `
		UPDATE occurrences
		SET event_id = $3
		WHERE site_id = $1
		  AND event_id = $2
		  AND n <> 0
		  AND COALESCE(original_start, start_local) >= $4`
	handOverExceptions = `
		UPDATE events
		SET series_id = $3
		WHERE site_id = $1
		  AND series_id = $2
		  AND original_start >= $4`
	handOverRemoved = `
		UPDATE removed_occurrences
		SET series_id = $3
		WHERE site_id = $1
		  AND series_id = $2
		  AND original_start >= $4`
)

// divide stores series in place of was, and hands over the dates from a start on to rest.
func divide(ctx context.Context, t *content.Tx, was, series, rest *calendar.Event, from time.Time, of *calendar.EventLinks) error {
	var before timetable
	if err := readTimetable(ctx, t, was.ID, &before); err != nil {
		return err
	}
	counted := tally{}
	counted.less(was, &before)
	after := before.cut(from)
	cut := calendar.EventLinks{Cut: true}
	if calendar.Rescheduled(was, series) {
		series.Sequence++
	}
	first, err := writeTimetable(t, was, series, &before, &cut)
	if err != nil {
		return err
	}
	plan := newTimetablePlan(t, was, rest, after, of)
	old := *was
	old.Start, old.End = of.Start, of.Start.Add(was.End.Sub(was.Start))
	plan.was = &old
	if err := plan.make(); err != nil {
		return err
	}
	writeEvent(t, &calendar.Event{}, rest)
	plan.writeParked()
	if hasAddress(was) {
		t.Queue(noteDivided, t.Site, was.ID, from, rest.ID)
	}
	for _, statement := range []string{handOverOccurrences, handOverExceptions, handOverRemoved} {
		t.Queue(statement, t.Site, was.ID, rest.ID, from)
	}
	old.ID = rest.ID
	counted.more(first)
	counted.more(plan)
	countIn(t, counted)
	return plan.write()
}

// cut removes the dates whose original start is not before from, and returns them.
func (h *timetable) cut(from time.Time) *timetable {
	after := &timetable{}
	apart := func(list []storedOccurrence) (before, later []storedOccurrence) {
		for _, o := range list {
			if o.original.Before(from) {
				before = append(before, o)
			} else {
				later = append(later, o)
			}
		}
		return before, later
	}
	h.plain, after.plain = apart(h.plain)
	for i := range after.plain {
		after.plain[i].handed = true
	}
	h.removed, after.removed = apart(h.removed)
	var kept []*calendar.Event
	for _, x := range h.exceptions {
		if x.Series.OriginalStart.Before(from) {
			kept = append(kept, x)
		} else {
			after.exceptions = append(after.exceptions, x)
		}
	}
	h.exceptions = kept
	waiting := h.waiting
	h.waiting = nil
	for _, d := range waiting {
		if d.original.Before(from) {
			h.waiting = append(h.waiting, d)
		} else {
			after.waiting = append(after.waiting, d)
		}
	}
	return after
}
