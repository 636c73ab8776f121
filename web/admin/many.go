package admin

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/repeats"
)

// deed is an action on one item, such as restoring it. still makes it fail if the item has changed since the page
// showed it. It returns the version that it wrote.
type deed func(v *frame.Visit, id int64, still calendar.Condition) (int64, error)

// joint returns the fields to set in one of several events that are changed together, or nil if the event needs no
// change.
type joint func(e *calendar.Event) (*calendar.EventFields, error)

// manager has the actions that a list offers for many items of a kind.
type manager struct {
	section string
	kind    string
	deeds   map[string]deed
	names   func(v *frame.Visit, ids []int64) ([]frame.Pair, error)
	found   func(v *frame.Visit) ([]int64, error) // returns all ids on the form's list; nil: the list cannot be chosen as a whole

	// asks has the questions to ask before a deed, by its name. A question returns no reply if there is nothing to
	// ask.
	asks map[string]func(v *frame.Visit, ids []int64, back string) (*frame.Reply, error)
}

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
	m := manager{section: "events", kind: "event", names: w.eventNames, found: w.foundEvents,
		asks: map[string]func(*frame.Visit, []int64, string) (*frame.Reply, error){"publish": w.askPublish}, deeds: map[string]deed{
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
	r, err := w.many(v, m)
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
func (w *Pages) together(v *frame.Visit, m manager, do string) (*frame.Reply, error) {
	ids, r, err := w.chosenFor(v, m)
	if r != nil || err != nil {
		return r, err
	}
	each, err := w.jointly(v, do, ids)
	if each == nil || err != nil {
		return nil, err
	}
	back := frame.Inside(v.Form.Get("to"))
	if ask := m.asks[do]; ask != nil {
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
		if reply, err = w.manyChanged(v, &manyChanged{manager: m, do: do, back: back, done: done, seen: seen}, changed); err != nil {
			return nil, err
		}
	} else if done == 0 {
		return &frame.Reply{Redirect: back, Say: "refused", Count: len(became.Refused)}, nil
	} else if slices.ContainsFunc(became.Changed, (*calendar.Event).Recurring) {
		reply.Say += frame.OfSeries
	}
	if do != "confirm" { // confirming changes no fields
		frame.OfferUndo(v, reply, became.Version)
	}
	return reply, nil
}

// chosenFor returns the IDs that a form has chosen. If there are none or too many, it returns a reply.
func (w *Pages) chosenFor(v *frame.Visit, m manager) ([]int64, *frame.Reply, error) {
	ids, err := w.chosenBy(v, m)
	back := frame.Inside(v.Form.Get("to"))
	switch {
	case err != nil:
		return nil, nil, err
	case len(ids) == 0:
		return nil, &frame.Reply{Redirect: back, Say: "none"}, nil
	case len(ids) > mostFound:
		return nil, &frame.Reply{Redirect: back, Say: "crowd", Count: mostFound}, nil
	}
	return ids, nil, nil
}

// many performs the form's action on the chosen items, and reports how many it changed. It asks for confirmation
// before permanent deletion.
func (w *Pages) many(v *frame.Visit, m manager) (*frame.Reply, error) {
	back, name := frame.Inside(v.Form.Get("to")), v.Form.Get("do")
	do := m.deeds[name]
	if do == nil {
		return &frame.Reply{Redirect: back}, nil
	}
	ids, r, err := w.chosenFor(v, m)
	switch {
	case r != nil || err != nil:
		return r, err
	case name == "delete" && v.Form.Get("sure") == "":
		names, err := m.names(v, ids)
		if err != nil {
			return nil, err
		}
		return askDelete(v, m.section, back, names), nil
	case name == "drop" && len(ids) > frame.MostUndone:
		return &frame.Reply{Redirect: back, Say: "crowd", Count: frame.MostUndone}, nil
	}
	done, refused, seen := 0, 0, frame.SeenIn(v.Form)
	var changed []int64
	for _, id := range ids {
		switch made, err := do(v, id, seen.Still(id)); {
		case err == nil:
			done++
			seen.Wrote(made)
		case errors.Is(err, calendar.ErrPrecondition):
			changed = append(changed, id)
		case affectsOneItem(err):
			refused++
		default:
			return nil, err
		}
	}
	if len(changed) > 0 {
		return w.manyChanged(v, &manyChanged{manager: m, do: name, back: back, done: done, seen: seen}, changed)
	}
	if done == 0 {
		return &frame.Reply{Redirect: back, Say: "refused", Count: refused}, nil
	}
	return &frame.Reply{Redirect: back, Say: name, Count: done}, nil
}

// chosenBy returns the IDs of the items that a form has chosen: ticked ones, or everything on its list.
func (w *Pages) chosenBy(v *frame.Visit, m manager) ([]int64, error) {
	if m.found == nil || !v.Form.Ticked("all") {
		return chosen(v.Form), nil
	}
	return m.found(v)
}

// affectsOneItem reports whether a refusal concerns a single item, so that the action continues with the others.
func affectsOneItem(err error) bool {
	var found *args.Problems
	for _, one := range []error{tenancy.ErrForbidden, calendar.ErrNotFound, calendar.ErrWrongType, calendar.ErrGone, calendar.ErrTrashed,
		calendar.ErrNotReadable} {
		if errors.Is(err, one) {
			return true
		}
	}
	return errors.As(err, &found)
}

// chosen returns the IDs that a form has ticked, without duplicates. It returns at most mostFound + 1.
func chosen(f *frame.Form) []int64 {
	var ids []int64
	seen := map[int64]bool{}
	for _, text := range f.All("id") {
		id, err := strconv.ParseInt(text, 10, 64)
		if err == nil && id > 0 && !seen[id] && len(ids) <= mostFound {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// askDelete asks for confirmation before items are deleted permanently.
func askDelete(v *frame.Visit, section, back string, names []frame.Pair) *frame.Reply {
	return &frame.Reply{Title: frame.Tell(v.Ctx, "delete.title"), Section: section,
		Body: frame.ConfirmPage(frame.Confirmation{Action: v.Path, Back: back, Names: names,
			Kept: frame.SeenFields(v.Form)})}
}

// eventNames returns the titles of events, occurrences with their dates and series with their rules.
func (w *Pages) eventNames(v *frame.Visit, ids []int64) ([]frame.Pair, error) {
	list, err := w.eventsByID(v, ids)
	names := make([]frame.Pair, 0, len(list))
	for _, e := range list {
		text := e.Title
		switch {
		case e.Series != nil:
			text += ", " + frame.ShortSpan(v.Ctx, e)
		case e.Recurring():
			text = frame.TellWith(v.Ctx, "delete.series", "Name", e.Title, "Rule", repeats.RuleText(v.Ctx, e))
		}
		names = append(names, frame.Pair{Name: frame.IDText(e.ID), Value: text})
	}
	return names, err
}

// eventsByID returns the events, series and occurrences with these IDs. It leaves out those that no longer exist or
// that the user may not see.
func (w *Pages) eventsByID(v *frame.Visit, ids []int64) ([]*calendar.Event, error) {
	ids = slices.Clone(ids)
	found := make([]*calendar.Event, 0, len(ids))
	for _, list := range []func(context.Context, *calendar.EventFilter, int) (calendar.Page[calendar.Event], error){
		w.calendar.Events().Shelf, w.calendar.Events().Board,
	} {
		if len(ids) == 0 {
			break
		}
		page, err := list(
			v.Ctx,
			&calendar.EventFilter{Include: args.Some(args.IDs(slices.Clone(ids))), Status: args.Some(allStatuses())},
			mostFound,
		)
		if err != nil {
			return nil, err
		}
		for _, e := range page.Items {
			if i := slices.Index(ids, e.ID); i >= 0 {
				found, ids = append(found, e), slices.Delete(ids, i, i+1)
			}
		}
	}
	return found, nil
}

func allStatuses() args.Texts {
	all := calendar.Statuses()
	list := make(args.Texts, 0, len(all))
	for _, s := range all {
		list = append(list, string(s))
	}
	return list
}
