package imports

import (
	"context"
	"maps"
	"slices"

	"github.com/kalends/kalends/calendar/reading"
)

// recognise finds the events of unknown entries: by a UID of this site, otherwise by title, start and venue. For
// rows that this site exported, it reads the events again: the rows are changes of the exported state.
func (r *run) recognise(ctx context.Context, list []*item) error {
	found := map[int64][]*item{}
	unknown, uids := r.unknown(ctx, list, found)
	if len(unknown) == 0 {
		return r.adopt(ctx, found)
	}
	if r.file.Format == reading.Gift || r.file.Format == reading.Kalends {
		if err := r.twice(ctx, unknown, uids); err != nil || r.file.Format == reading.Gift {
			return err
		}
		unknown = slices.DeleteFunc(unknown, func(it *item) bool { return it.merely })
	}
	var byUID map[string]int64
	var err error
	if len(uids) > 0 && r.knowsOwn() {
		if byUID, err = r.store.WithUID(ctx, uids); err != nil {
			return err
		}
	}
	alike, err := r.alike(ctx)
	if err != nil {
		return err
	}
	for _, it := range unknown {
		id := own(ctx, it.UID)
		if id == 0 {
			id = byUID[it.UID]
		}
		if id == 0 || r.bound[id] {
			id = r.free(alike[string(it.fresh.Place)])
		}
		if id != 0 {
			r.bound[id] = true
			found[id] = append(found[id], it)
		}
	}
	return r.adopt(ctx, found)
}

// unknown returns the entries that were not imported before, and their UIDs. It adds changed rows that this site
// exported to found, by their events.
func (r *run) unknown(ctx context.Context, list []*item, found map[int64][]*item) (unknown []*item, uids []string) {
	for _, it := range list {
		if it.merely || it.file.Recurrence != "" {
			continue
		}
		if it.known != nil {
			if _, ours := since(ctx, it); ours && it.known.Date == 0 && !it.unchanged() {
				found[it.known.Event] = append(found[it.known.Event], it)
			}
			continue
		}
		if r.file.Format != reading.Gift {
			it.known = r.elsewhere(it)
		}
		if it.known != nil {
			continue
		}
		unknown = append(unknown, it)
		if it.UID != "" {
			uids = append(uids, it.UID)
		}
	}
	return unknown, uids
}

// elsewhere returns the identity of an event with the same title, start and venue whose UID is no longer in the file.
func (r *run) elsewhere(it *item) *Identity {
	place := string(it.fresh.Place)
	for len(r.places[place]) > 0 {
		id := r.places[place][0]
		r.places[place] = r.places[place][1:]
		if !r.bound[id.Event] {
			r.bound[id.Event] = true
			from := id.Key
			it.moved = &from
			return id
		}
	}
	return nil
}

// alike returns the events that the site had before the import, by title, start and venue.
func (r *run) alike(ctx context.Context) (map[string][]int64, error) {
	if r.there != nil {
		return r.there, nil
	}
	r.there = map[string][]int64{}
	if r.first.IsZero() {
		return r.there, nil
	}
	events, err := r.store.Alike(ctx, r.first, r.last)
	for i := range events {
		for _, place := range r.names.places(&events[i]) {
			r.there[string(place)] = append(r.there[string(place)], events[i].ID)
		}
	}
	return r.there, err
}

// free returns the first event that is not yet bound to an entry, or 0.
func (r *run) free(ids []int64) int64 {
	for _, id := range ids {
		if !r.bound[id] {
			return id
		}
	}
	return 0
}

// adopt reads the events that entries were recognized as.
func (r *run) adopt(ctx context.Context, found map[int64][]*item) error {
	if len(found) == 0 {
		return nil
	}
	list, _, err := r.events.Several(ctx, slices.Sorted(maps.Keys(found)))
	if err != nil {
		return err
	}
	for _, e := range list {
		for _, it := range found[e.ID] {
			if e.Series == nil {
				it.adopt = e
			}
		}
	}
	return nil
}
