package admin

import (
	"context"
	"slices"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/frame"
	"github.com/kalends/kalends/web/ui"
)

// mostTrash is how many entries of a kind the trash shows.
const mostTrash = 100

// trashed is what lies in the trash of one kind.
type trashed struct {
	section string
	name    string   // text key of the heading
	deeds   []string // what can be done
	items   []binned
	more    int // that aren't shown
}

// binned is one thing in the trash, and how it got there.
type binned struct {
	id, name string
	by       tenancy.Entry // zero: not known
}

// binnedOf are the things of a kind by their names, with how they got there.
func (w *Pages) binnedOf(ctx context.Context, kind string, list []frame.Pair) ([]binned, error) {
	ids := make([]int64, 0, len(list))
	for _, one := range list {
		ids = append(ids, frame.IDIn(one.Name))
	}
	by, err := w.calendar.TrashedBy(ctx, kind, ids)
	found := make([]binned, 0, len(list))
	for i, one := range list {
		found = append(found, binned{one.Name, one.Value, by[ids[i]]})
	}
	return found, err
}

// trash shows what can be restored or removed for good.
func (w *Pages) trash(v *frame.Visit) (*frame.Reply, error) {
	status := args.Some(args.Texts{string(calendar.Trash)})
	events, err := w.calendar.Events().Shelf(v.Ctx, &calendar.EventFilter{Status: status}, mostTrash)
	if err != nil {
		return nil, err
	}
	p := v.Scope().Principal
	first := trashed{section: "events", name: "nav.events", deeds: binDeeds, more: max(0, events.Total-mostTrash)}
	var names []frame.Pair
	for _, e := range events.Items {
		if calendar.MayEdit(p, &e.Post) {
			names = append(names, frame.Pair{Name: frame.IDText(e.ID), Value: e.Title})
		}
	}
	if first.items, err = w.binnedOf(v.Ctx, "event", names); err != nil {
		return nil, err
	}
	all := []trashed{first}
	dates, left, err := w.calendar.Events().Removed(v.Ctx, mostTrash)
	if err != nil {
		return nil, err
	}
	if len(dates) > 0 {
		all = append(all, removedDates(v.Ctx, dates, left))
	}
	for _, k := range []*placeKind{w.venueKind(), w.organizerKind()} {
		list, total, err := k.list(v.Ctx, &calendar.PlaceFilter{Status: status}, mostTrash)
		if err != nil {
			return nil, err
		}
		one := trashed{section: k.section, name: "nav." + k.section, deeds: binDeeds, more: max(0, total-mostTrash)}
		var names []frame.Pair
		for _, item := range list {
			if calendar.MayEdit(p, item.Post) {
				names = append(names, frame.Pair{Name: frame.IDText(item.ID), Value: item.Name})
			}
		}
		if one.items, err = w.binnedOf(v.Ctx, k.kind, names); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	all = slices.DeleteFunc(all, func(one trashed) bool { return len(one.items) == 0 })
	return &frame.Reply{Title: frame.Tell(v.Ctx, "nav.trash"), Section: "trash", Body: trashPage(all)}, nil
}

// binDeeds are what can be done with what lies in the trash.
var binDeeds = []string{"restore", "delete"}

// removedDates are the dates taken out of series.
func removedDates(ctx context.Context, dates []calendar.RemovedDate, left int) trashed {
	l := ui.DatesIn(ctx)
	list := trashed{section: "events", name: "trash.dates", deeds: []string{"redate"}, more: left}
	for _, d := range dates {
		when := l.Short(d.Original)
		if !d.AllDay {
			when = l.At(when, l.Time(d.Original))
		}
		list.items = append(list.items, binned{frame.IDText(d.ID), d.Title + ", " + when, d.By})
	}
	return list
}
