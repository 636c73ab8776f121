package imports

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// prepare reads the data for deciding on known entries: what people have changed since the last import, and the
// entries' previous arguments. An unchanged entry matters only if the file has priority over people's changes.
func (r *run) prepare(ctx context.Context, list []*item) error {
	var told []*Identity
	after := map[int64]int64{}
	for _, it := range list {
		if it.merely || it.known == nil || it.adopt != nil || it.unchanged() && r.in.Policy != Replace {
			continue
		}
		if told = append(told, it.known); it.known.Date == 0 {
			after[it.known.Event] = it.known.Version
		} else {
			after[it.known.Date] = it.known.Version
		}
	}
	if len(told) == 0 {
		return nil
	}
	if r.in.Policy != Skip {
		kept, err := r.store.Kept(ctx, after)
		if err != nil {
			return err
		}
		for _, id := range told {
			for _, field := range kept[id.shown()] {
				if !slices.Contains(id.Kept, field) {
					id.Kept = append(id.Kept, field)
				}
			}
		}
	}
	told = told[:0]
	for _, it := range list {
		if !it.merely && it.known != nil && it.adopt == nil && !(it.unchanged() && it.known.asImported()) {
			told = append(told, it.known)
		}
	}
	if len(told) == 0 {
		return nil
	}
	return r.store.Said(ctx, r.in.Source, told)
}

// unchanged reports whether an entry has not changed since it was imported last.
func (it *item) unchanged() bool { return slices.Equal(it.known.Digest, it.fresh.Digest) }

// asImported reports whether nobody has moved the event to the trash or changed a field that imports then keep.
func (id *Identity) asImported() bool { return id.Status != calendar.Trash && len(id.Kept) == 0 }

// wentWithSource reports whether an import moved the event to the trash, because its source had it no more.
func (id *Identity) wentWithSource() bool {
	return id.Said["status"] == string(calendar.Trash) && !slices.Contains(id.Kept, "status")
}

// older reports whether an entry is an earlier version than the one that was imported last.
func older(e *reading.Entry, known *Identity) bool {
	return e.Sequence < known.Sequence ||
		e.Sequence == known.Sequence && !e.Modified.IsZero() && !known.Modified.IsZero() && e.Modified.Before(known.Modified)
}

// wall are the arguments for when an event takes place. The meaning of each depends on the others.
var wall = []string{"start_date", "end_date", "timezone", "all_day", "recurrence"}

// settle decides what to do with a known entry. It returns the arguments to change; without any, the entry is only recorded.
func (r *run) settle(it *item) args.Values {
	known := it.known
	it.Event = known.shown()
	same := it.unchanged()
	switch {
	case known.Status == calendar.Trash && r.in.Policy != Replace && !known.wentWithSource():
		it.end(Refused, warning("in-trash", "", ""))
		return nil
	case r.in.Policy == Skip || same && r.in.Policy == Update, same && known.asImported():
		it.end(Same)
		r.follow(it)
		return nil
	case older(&it.file, known) && r.in.Policy == Update:
		it.end(Same, warning("superseded", "", ""))
		return nil
	}
	before := known.Said
	if it.file.Void {
		it.fresh.Said = maps.Clone(before)
		it.fresh.Said["event_status"] = "cancelled"
		it.fresh.Digest = digest(it.fresh.Said)
	}
	changes := changed(before, it.fresh.Said)
	if r.in.Policy == Replace {
		it.fresh.Kept = nil
		for _, name := range known.Kept {
			if value, said := it.fresh.Said[name]; said {
				changes[name] = value
			}
		}
	} else {
		it.fresh.Kept = known.Kept
		r.leave(it, changes, known.Kept)
	}
	if known.Status == calendar.Trash {
		changes["status"] = "publish"
		if status, said := it.fresh.Said["status"]; said {
			changes["status"] = status
		}
	}
	if len(changes) == 0 {
		it.end(Same)
		r.follow(it)
		return nil
	}
	whole(changes, it.fresh.Said)
	return changes
}

// follow updates the stored data about an unchanged event: its new UID, or the new arguments of its entry.
func (r *run) follow(it *item) {
	if it.moved == nil && it.unchanged() {
		it.fresh = nil
		return
	}
	if r.in.Policy == Skip {
		it.fresh = nil
		if it.moved != nil {
			id := *it.known
			id.Key = it.key
			it.fresh = &id
		}
		return
	}
	it.fresh.Event, it.fresh.Date, it.fresh.Version = it.known.Event, it.known.Date, it.known.Version
}

// leave removes fields that people changed here from the changes, with a warning for each.
func (r *run) leave(it *item, changes args.Values, kept []string) {
	moved := slices.ContainsFunc(wall, func(name string) bool { return slices.Contains(kept, name) })
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		if slices.Contains(kept, name) || moved && slices.Contains(wall, name) {
			delete(changes, name)
			it.Warnings = append(it.Warnings, warning("kept", name, ""))
		}
	}
}

// changed returns the arguments that differ between before and now, with the values of now. A removed argument is nil.
func changed(before, now args.Values) args.Values {
	list := args.Values{}
	for name, value := range now {
		if was, there := before[name]; !there || !equal(was, value) {
			list[name] = value
		}
	}
	for name := range before {
		field := eventTable.Field(name)
		if _, there := now[name]; !there && field != nil && !field.NoNull && !field.Required && name != "status" {
			list[name] = nil
		}
	}
	return list
}

// equal reports whether two values have the same stored form.
func equal(a, b any) bool { return bytes.Equal(digest(a), digest(b)) }

// whole adds all arguments of wall to changes if at least one of them changes.
func whole(changes, now args.Values) {
	if !slices.ContainsFunc(wall, func(name string) bool { _, there := changes[name]; return there }) {
		return
	}
	for _, name := range wall {
		if value, said := now[name]; said {
			changes[name] = value
		}
	}
}

