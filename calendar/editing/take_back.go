package editing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// TakeBack undoes writes, last first, by restoring what each changed. It rejoins a divided series and restores
// removed occurrences with their IDs and differences. It returns ErrPrecondition, and does not undo a write, if
// someone else has since changed the event or an occurrence of the series. It returns ErrNotFound if the history
// lacks the write or some of the replaced values. It returns the current event of the first write, or nil if
// nothing had to be written.
func (s *Service) TakeBack(ctx context.Context, writes ...Write) (*calendar.Event, error) {
	if _, err := tenancy.From(ctx); err != nil {
		return nil, err
	}
	u := &takingBack{Service: s, ours: map[int64]bool{}}
	for _, w := range writes {
		u.ours[w.Version] = true
	}
	var first error
	for _, w := range slices.Backward(writes) {
		if err := u.undo(ctx, w); err != nil && first == nil {
			first = fmt.Errorf("undo: %w", err)
		}
	}
	return u.event, first
}

// takingBack undoes writes.
type takingBack struct {
	*Service
	event *calendar.Event // event written last
	ours  map[int64]bool  // versions of these writes and of their undoing writes
}

// change holds the history's data about a write.
type change struct {
	main    *tenancy.Entry  // of the event, or of the series that was divided
	divided bool            // the event is the rest of a divided series
	dates   []tenancy.Entry // of occurrences that lost their differences
}

func (u *takingBack) undo(ctx context.Context, w Write) error {
	c, err := u.find(ctx, w)
	if err != nil {
		return err
	}
	past, now, err := u.store.History().Of(ctx, "event", c.main.Position.ID, tenancy.Now)
	if err != nil {
		return err
	}
	for i := range past {
		if at := past[i].Position.Version; at > w.Version && !u.ours[at] {
			return calendar.ErrPrecondition
		}
	}
	if now == nil {
		return calendar.ErrPrecondition
	}
	then := maps.Clone(now)
	maps.Copy(then, c.main.Before)
	lost, err := u.dropLost(ctx, maps.Clone(then))
	switch {
	case err != nil:
		return err
	case len(lost) > 0:
		return calendar.ErrNotFound
	}
	back, err := u.replaced(ctx, c.main)
	if err != nil {
		return err
	}
	language := tenancy.Current(ctx).Site.Language
	err = writeBack(language, c.main, now, then, back, func(f *calendar.EventFields) error { return u.write(ctx, c, w, f) })
	for i := range c.dates {
		if err == nil {
			err = u.revive(ctx, &c.dates[i])
		}
	}
	return err
}

// find looks up a write in the history.
func (u *takingBack) find(ctx context.Context, w Write) (*change, error) {
	list, err := u.written(ctx, "event", w.Version)
	if err != nil {
		return nil, err
	}
	c := &change{}
	for i := range list {
		c.note(w.ID, list[i])
	}
	if c.main == nil || !c.divided && c.main.Position.ID != w.ID {
		return nil, calendar.ErrNotFound
	}
	return c, nil
}

// note adds a history entry that belongs to a write.
func (c *change) note(id int64, e tenancy.Entry) {
	of, _ := e.Before["series"].(map[string]any)
	switch {
	case e.Action == "create":
		c.divided = c.divided || e.Position.ID == id
	case e.Position.ID == id, of == nil && c.main == nil && e.Before["recurrence"] != nil:
		c.main = &e
	case of != nil:
		c.dates = append(c.dates, e)
	}
}

// stayingBehind returns a function that reports whether a field is not restored. For an occurrence, these are the
// fields of its series. For every event, the slug is not restored if it resulted from a move to or from the trash,
// or if there was none before.
func stayingBehind(e *tenancy.Entry) func(name string) bool {
	slug, given := e.Before["slug"]
	return func(name string) bool {
		switch name {
		case "slug":
			return !given || slug == "" || e.Action == "trash" || e.Action == "restore"
		case "post_password": // only known to Replaced
			return true
		case "status":
			_, changed := e.Before["status"]
			return !changed
		}
		return e.Before["series"] != nil && calendar.OfWhole(name)
	}
}

