package admin

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// onlyOne limits a form to a single event, whatever is ticked, if it was sent with the button that confirms this
// event.
func onlyOne(f *frame.Form) {
	if id := f.Get("confirm"); id != "" {
		f.Set("do", "confirm")
		f.Set("id", id)
		f.Set("all")
	}
}

// confirms returns the change for events that are still right: it sets only the time of the last change. It leaves
// events unchanged that nobody has to check.
func (w *Pages) confirms(v *frame.Visit) joint {
	scope := tenancy.Current(v.Ctx)
	return func(e *calendar.Event) (*calendar.EventFields, error) {
		if !w.calendar.Events().Unchecked(scope, e) {
			return nil, nil // nothing to confirm
		}
		return &calendar.EventFields{}, nil
	}
}

// findUnchecked finds out whether the event of a form needs checking.
func (w *Pages) findUnchecked(v *frame.Visit, ed *eventEditor) error {
	scope, list := tenancy.Current(v.Ctx), w.calendar.Events()
	if !list.Unchecked(scope, ed.event) {
		return nil
	}
	found, err := list.Shelf(v.Ctx, &calendar.EventFilter{Include: args.Some(args.IDs{ed.event.ID}),
		Lacks: calendar.Lack{Check: calendar.Unchecked(scope, w.calendar.Now())}}, 1)
	ed.unchecked = len(found.Items) > 0
	return err
}
