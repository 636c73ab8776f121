package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
)

// Within reports whether a day is in the range of years that calendars show.
func Within(day time.Time) bool { return day.Year() >= 1900 && day.Year() <= 2200 }

// Happening returns the events that take place on the days from first to last.
func Happening(events []*calendar.Event, first, last time.Time) []*calendar.Event {
	return slices.DeleteFunc(events, func(e *calendar.Event) bool {
		return args.DayOf(e.Start).After(last) || LastDay(e.Start, e.End).Before(first)
	})
}

// DaysFilter selects the events on the days from first to last, and some others, which Happening removes.
func DaysFilter(first, last time.Time) *calendar.EventFilter {
	return &calendar.EventFilter{EndsAfter: args.DayArg(first.AddDate(0, 0, -1)), StartsBefore: args.DayArg(last.AddDate(0, 0, 1))}
}

// MachineTime formats start or end of an event in machine-readable form: only the day for an all-day event.
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

// SiteTime formats the time of an event in the site's time zone. It is for events in another zone.
func SiteTime(ctx context.Context, e *calendar.Event) string {
	site, here := SiteOf(ctx), *e
	here.Start, here.End, here.AllDay = WallAt(e.StartUTC, site.Location), WallAt(e.EndUTC, site.Location), false
	return i18n.T(ctx, "public.site_time", map[string]any{
		"Time": DatesIn(ctx).Event(&here, 0),
		"Zone": strings.ReplaceAll(site.Timezone, "_", " ")})
}
