package editing

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// PutBack undoes a write field by field. It keeps fields that someone has changed since. Before it writes, it tells
// which arguments it restores and which it keeps; without any to restore, it writes nothing. It returns ErrNotFound if
// the write is not in the history, and ErrPrecondition if the event no longer exists, or if the write divided a series
// and someone has changed the series since.
func (s *Service) PutBack(ctx context.Context, w Write, tell func(fields, left []string)) error {
	if _, err := tenancy.From(ctx); err != nil {
		return err
	}
	u := &takingBack{Service: s, ours: map[int64]bool{w.Version: true}}
	c, err := u.find(ctx, w)
	if err != nil {
		return err
	}
	if c.divided || len(c.dates) > 0 {
		tell([]string{"recurrence"}, nil)
		return u.undo(ctx, w)
	}
	past, now, err := s.store.History().Of(ctx, "event", c.main.Position.ID, tenancy.Now)
	if err != nil {
		return err
	}
	if now == nil {
		return calendar.ErrPrecondition
	}
	then, left := unchanged(c.main.Before, changedAfter(w.Version, past), now)
	var fields []string
	for name := range c.main.Before {
		if name != "slug" && name != "series" && !slices.Contains(left, name) {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	tell(fields, left)
	if _, err := s.dropLost(ctx, then); err != nil || len(fields) == 0 {
		return err
	}
	return writeBack(tenancy.Current(ctx).Site.Language, c.main, now, then, calendar.Replaced{}, func(f *calendar.EventFields) error {
		if c.main.Action == "trash" && !f.Status.Given() {
			f.Status = args.Some(string(calendar.Draft))
		}
		_, err := s.Events().Update(ctx, calendar.Key{ID: w.ID}, f, nil)
		return err
	})
}

// changedAfter returns the fields that entries after a version have changed.
func changedAfter(version int64, entries []tenancy.Entry) map[string]bool {
	changed := map[string]bool{}
	for i := range entries {
		if entries[i].Position.Version > version {
			for name := range entries[i].Before {
				changed[name] = true
			}
		}
	}
	return changed
}

// unchanged returns the state now with the values before a write, except for fields that were changed since. left
// are these fields.
func unchanged(before map[string]any, since map[string]bool, now map[string]any) (then map[string]any, left []string) {
	then = maps.Clone(now)
	for name, value := range before {
		switch {
		case name == "slug" || name == "series", reflect.DeepEqual(now[name], value): // derived from other fields, or already equal
		case since[name] || slices.Contains(wallFields, name) && anyOf(since, wallFields):
			left = append(left, name)
		default:
			then[name] = value
		}
	}
	slices.Sort(left)
	return then, left
}

func anyOf(set map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return set[name] })
}
