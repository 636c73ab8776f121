package editor

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/repeats"
	"github.com/kalends/kalends/web/history"
)

// askWhich asks which dates of the series the changes of a form apply to. If they change a field that all dates share, one
// date alone is not an option.
func (w *Pages) askWhich(v *frame.Visit, ed *eventEditor, now *frame.Form) *frame.Reply {
	for _, name := range history.EventFields {
		ed.form.Values.Del("choose." + name)
	}
	q := &repeats.Question{Event: ed.event, Series: ed.series, Action: editorAddress(ed), Section: "events",
		Kept: ed.form.Kept(), Do: "save", Button: frame.Tell(v.Ctx, "save")}
	if slices.ContainsFunc(history.EventFields,
		func(name string) bool { return calendar.OfWhole(name) && hasChanged(v.Ctx, ed.form, name, now) }) {
		q.Without = []string{services.AppliesToThis}
	}
	return q.Reply(v)
}

// askAbout checks the form, then calls askWhich.
func (w *Pages) askAbout(v *frame.Visit, ed *eventEditor, fields *calendar.EventFields, now *frame.Form) (*frame.Reply, error) {
	alone := *fields
	alone.Recurrence = args.Opt[args.TextOrObject]{}
	if _, err := w.calendar.Events().Draft(v.Ctx, calendar.Key{ID: ed.event.ID}, &alone); err != nil {
		return w.again(v, ed, err)
	}
	if fields.Recurrence.Given() {
		if _, err := repeats.Preview(v.Ctx, w.calendar, ed.form, repeats.In(v.Ctx, ed.form)); err != nil {
			return w.again(v, ed, err)
		}
	}
	return w.askWhich(v, ed, now), nil
}

// removeEvent moves an event to the trash. For a date of a series, the form chooses: this date, this and all following dates,
// or the whole series.
func (w *Pages) removeEvent(v *frame.Visit) (*frame.Reply, error) {
	e, r, err := w.Editable(v)
	if e == nil {
		return r, err
	}
	if v.Form.ShownAgain() {
		return &frame.Reply{Redirect: frame.EventAddress(e.ID)}, nil
	}
	back := frame.Inside(v.Form.Get("to"))
	scope, said := repeats.ScopeOf(v.Form)
	series, err := repeats.SeriesOf(v.Ctx, w.calendar.Events(), e)
	if err != nil {
		return nil, err
	}
	if e.Series != nil && !said {
		q := &repeats.Question{Event: e, Series: series, Action: v.Path, Back: back, Section: "events", Kept: v.Form.Kept(),
			Do: "remove", Button: frame.Tell(v.Ctx, "do.remove"), Danger: true}
		return q.Reply(v), nil
	}
	seen := frame.SeenIn(v.Form)
	gone, err := w.calendar.Events().Delete(v.Ctx, calendar.Key{ID: e.ID}, false, scope, seen.Still(e.ID))
	switch {
	case errors.Is(err, calendar.ErrPrecondition):
		actions := &chosen.Actions{Section: "events", Kind: "event", Names: chosen.EventNames(w.calendar)}
		changed := &chosen.Changed{Actions: actions, Do: "remove", Back: back, Seen: seen}
		return changed.Ask(v, w.editing, []int64{e.ID})
	case err != nil:
		return nil, err
	}
	r = &frame.Reply{Redirect: back, Say: "removed." + scope, Undo: frame.UndoOf(removalOf(gone))}
	if gone.Series == nil { // the whole series was deleted
		r.Say, r.Count = "trash", 1
	}
	return r, nil
}

// goneDate responds to a form for a date that was removed from its series in the meantime. It offers to create a
// separate event from the form.
func (w *Pages) goneDate(v *frame.Visit, gone *calendar.RemovedError) *frame.Reply {
	kept := slices.DeleteFunc(v.Form.Kept(), func(p frame.Pair) bool {
		return p.Name == "version" || p.Name == "base" || p.Name == "once" || p.Name == repeats.AppliesTo ||
			strings.HasPrefix(p.Name, repeats.Choice)
	})
	kept = append(kept, frame.Pair{Name: "once", Value: frame.NewToken()}, frame.Pair{Name: "copy", Value: frame.IDText(gone.Series)})
	v.Form.Kind = "event"
	return &frame.Reply{Status: http.StatusGone, Title: frame.Tell(v.Ctx, "gone.title"), Section: "events",
		Body: goneDatePage(v.Form, kept, gone.Series)}
}

// removalOf returns the write that removed an event. Removing a date of a series is a change of the series.
func removalOf(e *calendar.Event) editing.Write {
	return editing.Write{ID: frame.WholeID(e), Version: e.Version}
}
