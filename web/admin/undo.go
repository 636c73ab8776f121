package admin

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/admin/editor"
	"github.com/kalends/kalends/web/forms/frame"
)

// undo undoes the write of the last form.
func (w *Pages) undo(v *frame.Visit) (*frame.Reply, error) {
	back := frame.Inside(v.Form.Get("to"))
	if version := frame.AllIn(v.Form.Get("writes")); version != 0 {
		return w.undoAll(v, version, back)
	}
	writes := frame.WritesIn(v.Form.Get("writes"))
	switch {
	case writes == nil:
		return &frame.Reply{Redirect: back}, nil
	case v.Form.ShownAgain():
		return &frame.Reply{Redirect: back, Say: "saved", Undo: frame.UndoOf(writes...)}, nil
	}
	e, err := w.editing.TakeBack(v.Ctx, writes...)
	var found *args.Problems
	refused := errors.As(err, &found) || slices.ContainsFunc([]error{calendar.ErrPrecondition, calendar.ErrNotFound, calendar.ErrGone},
		func(one error) bool { return errors.Is(err, one) })
	switch {
	case refused:
		if _, err := w.editing.Revisions(v.Ctx, "event", writes[0].ID); err != nil { // the event no longer exists
			return &frame.Reply{Redirect: back, Say: "refused", Count: len(writes)}, nil //nolint:nilerr // the next page says so
		}
		return &frame.Reply{Redirect: frame.EventAddress(writes[0].ID) + "/revisions", Say: "undo.changed"}, nil
	case err != nil:
		return nil, err
	}
	ids := make([]int64, 0, len(writes))
	for _, one := range writes {
		ids = append(ids, one.ID)
	}
	_ = w.sent.FollowAll(v.Ctx, ids) // what was undone stays undone; the sweep tries again
	if id, form := frame.Matches("/events/#", strings.TrimPrefix(back, frame.AdminRoot)); form {
		if _, err := w.calendar.Events().Get(v.Ctx, calendar.Key{ID: id}, ""); err != nil && e != nil {
			back = frame.EventAddress(e.ID) // a series that was merged with its predecessor again
		}
	}
	r := &frame.Reply{Redirect: back, Say: "undone"}
	switch {
	case len(writes) > 1:
		r.Say, r.Count = "undone.many", len(writes)
	case e != nil:
		r.Say, r.By = "undone.one", args.Shortened(e.Title)
	}
	return r, nil
}

// undoneReply says what was undone by one write.
func undoneReply(became *editing.TakenBack, back string) *frame.Reply {
	r := &frame.Reply{Redirect: back, Say: "undone", Count: became.Done}
	switch {
	case became.Done > 0 && became.Done == became.Made:
		r.Say = "undone.made"
	case became.Done > 0:
		r.Say = "undone.many"
	}
	return r
}

// undoAll undoes one write of many events. It shows the changes that were not undone because someone has changed
// the events since.
func (w *Pages) undoAll(v *frame.Visit, version int64, back string) (*frame.Reply, error) {
	if v.Form.ShownAgain() {
		return &frame.Reply{Redirect: back, Say: "saved", Undo: frame.UndoAllOf(version)}, nil
	}
	became, err := w.editing.TakeBackAll(v.Ctx, version)
	switch {
	case errors.Is(err, calendar.ErrNotFound):
		return &frame.Reply{Redirect: back, Say: "refused"}, nil
	case err != nil:
		return nil, err
	}
	if entries, err := w.editing.Written(v.Ctx, version); err == nil {
		ids := make([]int64, 0, len(entries))
		for i := range entries {
			ids = append(ids, entries[i].Position.ID)
		}
		_ = w.sent.FollowAll(v.Ctx, ids) // as in undo
	}
	if len(became.Kept) == 0 {
		return undoneReply(became, back), nil
	}
	return &frame.Reply{Title: frame.Tell(v.Ctx, "undone.title"), Section: "events", Body: undonePage(became, back)}, nil
}

// keptFields returns the labels of the event's fields that keep their later changes.
func keptFields(ctx context.Context, one *editing.Kept) string {
	f := &frame.Form{Kind: "event"}
	list := make([]string, 0, len(one.Fields))
	for _, name := range one.Fields {
		if label := editor.KeptLabel(ctx, f, name); label != name && !slices.Contains(list, label) {
			list = append(list, label)
		}
	}
	return strings.Join(list, frame.Tell(ctx, "comma")+" ")
}

// goneIn returns the number of events that were deleted permanently.
func goneIn(list []editing.Kept) (n int) {
	for i := range list {
		if list[i].Gone {
			n++
		}
	}
	return n
}
