package web

import (
	"fmt"
	"strings"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
)

// span writes when something happens, from start to end on one wall clock. Days
// are with their year unless it is the one given.
func (l dates) span(start, end time.Time, allDay bool, year int) string {
	oneDay := dayOf(start).Equal(lastDay(start, end))
	switch {
	case allDay && oneDay:
		return l.dayIn(start, year)
	case allDay:
		first, last := l.known(start, end, year)
		return l.through(l.dayIn(start, first), l.dayIn(lastDay(start, end), last))
	case start.Equal(end):
		return l.at(l.dayIn(start, year), l.time(start))
	case oneDay || night(start, end):
		return l.at(l.dayIn(start, year), l.times(start, end))
	}
	return l.through(l.at(l.dayIn(start, year), l.time(start)), l.at(l.dayIn(end, year), l.time(end)))
}

// shortSpan writes from which day to which, in short.
func (l dates) shortSpan(start, end time.Time) string {
	first, last := l.known(start, end, 0)
	return l.through(l.shortIn(start, first), l.shortIn(end, last))
}

// dayIn writes a day, without its year when that is the year known.
func (l dates) dayIn(t time.Time, known int) string {
	if t.Year() == known {
		return l.day(t)
	}
	return l.full(t)
}

// shortIn writes a day in short, without its year when that is the year known.
func (l dates) shortIn(t time.Time, known int) string {
	if t.Year() == known {
		return l.write(l.inForm("short.day"), t)
	}
	return l.short(t)
}

// known returns the years that needn't be said of start and end: one year is
// said once, with the day that comes last, or first where years stand before days.
func (l dates) known(start, end time.Time, year int) (first, last int) {
	if start.Year() != end.Year() {
		return year, year
	}
	pattern := l.text("pattern." + l.inForm("full"))
	if strings.IndexByte(pattern, 'y') < strings.IndexByte(pattern, 'd') {
		return year, start.Year()
	}
	return start.Year(), year
}

// times writes from when to when on one day.
func (l dates) times(start, end time.Time) string {
	if start.Equal(end) {
		return l.time(start)
	}
	return i18n.Text(l.tag, "date.time.range"+l.inWords(), map[string]any{"Start": l.clock(start), "End": l.clock(end)})
}

func (l dates) at(day, times string) string {
	return i18n.Text(l.tag, "date.join", map[string]any{"Day": day, "Time": times})
}

func (l dates) through(start, end string) string {
	return i18n.Text(l.tag, "date.range", map[string]any{"Start": start, "End": end})
}

// lastDay returns the last day on which something happens: what ends at
// midnight doesn't happen on the day that begins there.
func lastDay(start, end time.Time) time.Time {
	last := dayOf(end)
	if end.Equal(last) && end.After(start) {
		last = last.AddDate(0, 0, -1)
	}
	return last
}

// night reports whether something goes on past midnight without being more than
// one evening.
func night(start, end time.Time) bool {
	return end.Sub(start) < 12*time.Hour && end.Hour() < 6 && dayOf(end).Equal(dayOf(start).AddDate(0, 0, 1))
}

// zoneOf returns the zone of an event.
func zoneOf(e *calendar.Event) *time.Location {
	zone, err := args.LocationOf(e.Timezone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// elsewhere reports whether the event's clock is not the site's at that moment.
func elsewhere(e *calendar.Event, site *time.Location) bool {
	_, there := e.StartUTC.In(zoneOf(e)).Zone()
	_, here := e.StartUTC.In(site).Zone()
	return there != here
}

// zoneName is the zone of an event and its distance from UTC at the start.
// Names of zones are the same in all languages, and written from left to right.
func zoneName(e *calendar.Event) string {
	offset := offsetOf(e.StartUTC.In(zoneOf(e)))
	if strings.HasPrefix(e.Timezone, "UTC") {
		return offset
	}
	return strings.ReplaceAll(e.Timezone, "_", " ") + ", " + offset
}

// onOneDay writes when something happens on the day it is listed under; ok is
// false when it takes more than that day to say.
func (l dates) onOneDay(start, end time.Time, day time.Time, allDay bool) (text string, ok bool) {
	switch {
	case !dayOf(start).Equal(day) || !dayOf(start).Equal(lastDay(start, end)) && (allDay || !night(start, end)):
		return "", false
	case allDay:
		return i18n.Text(l.tag, "public.all_day", nil), true
	}
	return l.times(start, end), true
}

// offsetOf writes the distance from UTC: UTC+1, UTC−3:30.
func offsetOf(t time.Time) string {
	_, seconds := t.Zone()
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	if minutes := seconds / 60 % 60; minutes != 0 {
		return fmt.Sprintf("UTC%s%d:%02d", sign, seconds/3600, minutes)
	}
	return fmt.Sprintf("UTC%s%d", sign, seconds/3600)
}
