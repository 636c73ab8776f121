package web

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/feeds"
)

// mostInMonth is how many events a month or a day shows, mostInCell how many of
// them a day of the month shows before it says how many more there are.
const (
	mostInMonth = 1000
	mostInCell  = 5
)

// monthGrid is a month as weeks of seven days.
type monthGrid struct {
	first    time.Time
	weekdays []int // from the first day of the week
	weeks    [][]monthCell
	empty    bool
	previous string // path, or "" at the end of time
	next     string
}

// monthCell is one day of a month; the zero day is before or after the month.
type monthCell struct {
	day   time.Time
	today bool
	bars  []monthEntry // events of several days, each in its lane; zero: free
	items []monthEntry // events of this day
	more  int          // that have no room
}

// monthEntry is an event on one day.
type monthEntry struct {
	*calendar.Event
	begins, ends bool // the event does, on this day
	over         int  // days of the week from here on over which its title is written
	listed       bool // a list of days names it here
}

// classes are those of the bar of an event of several days.
func (e monthEntry) classes() []string {
	classes := []string{"bar"}
	for name, is := range map[string]bool{"begins": e.begins, "ends": e.ends, "listed": e.listed} {
		if is {
			classes = append(classes, name)
		}
	}
	slices.Sort(classes)
	if e.over > 0 {
		classes = append(classes, "over-"+strconv.Itoa(e.over))
	}
	return classes
}

// free reports whether a list of days has nothing to say of this one.
func (c monthCell) free() bool {
	return len(c.items) == 0 && !c.today && !slices.ContainsFunc(c.bars, func(e monthEntry) bool { return e.listed })
}

// month shows one month, the present one where none is asked for.
func (w *public) month(ctx context.Context, a asked) (*shown, error) {
	first := firstOf(w.today(ctx))
	if text := a.param("month"); text != "" {
		var err error
		if first, err = time.Parse("2006-01", text); err != nil || !within(first) {
			return nil, calendar.ErrNotFound
		}
	}
	last := first.AddDate(0, 1, -1)
	if a.calendar {
		return w.calendarOf(ctx, a, feeds.About{Title: datesIn(ctx).month(first), Path: monthPath(first)}, daysOf(first, last))
	}
	events, version, err := w.between(ctx, first, last)
	if err != nil {
		return nil, err
	}
	g := newGrid(first, w.today(ctx), events, datesIn(ctx).weekStart())
	name := datesIn(ctx).month(first)
	p := &page{title: name, path: monthPath(first), section: "month",
		rest:        "/events?start_date=" + first.Format("2006-01-02") + "&end_date=" + last.Format("2006-01-02"),
		description: describe(ctx, name), feeds: subscriptionToAll("")}
	if g.empty {
		p.robots = "noindex, nofollow" // months go on for ever
	}
	return &shown{page: p, body: monthPage(p, g), version: version, until: w.midnight(ctx)}, nil
}

// day shows what happens on one day.
func (w *public) day(ctx context.Context, a asked) (*shown, error) {
	day, err := time.Parse("2006-01-02", a.param("day"))
	if err != nil || !within(day) {
		return nil, calendar.ErrNotFound
	}
	if a.calendar {
		return w.calendarOf(ctx, a, feeds.About{Title: datesIn(ctx).full(day), Path: dayPath(day)}, daysOf(day, day))
	}
	events, version, err := w.between(ctx, day, day)
	if err != nil {
		return nil, err
	}
	name := datesIn(ctx).full(day)
	text := day.Format("2006-01-02")
	p := &page{title: name, path: dayPath(day), section: "month", rest: "/events?start_date=" + text + "&end_date=" + text,
		description: describe(ctx, name), feeds: subscriptionToAll("")}
	if len(events) == 0 {
		p.robots = "noindex, nofollow"
	}
	return &shown{page: p, body: dayPage(p, day, events), version: version, until: w.midnight(ctx)}, nil
}

// between returns the events that happen on the days from first to last, on
// their own clocks.
func (w *public) between(ctx context.Context, first, last time.Time) ([]*calendar.Event, int64, error) {
	page, _, err := w.calendar.Events().ListLong(ctx, daysFilter(first, last), mostInMonth)
	if err != nil {
		return nil, 0, err
	}
	return happening(page.Items, first, last), page.Version, nil
}

// daysFilter asks for what happens on the days from first to last, and for a
// little more: happening takes that away.
func daysFilter(first, last time.Time) *calendar.EventFilter {
	return &calendar.EventFilter{EndsAfter: dateArg(first.AddDate(0, 0, -1)), StartsBefore: dateArg(last.AddDate(0, 0, 1))}
}

// happening keeps the events that happen on the days from first to last.
func happening(events []*calendar.Event, first, last time.Time) []*calendar.Event {
	return slices.DeleteFunc(events, func(e *calendar.Event) bool {
		return dayOf(e.Start).After(last) || lastDay(e.Start, e.End).Before(first)
	})
}

// within reports whether a day is in the years calendars show.
func within(day time.Time) bool { return day.Year() >= 1900 && day.Year() <= 2200 }

func monthPath(first time.Time) string { return "/events/month/" + first.Format("2006-01") + "/" }
func dayPath(day time.Time) string     { return "/events/day/" + day.Format("2006-01-02") + "/" }

// newGrid lays events out on a month.
func newGrid(first, today time.Time, events []*calendar.Event, start int) *monthGrid {
	g := &monthGrid{first: first, empty: len(events) == 0}
	g.weekdays = weekdaysFrom(start)
	if before := first.AddDate(0, -1, 0); within(before) {
		g.previous = monthPath(before)
	}
	after := first.AddDate(0, 1, 0)
	if within(after) {
		g.next = monthPath(after)
	}
	inMonth := func(day time.Time) bool { return day.Month() == first.Month() }
	for day := weekOf(first, start); day.Before(after); day = day.AddDate(0, 0, 7) {
		g.weeks = append(g.weeks, week(day, inMonth, today, events))
	}
	return g
}

// machineTime writes the start or end of an event for machines: the day alone
// when it lasts all day.
func machineTime(e *calendar.Event, start bool) string {
	local, instant := e.Start, e.StartUTC
	if !start {
		local, instant = e.End, e.EndUTC
	}
	if e.AllDay {
		return local.Format("2006-01-02")
	}
	return instant.In(zoneOf(e)).Format("2006-01-02T15:04:05-07:00")
}
