package events

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
)

// Rejoin implements calendar.EventStore.
func (s Store) Rejoin(ctx context.Context, series, rest int64, change func(series, rest *calendar.Event) (calendar.EventLinks, error),
) (*calendar.Event, error) {
	var made *calendar.Event
	var counts map[int64]int
	err := s.db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		was, err := whole(ctx, t, series)
		if err != nil {
			return err
		}
		later, err := whole(ctx, t, rest)
		switch {
		case err != nil:
			return err
		case was == nil || later == nil:
			return calendar.ErrNotFound
		}
		e := *was
		of, err := change(&e, later)
		if err != nil {
			return err
		}
		stamp(t, was, &e)
		made, counts = &e, t.Counts
		return rejoin(ctx, t, was, &e, later, &of)
	})
	if err != nil {
		return nil, err
	}
	setCounts(made, counts)
	return made, nil
}

// rejoin stores e in place of the series was. e takes over the dates of rest.
func rejoin(ctx context.Context, t *content.Tx, was, e, rest *calendar.Event, of *calendar.EventLinks) error {
	var had, more timetable
	if err := readTimetable(ctx, t, was.ID, &had); err != nil {
		return err
	}
	if err := readTimetable(ctx, t, rest.ID, &more); err != nil {
		return err
	}
	back := []time.Duration{divided(was, e).Sub(rest.Start)}
	if first := more.first(); !first.IsZero() {
		back = append(back, divided(was, e).Sub(first))
	}
	back = append(back, timeOfDay(e.Start)-timeOfDay(rest.Start))
	counted := tally{}
	counted.less(was, &had)
	counted.less(rest, &more)
	for _, o := range more.plain {
		o.handed = true
		had.plain = append(had.plain, o)
	}
	had.removed, had.waiting = append(had.removed, more.removed...), append(had.waiting, more.waiting...)
	had.exceptions = append(had.exceptions, more.exceptions...)
	if calendar.Rescheduled(was, e) {
		e.Sequence++
	}
	plan := newTimetablePlan(t, was, e, &had, of)
	plan.back = back
	if err := plan.make(); err != nil {
		return err
	}
	writeEvent(t, was, e)
	plan.writeParked()
	for _, statement := range []string{handOverOccurrences, handOverExceptions, handOverRemoved} {
		t.Queue(statement, t.Site, rest.ID, e.ID, time.Time{})
	}
	if err := plan.write(); err != nil {
		return err
	}
	counted.more(plan)
	countIn(t, counted)
	removeEvent(t, rest)
	if hasAddress(rest) {
		t.Redirect("event", rest.Slug, e.ID)
	}
	return nil
}

// divided returns the first start of e after the last start of was.
func divided(was, e *calendar.Event) time.Time {
	var from time.Time
	if last, ok := was.Recurrence.Last(was.Clock()); ok {
		from = last.Add(time.Second)
	}
	for start := range e.Recurrence.All(e.Clock(), from) {
		return start
	}
	return from
}

// first returns the earliest original start that is stored, or the zero time if there is none.
func (h *timetable) first() (first time.Time) {
	note := func(at time.Time) {
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	for _, o := range h.plain {
		note(o.original)
	}
	for _, x := range h.exceptions {
		note(x.Series.OriginalStart)
	}
	return first
}