// fieldsOf returns the names of changed arguments. Arguments of wall are always changed together; it returns only those that
// differ from what the file said before, or that people have changed here.
func fieldsOf(changes args.Values, before, now args.Values, kept []string) []string {
	list := []string{}
	for name := range changes {
		if name == reading.Belongs {
			continue
		}
		if !slices.Contains(wall, name) || slices.Contains(kept, name) || !equal(before[name], now[name]) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// baseline returns the arguments of an entry that differ from the event that it was recognized as. Such differences
// count as changes only in a table of this site or in data from its interface. A calendar file contains less than
// the event.
func (r *run) baseline(ctx context.Context, it *item) (args.Values, error) {
	differs, err := r.differing(ctx, it)
	if err != nil {
		return nil, err
	}
	it.Event = it.adopt.ID
	if s := r.series[it.UID]; s != nil {
		s.event, s.adopted = it.adopt.ID, true
	}
	it.fresh.Event, it.fresh.Version = it.adopt.ID, it.adopt.Version
	if r.file.Format == reading.TEC {
		it.leads = r.leads(it, it.adopt.ID)
	}
	theirs := own(ctx, it.UID) == it.adopt.ID || it.UID != "" && it.adopt.UID == it.UID
	switch {
	case it.adopt.Trashed() && r.in.Policy != Replace:
		it.end(Refused, warning("in-trash", "", ""))
		it.fresh = nil
		return nil, nil //nolint:nilnil // nothing is left to change
	case r.in.Policy == Replace, r.in.Policy == Update && theirs && r.file.Format != reading.Calendar:
	default:
		if !theirs {
			it.Warnings = append(it.Warnings, warning("recognised", "", ""))
		}
		it.fresh.Kept = slices.Sorted(maps.Keys(differs))
		it.end(Same)
		return nil, nil //nolint:nilnil // as above
	}
	if err := r.leaveSince(ctx, it, differs); err != nil {
		return nil, err
	}
	if len(differs) == 0 {
		it.end(Same)
		return nil, nil //nolint:nilnil // as above
	}
	it.known = &Identity{Key: it.key, Event: it.adopt.ID, Said: args.Values{}, Status: it.adopt.Status, Series: it.adopt.Recurring()}
	whole(differs, it.values)
	return differs, nil
}

// since returns the version of this site from which a row was exported. It returns false if this site did not export the row.
func since(ctx context.Context, it *item) (version int64, ok bool) {
	return reading.ExportedSince(tenancy.Current(ctx).Site.UID, it.file.Exported)
}

// leaveSince removes the fields that people changed here after the row was exported from the differences, with a
// warning for each, because the file has their old values.
func (r *run) leaveSince(ctx context.Context, it *item, differs args.Values) error {
	version, ok := since(ctx, it)
	if !ok || len(differs) == 0 || r.in.Policy == Replace {
		return nil
	}
	kept, err := r.store.Kept(ctx, map[int64]int64{it.adopt.ID: version})
	if err != nil {
		return err
	}
	before := slices.Collect(maps.Keys(differs))
	r.leave(it, differs, kept[it.adopt.ID])
	for _, name := range before {
		if _, still := differs[name]; !still {
			it.fresh.Kept = append(it.fresh.Kept, name)
		}
	}
	slices.Sort(it.fresh.Kept)
	return nil
}

// differing returns the arguments of an entry whose values differ from the event's.
func (r *run) differing(ctx context.Context, it *item) (args.Values, error) {
	f, err := r.fields(it.values, args.Updating)
	if err != nil {
		return nil, err
	}
	f.Image = args.Opt[args.Image]{}
	f.Status = args.Opt[string]{}
	w, err := r.calendar.Events().Importing(ctx, f)
	if err != nil {
		return nil, err
	}
	then := *it.adopt
	if err := w.Apply(ctx, &then, false); err != nil {
		return nil, err
	}
	list := args.Values{}
	for _, name := range calendar.Differing(it.adopt, &then) {
		if value, said := it.values[name]; said {
			list[name] = value
		}
	}
	addLinks(f, it.adopt, list, it.values)
	return list, nil
}

// addLinks adds the links that differ from those of an event.
func addLinks(f *calendar.EventFields, e *calendar.Event, list, values args.Values) {
	differ := func(name string, alike bool) {
		if _, said := values[name]; said && !alike {
			list[name] = values[name]
		}
	}
	differ("venue", slices.EqualFunc(f.Venue.Or(nil), e.Venues, func(l args.Link[calendar.VenueFields], v calendar.Venue) bool {
		return l.ID == v.ID
	}))
	differ("organizer", slices.EqualFunc(f.Organizer.Or(nil), e.Organizers,
		func(l args.Link[calendar.OrganizerFields], o calendar.Organizer) bool { return l.ID == o.ID }))
	differ("categories", refersTo(f.Categories.Or(nil), e.Categories))
	differ("tags", refersTo(f.Tags.Or(nil), e.Tags))
}

// refersTo reports whether refs name exactly some terms, in any order.
func refersTo(refs args.Refs, terms []calendar.Term) bool {
	ids := map[int64]bool{}
	for _, ref := range refs {
		if ref.ID == 0 {
			return false
		}
		ids[ref.ID] = true
	}
	for i := range terms {
		if !ids[terms[i].ID] {
			return false
		}
	}
	return len(ids) == len(terms)
}

// mayChange returns an error if the importer may not change an event.
func mayChange(ctx context.Context, e *calendar.Event) error {
	if err := calendar.Editable(tenancy.Current(ctx).Principal, &e.Post, nil); err != nil {
		return errNotYours
	}
	return nil
}
