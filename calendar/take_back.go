package calendar

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Write names a write to an event: the event it returned, of a date that was removed
// its series, and the version it gave it.
type Write struct{ ID, Version int64 }

// Replaced is what a write to an event replaced that nobody is shown, nil where it stayed:
// the digest of its password, and when it was planned for before it was moved.
type Replaced struct {
	Password      *[]byte
	PreviousStart *time.Time
}

// write gives it back.
func (r Replaced) write(e *Event, _ bool) error {
	if r.Password != nil {
		e.Password = *r.Password
	}
	if r.PreviousStart != nil {
		e.PreviousStart = *r.PreviousStart
	}
	return nil
}

// TakeBack undoes writes, the last first: what each changed is what it was before.
// A series that was divided is one again, and dates that went are back with their ids
// and with what they had of their own. A write whose event somebody else has changed
// since stays, and so do all dates of a series when one of them was changed:
// ErrPrecondition. ErrNotFound when the history doesn't know the write, or not all that
// it replaced. The event returned is that of the first write as it is then, nil when
// nothing about it had to be written.
func (s Events) TakeBack(ctx context.Context, writes ...Write) (*Event, error) {
	if _, err := tenancy.From(ctx); err != nil {
		return nil, err
	}
	u := &takingBack{Events: s, ours: map[int64]bool{}}
	for _, w := range writes {
		u.ours[w.Version] = true
	}
	var first error
	for _, w := range slices.Backward(writes) {
		if err := u.undo(ctx, w); err != nil && first == nil {
			first = fmt.Errorf("take back: %w", err)
		}
	}
	return u.event, first
}

// takingBack undoes writes.
type takingBack struct {
	Events
	event *Event         // that was written last
	ours  map[int64]bool // the versions of these writes, and of those that took them back
}

// change is what the history knows of a write.
type change struct {
	main    *tenancy.Entry  // of the event, or of the series that was divided
	divided bool            // the event is what was divided from it
	dates   []tenancy.Entry // of dates of the series that lost what they had of their own
}

func (u *takingBack) undo(ctx context.Context, w Write) error {
	c, err := u.find(ctx, w)
	if err != nil {
		return err
	}
	past, now, err := u.store.History().Of(ctx, "event", c.main.Place.ID)
	if err != nil {
		return err
	}
	for i := range past {
		if at := past[i].Place.Version; at > w.Version && !u.ours[at] {
			return ErrPrecondition
		}
	}
	if now == nil {
		return ErrPrecondition
	}
	then := maps.Clone(now)
	maps.Copy(then, c.main.Before)
	lost, err := u.dropLost(ctx, maps.Clone(then))
	switch {
	case err != nil:
		return err
	case len(lost) > 0:
		return ErrNotFound
	}
	back, err := u.replaced(ctx, c.main)
	if err != nil {
		return err
	}
	err = writeBack(c.main, now, then, back, func(f *EventFields) error { return u.write(ctx, c, w, f) })
	for i := range c.dates {
		if err == nil {
			err = u.revive(ctx, &c.dates[i])
		}
	}
	return err
}

// find looks a write up.
func (u *takingBack) find(ctx context.Context, w Write) (*change, error) {
	const step = 100
	c := &change{}
	q := tenancy.HistoryQuery{Kind: "event", After: &tenancy.Place{Version: w.Version + 1}, Limit: step}
	for more := true; more; {
		list, err := u.store.History().List(ctx, q)
		if err != nil {
			return nil, err
		}
		more = len(list) == step
		for i := range list {
			if list[i].Place.Version < w.Version {
				more = false
				break
			}
			c.note(w.ID, list[i])
		}
		if more {
			q.After = &list[step-1].Place
		}
	}
	if c.main == nil || !c.divided && c.main.Place.ID != w.ID {
		return nil, ErrNotFound
	}
	return c, nil
}

