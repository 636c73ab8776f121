package admin

import (
	"context"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
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
	items   []frame.Pair
	more    int // that aren't shown
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
	for _, e := range events.Items {
		if calendar.MayEdit(p, &e.Post) {
			first.items = append(first.items, frame.Pair{Name: frame.IDText(e.ID), Value: e.Title})
		}
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
		for _, item := range list {
			if calendar.MayEdit(p, item.Post) {
				one.items = append(one.items, frame.Pair{Name: frame.IDText(item.ID), Value: item.Name})
			}
		}
		all = append(all, one)
	}
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
		list.items = append(list.items, frame.Pair{Name: frame.IDText(d.ID), Value: d.Title + ", " + when})
	}
	return list
}
