package recur

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// String returns the value of FREQ.
func (f Freq) String() string {
	return map[Freq]string{Daily: "DAILY", Weekly: "WEEKLY", Monthly: "MONTHLY", Yearly: "YEARLY"}[f]
}

// String returns the value of BYDAY: "TU", "-1FR".
func (d Day) String() string {
	name := strings.ToUpper(d.Weekday.String()[:2])
	if d.N == 0 {
		return name
	}
	return strconv.Itoa(d.N) + name
}

// Text returns the rule as the canonical value of an RRULE property, without the prefix "RRULE:"; ParseRule reads it
// back. UNTIL is in UTC, or a date in an all-day series. The month or weekday that a rule takes from DTSTART is
// written out, because implementations differ about it.
func (r Rule) Text(c Clock) string {
	var b strings.Builder
	b.WriteString("FREQ=" + r.Freq.String())
	number := func(name string, n int) {
		b.WriteString(";" + name + "=" + strconv.Itoa(n))
	}
	if r.Interval > 1 {
		number("INTERVAL", r.Interval)
	}
	if r.Count > 0 {
		number("COUNT", r.Count)
	}
	if !r.Until.IsZero() {
		b.WriteString(";UNTIL=" + untilText(r.Until, c))
	}
	months := r.ByMonth
	if !r.numbered() {
		months = r.Months(c)
	}
	writeList(&b, "BYMONTH", months, strconv.Itoa)
	writeList(&b, "BYWEEKNO", r.ByWeekNo, strconv.Itoa)
	writeList(&b, "BYYEARDAY", r.ByYearDay, strconv.Itoa)
	writeList(&b, "BYMONTHDAY", r.ByMonthDay, strconv.Itoa)
	writeList(&b, "BYDAY", r.days(c), Day.String)
	writeList(&b, "BYHOUR", r.ByHour, strconv.Itoa)
	writeList(&b, "BYMINUTE", r.ByMinute, strconv.Itoa)
	writeList(&b, "BYSETPOS", r.BySetPos, strconv.Itoa)
	if r.WeekStart != time.Monday {
		b.WriteString(";WKST=" + Day{Weekday: r.WeekStart}.String())
	}
	return b.String()
}

// days returns the weekdays of the rule. A BYWEEKNO rule without a day means the weekday of DTSTART.
func (r Rule) days(c Clock) []Day {
	if len(r.ByWeekNo) == 0 || len(r.ByDay)+len(r.ByMonthDay)+len(r.ByYearDay) > 0 {
		return r.ByDay
	}
	return []Day{{Weekday: c.Start.Weekday()}}
}

// numbered reports whether BYDAY has a number. With BYMONTH present, such a number counts within the month.
func (r Rule) numbered() bool {
	return slices.ContainsFunc(r.ByDay, func(d Day) bool { return d.N != 0 })
}

// untilText formats UNTIL. A date that a change of zone or time of day has moved outside the readable years becomes
// the first or last moment of them.
func untilText(until time.Time, c Clock) string {
	if c.AllDay {
		return readable(until).Format("20060102")
	}
	return readable(c.instant(moment(until)).UTC()).Format("20060102T150405Z")
}

// readable clamps a date to the years that parseDate accepts.
func readable(t time.Time) time.Time {
	first := time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC)
	last := time.Date(lastYear, 12, 31, 23, 59, 59, 0, time.UTC)
	switch {
	case t.Before(first):
		return first
	case t.After(last):
		return last
	}
	return t
}

func writeList[T any](b *strings.Builder, name string, list []T, text func(T) string) {
	for i, v := range list {
		if i == 0 {
			b.WriteString(";" + name + "=")
		} else {
			b.WriteByte(',')
		}
		b.WriteString(text(v))
	}
}
