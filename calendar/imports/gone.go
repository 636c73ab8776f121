package imports

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// confirmed is the argument that confirms an import that wanted to remove too much.
const confirmed = "confirmed"

// goneTooMany is the code of the problem of an import that would remove too much.
const goneTooMany = "gone-too-many"

// fewestGone is the minimum number of future entries of a source at which the share of missing ones is checked.
const fewestGone = 10

// gone cancels or removes events that an earlier import created from the source and that are now missing in it. It
// considers events that have not begun and lie between the earliest and the latest start of the file. What a file that ends in the
// middle does not have may be in the rest of it.
func (r *run) gone(ctx context.Context) error {
	if r.ask.Gone.Or(Keep) == Keep || len(r.known) == 0 || r.file.Format == reading.TEC && r.file.Cut {
		return nil
	}
	missing, future, err := r.missing(ctx)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		if cut, err := r.cut(ctx); err != nil || cut {
			r.in.Problem = &Problem{Status: 400, Code: "import-cut"}
			return err
		}
	}
	if future >= fewestGone && len(missing)*3 > future && r.in.Asked[confirmed] != true {
		r.in.Problem = &Problem{Status: 409, Code: goneTooMany, Data: map[string]any{"N": len(missing), "Of": future}}
		return nil
	}
	if ctx, err = r.still(ctx); err != nil {
		return err
	}
	number := r.in.Total + len(r.file.Linked)
	w := r.writer()
	for _, id := range missing {
		if !r.complete() && (id.Start.Before(r.first) || id.Start.After(r.last)) {
			continue
		}
		if number++; !r.noted[number] {
			w.Changes = append(w.Changes, r.goes(ctx, number, id))
		}
	}
	return r.write(ctx, w, &w.Batch)
}

// complete reports whether the file contains all events, past and future.
func (r *run) complete() bool { return r.file.Format == reading.Kalends }

// missing returns the events that the file no longer has, by start, with what the source said last, and how many events it should
// have. Both leave out events of other sources, events that went with an earlier import, even if someone has restored them since, and,
// unless the file contains all events, series and events that have begun.
func (r *run) missing(ctx context.Context) (list []*Identity, of int, err error) {
	now := args.WallTime(r.calendar.Now(), tenancy.Current(ctx).Site.Location)
	byEvent := map[int64]*Identity{}
	for _, id := range r.known {
		passed := !r.complete() && (id.Series || !id.Start.After(now))
		_, another := tenancy.Current(ctx).Site.Sources[id.Origin]
		another = another && id.Origin != r.in.From
		if id.Recurrence == "" && id.Status != calendar.Trash && !passed && !another {
			byEvent[id.Event] = id
		}
	}
	for event, id := range byEvent {
		if !r.bound[event] {
			list = append(list, id)
		}
	}
	if err := r.store.Said(ctx, r.in.Source, list); err != nil {
		return nil, 0, err
	}
	all := len(list)
	list = slices.DeleteFunc(list, r.went)
	slices.SortFunc(list, func(a, b *Identity) int { return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Event, b.Event)) })
	return list, len(byEvent) - all + len(list), nil
}

// went reports whether the source has already cancelled an event, or moved it to the trash.
func (r *run) went(id *Identity) bool {
	if r.ask.Gone.Or(Keep) == Trash {
		return id.Said["status"] == string(calendar.Trash)
	}
	return id.Said["event_status"] == "cancelled"
}

// cut reports whether something may be missing at the end of the file. Some programs never write END:VCALENDAR: if the last file of the
// source was not ended and lacked nothing either, its files are whole if they end between two events.
func (r *run) cut(ctx context.Context) (bool, error) {
	if r.file.Cut || !r.file.Unended {
		return r.file.Cut, nil
	}
	warned, err := r.store.WarnedBefore(ctx, r.in.Source, r.in.ID, reading.EndMissing)
	return !warned, err
}

// goes returns the change that cancels an event that is missing from its source, or moves it to the trash. It is noted as if the
// source had said so: when the source has the event again, that is a change of the source.
func (r *run) goes(ctx context.Context, number int, id *Identity) *Change {
	entry := &Entry{Number: number, UID: id.UID, Title: id.Title, Start: id.Start.Format("2006-01-02 15:04:05"), Result: Off,
		Fields: []string{"event_status"}, Warnings: []Finding{warning("gone", "", "")}}
	before := *id
	entry.Was = &before
	fresh := *id
	fresh.Said = maps.Clone(id.Said)
	trash := r.ask.Gone.Or(Keep) == Trash
	if trash {
		entry.Fields = []string{"status"}
		fresh.Said["status"] = string(calendar.Trash)
	} else {
		fresh.Said["event_status"] = "cancelled"
	}
	fresh.Digest = digest(fresh.Said)
	return &Change{Event: id.Event, Entry: entry, Identity: &fresh, Do: func(e *calendar.Event) (calendar.EventLinks, error) {
		if err := mayChange(ctx, e); err != nil {
			return calendar.EventLinks{}, err
		}
		if trash {
			return calendar.EventLinks{}, e.MoveToTrash(r.calendar.Now())
		}
		e.Happening.Status = "cancelled"
		e.Modified = r.calendar.Now()
		return calendar.EventLinks{}, nil
	}}
}
