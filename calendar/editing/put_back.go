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

// PutBack undoes a write field by field. It keeps fields that someone has changed since. It returns the arguments
// that it restored and those that it kept. It returns ErrNotFound if the write is not in the history, and
// ErrPrecondition if the event no longer exists, or if the write divided a series and someone has changed the
// series since.
func (s *Service) PutBack(ctx context.Context, w Write) (fields, left []string, err error) {
	if _, err := tenancy.From(ctx); err != nil {
		return nil, nil, err
	}
	u := &takingBack{Service: s, ours: map[int64]bool{w.Version: true}}
	c, err := u.find(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	if c.divided || len(c.dates) > 0 {
		return []string{"recurrence"}, nil, u.undo(ctx, w)
	}
	past, now, err := s.store.History().Of(ctx, "event", c.main.Position.ID, tenancy.Now)
	if err != nil {
		return nil, nil, err
	}
	if now == nil {
		return nil, nil, calendar.ErrPrecondition
	}
	then, left := unchanged(c.main.Before, changedAfter(w.Version, past), now)
	for name := range c.main.Before {
		if name != "slug" && name != "series" && !slices.Contains(left, name) {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	if _, err := s.dropLost(ctx, then); err != nil || len(fields) == 0 {
		return fields, left, err
	}
	err = writeBack(tenancy.Current(ctx).Site.Language, c.main, now, then, calendar.Replaced{}, func(f *calendar.EventFields) error {
		if c.main.Action == "trash" && !f.Status.Given() {
			f.Status = args.Some(string(calendar.Draft))
		}
		_, err := s.Events().Update(ctx, calendar.Key{ID: w.ID}, f, nil)
		return err
	})
	return fields, left, err
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
