package editing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// TakenBack is the result of taking back a write of many events.
type TakenBack struct {
	Done int    // how many are as before, at least in part
	Made int    // how many of these the write had created; they are in the trash
	Kept []Kept // events that are not fully restored
}

// Kept is an event that was not fully restored when a write was undone.
type Kept struct {
	ID     int64
	Name   string
	Fields []string // fields that someone else has since changed; nil if the whole event stays unchanged
	Gone   bool     // the event was deleted permanently
}

// attempts is how often an event is read again if someone has just changed it.
const attempts = 3

// TakeBackAll undoes one write of any number of events in one transaction. It works field by field and keeps fields
// that someone has changed since. Events that the write created go to the trash, unless someone has changed them.
// Before that, it separates venues and organizers that the write merged. After that, it restores the differences of
// occurrences one by one. For a write without events, it deletes the categories and tags that the write created,
// unless they have since been changed or have events. It returns ErrNotFound if the write is no longer in the
// history.
func (s *Service) TakeBackAll(ctx context.Context, version int64) (*TakenBack, error) {
	if _, err := tenancy.From(ctx); err != nil {
		return nil, err
	}
	parted, err := s.part(ctx, version)
	if err != nil {
		return nil, fmt.Errorf("undo: %w", err)
	}
	entries, err := s.Written(ctx, version)
	if err != nil {
		return nil, fmt.Errorf("undo: %w", err)
	}
	u := &takingAllBack{takingBack: takingBack{Service: s, ours: map[int64]bool{version: true}}, version: version, known: map[link]error{}}
	u.sort(entries)
	if len(u.entries) == 0 && !parted {
		return s.unmake(ctx, version)
	}
	left := slices.Sorted(maps.Keys(u.entries))
	for range attempts {
		if left, err = u.some(ctx, left); err != nil {
			return nil, fmt.Errorf("undo: %w", err)
		}
		if len(left) == 0 {
			break
		}
	}
	for _, id := range left {
		u.became.Kept = append(u.became.Kept, Kept{ID: id, Name: u.name(id)})
	}
	if err := u.reviveAll(ctx); err != nil {
		return nil, fmt.Errorf("undo: %w", err)
	}
	return &u.became, nil
}

// reviveAll restores the differences of occurrences that lost them, except for occurrences that someone has changed since.
func (u *takingAllBack) reviveAll(ctx context.Context) error {
	if len(u.dates) == 0 {
		return nil
	}
	ids := make([]int64, 0, len(u.dates))
	for i := range u.dates {
		ids = append(ids, u.dates[i].Position.ID)
	}
	since, _, err := u.store.History().Since(ctx, "event", ids, u.version)
	if err != nil {
		return err
	}
	for i := range u.dates {
		id := u.dates[i].Position.ID
		if slices.ContainsFunc(since[id].Entries, func(e tenancy.Entry) bool { return !u.ours[e.Position.Version] }) {
			name, _ := since[id].Now["title"].(string)
			u.became.Kept = append(u.became.Kept, Kept{ID: id, Name: name})
			continue
		}
		if err := u.revive(ctx, &u.dates[i]); err != nil {
			return err
		}
	}
	return nil
}

// Written returns the history entries of the events that a write created or changed. Principals who may not read others'
// unpublished items get only the entries of their own writes.
func (s *Service) Written(ctx context.Context, version int64) ([]tenancy.Entry, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.written(ctx, "event", version)
	if err != nil || scope.Principal.MayRead(tenancy.ReadOthers) {
		return list, err
	}
	return slices.DeleteFunc(list, func(e tenancy.Entry) bool { return e.UserID != scope.Principal.UserID }), nil
}

