package editor

import (
	"context"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
)

// doubtAbout returns the doubts about the event of an editor whose form was read, as an error of type *editing.Doubts, unless
// the form has confirmed them.
func (w *Pages) doubtAbout(ctx context.Context, ed *eventEditor, fields *calendar.EventFields) error {
	key, draft := calendar.Key{}, *fields
	if ed.event != nil {
		key.ID = ed.event.ID
		if ed.event.Series != nil {
			draft.Recurrence = args.Opt[args.TextOrObject]{} // a single date has no rule
		}
	}
	e, err := w.calendar.Events().Draft(ctx, key, &draft)
	if err != nil {
		return err
	}
	if err := w.fillPlaces(ctx, ed, e); err != nil {
		return err
	}
	return w.editing.Doubt(ctx, ed.form.Get(frame.SureField), editing.Publishing{Was: ed.event, Event: e})
}

// CopyOf returns a copy of an event with these fields, as it would be stored.
func (w *Pages) CopyOf(ctx context.Context, of *calendar.Event, fields *calendar.EventFields) (editing.Publishing, error) {
	e, err := w.calendar.Events().Draft(ctx, calendar.Key{}, fields)
	if err == nil {
		e.Venues = of.Venues
	}
	return editing.Publishing{Event: e}, err
}
