package planner

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/ui"
)

var eventTable = args.TableOf(reflect.TypeFor[calendar.EventFields]())

// mover is the small form that moves an event to another time.
type mover struct {
	form  *frame.Form
	event *calendar.Event
	late  bool // someone else has changed the event
}

// askMove shows the form that moves an event.
func (w *Pages) askMove(v *frame.Visit) (*frame.Reply, error) {
	e, r, err := w.editable(v)
	if e == nil {
		return r, err
	}
	m := &mover{event: e, form: &frame.Form{Kind: "move", Values: map[string][]string{"start_date": {moveText(e, e.Start)},
		"to": {frame.Inside(v.Query.Get("to"))}}}}
	return m.reply(v, 0), nil
}

// moveEvent moves an event or changes its end. Without an end, the event keeps its duration on the wall clock. For
// a date of a series, it asks which dates to move.
func (w *Pages) moveEvent(v *frame.Visit) (*frame.Reply, error) {
	e, r, err := w.editable(v)
	if e == nil {
		return r, err
	}
	m := &mover{form: v.Form, event: e}
	m.form.Kind = "move"
	if m.form.Get("version") != frame.IDText(e.Version) {
		return w.lateMove(v, m)
	}
	if m.form.ShownAgain() {
		return m.reply(v, 0), nil
	}
	scope, said := repeats.ScopeOf(m.form)
	if e.Series != nil && !said {
		return w.askWhichMove(v, m)
	}
	if m.form.Ticked("undo") {
		return w.unmove(v, m, scope)
	}
	fields, err := m.fields(w.calendar.Now())
	if err != nil {
		return m.again(v, err)
	}
	if e.Series != nil {
		fields.AppliesTo = args.Some(scope)
	}
	moved, err := w.calendar.Events().Update(v.Ctx, calendar.Key{ID: e.ID}, fields, frame.Still(e.Version))
	switch {
	case errors.Is(err, calendar.ErrPrecondition):
		return w.lateMove(v, m)
	case err != nil:
		return m.again(v, err)
	}
	r = &frame.Reply{Redirect: frame.Inside(m.form.Get("to"))}
	if moved.Series == nil && scope == services.AppliesToFollowing && moved.ID == e.Series.ID {
		scope = services.AppliesToAll // nothing came before
	}
	if moved.Version != e.Version && (moved.Recurring() || !moved.Start.Equal(e.Start) || !moved.End.Equal(e.End)) {
		r.Undo = undoValue(e, moved.Version, scope)
	}
	return r, nil
}

// lateMove shows the form again with the present event, and says that someone else has changed it in the meantime.
func (w *Pages) lateMove(v *frame.Visit, m *mover) (*frame.Reply, error) {
	e, r, err := w.editable(v)
	if e == nil {
		return r, err
	}
	m.event, m.late = e, true
	return m.reply(v, http.StatusConflict), nil
}

// askWhichMove asks which dates of a series to move.
func (w *Pages) askWhichMove(v *frame.Visit, m *mover) (*frame.Reply, error) {
	series, err := repeats.SeriesOf(v.Ctx, w.calendar.Events(), m.event)
	if err != nil {
		return nil, err
	}
	q := &repeats.Question{Event: m.event, Series: series, Action: v.Path, Back: frame.Inside(m.form.Get("to")), Section: "calendar",
		Kept: m.form.Kept(), Do: "move", Button: frame.Tell(v.Ctx, "move")}
	return q.Reply(v), nil
}

// unmove undoes the last move. If the move affected several dates of a series, unmove restores the series from the
// history, because the move also changed other fields, such as the days of its rule.
func (w *Pages) unmove(v *frame.Visit, m *mover, scope string) (*frame.Reply, error) {
	var err error
	e := m.event
	if scope == services.AppliesToFollowing || scope == services.AppliesToAll {
		_, err = w.editing.TakeBack(v.Ctx, editing.Write{ID: e.Series.ID, Version: e.Version})
	} else {
		var fields *calendar.EventFields
		if fields, err = m.fields(w.calendar.Now()); err == nil {
			_, err = w.calendar.Events().Update(v.Ctx, calendar.Key{ID: e.ID}, fields, frame.Still(e.Version))
		}
	}
	switch {
	case errors.Is(err, calendar.ErrPrecondition):
		return w.lateMove(v, m)
	case err != nil:
		return m.again(v, err)
	}
	return &frame.Reply{Redirect: frame.Inside(m.form.Get("to")), Say: "undone.one", By: args.Shortened(e.Title)}, nil
}

