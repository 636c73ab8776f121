package ui

import (
	"strings"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/i18n"
)

// Span formats the time of an event from start to end, which are wall-clock times. Days include their year unless it
// equals year.
func (l Dates) Span(start, end time.Time, allDay bool, year int) string {
	oneDay := args.DayOf(start).Equal(LastDay(start, end))
	switch {
	case allDay && oneDay:
		return l.DayIn(start, year)
	case allDay:
		first, last := l.known(start, end, year)
		return l.through(l.DayIn(start, first), l.DayIn(LastDay(start, end), last))
	case start.Equal(end):
		return l.At(l.DayIn(start, year), l.Time(start))
	case oneDay || night(start, end):
		return l.At(l.DayIn(start, year), l.Times(start, end))
	}
	return l.through(l.At(l.DayIn(start, year), l.Time(start)), l.At(l.DayIn(end, year), l.Time(end)))
}

// ShortSpan formats the days from start to end briefly.
func (l Dates) ShortSpan(start, end time.Time) string {
	first, last := l.known(start, end, 0)
	return l.through(l.shortIn(start, first), l.shortIn(end, last))
}

// DayIn formats a day, without its year if that is known.
func (l Dates) DayIn(t time.Time, known int) string {
	if l.YearOf(t) == known {
		return l.Day(t)
	}
	return l.Full(t)
}

// shortIn formats a day briefly, without its year if that is known.
func (l Dates) shortIn(t time.Time, known int) string {
	if l.YearOf(t) == known {
		return l.write(l.inForm("short.day"), t)
	}
	return l.Short(t)
}

// known returns the years to omit for start and end. A common year is written once, with the day that comes last, or
// first if years precede days.
func (l Dates) known(start, end time.Time, year int) (first, last int) {
	if l.YearOf(start) != l.YearOf(end) {
		return year, year
	}
	pattern := l.text("pattern." + l.inForm("full"))
	if strings.IndexByte(pattern, 'y') < strings.IndexByte(pattern, 'd') {
		return year, l.YearOf(start)
	}
	return l.YearOf(start), year
}

// MonthFirst reports whether numeric dates begin with the month, and returns the separator: 5/6 is May 6 in English,
// 5.6. in Hungarian.
func (l Dates) MonthFirst() (sign string, first bool) {
	pattern := l.text("pattern.short.day.short")
	month := strings.IndexByte(pattern, 'M')
	if month < 0 || strings.IndexByte(pattern, 'd') < month {
		return "", false
	}
	sign, _, _ = strings.Cut(strings.TrimLeft(pattern[month:], "M"), "d")
	return strings.TrimSpace(sign), true
}

// Times writes from when to when on one day.
func (l Dates) Times(start, end time.Time) string {
	if start.Equal(end) {
		return l.Time(start)
	}
	return i18n.Text(l.Tag, "date.time.range"+l.inWords(), map[string]any{"Start": l.Clock(start), "End": l.Clock(end)})
}

// At joins a day and the times on it.
func (l Dates) At(day, times string) string {
	return i18n.Text(l.Tag, "date.join", map[string]any{"Day": day, "Time": times})
}

func (l Dates) through(start, end string) string {
	return i18n.Text(l.Tag, "date.range", map[string]any{"Start": start, "End": end})
}

// LastDay returns the last day on which something happens: what ends at
// midnight doesn't happen on the day that begins there.
func LastDay(start, end time.Time) time.Time {
	last := args.DayOf(end)
	if end.Equal(last) && end.After(start) {
		last = last.AddDate(0, 0, -1)
	}
	return last
}

// night reports whether something goes on past midnight without being more than
// one evening.
func night(start, end time.Time) bool {
	return end.Sub(start) < 12*time.Hour && end.Hour() < 6 && args.DayOf(end).Equal(args.DayOf(start).AddDate(0, 0, 1))
}

// OnOneDay writes when something happens on the day it is listed under; ok is
// false when it takes more than that day to say.
func (l Dates) OnOneDay(start, end time.Time, day time.Time, allDay bool) (text string, ok bool) {
	switch {
	case !args.DayOf(start).Equal(day) || !args.DayOf(start).Equal(LastDay(start, end)) && (allDay || !night(start, end)):
		return "", false
	case allDay:
		return i18n.Text(l.Tag, "public.all_day", nil), true
	}
	return l.Times(start, end), true
}