// replaced returns the hidden data that a write replaced. It returns ErrNotFound for writes by old releases that did
// not record it.
func (u *takingBack) replaced(ctx context.Context, e *tenancy.Entry) (calendar.Replaced, error) {
	back, err := u.store.Events().Replaced(ctx, e.Position.ID, e.Position.Version)
	if err == nil && e.Before["post_password"] != nil && e.Before["series"] == nil && back.Password == nil {
		err = calendar.ErrNotFound
	}
	return back, err
}

// writeBack compares the states now and then. It resets fields that differ to their values in then, and restores
// the hidden data.
func writeBack(site string, e *tenancy.Entry, now, then map[string]any, back calendar.Replaced,
	update func(*calendar.EventFields) error) error {
	done := false
	now, then = apart(now, site), apart(then, site)
	write := func(f *calendar.EventFields) error {
		f.Back, done = back, true
		return update(f)
	}
	if err := restore(stayingBehind(e), now, then, write); err != nil || done || back == (calendar.Replaced{}) {
		return err
	}
	return write(&calendar.EventFields{})
}

// write stores the restored state of an event.
func (u *takingBack) write(ctx context.Context, c *change, w Write, f *calendar.EventFields) error {
	still := u.still(w.Version)
	var e *calendar.Event
	var err error
	if c.divided {
		e, err = u.rejoin(ctx, c.main.Position.ID, w.ID, f, still)
	} else {
		e, err = u.Events().UpdateWhile(ctx, calendar.Key{ID: w.ID}, f, still, still)
	}
	if err != nil {
		return err
	}
	u.event, u.ours[e.Version] = e, true
	return nil
}

// still returns a condition that fails if someone else has written after a version.
func (u *takingBack) still(version int64) calendar.Condition {
	return func(now int64) error {
		if now > version && !u.ours[now] {
			return calendar.ErrPrecondition
		}
		return nil
	}
}

// revive restores the differences of an occurrence that is back in its series.
func (u *takingBack) revive(ctx context.Context, e *tenancy.Entry) error {
	_, now, err := u.store.History().Of(ctx, "event", e.Position.ID, tenancy.Now)
	if err != nil || now == nil {
		return err
	}
	then := maps.Clone(now)
	maps.Copy(then, e.Before)
	if _, err := u.dropLost(ctx, then); err != nil {
		return err
	}
	back, err := u.replaced(ctx, e)
	if err != nil {
		return err
	}
	return writeBack(tenancy.Current(ctx).Site.Language, e, now, then, back, func(f *calendar.EventFields) error {
		date, err := u.Events().Update(ctx, calendar.Key{ID: e.Position.ID}, f, nil)
		if err == nil {
			u.ours[date.Version] = true
		}
		return err
	})
}

// rejoin merges a divided series again.
func (u *takingBack) rejoin(ctx context.Context, series, rest int64, f *calendar.EventFields, still calendar.Condition,
) (*calendar.Event, error) {
	w, err := u.Events().Writing(ctx, f)
	if err != nil {
		return nil, err
	}
	e, err := u.store.Events().Rejoin(ctx, series, rest, func(series, rest *calendar.Event) (calendar.EventLinks, error) {
		for _, e := range []*calendar.Event{series, rest} {
			if err := calendar.Editable(tenancy.Current(ctx).Principal, &e.Post, still); err != nil {
				return calendar.EventLinks{}, err
			}
		}
		if !series.Recurring() || !rest.Recurring() {
			return calendar.EventLinks{}, calendar.ErrPrecondition
		}
		series.Modified = u.Now()
		return calendar.EventLinks{Still: still}, w.Apply(ctx, series, false)
	})
	if errors.Is(err, calendar.ErrNotFound) {
		err = calendar.ErrPrecondition
	}
	return e, err
}

// Write identifies a write to an event: by the ID of the returned event (for a removed occurrence: of the series)
// and the resulting version.
type Write struct{ ID, Version int64 }
