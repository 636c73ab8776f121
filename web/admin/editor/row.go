package editor

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/saving"
)

// rowFields are the fields of an event that people can change in the list itself.
var rowFields = []string{"title", "start_date", "end_date", "venue", "organizer", "cost", "status", "categories"}

// askRow shows the small form of an event in the list.
func (w *Pages) askRow(v *frame.Visit) (*frame.Reply, error) {
	e, r, err := w.Editable(v)
	if e == nil {
		return r, err
	}
	ed := &eventEditor{event: e}
	if err := w.offers(v.Ctx, ed); err != nil {
		return nil, err
	}
	ed.form = formOf(v.Ctx, e, ed)
	ed.form.Set("to", frame.Inside(v.Query.Get("to")))
	ed.form.First = "title"
	return rowReply(v, ed, 0), nil
}

// saveRow stores the changes of the small form. For a date of a series it changes only that date. If someone else
// has changed the event meanwhile, it shows the conflict, like the large form.
func (w *Pages) saveRow(v *frame.Visit) (*frame.Reply, error) {
	return saving.Save(v, func() (*saving.Edit, *frame.Reply, error) {
		ed, r, err := w.sentEvent(v)
		if ed == nil {
			return nil, r, err
		}
		now := formOf(v.Ctx, ed.event, ed)
		settleRow(ed.form, now, ed.event.AllDay)
		e := w.edited(v.Ctx, ed, now)
		e.Again = func() (*frame.Reply, error) { return rowReply(v, ed, 0), nil }
		e.Store = func() (*frame.Reply, error) { return w.saveRowOf(v, ed, now) }
		return e, nil, nil
	})
}

func (w *Pages) saveRowOf(v *frame.Visit, ed *eventEditor, now *frame.Form) (*frame.Reply, error) {
	e := ed.event
	fields, err := w.readEvent(v, ed, now)
	if err == nil {
		if e.Series != nil {
			fields.AppliesTo = args.Some(services.AppliesToThis)
		}
		var stored *calendar.Event
		if err = w.doubtAbout(v.Ctx, ed, fields); err != nil {
			return w.rowAgain(v, ed, err)
		}
		if stored, err = w.calendar.Events().Update(v.Ctx, calendar.Key{ID: e.ID}, fields, frame.Still(e.Version)); err == nil {
			return w.rowSaved(v, e, stored), nil
		}
	}
	return w.rowAgain(v, ed, err)
}

// rowAgain shows the small form again with its problems or doubts.
func (w *Pages) rowAgain(v *frame.Visit, ed *eventEditor, err error) (*frame.Reply, error) {
	if !errors.As(err, &ed.doubts) && !refuseEvent(v.Ctx, ed.form, err) {
		return nil, err
	}
	ed.form.Attend(rowFields)
	return rowReply(v, ed, http.StatusUnprocessableEntity), nil
}

// rowSaved redirects to the list, which offers to undo the change.
func (w *Pages) rowSaved(v *frame.Visit, before, stored *calendar.Event) *frame.Reply {
	r := &frame.Reply{Redirect: listed(v, stored.ID), Say: savedWord(before.Status, stored)}
	if stored.Version != before.Version {
		r.Undo = frame.UndoOf(editing.Write{ID: frame.WholeID(stored), Version: stored.Version})
	}
	return r
}

// listed returns the address of an event's row in the list that the form returns to.
func listed(v *frame.Visit, id int64) string {
	return frame.Inside(v.Form.Get("to")) + "#event-" + frame.IDText(id)
}

func rowReply(v *frame.Visit, ed *eventEditor, status int) *frame.Reply {
	if v.Part {
		return frame.PartReply(status, rowForm(ed))
	}
	return &frame.Reply{Status: status, Title: frame.TellWith(v.Ctx, "row.of", "Name", ed.event.Title),
		Section: "events", Body: rowPage(ed)}
}

// settleRow converts the times of the small form to those of the large form: all-day events keep their hours.
func settleRow(f, now *frame.Form, allDay bool) {
	for _, name := range []string{"start_date", "end_date"} {
		if was := now.Get(name); allDay && len(f.Text(name)) == len(time.DateOnly) && len(was) > len(time.DateOnly) {
			f.Set(name, f.Text(name)+was[len(time.DateOnly):])
		}
	}
}

// RowAddress returns the address of the small form of an event. The form returns to back.
func RowAddress(e *calendar.Event, back string) string {
	return frame.EventAddress(e.ID) + "/row?to=" + url.QueryEscape(back)
}

// rowNames returns the names of the venues or organizers, or one empty name.
func rowNames(f *frame.Form, name string) []string {
	if list := f.All(name); len(list) > 0 {
		return list
	}
	return []string{""}
}
