package args

import (
	"errors"
	"time"
)

// ErrDate is returned for a text that is not a date: unintelligible, impossible (2027-02-30, hour 25), outside the
// years 1 to 9999, empty or too long.
var ErrDate = errors.New("args.date")

// maxDate is the maximum length of a date in bytes.
const maxDate = 128

// Date is a parsed date argument that is not yet resolved to an instant (rule 3.8): a wall-clock time, an instant, or
// a phrase relative to now. The zero Date means "none" and resolves to the zero time.
type Date struct {
	base  dateBase
	unix  int64 // seconds, if base is dateUnix
	year  int   // 0 means the current year
	month time.Month
	day   int

	hour, min, sec int
	timed          bool // a time of day was given
	zoned          bool // an offset or Z was given
	offset         int  // seconds east of UTC, if zoned
	shift          dateShift
}

// dateBase is the starting point of a date.
type dateBase uint8

const (
	dateNone     dateBase = iota
	dateNow               // this moment, including its time of day
	dateToday             // today at midnight
	dateCalendar          // the given year, month and day
	dateUnix              // an instant
)

// ParseDate parses every form of rule 3.8: ISO 8601, offsets and Z, dates alone, 24:00, Unix seconds of nine or more
// digits, eight digits as YYYYMMDD, slash, dash, dot and month-name forms, RFC 2822, and English relative phrases.
// Fractions of a second are dropped. Anything else is ErrDate.
func ParseDate(s string) (Date, error) {
	if len(s) > maxDate {
		return Date{}, ErrDate
	}
	s = trimASCII(s)
	d, ok := parseISO(s)
	if !ok {
		d, ok = parseUnix(s)
	}
	if !ok {
		d, ok = parseDateText(s)
	}
	if !ok || !d.inRange() {
		return Date{}, ErrDate
	}
	return d, nil
}

// HasTime reports whether the date has a time of day. A date alone, "today" and weekday names have none.
func (d Date) HasTime() bool {
	return d.timed || d.base == dateUnix || d.base == dateNow || d.shift.seconds != 0
}

// HasOffset reports whether an offset, Z or Unix seconds fix the date to an instant, independent of any zone.
func (d Date) HasOffset() bool { return d.zoned || d.base == dateUnix }

// Fixed reports whether d means the same whenever it is resolved. Relative phrases and dates without a year do not.
func (d Date) Fixed() bool { return d.base == dateUnix || d.base == dateCalendar && d.year != 0 }

// In returns the instant of d, expressed in loc. Without an offset d is a wall-clock time in loc (see Resolve);
// relative phrases count from now.
func (d Date) In(loc *time.Location, now time.Time) time.Time {
	elapsed := time.Duration(d.shift.seconds) * time.Second
	switch {
	case d.base == dateNone:
		return time.Time{}
	case d.base == dateUnix:
		return time.Unix(d.unix, 0).In(loc)
	case d.base == dateNow && !d.timed && !d.shift.movesDay():
		return now.Truncate(time.Second).Add(elapsed).In(loc)
	case d.zoned:
		wall := d.wall(d.clock(loc, now))
		return wall.Add(elapsed - time.Duration(d.offset)*time.Second).In(loc)
	}
	return Resolve(d.wall(d.clock(loc, now)), loc).Add(elapsed)
}

// Wall returns the wall-clock time of In, carried in UTC.
func (d Date) Wall(loc *time.Location, now time.Time) time.Time {
	if d.base == dateNone {
		return time.Time{}
	}
	return carried(d.In(loc, now))
}

// Day returns the calendar day as written, at 00:00 and carried in UTC: an offset does not shift it, and Unix seconds
// count in UTC. Lists that compare whole days use it (rule 5.2).
func (d Date) Day(loc *time.Location, now time.Time) time.Time {
	var day time.Time
	switch {
	case d.base == dateNone:
		return time.Time{}
	case d.base == dateUnix:
		day = time.Unix(d.unix, 0).UTC()
	case d.shift.seconds == 0:
		day = d.date(d.clock(loc, now))
	case d.zoned:
		day = d.In(time.UTC, now).Add(time.Duration(d.offset) * time.Second)
	default:
		day = d.Wall(loc, now)
	}
	return DayOf(day)
}

// clock returns now as wall-clock time at the offset of d, carried in UTC.
func (d Date) clock(loc *time.Location, now time.Time) time.Time {
	if d.zoned {
		return now.UTC().Add(time.Duration(d.offset) * time.Second)
	}
	return carried(now.In(loc))
}

// wall resolves d against clock, except for what counts in elapsed seconds.
func (d Date) wall(clock time.Time) time.Time {
	day := d.date(clock)
	h, m, s := d.hour, d.min, d.sec
	if !d.timed && d.base == dateNow {
		h, m, s = clock.Clock()
	}
	return time.Date(day.Year(), day.Month(), day.Day(), h, m, s, 0, time.UTC)
}

// date returns the day of d relative to clock; 24:00 still belongs to it.
func (d Date) date(clock time.Time) time.Time {
	year, month, day := clock.Date()
	if d.base == dateCalendar {
		month, day = d.month, d.day
		if d.year != 0 {
			year = d.year
		}
	}
	return d.shift.apply(year, month, day)
}

// inRange reports whether d stays within the years 1 to 9999 for any plausible now.
func (d Date) inRange() bool {
	if d.base == dateUnix {
		return minUnix <= d.unix && d.unix <= maxUnix
	}
	if !d.shift.bounded() {
		return false
	}
	if d.base != dateCalendar || d.year == 0 {
		return true
	}
	t := d.In(time.UTC, time.Time{}).Unix()
	local := t + int64(d.offset)
	return minUnix <= t && t <= maxUnix && minUnix <= local && local <= maxUnix
}

// The first and the last second of the years 1 to 9999.
const (
	minUnix = -62135596800
	maxUnix = 253402300799
)

// daysIn returns the length of a month. Year 0 means any year and is a leap year.
func daysIn(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func trimASCII(s string) string {
	for len(s) > 0 && isBlank(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
