package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
)

// Within reports whether a day is in the years calendars show.
func Within(day time.Time) bool { return day.Year() >= 1900 && day.Year() <= 2200 }

// Happening keeps the events that happen on the days from first to last.
func Happening(events []*calendar.Event, first, last time.Time) []*calendar.Event {
	return slices.DeleteFunc(events, func(e *calendar.Event) bool {
		return DayOf(e.Start).After(last) || LastDay(e.Start, e.End).Before(first)
	})
}

// DaysFilter asks for what happens on the days from first to last, and for a
// little more: happening takes that away.
func DaysFilter(first, last time.Time) *calendar.EventFilter {
	return &calendar.EventFilter{EndsAfter: DateArg(first.AddDate(0, 0, -1)), StartsBefore: DateArg(last.AddDate(0, 0, 1))}
}

// MachineTime writes the start or end of an event for machines: the day alone
// when it lasts all day.
func MachineTime(e *calendar.Event, start bool) string {
	local, instant := e.Start, e.StartUTC
	if !start {
		local, instant = e.End, e.EndUTC
	}
	if e.AllDay {
		return local.Format("2006-01-02")
	}
	return instant.In(ZoneOf(e)).Format("2006-01-02T15:04:05-07:00")
}

// SiteTime is when an event of another zone happens on the site's clock.
func SiteTime(ctx context.Context, e *calendar.Event) string {
	site := SiteOf(ctx)
	start, end := WallAt(e.StartUTC, site.Location), WallAt(e.EndUTC, site.Location)
	return i18n.T(ctx, "public.site_time", map[string]any{
		"Time": DatesIn(ctx).Span(start, end, false, 0),
		"Zone": strings.ReplaceAll(site.Timezone, "_", " ")})
}
