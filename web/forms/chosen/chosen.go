// Package chosen has what lists do with the items that people have chosen in them: the actions, the question before a permanent
// deletion, and the question about items that someone has changed meanwhile.
package chosen

import (
	"errors"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// Deed is an action on one item, such as restoring it. still makes it fail if the item has changed since the page
// showed it. It returns the version that it wrote.
type Deed func(v *frame.Visit, id int64, still calendar.Condition) (int64, error)

// Actions are the actions that a list offers for many items of a kind.
type Actions struct {
	Section string
	Kind    string
	Deeds   map[string]Deed
	Names   func(v *frame.Visit, ids []int64) ([]frame.Pair, error)
	Found   func(v *frame.Visit) ([]int64, error) // returns all ids on the form's list; nil: the list cannot be chosen as a whole

	// Asks has the questions to ask before a deed, by its name. A question returns no reply if there is nothing to ask.
	Asks map[string]func(v *frame.Visit, ids []int64, back string) (*frame.Reply, error)
}

// Chosen returns the IDs that a form has chosen. If there are none or too many, it returns a reply.
func (m *Actions) Chosen(v *frame.Visit) ([]int64, *frame.Reply, error) {
	ids, err := m.chosen(v)
	back := frame.Inside(v.Form.Get("to"))
	switch {
	case err != nil:
		return nil, nil, err
	case len(ids) == 0:
		return nil, &frame.Reply{Redirect: back, Say: "none"}, nil
	case len(ids) > Most:
		return nil, &frame.Reply{Redirect: back, Say: "crowd", Count: Most}, nil
	}
	return ids, nil, nil
}

// chosen returns the IDs of the items that a form has chosen: ticked ones, or everything on its list.
func (m *Actions) chosen(v *frame.Visit) ([]int64, error) {
	if m.Found == nil || !v.Form.Ticked("all") {
		return IDs(v.Form), nil
	}
	return m.Found(v)
}

// Perform performs the form's action on the chosen items, and reports how many it changed. It asks for confirmation
// before permanent deletion.
func (m *Actions) Perform(v *frame.Visit, e *editing.Service) (*frame.Reply, error) {
	back, name := frame.Inside(v.Form.Get("to")), v.Form.Get("do")
	do := m.Deeds[name]
	if do == nil {
		return &frame.Reply{Redirect: back}, nil
	}
	ids, r, err := m.Chosen(v)
	switch {
	case r != nil || err != nil:
		return r, err
	case name == "delete" && v.Form.Get("sure") == "":
		names, err := m.Names(v, ids)
		if err != nil {
			return nil, err
		}
		return askDelete(v, m.Section, back, names), nil
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
		case OneItem(err):
			refused++
		default:
			return nil, err
		}
	}
	if len(changed) > 0 {
		return (&Changed{Actions: m, Do: name, Back: back, Done: done, Seen: seen}).Ask(v, e, changed)
	}
	if done == 0 {
		return &frame.Reply{Redirect: back, Say: "refused", Count: refused}, nil
	}
	return &frame.Reply{Redirect: back, Say: name, Count: done}, nil
}

// OneItem reports whether a refusal concerns a single item, so that the action continues with the others.
func OneItem(err error) bool {
	var found *args.Problems
	for _, one := range []error{tenancy.ErrForbidden, calendar.ErrNotFound, calendar.ErrWrongType, calendar.ErrGone, calendar.ErrTrashed,
		calendar.ErrNotReadable} {
		if errors.Is(err, one) {
			return true
		}
	}
	return errors.As(err, &found)
}

// IDs returns the IDs that a form has ticked, without duplicates. It returns at most Most + 1.
func IDs(f *frame.Form) []int64 {
	var ids []int64
	seen := map[int64]bool{}
	for _, text := range f.All("id") {
		id, err := strconv.ParseInt(text, 10, 64)
		if err == nil && id > 0 && !seen[id] && len(ids) <= Most {
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

// Most is the most items that one form changes.
const Most = services.MostTogether

// ListField is the form field with the address of the list whose events the form chooses. It is used if the form
// returns to another page.
const ListField = "list"
