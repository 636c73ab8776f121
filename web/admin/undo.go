package admin

import (
	"errors"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
)

// removalOf is the write that removed an event: of a date it changed its series.
func removalOf(e *calendar.Event) editing.Write {
	return editing.Write{ID: frame.WholeID(e), Version: e.Version}
}

// undo takes back what the page before did.
func (w *Pages) undo(v *frame.Visit) (*frame.Reply, error) {
	back := frame.Inside(v.Form.Get("to"))
	writes := frame.WritesIn(v.Form.Get("writes"))
	switch {
	case writes == nil:
		return &frame.Reply{Redirect: back}, nil
	case v.Form.ShownAgain():
		return &frame.Reply{Redirect: back, Say: "saved", Undo: frame.UndoOf(writes...)}, nil
	}
	e, err := w.editing.TakeBack(v.Ctx, writes...)
	var found *args.Problems
	refused := errors.As(err, &found) || slices.ContainsFunc([]error{calendar.ErrPrecondition, calendar.ErrNotFound, calendar.ErrGone},
		func(one error) bool { return errors.Is(err, one) })
	switch {
	case refused:
		if _, err := w.editing.Revisions(v.Ctx, "event", writes[0].ID); err != nil { // it is there no more
			return &frame.Reply{Redirect: back, Say: "refused", Count: len(writes)}, nil //nolint:nilerr // the next page says so
		}
		return &frame.Reply{Redirect: eventAddress(writes[0].ID) + "/revisions", Say: "undo.changed"}, nil
	case err != nil:
		return nil, err
	}
	if id, form := frame.Matches("/events/#", strings.TrimPrefix(back, frame.AdminRoot)); form {
		if _, err := w.calendar.Events().Get(v.Ctx, calendar.Key{ID: id}, ""); err != nil && e != nil {
			back = eventAddress(e.ID) // a series that is one with the one before it again
		}
	}
	return &frame.Reply{Redirect: back, Say: "undone"}, nil
}
