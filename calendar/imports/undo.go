package imports

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/editing"
)

// undo undoes an import. It moves the events that the import created to the trash, and restores changed events
// field by field. Changes that people have made since are kept, with a warning in the report.
func (r *run) undo(ctx context.Context) error {
	list, err := r.store.Written(ctx, r.in.Undoes)
	if err != nil {
		return err
	}
	r.in.Total = len(list)
	if err := r.store.Survey(ctx, r.in, r.hold); err != nil {
		return err
	}
	after, last := map[int64]int64{}, map[int64]int64{}
	for _, e := range list {
		last[e.Event] = max(last[e.Event], e.Version)
	}
	for _, e := range list {
		after[e.Event] = last[e.Event]
	}
	kept, err := r.store.Kept(ctx, after)
	if err != nil {
		return err
	}
	whole := map[string]bool{} // UIDs of series that go to the trash with all of their dates
	for _, e := range list {
		if e.Result == Created && e.Recurrence == "" && e.UID != "" && len(kept[e.Event]) == 0 {
			whole[e.UID] = true
		}
	}
	for n := 0; n < len(list); n += undoTogether {
		now, err := r.still(ctx)
		if err != nil {
			return err
		}
		if err := r.undoSome(now, list[n:min(n+undoTogether, len(list))], kept, whole); err != nil {
			return err
		}
	}
	return r.unmake(ctx)
}

// undoTogether is the number of entries undone in one transaction.
const undoTogether = 250

func (r *run) undoSome(ctx context.Context, list []*Entry, kept Kept, whole map[string]bool) error {
	w := r.writer()
	var alone []*Entry
	dates, err := r.datesAmong(ctx, list)
	if err != nil {
		return err
	}
	for _, of := range list {
		e := &Entry{
			Number:     of.Number,
			Line:       of.Line,
			UID:        of.UID,
			Recurrence: of.Recurrence,
			Title:      of.Title,
			Start:      of.Start,
			Event:      of.Event,
			Version:    of.Version,
			Was:        of.Was,
		}
		switch {
		case r.noted[e.Number]:
		case dates[of.Event] && whole[of.UID]:
			e.Result, e.Version, e.Fields = Changed, 0, []string{"status"}
			w.Notes = append(w.Notes, e)
		case of.Result != Created:
			alone = append(alone, e)
		case len(kept[of.Event]) > 0:
			e.Result, e.Version = Same, 0
			for _, field := range kept[of.Event] {
				e.Warnings = append(e.Warnings, warning("changed-since", field, ""))
			}
			w.Notes = append(w.Notes, e)
		case dates[of.Event]:
			alone = append(alone, e)
		default:
			w.Changes = append(w.Changes, r.trash(ctx, e))
			w.Gone = append(w.Gone, e.Event)
		}
	}
	if err := r.write(ctx, w, &w.Batch); err != nil {
		return err
	}
	for _, e := range alone {
		if err := r.putBack(ctx, e, kept[e.Event]); err != nil {
			return err
		}
	}
	return nil
}

// datesAmong returns the created events that are dates of a series and not separate events.
func (r *run) datesAmong(ctx context.Context, list []*Entry) (map[int64]bool, error) {
	dates := map[int64]bool{}
	for _, e := range list {
		if e.Recurrence != "" {
			dates[e.Event] = true
		}
	}
	if len(dates) == 0 {
		return dates, nil
	}
	events, _, err := r.events.Several(ctx, slices.Sorted(maps.Keys(dates)))
	for _, e := range events {
		if e.Series == nil {
			delete(dates, e.ID)
		}
	}
	return dates, err
}

// trash returns the change that moves an event to the trash.
func (r *run) trash(ctx context.Context, e *Entry) *Change {
	e.Result, e.Fields = Changed, []string{"status"}
	return &Change{Event: e.Event, Entry: e, Do: func(event *calendar.Event) (calendar.EventLinks, error) {
		if err := mayChange(ctx, event); err != nil {
			return calendar.EventLinks{}, err
		}
		return calendar.EventLinks{}, event.MoveToTrash(r.calendar.Now())
	}}
}

// putBack undoes the change of an entry, except for fields that people have changed since. Later imports keep these fields,
// too.
func (r *run) putBack(ctx context.Context, e *Entry, kept []string) error {
	version := e.Version
	e.Result, e.Version = Changed, 0
	b := r.batch()
	b.Notes = []*Entry{e}
	if e.Was != nil {
		e.Was.Kept = slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.Was.Kept, kept))))
		b.Known = []*Identity{e.Was}
	} else {
		b.Gone, b.GoneDate = []int64{e.Event}, e.Event
	}
	err := r.editing.PutBack(Noting(ctx, &b), editing.Write{ID: e.Event, Version: version}, func(fields, left []string) {
		e.Fields = fields
		for _, field := range left {
			e.Warnings = append(e.Warnings, warning("changed-since", field, ""))
		}
	})
	switch {
	case err == nil && len(e.Fields) > 0:
		return nil
	case err == nil:
		e.Result = Same
	case errors.Is(err, calendar.ErrPrecondition), ofEntry(err):
		e.Result, e.Fields, e.Warnings = Refused, nil, nil
		e.Problems = append(e.Problems, warning("not-undone", "", ""))
		b.Known, b.Gone, b.GoneDate = nil, nil, 0
	default:
		return err
	}
	w := r.writer()
	return r.write(ctx, w, &b)
}

// unmake removes the venues, organizers, categories and tags that the import created and that are no longer used.
// Those in use are kept, with a warning in the report.
func (r *run) unmake(ctx context.Context) error {
	unused, used, err := r.store.Made(ctx, r.in.Undoes)
	for err == nil && len(unused) > 0 {
		if err := r.remove(ctx, unused); err != nil {
			return err
		}
		before := len(unused)
		unused, used, err = r.store.Made(ctx, r.in.Undoes) // parent categories become unused when their children are removed
		if len(unused) >= before {
			break
		}
	}
	if err != nil {
		return err
	}
	b, number := r.batch(), r.in.Total
	for _, m := range used {
		number++
		if !r.noted[number] {
			used := []Finding{warning("still-used", "", m.Name)}
			b.Notes = append(b.Notes, &Entry{Number: number, Title: m.Name, Result: Same, Warnings: used})
		}
	}
	w := r.writer()
	return r.write(ctx, w, &b)
}

// remove removes venues, organizers, categories and tags.
func (r *run) remove(ctx context.Context, list []Made) (err error) {
	for _, m := range list {
		switch m.Kind {
		case "venue":
			_, err = r.calendar.Venues().Delete(ctx, calendar.Key{ID: m.ID}, false, nil)
		case "organizer":
			_, err = r.calendar.Organizers().Delete(ctx, calendar.Key{ID: m.ID}, false, nil)
		case "category":
			_, err = r.calendar.Terms(calendar.Categories).Delete(ctx, m.ID, nil)
		case "tag":
			_, err = r.calendar.Terms(calendar.Tags).Delete(ctx, m.ID, nil)
		}
		if err != nil && !ofEntry(err) {
			return err
		}
	}
	return nil
}