// written returns the history entries of a write for objects of a kind, latest first.
func (s *Service) written(ctx context.Context, kind string, version int64) (list []tenancy.Entry, err error) {
	const step = 500
	q := tenancy.HistoryQuery{Kind: kind, After: &tenancy.Position{Version: version + 1}, Limit: step}
	for {
		found, err := s.store.History().List(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range found {
			if found[i].Position.Version < version {
				return list, nil
			}
			list = append(list, found[i])
		}
		if len(found) < step {
			return list, nil
		}
		q.After = &found[step-1].Position
	}
}

// takingAllBack undoes a write to many events.
type takingAllBack struct {
	takingBack

	version int64
	entries map[int64]*tenancy.Entry // of the write, by event
	dates   []tenancy.Entry          // of occurrences that lost their differences through the write
	since   map[int64]tenancy.Later
	asOf    int64 // version of the site at which since was read
	known   map[link]error
	became  TakenBack
}

// sort separates the events that were written from occurrences that only lost their differences because their series was
// written.
func (u *takingAllBack) sort(list []tenancy.Entry) {
	u.entries = map[int64]*tenancy.Entry{}
	for i := range list {
		u.entries[list[i].Position.ID] = &list[i]
	}
	for id, e := range u.entries {
		if u.entries[seriesIn(e.Before)] != nil && e.Action != "create" {
			u.dates = append(u.dates, *e)
			delete(u.entries, id)
		}
	}
}

// some undoes the write for some of the events, and returns the events that someone has just changed again.
func (u *takingAllBack) some(ctx context.Context, ids []int64) (again []int64, err error) {
	if u.since, u.asOf, err = u.store.History().Since(ctx, "event", ids, u.version); err != nil {
		return nil, err
	}
	fields, kept := map[int64]*calendar.EventFields{}, map[int64][]string{}
	for _, id := range ids {
		if u.since[id].Now == nil {
			u.became.Kept = append(u.became.Kept, Kept{ID: id, Gone: true})
			continue
		}
		if fields[id], kept[id], err = u.before(ctx, id); err != nil {
			return nil, err
		}
	}
	there := slices.Sorted(maps.Keys(fields))
	of := func(id int64) bool { // a date of one of the series
		_, there := fields[seriesIn(u.since[id].Now)]
		return there
	}
	refusals := map[int64]error{}
	for _, list := range [][]int64{slices.DeleteFunc(slices.Clone(there), of),
		slices.DeleteFunc(slices.Clone(there), func(id int64) bool { return !of(id) })} {
		if len(list) == 0 {
			continue
		}
		m, err := u.Events().ChangeMany(ctx, list, func(e *calendar.Event) (*calendar.EventFields, error) {
			if e.Version > u.asOf && !u.ours[e.Version] {
				return nil, calendar.ErrPrecondition
			}
			return fields[e.ID], nil
		})
		if err != nil {
			return nil, err
		}
		u.ours[m.Version] = true
		maps.Copy(refusals, m.Refused)
	}
	for _, id := range there {
		refused := refusals[id]
		switch {
		case errors.Is(refused, calendar.ErrPrecondition):
			again = append(again, id)
		case refused != nil:
			u.became.Kept = append(u.became.Kept, Kept{ID: id, Name: u.name(id)})
		case len(kept[id]) > 0:
			u.became.Kept = append(u.became.Kept, Kept{ID: id, Name: u.name(id), Fields: kept[id]})
		}
		if refused == nil && fields[id] != nil {
			u.became.Done++
			if u.entries[id].Action == "create" {
				u.became.Made++
			}
		}
	}
	return again, nil
}

// seriesIn returns the ID of the series in the state of an occurrence, or 0 if there is none.
func seriesIn(state map[string]any) int64 {
	of, _ := state["series"].(map[string]any)
	series, _ := of["id"].(float64)
	return int64(series)
}

// name is the current title of an event.
func (u *takingAllBack) name(id int64) string {
	name, _ := u.since[id].Now["title"].(string)
	return name
}

// before returns the fields that restore an event to its state before the write, or nil if there are none. left are
// the fields that someone has since changed.
func (u *takingAllBack) before(ctx context.Context, id int64) (fields *calendar.EventFields, left []string, err error) {
	entry, later := u.entries[id], u.since[id]
	changed := changedAfter(u.version, later.Entries)
	if entry.Action == "create" {
		if later.Now["status"] == string(calendar.Trash) {
			return nil, nil, nil
		}
		if len(later.Entries) > 0 {
			return nil, slices.DeleteFunc(slices.Sorted(maps.Keys(changed)), func(name string) bool { return name == "slug" }), nil
		}
		return &calendar.EventFields{Status: args.Some(string(calendar.Trash))}, nil, nil
	}
	then, left := unchanged(entry.Before, changed, later.Now)
	if _, err := u.dropLostAmong(ctx, u.known, then); err != nil {
		return nil, nil, err
	}
	back := calendar.Replaced{}
	if entry.Before["post_password"] != nil || entry.Before["event_status"] == "rescheduled" || later.Now["event_status"] == "rescheduled" {
		if back, err = u.store.Events().Replaced(ctx, id, u.version); err != nil {
			return nil, nil, err
		}
	}
	err = writeBack(tenancy.Current(ctx).Site.Language, entry, later.Now, then, back, func(f *calendar.EventFields) error {
		if entry.Action == "trash" && !f.Status.Given() {
			f.Status = args.Some(string(calendar.Draft))
		}
		fields = f
		return nil
	})
	return fields, left, err
}
