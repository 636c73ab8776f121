// Package programme writes the events of a period for paper: as text, and as a document for word processors.
package programme

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/ui"
)

// Programme has the events of a period, in one language.
type Programme struct {
	Language  string // tag
	Direction string // "ltr" or "rtl"
	Title     string
	Period    string
	Days      []Day
	OnShow    Day       // what runs for days, named by a word instead of a day
	Last      time.Time // the last day that is complete
}

// Day is a day with the events that begin on it.
type Day struct {
	Name    string
	Entries []Entry
}

// Entry is an event. Place, Price and Note may be "". The note says when a moved event was planned originally,
// and that an event is sold out. Path is the path of its page.
type Entry struct{ Time, Title, Place, Price, Note, Path string }

// Empty reports whether there are no events.
func (p *Programme) Empty() bool { return len(p.Days) == 0 && len(p.OnShow.Entries) == 0 }

// Parts returns the days, followed by a part with the events on show if there are any.
func (p *Programme) Parts() []Day {
	if len(p.OnShow.Entries) == 0 {
		return p.Days
	}
	return append(slices.Clip(p.Days), p.OnShow)
}

// Of returns the programme of some days. Each event is under the day on which it begins, or under the first day if
// it began earlier. Events that last more than longer days come last, in the order in which they end. Of leaves out
// events with a password. The events must be in the order of their start.
func Of(ctx context.Context, events []*calendar.Event, days calendar.Days, longer int) *Programme {
	l := ui.DatesIn(ctx)
	p := &Programme{
		Language:  l.Tag,
		Direction: ui.Direction(l),
		Title:     cmp.Or(ui.SiteName(ctx), ui.Say(ctx, "programme")),
		Period:    l.ShortSpan(days.First, days.Last),
		OnShow:    Day{Name: ui.Say(ctx, "onshow")},
		Last:      days.Last,
	}
	year := 0
	if l.YearOf(days.First) == l.YearOf(days.Last) {
		year = l.YearOf(days.First)
	}
	var running []*calendar.Event
	var before time.Time
	for _, e := range events {
		day, last := args.DayOf(e.Start), ui.LastDay(e.Start, e.End)
		switch {
		case e.Masked:
			continue
		case int(last.Sub(day).Hours()/24) >= longer:
			running = append(running, e)
			continue
		case day.Before(days.First):
			day = days.First
		}
		if len(p.Days) == 0 || !day.Equal(before) {
			p.Days, before = append(p.Days, Day{Name: ui.Capital(l.DayIn(day, year))}), day
		}
		at := &p.Days[len(p.Days)-1]
		at.Entries = append(at.Entries, entryOf(ctx, e, day))
	}
	slices.SortStableFunc(running, func(a, b *calendar.Event) int { return a.EndUTC.Compare(b.EndUTC) })
	for _, e := range running {
		p.OnShow.Entries = append(p.OnShow.Entries, entryOf(ctx, e, time.Time{}))
	}
	return p
}

// entryOf returns the entry of an event under a day. The zero day means that the entry is not under a day.
func entryOf(ctx context.Context, e *calendar.Event, day time.Time) Entry {
	l := ui.DatesIn(ctx)
	one := Entry{Title: ui.Titled(ctx, e, e.Title), Price: ui.Cost(ctx, e), Path: e.Path()}
	if text, ok := l.EventOn(e, day); ok && !day.IsZero() {
		one.Time = text
	} else {
		one.Time = l.ShortSpan(e.Start, ui.LastDay(e.Start, e.End))
	}
	if previous := e.Previously(); !previous.IsZero() {
		one.Note = ui.SayWith(ctx, "status.previous", "Date", l.Short(ui.WallAt(previous, ui.ZoneOf(e))))
	} else if e.Happening.Status == "rescheduled" {
		one.Note = ui.Say(ctx, "status.rescheduled")
	}
	if left := func(t calendar.Ticket) bool { return t.Status != "sold_out" }; len(e.Tickets) > 0 && !slices.ContainsFunc(e.Tickets, left) {
		one.Note = ui.Joined(ui.Say(ctx, "ticket.sold_out"), one.Note)
	}
	if len(e.Venues) > 0 {
		one.Place = ui.PlaceLine(ctx, &e.Venues[0])
	}
	return one
}
