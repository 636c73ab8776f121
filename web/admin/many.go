package admin

import (
	"cmp"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/chosen"
	"github.com/kalends/kalends/web/forms/frame"
)

// joint returns the fields to set in one of several events that are changed together, or nil if the event needs no
// change.
type joint func(e *calendar.Event) (*calendar.EventFields, error)

// manyEvents performs the form's action on the chosen events. For a series, the action changes all its dates, and the message
// says so.
func (w *Pages) manyEvents(v *frame.Visit) (*frame.Reply, error) {
	onlyOne(v.Form)
	whole, writes := false, []editing.Write{}
	done := func(e *calendar.Event, err error) (int64, error) {
		if err != nil {
			return 0, err
		}
		whole = whole || e.Recurring()
		return e.Version, nil
	}
	ofWhole := func(e *calendar.Event, err error) (int64, error) { // for a date, the action changes its series
		if err == nil {
			writes = append(writes, editing.Write{ID: frame.WholeID(e), Version: e.Version})
		}
		return done(e, err)
	}
	m := &chosen.Actions{Section: "events", Kind: "event", Names: chosen.EventNames(w.calendar), Found: w.foundEvents,
		Asks: map[string]func(*frame.Visit, []int64, string) (*frame.Reply, error){"publish": w.askPublish, "draft": w.askDraft},
		Deeds: map[string]chosen.Deed{
			"drop": func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
				return ofWhole(w.calendar.Events().Delete(v.Ctx, calendar.Key{ID: id}, false, "", still))
			},
			"delete": func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
				return done(w.calendar.Events().Delete(v.Ctx, calendar.Key{ID: id}, true, "", still))
			},
			"redate": func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
				publish := &calendar.EventFields{Status: args.Some(string(calendar.Publish))}
				return ofWhole(w.calendar.Events().Update(v.Ctx, calendar.Key{ID: id}, publish, still))
			}}}
	switch do := v.Form.Get("do"); do {
	case "bulk":
		return w.bulk(v, m)
	case "copies":
		return w.copies(v, m)
	default:
		if r, err := w.together(v, m, do); r != nil || err != nil {
			return r, err
		}
	}
	r, err := m.Perform(v, w.editing)
	if err == nil && whole && r.Say != "" {
		r.Say += frame.OfSeries
	}
	if err == nil && len(writes) > 0 {
		r.Undo = frame.UndoOf(writes...)
		if r.Redirect == "" { // the page itself offers to undo
			v.Undo = r.Undo
		}
	}
	return r, err
}

// jointly returns the change of several events that change together. It returns nil for deeds that handle each event
// separately.
func (w *Pages) jointly(v *frame.Visit, do string, ids []int64) (joint, error) {
	status := func(of func(e *calendar.Event) calendar.Status) joint {
		return func(e *calendar.Event) (*calendar.EventFields, error) {
			asked := of(e)
			if e.Status == asked {
				return nil, nil // it is so
			}
			return &calendar.EventFields{Status: args.Some(string(asked))}, nil
		}
	}
	always := func(s calendar.Status) joint { return status(func(*calendar.Event) calendar.Status { return s }) }
	happens := func(asked string) joint {
		return func(e *calendar.Event) (*calendar.EventFields, error) {
			if cmp.Or(e.Happening.Status, scheduled) == asked {
				return nil, nil // it is so
			}
			return &calendar.EventFields{EventStatus: args.Some(asked)}, nil
		}
	}
	switch do {
	case "publish":
		return always(calendar.Publish), nil
	case "draft":
		return always(calendar.Draft), nil
	case "trash":
		return always(calendar.Trash), nil
	case "cancel":
		return happens("cancelled"), nil
	case "uncancel":
		return happens(scheduled), nil
	case "restore":
		before, err := w.editing.StatusesBefore(v.Ctx, ids)
		return status(func(e *calendar.Event) calendar.Status {
			if !e.Trashed() {
				return e.Status
			}
			return cmp.Or(before[e.ID], calendar.Draft)
		}), err
	case "category":
		return w.addCategory(v)
	case "confirm":
		return w.confirms(v), nil
	}
	return nil, nil //nolint:nilnil // each is done on its own
}

// together changes all chosen events in one write, which can be undone as a whole. It returns no reply for deeds
// that handle each event separately.
func (w *Pages) together(v *frame.Visit, m *chosen.Actions, do string) (*frame.Reply, error) {
	ids, r, err := m.Chosen(v)
	if r != nil || err != nil {
		return r, err
	}
	each, err := w.jointly(v, do, ids)
	if each == nil || err != nil {
		return nil, err
	}
	back := frame.Inside(v.Form.Get("to"))
	if ask := m.Asks[do]; ask != nil {
		if reply, err := ask(v, ids, back); err != nil || reply != nil {
			return reply, err
		}
	}
	seen := frame.SeenIn(v.Form)
	became, err := w.calendar.Events().ChangeMany(v.Ctx, ids, func(e *calendar.Event) (*calendar.EventFields, error) {
		if err := seen.Still(e.ID)(e.Version); err != nil {
			return nil, err
		}
		return each(e)
	})
	if err != nil {
		return nil, err
	}
	seen.Wrote(became.Version)
	done := len(became.Changed) + len(became.Left)
	reply := &frame.Reply{Redirect: back, Say: do, Count: done}
	if changed := became.RefusedBy(calendar.ErrPrecondition); len(changed) > 0 {
		if reply, err = (&chosen.Changed{Actions: m, Do: do, Back: back, Done: done, Seen: seen}).Ask(v, w.editing, changed); err != nil {
			return nil, err
		}
	} else if done == 0 {
		return &frame.Reply{Redirect: back, Say: "refused", Count: len(became.Refused)}, nil
	} else if slices.ContainsFunc(became.Changed, (*calendar.Event).Recurring) {
		reply.Say += frame.OfSeries
	}
	public := func(e *calendar.Event) bool { return e.Status == calendar.Publish }
	if do == "restore" && reply.Say != "" && slices.ContainsFunc(became.Changed, public) {
		reply.Say += frame.AsBefore
	}
	if do != "confirm" { // confirming changes no fields
		frame.OfferUndo(v, reply, became.Version)
	}
	return reply, nil
}

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
