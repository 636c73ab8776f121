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

// weeks lays out the events in the weeks of a month.
func (p *planner) weeks() [][]ui.MonthCell {
	var list [][]ui.MonthCell
	rest, shelf := p.apart()
	for from := p.first; from.Before(p.last); from = from.AddDate(0, 0, 7) {
		cells := ui.Week(from, func(time.Time) bool { return true }, p.today, rest)
		for i := range cells {
			cells[i].Shown = len(ui.Running(shelf, cells[i].Day))
		}
		list = append(list, cells)
	}
	return list
}

// mostShown is how many long-running events have bars in the month on one day. More would leave no room for other
// events.
const mostShown = 2

// apart returns the events in the days of the month, and the long-running events to list above it. The latter are
// listed there only if there are too many of them on a day.
func (p *planner) apart() (rest, shelf []*calendar.Event) {
	rest, shelf = ui.ApartFromShown(p.events)
	for day := p.first; !day.After(p.last); day = day.AddDate(0, 0, 1) {
		if len(ui.Running(shelf, day)) > mostShown {
			return rest, shelf
		}
	}
	return p.events, nil
}

// inMonth reports whether a day is in the month shown.
func (p *planner) inMonth(day time.Time) bool { return !day.Before(p.month) && !day.After(p.monthEnd) }

// countOf is the number of events on a day of the month.
func countOf(c ui.MonthCell) int {
	n := len(c.Items) + c.More + c.Shown
	for _, e := range c.Bars {
		if e.Event != nil {
			n++
		}
	}
	return n
}

// dotsOf returns the events of a day that a narrow screen shows as dots. There are at most three; events only on
// this day come first.
func dotsOf(c ui.MonthCell) []*calendar.Event {
	var list []*calendar.Event
	for _, e := range slices.Concat(c.Items, c.Bars) {
		if e.Event != nil && len(list) < 3 {
			list = append(list, e.Event)
		}
	}
	return list
}

// daily is a day with its events.
type daily struct {
	day    time.Time
	events []*calendar.Event
}

// agenda lists the days on which events begin. Events that began earlier are on the first day.
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

// shownDay returns the day whose events are listed below the month: the day in the address, otherwise today,
// otherwise the first of the month.
func (p *planner) shownDay() daily {
	d := daily{day: p.picked}
	if d.day.IsZero() {
		if d.day = p.today; !p.inMonth(p.today) {
			d.day = p.month
		}
	}
	ofDays, onShow := ui.ApartFromShown(ui.Running(p.events, d.day))
	d.events = slices.Concat(ofDays, onShow)
	return d
}

// state returns the state of an event that the calendar marks, or "" for published events that everyone can see.
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

// stateText is the text of a state.
func stateText(ctx context.Context, name string) string {
	switch name {
	case "protected", "hidden":
		return frame.Tell(ctx, "mark."+name)
	}
	return frame.Tell(ctx, "status."+name)
}

// states returns the states of the events shown.
func (p *planner) states() []string {
	var list []string
	for _, name := range []string{"draft", "pending", "future", "private", "protected", "hidden"} {
		if slices.ContainsFunc(p.events, func(e *calendar.Event) bool { return state(e) == name }) {
			list = append(list, name)
		}
	}
	return list
}

// happenings returns the statuses of the events shown that do not take place as planned.
func (p *planner) happenings() []string {
	return slices.DeleteFunc([]string{"cancelled", "postponed", "rescheduled"}, func(name string) bool {
		return !slices.ContainsFunc(p.events, func(e *calendar.Event) bool { return frame.HappeningMark(e) == "mark."+name })
	})
}

// repeating reports whether the calendar shows occurrences of series.
func (p *planner) repeating() bool {
	return slices.ContainsFunc(p.events, func(e *calendar.Event) bool { return e.Series != nil })
}

// mostInLegend is how many categories the legend names.
const mostInLegend = 16

// legend returns the categories that determine the colors of the events shown.
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

// movable reports whether the user may move an event.
func movable(ctx context.Context, e *calendar.Event) bool {
	return calendar.MayEdit(tenancy.Current(ctx).Principal, &e.Post)
}

// look returns the class attribute of an event in the calendar.
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

// whole returns the title attribute of an event in the calendar, with all its details.
func whole(ctx context.Context, e *calendar.Event) string {
	text := e.Title + " – " + frame.ShortSpan(ctx, e)
	if s := state(e); s != "" {
		text += " – " + stateText(ctx, s)
	}
	if name := frame.HappeningMark(e); name != "" {
		text += " – " + frame.Tell(ctx, name)
	}
	if moved := frame.Moved(ctx, e); moved != "" {
		text += " – " + moved
	}
	if e.Series != nil {
		text += " – " + frame.Tell(ctx, "mark.series")
	}
	if c := ui.CategoryOf(e); c != nil {
		text += " – " + c.Name
	}
	return text
}

// planAddress returns the address that an event in the calendar links to: its form, or its page if the user may not
// edit it. It returns "" if there is neither.
func planAddress(ctx context.Context, e *calendar.Event) string {
	switch {
	case movable(ctx, e):
		return frame.Address("events", e.ID)
	case e.Status == calendar.Publish:
		return e.Path()
	}
	return ""
}

// newAddress returns the address of the form for a new event on a day. A negative hour means no particular time.
func newAddress(day time.Time, hour int) string {
	if hour < 0 {
		return frame.AdminRoot + "/events/new?start_date=" + day.Format(time.DateOnly)
	}
	return frame.AdminRoot + "/events/new?start_date=" + day.Add(time.Duration(hour)*time.Hour).Format(frame.ClockForm)
}

// itemTime returns the start of an event as the month shows it.
func itemTime(ctx context.Context, e *calendar.Event) string {
	if e.AllDay {
		return ""
	}
	return ui.DatesIn(ctx).Clock(e.Start)
}

// slotTime returns the time of an event in the week. For small slots it returns only the start.
func slotTime(ctx context.Context, s slot) string {
	switch {
	case !s.begins:
		return ""
	case s.of > 1 || s.rows < roomyRows:
		return ui.DatesIn(ctx).Clock(s.Start)
	}
	return ui.DatesIn(ctx).Times(s.Start, s.End)
}

// rowTime returns the time of an event in the list of a day.
func rowTime(ctx context.Context, e *calendar.Event, day time.Time) string {
	if text, ok := ui.DatesIn(ctx).OnOneDay(e.Start, e.End, day, e.AllDay); ok {
		return text
	}
	return frame.ShortSpan(ctx, e)
}

// dayLabel returns the name of a day in the month: its date and number of events. It replaces the number of the day, which is no word of it
// in languages with an ordinal for the first.
func dayLabel(ctx context.Context, c ui.MonthCell) string {
	return frame.Counted(ctx, "calendar.day", countOf(c), "Day", ui.DatesIn(ctx).Full(c.Day))
}
