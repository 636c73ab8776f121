package services

import (
	"errors"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
)

// recurrence sets the rules of a series. If only the times change, its dates move along.
func (w *EventWrite) recurrence(e *calendar.Event, _ bool) error {
	asked := w.Recurrence.Or(args.TextOrObject{}).Value
	if e.Series != nil {
		if asked != nil && asked != "" {
			return args.Invalid("recurrence", "problem.recurrence.one", nil)
		}
		return nil
	}
	moves := w.Start.Given() || w.AllDay.Given()
	if !w.Recurrence.Given() && e.Recurrence != nil && !moves {
		return nil
	}
	if e.Recurrence != nil && moves {
		set := recurrence.Follow(*e.Recurrence, w.before, e.Clock())
		e.Recurrence = &set
	}
	if w.Recurrence.Given() {
		set, err := recurrence.Amend(e.Recurrence, asked, e.Clock(), w.now)
		if err != nil {
			return err
		}
		e.Recurrence = set
	}
	e.Several = e.SeveralADay()
	if e.Recurrence == nil {
		return nil
	}
	err := recurrence.Check(e.Recurrence, e.Clock())
	if w.imported && err != nil {
		return w.keepStart(e, err)
	}
	return err
}

// length rejects a series whose dates last more than 292 years, because their ends cannot be computed.
func (w *EventWrite) length(e *calendar.Event, _ bool) error {
	if e.Recurrence == nil || e.Start.Add(e.End.Sub(e.Start)).Equal(e.End) {
		return nil
	}
	return args.Invalid("end_date", "problem.date", nil)
}

// happening sets the original start of an event that is rescheduled.
func (w *EventWrite) happening(e *calendar.Event, _ bool) error {
	switch {
	case e.Happening.Status != "rescheduled":
		e.PreviousStart = time.Time{}
	case e.PreviousStart.IsZero() && !w.before.IsZero() && !e.StartUTC.Equal(w.beforeUTC):
		e.PreviousStart = w.beforeUTC
	}
	return nil
}

// keepStart adds the start of an imported series as a date if the rules do not yield it. It returns the remaining problems.
func (w *EventWrite) keepStart(e *calendar.Event, err error) error {
	var problems *args.Problems
	if !errors.As(err, &problems) {
		return err
	}
	for _, p := range problems.Broken() {
		if p.Key != "problem.recurrence."+recur.StartMissed {
			continue
		}
		set := e.Recurrence.WithStart(e.Clock())
		e.Recurrence, w.missed = &set, args.Invalid(p.Arg, "problem.import.start", p.Data)
		return recurrence.Check(&set, e.Clock())
	}
	return err
}
