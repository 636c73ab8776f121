package editor

import (
	"context"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// keptIn returns the fields of an event that its source no longer changes, because people have changed them here.
// startField stands for all fields with the event's time.
func (w *Pages) keptIn(ctx context.Context, e *calendar.Event) ([]string, error) {
	kept, err := w.imported.KeptIn(ctx, e)
	if err != nil || kept == nil {
		return nil, err
	}
	list := kept[e.ID]
	if i := slices.IndexFunc(list, imports.OfWall); i >= 0 {
		list = append(slices.DeleteFunc(list, imports.OfWall), startField)
	}
	return list, nil
}

// startField stands for all fields with the time of an event.
const startField = "start_date"

// takeBack restores the source's value of one field of an event.
func (w *Pages) takeBack(v *frame.Visit) (*frame.Reply, error) {
	e, r, err := w.Editable(v)
	if e == nil {
		return r, err
	}
	kept, err := w.imported.KeptIn(v.Ctx, e)
	if err != nil {
		return nil, err
	}
	field, back := v.Form.Get("field"), &frame.Reply{Redirect: frame.EventAddress(e.ID)}
	if !slices.Contains(kept[e.ID], field) && field != startField {
		return back, nil // someone else has already restored it
	}
	stay := slices.DeleteFunc(kept[e.ID], func(name string) bool { return name == field || field == startField && imports.OfWall(name) })
	fields := &calendar.EventFields{}
	ctx, err := w.imported.TakingBack(v.Ctx, e, append([]string{}, stay...), fields)
	if err == nil {
		_, err = w.calendar.Events().Update(ctx, calendar.Key{ID: e.ID}, fields, nil)
	}
	if err != nil {
		return w.againAs(v, e, err)
	}
	back.Say = "saved"
	return back, nil
}

// againAs shows the form of the stored event with the problems of an error.
func (w *Pages) againAs(v *frame.Visit, e *calendar.Event, wrong error) (*frame.Reply, error) {
	ed := &eventEditor{event: e}
	if err := w.offers(v.Ctx, ed); err != nil {
		return nil, err
	}
	ed.form = formOf(v.Ctx, e, ed)
	return w.again(v, ed, wrong)
}

// SourceName is the name of the source of an event.
func SourceName(ctx context.Context, e *calendar.Event) string {
	return tenancy.Current(ctx).Site.Sources[e.Origin].Name
}

// KeptLabel is the label of a field that keptIn returns.
func KeptLabel(ctx context.Context, f *frame.Form, name string) string {
	if name == startField {
		return frame.Tell(ctx, "column.when")
	}
	return f.Label(ctx, name)
}
