package admin

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/repeats"
)

// deed is something done with one item as long as it is as the page has shown it. It returns the version that it made.
type deed func(v *frame.Visit, id int64, still calendar.Condition) (int64, error)

// manager does things with many items of a kind at once.
type manager struct {
	section string
	kind    string
	deeds   map[string]deed
	names   func(v *frame.Visit, ids []int64) ([]frame.Pair, error)
	found   func(v *frame.Visit) ([]int64, error) // by the list the form stands below; nil: nothing can be chosen so

	// asks are pages that stand before a deed. One that has nothing more to ask returns no reply.
	asks map[string]func(v *frame.Visit, ids []int64, back string) (*frame.Reply, error)
}

// manyEvents does something with the events chosen. What is done with a series is
// done with all its dates, and said so.
func (w *Pages) manyEvents(v *frame.Visit) (*frame.Reply, error) {
	whole, writes := false, []editing.Write{}
	done := func(e *calendar.Event, err error) (int64, error) {
		if err != nil {
			return 0, err
		}
		whole = whole || e.Recurring()
		return e.Version, nil
	}
	noted := func(id int64, e *calendar.Event, err error) (int64, error) {
		if err == nil {
			writes = append(writes, editing.Write{ID: id, Version: e.Version})
		}
		return done(e, err)
	}
	ofWhole := func(e *calendar.Event, err error) (int64, error) { // of a date it changes the series
		if err != nil {
			return 0, err
		}
		return noted(frame.WholeID(e), e, nil)
	}
	update := func(f calendar.EventFields) deed {
		return func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
			was, unread := w.calendar.Events().Get(v.Ctx, calendar.Key{ID: id}, "")
			e, err := w.calendar.Events().Update(v.Ctx, calendar.Key{ID: id}, &f, still)
			if err == nil && unread == nil && e.Version > was.Version { // else it was so before, or came from the trash
				writes = append(writes, editing.Write{ID: id, Version: e.Version})
			}
			return done(e, err)
		}
	}
	status := func(s calendar.Status) deed { return update(calendar.EventFields{Status: args.Some(string(s))}) }
	happens := func(s string) deed { return update(calendar.EventFields{EventStatus: args.Some(s)}) }
	remove := func(force bool) deed {
		return func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
			e, err := w.calendar.Events().Delete(v.Ctx, calendar.Key{ID: id}, force, "", still)
			if force {
				return done(e, err)
			}
			return ofWhole(e, err)
		}
	}
	r, err := w.many(v, manager{section: "events", kind: "event", names: w.eventNames, found: w.foundEvents,
		asks: map[string]func(*frame.Visit, []int64, string) (*frame.Reply, error){"bulk": w.askBulk, "publish": w.askOver}, deeds: map[string]deed{
			"publish": status(calendar.Publish), "draft": status(calendar.Draft), "trash": remove(false), "drop": remove(false),
			"delete": remove(true), "cancel": happens("cancelled"), "uncancel": happens("scheduled"),
			"restore": func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
				e, err := w.untrash(v, id, still)
				return noted(id, e, err)
			},
			"category": func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
				e, err := w.addCategory(v, id, still)
				return noted(id, e, err)
			},
			"bulk": func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
				e, err := w.applyBulk(v, id, still)
				return noted(id, e, err)
			},
			"redate": func(v *frame.Visit, id int64, still calendar.Condition) (int64, error) {
				publish := &calendar.EventFields{Status: args.Some(string(calendar.Publish))}
				return ofWhole(w.calendar.Events().Update(v.Ctx, calendar.Key{ID: id}, publish, still))
			}}})
	if err == nil && whole && r.Say != "" {
		r.Say += frame.OfSeries
	}
	if err == nil && len(writes) > 0 {
		r.Undo = frame.UndoOf(writes...)
		if r.Redirect == "" { // the page itself offers it
			v.Undo = r.Undo
		}
	}
	return r, err
}

// many does something with the items chosen and says how many; deleting for
// good asks first.
func (w *Pages) many(v *frame.Visit, m manager) (*frame.Reply, error) {
	back, name := frame.Inside(v.Form.Get("to")), v.Form.Get("do")
	ids, err := w.chosenBy(v, m)
	if err != nil {
		return nil, err
	}
	do := m.deeds[name]
	switch {
	case do == nil:
		return &frame.Reply{Redirect: back}, nil
	case len(ids) == 0:
		return &frame.Reply{Redirect: back, Say: "none"}, nil
	case name == "delete" && v.Form.Get("sure") == "":
		names, err := m.names(v, ids)
		if err != nil {
			return nil, err
		}
		return askDelete(v, m.section, back, names), nil
	}
	if ask := m.asks[name]; ask != nil {
		if reply, err := ask(v, ids, back); err != nil || reply != nil {
			return reply, err
		}
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

// chosenBy returns what a form has chosen: items one by one, or everything that the
// list it stands below finds.
func (w *Pages) chosenBy(v *frame.Visit, m manager) ([]int64, error) {
	if m.found == nil || !v.Form.Ticked("all") {
		return chosen(v.Form), nil
	}
	return m.found(v)
}

// untrash gives an event the status that it had before it went to the trash.
func (w *Pages) untrash(v *frame.Visit, id int64, still calendar.Condition) (*calendar.Event, error) {
	status, err := w.editing.StatusBefore(v.Ctx, "event", id)
	if err != nil {
		return nil, err
	}
	return w.calendar.Events().Update(v.Ctx, calendar.Key{ID: id}, &calendar.EventFields{Status: args.Some(string(status))}, still)
}

// affectsOneItem reports whether a refusal concerns a single item, so that the others can go
// on.
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

// chosen returns the ids a form has chosen, each once.
func chosen(f *frame.Form) []int64 {
	var ids []int64
	seen := map[int64]bool{}
	for _, text := range f.All("id") {
		id, err := strconv.ParseInt(text, 10, 64)
		if err == nil && id > 0 && !seen[id] && len(ids) < mostFound {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// askDelete shows what would be gone for good.
func askDelete(v *frame.Visit, section, back string, names []frame.Pair) *frame.Reply {
	return &frame.Reply{Title: frame.Tell(v.Ctx, "delete.title"), Section: section,
		Body: frame.ConfirmPage(frame.Confirmation{Action: v.Path, Back: back, Names: names,
			Kept: seenFields(v.Form)})}
}

// seenFields are the fields that say what the page before has shown.
func seenFields(f *frame.Form) []frame.Pair {
	return slices.DeleteFunc(f.Kept(), func(p frame.Pair) bool {
		return p.Name != frame.SeenField && !strings.HasPrefix(p.Name, frame.SeenField+".")
	})
}

// eventNames names events; what is an occurrence's, by its date.
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

// eventsByID returns those of some events, series and dates of series that are there and that the user may see.
func (w *Pages) eventsByID(v *frame.Visit, ids []int64) ([]*calendar.Event, error) {
	ids = slices.Clone(ids)
	found := make([]*calendar.Event, 0, len(ids))
	for _, list := range []func(context.Context, *calendar.EventFilter, int) (calendar.Page[calendar.Event], error){
		w.calendar.Events().Shelf, w.calendar.Events().Board,
	} {
		if len(ids) == 0 {
			break
		}
		page, err := list(v.Ctx, &calendar.EventFilter{Include: args.Some(args.IDs(slices.Clone(ids))), Status: args.Some(allStatuses())}, mostFound)
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
