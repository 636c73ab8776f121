package web

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// undoMark begins the value of a cookie that says what the next page can take back.
const undoMark = "undo"

// undoOf says how to take writes back, as a cookie and a form hold it.
func undoOf(writes ...calendar.Write) string {
	parts := []string{undoMark}
	for _, w := range writes {
		parts = append(parts, idText(w.ID)+"."+idText(w.Version))
	}
	return strings.Join(parts, "~")
}

// removalOf is the write that removed an event: of a date it changed its series.
func removalOf(e *calendar.Event) calendar.Write {
	return calendar.Write{ID: wholeID(e), Version: e.Version}
}

// writesIn reads what undoOf wrote, nil for anything else.
func writesIn(value string) []calendar.Write {
	parts := strings.Split(value, "~")
	if parts[0] != undoMark || len(parts) > 1+mostFound {
		return nil
	}
	var list []calendar.Write
	for _, part := range parts[1:] {
		id, version, _ := strings.Cut(part, ".")
		n, err := strconv.ParseInt(version, 10, 64)
		if idIn(id) == 0 || err != nil {
			return nil
		}
		list = append(list, calendar.Write{ID: idIn(id), Version: n})
	}
	return list
}

// undo takes back what the page before did.
func (w *admin) undo(v *visit) (*reply, error) {
	back := inside(v.form.get("to"))
	writes := writesIn(v.form.get("writes"))
	if writes == nil {
		return &reply{redirect: back}, nil
	}
	e, err := w.calendar.Events().TakeBack(v.ctx, writes...)
	var found *args.Problems
	refused := errors.As(err, &found) || slices.ContainsFunc([]error{calendar.ErrPrecondition, calendar.ErrNotFound, calendar.ErrGone},
		func(one error) bool { return errors.Is(err, one) })
	switch {
	case refused:
		if _, err := w.calendar.Revisions(v.ctx, "event", writes[0].ID); err != nil { // it is there no more
			return &reply{redirect: back, say: "refused", count: len(writes)}, nil
		}
		return &reply{redirect: eventAddress(writes[0].ID) + "/revisions", say: "undo.changed"}, nil
	case err != nil:
		return nil, err
	}
	if id, form := matches("/events/#", strings.TrimPrefix(back, adminRoot)); form {
		if _, err := w.calendar.Events().Get(v.ctx, calendar.Key{ID: id}, ""); err != nil && e != nil {
			back = eventAddress(e.ID) // a series that is one with the one before it again
		}
	}
	return &reply{redirect: back, say: "undone"}, nil
}