// note adds what one entry of the history says of a write to an event.
func (c *change) note(id int64, e tenancy.Entry) {
	of, _ := e.Before["series"].(map[string]any)
	switch {
	case e.Action == "create":
		c.divided = c.divided || e.Place.ID == id
	case e.Place.ID == id, of == nil && c.main == nil && e.Before["recurrence"] != nil:
		c.main = &e
	case of != nil:
		c.dates = append(c.dates, e)
	}
}

// stayingBehind are the fields that aren't written back: of a date those of its series,
// and the slug that the trash, the way out of it, or the lack of one gave.
func stayingBehind(e *tenancy.Entry) func(name string) bool {
	slug, given := e.Before["slug"]
	return func(name string) bool {
		switch name {
		case "slug":
			return !given || slug == "" || e.Action == "trash" || e.Action == "restore"
		case "post_password": // which only Replaced has
			return true
		case "status":
			_, changed := e.Before["status"]
			return !changed
		}
		return e.Before["series"] != nil && OfWhole(name)
	}
}

// replaced returns what an entry of the history replaced and doesn't tell. ErrNotFound: it
// was made by a release that kept nothing.
func (u *takingBack) replaced(ctx context.Context, e *tenancy.Entry) (Replaced, error) {
	back, err := u.store.Events().Replaced(ctx, e.Place.ID, e.Place.Version)
	if err == nil && e.Before["post_password"] != nil && e.Before["series"] == nil && back.Password == nil {
		err = ErrNotFound
	}
	return back, err
}

// writeBack writes the fields of then that differ from now, and what the history doesn't
// tell.
func writeBack(e *tenancy.Entry, now, then map[string]any, back Replaced, update func(*EventFields) error) error {
	done := false
	write := func(f *EventFields) error {
		f.back, done = back, true
		return update(f)
	}
	if err := restoreBut(stayingBehind(e), now, then, write); err != nil || done || back == (Replaced{}) {
		return err
	}
	return write(&EventFields{})
}

// write stores what the event of a write was.
func (u *takingBack) write(ctx context.Context, c *change, w Write, f *EventFields) error {
	still := u.still(w.Version)
	var e *Event
	var err error
	if c.divided {
		e, err = u.rejoin(ctx, c.main.Place.ID, w.ID, f, still)
	} else {
		e, err = u.updateWhile(ctx, Key{ID: w.ID}, f, still, still)
	}
	if err != nil {
		return err
	}
	u.event, u.ours[e.Version] = e, true
	return nil
}

// still lets a write through while nobody else has written since a version.
func (u *takingBack) still(version int64) Condition {
	return func(now int64) error {
		if now > version && !u.ours[now] {
			return ErrPrecondition
		}
		return nil
	}
}

// revive gives a date that is back in its series what it had of its own.
func (u *takingBack) revive(ctx context.Context, e *tenancy.Entry) error {
	_, now, err := u.store.History().Of(ctx, "event", e.Place.ID)
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
	return writeBack(e, now, then, back, func(f *EventFields) error {
		date, err := u.Update(ctx, Key{ID: e.Place.ID}, f, nil)
		if err == nil {
			u.ours[date.Version] = true
		}
		return err
	})
}

// rejoin makes one series again of two.
func (u *takingBack) rejoin(ctx context.Context, series, rest int64, f *EventFields, still Condition) (*Event, error) {
	w, err := u.writing(ctx, f)
	if err != nil {
		return nil, err
	}
	e, err := u.store.Events().Rejoin(ctx, series, rest, func(series, rest *Event) (EventLinks, error) {
		for _, e := range []*Event{series, rest} {
			if err := editable(w.scope.Principal, &e.Post, still); err != nil {
				return EventLinks{}, err
			}
		}
		if !series.Recurring() || !rest.Recurring() {
			return EventLinks{}, ErrPrecondition
		}
		series.Modified = w.now
		return EventLinks{Still: still}, w.apply(ctx, series, false)
	})
	if errors.Is(err, ErrNotFound) {
		err = ErrPrecondition
	}
	return e, err
}
