package planner

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// weeks lays the events out on the weeks of a month.
func (p *planner) weeks() [][]ui.MonthCell {
	var list [][]ui.MonthCell
	for from := p.first; from.Before(p.last); from = from.AddDate(0, 0, 7) {
		list = append(list, ui.Week(from, func(time.Time) bool { return true }, p.today, p.events))
	}
	return list
}

// inMonth reports whether a day is of the month shown.
func (p *planner) inMonth(day time.Time) bool { return !day.Before(p.month) && !day.After(p.monthEnd) }

// countOf is how many events a day of the month has.
func countOf(c ui.MonthCell) int {
	n := len(c.Items) + c.More
	for _, e := range c.Bars {
		if e.Event != nil {
			n++
		}
	}
	return n
}

// dotsOf are as many as stand for the events of a day on a narrow screen.
func dotsOf(c ui.MonthCell) []*calendar.Event {
	var list []*calendar.Event
	for _, e := range slices.Concat(c.Bars, c.Items) {
		if e.Event != nil && len(list) < 3 {
			list = append(list, e.Event)
		}
	}
	return list
}

// daily is what happens on one day.
type daily struct {
	day    time.Time
	events []*calendar.Event
}

// agenda lists the days on which something begins, or goes on when the list
// does.
func (p *planner) agenda() []daily {
	var list []daily
	for _, e := range p.events {
		day, _ := ui.ShownOn(e)
		if day.Before(p.first) {
			day = p.first
		}
		i := slices.IndexFunc(list, func(d daily) bool { return d.day.Equal(day) })
		if i < 0 {
			list = append(list, daily{day: day})
			i = len(list) - 1
		}
		list[i].events = append(list[i].events, e)
	}
	slices.SortFunc(list, func(a, b daily) int { return a.day.Compare(b.day) })
	return list
}

// shownDay is the day whose events stand below the month: the one asked for,
// else today, else the first of the month.
func (p *planner) shownDay() daily {
	d := daily{day: p.picked}
	if d.day.IsZero() {
		if d.day = p.today; !p.inMonth(p.today) {
			d.day = p.month
		}
	}
	for _, e := range p.events {
		if begin, end := ui.ShownOn(e); !d.day.Before(begin) && !d.day.After(end) {
			d.events = append(d.events, e)
		}
	}
	return d
}

// state says what of an event must be told apart at a glance, "" for an open,
// published one.
func state(e *calendar.Event) string {
	switch {
	case e.Status != calendar.Publish:
		return string(e.Status)
	case e.Protected():
		return "protected"
	case e.Hidden:
		return "hidden"
	}
	return ""
}

// stateText names a state.
func stateText(ctx context.Context, name string) string {
	switch name {
	case "protected", "hidden":
		return frame.Tell(ctx, "mark."+name)
	}
	return frame.Tell(ctx, "status."+name)
}

// states lists those that the events shown have.
func (p *planner) states() []string {
	var list []string
	for _, name := range []string{"draft", "pending", "future", "private", "protected", "hidden"} {
		if slices.ContainsFunc(p.events, func(e *calendar.Event) bool { return state(e) == name }) {
			list = append(list, name)
		}
	}
	return list
}

// happeningMark is the text key of a mark for what doesn't take place as planned, ""
// for what does.
func happeningMark(e *calendar.Event) string {
	if e.Happening.Status == "" {
		return ""
	}
	return "mark." + e.Happening.Status
}

// repeating reports whether dates of series are shown.
func (p *planner) repeating() bool {
	return slices.ContainsFunc(p.events, func(e *calendar.Event) bool { return e.Series != nil })
}

// mostInLegend bounds the categories that the legend names.
const mostInLegend = 16

// legend lists the categories that give the events shown their colours.
func (p *planner) legend() []*calendar.Term {
	var list []*calendar.Term
	for _, e := range p.events {
		c := ui.CategoryOf(e)
		if c != nil && !slices.ContainsFunc(list, func(t *calendar.Term) bool { return t.ID == c.ID }) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *calendar.Term) int { return cmp.Compare(a.ID, b.ID) })
	return list[:min(len(list), mostInLegend)]
}

// movable reports whether whoever asks may move an event.
func movable(ctx context.Context, e *calendar.Event) bool {
	return calendar.MayEdit(tenancy.Current(ctx).Principal, &e.Post)
}

// look are the classes of an event wherever the calendar shows it.
func look(e *calendar.Event, more ...string) string {
	list := append([]string{"event", "tone-" + strconv.Itoa(ui.ToneOf(ui.CategoryOf(e)))}, more...)
	if s := state(e); s != "" {
		list = append(list, "is-"+s)
	}
	if e.Happening.Cancelled() {
		list = append(list, "is-cancelled")
	}
	return strings.Join(list, " ")
}

// whole says all there is to say of an event in the calendar, as its title.
func whole(ctx context.Context, e *calendar.Event) string {
	text := e.Title + " – " + frame.ShortSpan(ctx, e)
	if s := state(e); s != "" {
		text += " – " + stateText(ctx, s)
	}
	if name := happeningMark(e); name != "" {
		text += " – " + frame.Tell(ctx, name)
	}
	if e.Series != nil {
		text += " – " + frame.Tell(ctx, "mark.series")
	}
	if c := ui.CategoryOf(e); c != nil {
		text += " – " + c.Name
	}
	return text
}

// planAddress is where the title of an event in the calendar leads: to its
// form, else to its page; "" for nowhere.
func planAddress(ctx context.Context, e *calendar.Event) string {
	switch {
	case movable(ctx, e):
		return frame.Address("events", e.ID)
	case e.Status == calendar.Publish:
		return e.Path()
	}
	return ""
}

// newAddress is the form of a new event on a day, at an hour unless that is
// negative.
func newAddress(day time.Time, hour int) string {
	if hour < 0 {
		return frame.AdminRoot + "/events/new?start_date=" + day.Format(time.DateOnly)
	}
	return frame.AdminRoot + "/events/new?start_date=" + day.Add(time.Duration(hour)*time.Hour).Format(frame.ClockForm)
}

// itemTime is when an event begins, as a day of the month shows it.
func itemTime(ctx context.Context, e *calendar.Event) string {
	if e.AllDay {
		return ""
	}
	return ui.DatesIn(ctx).Clock(e.Start)
}

// slotTime is when an event is, as the week has room to say it.
func slotTime(ctx context.Context, s slot) string {
	switch {
	case !s.begins:
		return ""
	case s.of > 1 || s.rows < roomyRows:
		return ui.DatesIn(ctx).Clock(s.Start)
	}
	return ui.DatesIn(ctx).Times(s.Start, s.End)
}

// rowTime is when an event is, on the day it is listed under.
func rowTime(ctx context.Context, e *calendar.Event, day time.Time) string {
	if text, ok := ui.DatesIn(ctx).OnOneDay(e.Start, e.End, day, e.AllDay); ok {
		return text
	}
	return frame.ShortSpan(ctx, e)
}

// dayLabel says which day a number stands for and how much happens on it.
func dayLabel(ctx context.Context, c ui.MonthCell) string {
	return frame.Counted(ctx, "calendar.day", countOf(c), "Day", ui.DatesIn(ctx).Full(c.Day))
}
