package public

import (
	"context"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/feeds"
	"github.com/kalends/kalends/web/ui"
)

// mostInMonth is how many events a month or a day shows.
const mostInMonth = 1000

// monthGrid is a month as weeks of seven days.
type monthGrid struct {
	first    time.Time
	weekdays []int // from the first day of the week
	weeks    [][]ui.MonthCell
	empty    bool
	previous string // path, or "" at the end of time
	next     string
}

// month shows one month, the present one where none is asked for.
func (w *Pages) month(ctx context.Context, a asked) (*shown, error) {
	first := ui.FirstOf(w.today(ctx))
	if text := a.param("month"); text != "" {
		var err error
		if first, err = time.Parse("2006-01", text); err != nil || !ui.Within(first) {
			return nil, calendar.ErrNotFound
		}
	}
	last := first.AddDate(0, 1, -1)
	if a.calendar {
		return w.calendarOf(ctx, a, feeds.About{Title: ui.DatesIn(ctx).Month(first), Path: monthPath(first)}, daysOf(first, last))
	}
	events, version, err := w.between(ctx, first, last)
	if err != nil {
		return nil, err
	}
	g := newGrid(first, w.today(ctx), events, ui.DatesIn(ctx).WeekStart())
	name := ui.DatesIn(ctx).Month(first)
	p := &page{title: name, path: monthPath(first), section: "month",
		rest:        "/events?start_date=" + first.Format("2006-01-02") + "&end_date=" + last.Format("2006-01-02"),
		description: describe(ctx, name), feeds: subscriptionToAll("")}
	if g.empty {
		p.robots = "noindex, nofollow" // months go on for ever
	}
	return &shown{page: p, body: monthPage(p, g), version: version, until: w.midnight(ctx)}, nil
}

// day shows what happens on one day.
func (w *Pages) day(ctx context.Context, a asked) (*shown, error) {
	day, err := time.Parse("2006-01-02", a.param("day"))
	if err != nil || !ui.Within(day) {
		return nil, calendar.ErrNotFound
	}
	if a.calendar {
		return w.calendarOf(ctx, a, feeds.About{Title: ui.DatesIn(ctx).Full(day), Path: dayPath(day)}, daysOf(day, day))
	}
	events, version, err := w.between(ctx, day, day)
	if err != nil {
		return nil, err
	}
	name := ui.DatesIn(ctx).Full(day)
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
func (w *Pages) between(ctx context.Context, first, last time.Time) ([]*calendar.Event, int64, error) {
	page, _, err := w.calendar.Events().ListLong(ctx, ui.DaysFilter(first, last), mostInMonth)
	if err != nil {
		return nil, 0, err
	}
	return ui.Happening(page.Items, first, last), page.Version, nil
}

func monthPath(first time.Time) string { return "/events/month/" + first.Format("2006-01") + "/" }

func dayPath(day time.Time) string { return "/events/day/" + day.Format("2006-01-02") + "/" }

// newGrid lays events out on a month.
func newGrid(first, today time.Time, events []*calendar.Event, start int) *monthGrid {
	g := &monthGrid{first: first, empty: len(events) == 0}
	g.weekdays = ui.WeekdaysFrom(start)
	if before := first.AddDate(0, -1, 0); ui.Within(before) {
		g.previous = monthPath(before)
	}
	after := first.AddDate(0, 1, 0)
	if ui.Within(after) {
		g.next = monthPath(after)
	}
	inMonth := func(day time.Time) bool { return day.Month() == first.Month() }
	for day := ui.WeekOf(first, start); day.Before(after); day = day.AddDate(0, 0, 7) {
		g.weeks = append(g.weeks, ui.Week(day, inMonth, today, events))
	}
	return g
}
