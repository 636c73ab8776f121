package admin

import (
	"context"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/admin/places"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// mostTrash is how many entries of a kind the trash shows.
const mostTrash = 100

// trashed is the part of the trash with the entries of one kind.
type trashed struct {
	section string
	name    string   // text key of the heading
	deeds   []string // possible actions
	items   []binned
	more    int    // number of entries not shown
	list    string // address of the list with all of them; "": no such list
	version int64  // version of the site at which the list was read
}

// total is the number of entries, including those not shown.
func (t *trashed) total() int { return len(t.items) + t.more }

// binned is an entry in the trash, with the write that moved it there.
type binned struct {
	id      int64
	version int64
	name    string
	when    string        // the day of an event
	by      tenancy.Entry // zero: unknown
}

// known adds to the entries of a kind who moved them to the trash.
func (w *Pages) known(ctx context.Context, kind string, list []binned) ([]binned, error) {
	ids := make([]int64, 0, len(list))
	for _, one := range list {
		ids = append(ids, one.id)
	}
	by, err := w.calendar.TrashedBy(ctx, kind, ids)
	for i, one := range list {
		list[i].by = by[one.id]
	}
	return list, err
}

// trash lists the items that can be restored or deleted permanently.
func (w *Pages) trash(v *frame.Visit) (*frame.Reply, error) {
	status := args.Some(args.Texts{string(calendar.Trash)})
	events, err := w.calendar.Events().Shelf(v.Ctx, &calendar.EventFilter{Status: status}, mostTrash)
	if err != nil {
		return nil, err
	}
	p := v.Scope().Principal
	first := trashed{section: "events", name: "nav.events", deeds: binDeeds, more: max(0, events.Total-mostTrash),
		list: frame.AdminRoot + "/events?view=all&status=" + string(calendar.Trash), version: events.Version}
	var found []binned
	for _, e := range events.Items {
		if calendar.MayEdit(p, &e.Post) {
			found = append(found, binned{id: e.ID, version: e.Version, name: e.Title, when: ui.DatesIn(v.Ctx).Short(e.Start)})
		}
	}
	if first.items, err = w.known(v.Ctx, "event", found); err != nil {
		return nil, err
	}
	all := []trashed{first}
	dates, left, err := w.calendar.Events().Removed(v.Ctx, mostTrash)
	if err != nil {
		return nil, err
	}
	if len(dates) > 0 {
		all = append(all, removedDates(v.Ctx, dates, left, events.Version))
	}
	for _, k := range []*places.Kind{w.places.Venues(), w.places.Organizers()} {
		list, total, err := k.List(v.Ctx, &calendar.PlaceFilter{Status: status}, mostTrash)
		if err != nil {
			return nil, err
		}
		one := trashed{section: k.Section, name: "nav." + k.Section, deeds: binDeeds, more: max(0, total-mostTrash)}
		var found []binned
		for _, item := range list {
			if calendar.MayEdit(p, item.Post) {
				found = append(found, binned{id: item.ID, version: item.Version, name: item.Name})
			}
		}
		if one.items, err = w.known(v.Ctx, k.Kind, found); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	all = slices.DeleteFunc(all, func(one trashed) bool { return len(one.items) == 0 })
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav.trash"), Section: "trash", Body: trashPage(all)}, nil
}

// binDeeds are the actions for entries in the trash.
var binDeeds = []string{"restore", "delete"}

// removedDates returns the part of the trash with the dates removed from series. version is a version of the site
// from before the dates were read.
func removedDates(ctx context.Context, dates []calendar.RemovedDate, left int, version int64) trashed {
	l := ui.DatesIn(ctx)
	list := trashed{section: "events", name: "trash.dates", deeds: []string{"redate"}, more: left}
	for _, d := range dates {
		when := l.Short(d.Original)
		if !d.AllDay {
			when = l.At(when, l.Time(d.Original))
		}
		list.items = append(list.items, binned{d.ID, version, d.Title, when, d.By})
	}
	return list
}
