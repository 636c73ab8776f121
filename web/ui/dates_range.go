package ui

import (
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
)

// Span formats the time of an event from start to end, which are wall-clock times. Days include their year unless
// that is year.
func (l Dates) Span(start, end time.Time, allDay bool, year int) string {
	oneDay := args.DayOf(start).Equal(LastDay(start, end))
	switch {
	case allDay && oneDay:
		return l.DayIn(start, year)
	case allDay:
		pattern := "full"
		if l.YearOf(start) == year {
			pattern = "day"
		}
		if text, ok := l.withinMonth(pattern, start, LastDay(start, end)); ok {
			return text
		}
		first, last := l.known(start, end, year)
		return l.through(l.DayIn(start, first), l.DayIn(LastDay(start, end), last))
	case start.Equal(end):
		return l.At(l.DayIn(start, year), l.Time(start))
	case oneDay || night(start, end):
		return l.At(l.DayIn(start, year), l.Times(start, end))
	}
	return l.through(l.At(l.DayIn(start, year), l.Time(start)), l.At(l.DayIn(end, year), l.Time(end)))
}

// Event formats the time of an event as Span does. If the end is unknown, it includes only the start.
func (l Dates) Event(e *calendar.Event, year int) string {
	if e.Facts.EndUnknown && !e.AllDay {
		return l.At(l.DayIn(e.Start, year), l.HoursOf(e))
	}
	return l.Span(e.Start, e.End, e.AllDay, year)
}

// HoursOf formats start and end time of an event on one day, without the end if that is unknown.
func (l Dates) HoursOf(e *calendar.Event) string {
	if e.Facts.EndUnknown {
		return i18n.Text(l.Tag, "public.from_time", map[string]any{"Time": l.Time(e.Start)})
	}
	return l.Times(e.Start, e.End)
}

// EventOn formats the time of an event on the day that it is listed under, as OnOneDay does.
func (l Dates) EventOn(e *calendar.Event, day time.Time) (text string, ok bool) {
	if e.Facts.EndUnknown && !e.AllDay && args.DayOf(e.Start).Equal(day) {
		return l.HoursOf(e), true
	}
	return l.OnOneDay(e.Start, e.End, day, e.AllDay)
}

// ShortSpan formats the days from start to end briefly.
func (l Dates) ShortSpan(start, end time.Time) string {
	if args.DayOf(start).Equal(args.DayOf(end)) {
		return l.Short(start)
	}
	if text, ok := l.withinMonth("short", start, end); ok {
		return text
	}
	first, last := l.known(start, end, 0)
	return l.through(l.shortIn(start, first), l.shortIn(end, last))
}

// withinMonth formats the days from start to end with a CLDR pattern for intervals, which has a common month and
// year only once. ok is false if the days are equal or not in one month, and for numeric dates.
func (l Dates) withinMonth(pattern string, start, end time.Time) (text string, ok bool) {
	year, month, first := l.date(start)
	if y, m, last := l.date(end); y != year || m != month || first == last || l.Form == "short" || l.Form == "iso" {
		return "", false
	}
	whole := l.text("pattern.range." + l.inForm(pattern))
	split := repeated(whole)
	return l.fill(whole[:split], start) + l.fill(whole[split:], end), true
}

// repeated returns the index at which a pattern repeats its first field. From there on it describes the end of an interval.
func repeated(pattern string) int {
	seen, literal := map[byte]bool{}, false
	for i := range len(pattern) {
		switch letter := pattern[i]; {
		case letter == '\'':
			literal = !literal
		case literal || strings.IndexByte("EdMLy", letter) < 0 || i > 0 && pattern[i-1] == letter:
		case seen[letter]:
			return i
		default:
			seen[letter] = true
		}
	}
	return len(pattern)
}

// DayIn formats a day, without its year if that is known from the context.
func (l Dates) DayIn(t time.Time, known int) string {
	if l.YearOf(t) == known {
		return l.Day(t)
	}
	return l.Full(t)
}

// Annual formats a day without weekday and year.
func (l Dates) Annual(t time.Time) string { return l.write(l.inForm("short.day"), t) }

// shortIn formats a day briefly, without its year if that is known from the context.
func (l Dates) shortIn(t time.Time, known int) string {
	if l.YearOf(t) == known {
		return l.Annual(t)
	}
	return l.Short(t)
}

// known returns the years to omit for start and end. A common year is written once: with the last day or, if years
// precede days, with the first day.
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

// Times formats start and end time on one day.
func (l Dates) Times(start, end time.Time) string {
	if start.Equal(end) {
		return l.Time(start)
	}
	return unbroken.Replace(i18n.Text(l.Tag, "date.time.range"+l.inWords(), map[string]any{"Start": l.Clock(start), "End": l.Clock(end)}))
}

// unbroken keeps times on one line: browsers break a line after a dash, even before a non-breaking space.
var unbroken = strings.NewReplacer(" ", "\u00a0", "–", "\u2060–\u2060", "～", "\u2060～\u2060", "~", "\u2060~\u2060")

// At joins a day and the times on it, which hold together.
func (l Dates) At(day, times string) string {
	return i18n.Text(l.Tag, "date.join", map[string]any{"Day": day, "Time": strings.ReplaceAll(times, " ", "\u00a0")})
}

func (l Dates) through(start, end string) string {
	return i18n.Text(l.Tag, "date.range", map[string]any{"Start": start, "End": end})
}

// LastDay returns the last day of an event. An event that ends at midnight does not take place on the day that begins then.
func LastDay(start, end time.Time) time.Time {
	last := args.DayOf(end)
	if end.Equal(last) && end.After(start) {
		last = last.AddDate(0, 0, -1)
	}
	return last
}

// night reports whether an event continues past midnight but still counts as one evening.
func night(start, end time.Time) bool {
	return end.Sub(start) < 12*time.Hour && end.Hour() < 6 && args.DayOf(end).Equal(args.DayOf(start).AddDate(0, 0, 1))
}

// OnOneDay formats the time of an event on the day that it is listed under. ok is false if the event also takes
// place on other days.
func (l Dates) OnOneDay(start, end time.Time, day time.Time, allDay bool) (text string, ok bool) {
	switch {
	case !args.DayOf(start).Equal(day) || !args.DayOf(start).Equal(LastDay(start, end)) && (allDay || !night(start, end)):
		return "", false
	case allDay:
		return i18n.Text(l.Tag, "public.all_day", nil), true
	}
	return l.Times(start, end), true
}