// fields reads the form into arguments, as if for the API.
func (m *mover) fields(now time.Time) (*calendar.EventFields, error) {
	fields := &calendar.EventFields{}
	values := args.Values{"start_date": m.form.Get("start_date")}
	if end := strings.TrimSpace(m.form.Get("end_date")); end != "" {
		values["end_date"] = end
	}
	if err := eventTable.Parse(values, args.Updating, fields); err != nil {
		return nil, err
	}
	start, ok := fields.Start.Get()
	if !ok {
		return nil, args.Invalid("start_date", "problem.date", nil)
	}
	if fields.End.Given() {
		return fields, nil
	}
	end := start.Wall(ui.ZoneOf(m.event), now).Add(m.event.End.Sub(m.event.Start))
	date, err := args.ParseDate(end.Format(time.DateTime))
	if err != nil {
		return nil, args.Invalid("start_date", "problem.date", nil)
	}
	fields.End = args.Some(date)
	return fields, nil
}

// again shows the form again with its problems.
func (m *mover) again(v *frame.Visit, err error) (*frame.Reply, error) {
	if !m.form.Refuse(v.Ctx, err) {
		return nil, err
	}
	return m.reply(v, http.StatusUnprocessableEntity), nil
}

func (m *mover) reply(v *frame.Visit, status int) *frame.Reply {
	m.form.Set("version", frame.IDText(m.event.Version))
	m.form.Set("to", frame.Inside(m.form.Get("to")))
	return &frame.Reply{Status: status, Title: frame.TellWith(v.Ctx, "move.of", "Name", m.event.Title), Section: "calendar",
		Body: movePage(m)}
}

// dateType returns the type of the inputs: all-day events have only days.
func (m *mover) dateType() string {
	if m.event.AllDay {
		return "date"
	}
	return "datetime-local"
}

// moveText returns a wall-clock time in the format of the inputs.
func moveText(e *calendar.Event, at time.Time) string {
	if e.AllDay {
		return at.Format(time.DateOnly)
	}
	return frame.ClockText(at)
}

// undo is the data for moving an event back.
type undo struct {
	event      *calendar.Event // the event as it is now
	start, end string          // before the move
	scope      string          // which other dates of the series moved as well; "" for a single event
}

// undoValue encodes the data for moving an event back, for a cookie.
func undoValue(before *calendar.Event, version int64, scope string) string {
	return strings.Join([]string{frame.IDText(before.ID), frame.IDText(version), before.Start.Format(frame.SecondForm),
		before.End.Format(frame.SecondForm), scope}, "~")
}

// undoable returns the move that the last form made. It returns nil if there was none or if the event has changed since.
func (w *Pages) undoable(v *frame.Visit) (*undo, error) {
	parts := strings.Split(v.Undo, "~")
	if len(parts) != 5 {
		return nil, nil //nolint:nilnil // nothing to undo is no error
	}
	id, ok := frame.Matches("#", parts[0])
	if !ok {
		return nil, nil //nolint:nilnil // as above
	}
	e, err := w.calendar.Events().Get(v.Ctx, calendar.Key{ID: id}, "")
	if frame.Unseen(err) {
		return nil, nil //nolint:nilnil // as above
	}
	if err != nil || frame.IDText(e.Version) != parts[1] || !movable(v.Ctx, e) {
		return nil, err
	}
	return &undo{event: e, start: parts[2], end: parts[3], scope: parts[4]}, nil
}

// movedText says when an event takes place now, and which dates moved with it.
func movedText(ctx context.Context, u *undo) string {
	key := "moved"
	if u.scope == services.AppliesToFollowing || u.scope == services.AppliesToAll {
		key += "." + u.scope
	}
	return frame.TellWith(ctx, key, "Name", u.event.Title, "When", frame.ShortSpan(ctx, u.event))
}

// moveLink returns the address of the form that moves an event. The form returns to back.
func moveLink(e *calendar.Event, back string) string {
	return frame.Address("events", e.ID) + "/move?to=" + url.QueryEscape(back)
}
