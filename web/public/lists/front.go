package lists

import (
	"context"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// front is the part of the front page above the list of upcoming events.
type front struct {
	leads   []Entry // up to three with pictures, the first of them large
	today   []Entry
	earlier []Entry // today's events that are over
	weekend []Entry // none from Friday on, because the list of upcoming events then shows the weekend
	shelf   *shelf
	day     time.Time

	onWeekend int // the number of all events of the weekend
}

const (
	mostLeads     = 3
	mostOfWeekend = 6
)

// frontOf returns the part of the front page above a list, and moves events from the list into it. It also returns
// the lowest version at which it read.
func (w *Pages) frontOf(ctx context.Context, l *Agenda, version int64) (int64, error) {
	today := w.layout.Today(ctx)
	f := &front{shelf: l.shelf, earlier: l.earlier, day: today}
	few := func(narrow func(*calendar.Choice), most int) (calendar.Page[calendar.Event], error) {
		c := &calendar.Choice{}
		c.Coming()
		c.Brief, c.Once, c.PerPage = layout.OnShowAfter, true, args.Some(most)
		narrow(c)
		page, _, err := w.calendar.Events().Choose(ctx, c)
		if err == nil {
			version = min(version, page.Version)
		}
		return page, err
	}
	featured, err := few(func(c *calendar.Choice) { c.Featured = args.Some(true) }, 2*mostLeads)
	if err != nil {
		return 0, err
	}
	for _, e := range append(featured.Items, l.Events...) {
		known := slices.ContainsFunc(f.leads, func(one Entry) bool { return one.ID == e.ID || one.Title == e.Title })
		if pictured(e) && !e.Happening.Off() && !known && len(f.leads) < mostLeads {
			f.leads = append(f.leads, Entry{Event: e, Day: latest(args.DayOf(e.Start), today), eager: len(f.leads) == 0})
		}
	}
	if len(f.leads) == 2 { // there is room for two smaller ones beside the first, or for none
		f.leads = f.leads[:1]
	}
	if weekday := ui.ISOWeekday(today); weekday < 5 {
		first := w.period(ctx, "weekend").Days(ui.SiteOf(ctx).Location).First
		page, err := few(func(c *calendar.Choice) { c.On = args.Some("weekend") }, mostOfWeekend)
		if err != nil {
			return 0, err
		}
		f.onWeekend = page.Total
		for _, e := range page.Items {
			f.weekend = append(f.weekend, Entry{Event: e, Day: latest(args.DayOf(e.Start), first)})
		}
	}
	f.take(l)
	l.front, l.earlier = f, nil
	return version, nil
}

// take moves the events of today from a list to the front page.
func (f *front) take(l *Agenda) {
	for i := range l.Months {
		m := &l.Months[i]
		m.Events = slices.DeleteFunc(m.Events, func(e Entry) bool {
			if now := e.Day.Equal(f.day); now {
				f.today = append(f.today, e)
				return true
			}
			return false
		})
	}
	l.Months = slices.DeleteFunc(l.Months, func(m agendaMonth) bool { return len(m.Events) == 0 })
	if len(f.leads) == 0 {
		return
	}
	for i := range f.today { // the other events are visible first
		f.today[i].eager = false
	}
	if f.shelf != nil {
		f.shelf.soon = false
	}
	for _, m := range l.Months {
		for i := range m.Events {
			m.Events[i].eager = false
		}
	}
}

// latest returns the later of two days.
func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
