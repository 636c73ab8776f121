package args

import (
	"errors"
	"time"
)

// ErrDate says that a text is no date: not understood, impossible
// (2027-02-30, hour 25), out of the years 1 to 9999, empty or too long.
var ErrDate = errors.New("args.date")

// maxDate is the length in bytes of the longest text read as a date.
const maxDate = 128

// Date is a date argument that has been read but not yet placed in time
// (wire §3 Dates): a wall clock, an instant, or a phrase relative to now.
// The zero Date is none at all and resolves to the zero time.
type Date struct {
	base  dateBase
	unix  int64 // seconds, when base is dateUnix
	year  int   // 0: the year of now
	month time.Month
	day   int

	hour, min, sec int
	timed          bool // a time of day was written
	zoned          bool // an offset or Z was written
	offset         int  // seconds east of UTC, when zoned
	shift          dateShift
}

// dateBase is what the parts of a date start from.
type dateBase uint8

const (
	dateNone     dateBase = iota
	dateNow               // this moment; keeps its time of day
	dateToday             // the day of now, at midnight
	dateCalendar          // the written year, month and day
	dateUnix              // an instant
)

// ParseDate reads every form of wire §3: ISO 8601, offsets and Z, dates alone,
// 24:00, Unix seconds of nine or more digits, eight digits as YYYYMMDD, slash,
// dash, dot and month-name forms, RFC 2822, and English relative phrases.
// Fractions of a second are read and dropped. Anything else is ErrDate.
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

// HasTime tells whether the date names a time of day; a date alone, "today"
// and weekday names don't.
func (d Date) HasTime() bool {
	return d.timed || d.base == dateUnix || d.base == dateNow || d.shift.seconds != 0
}

// HasOffset tells whether the date is fixed in time by an offset, by Z or as
// Unix seconds, so that the zone at hand doesn't matter.
func (d Date) HasOffset() bool { return d.zoned || d.base == dateUnix }

// Fixed tells whether d means the same whenever it is read; relative phrases
// and dates without a year don't.
func (d Date) Fixed() bool { return d.base == dateUnix || d.base == dateCalendar && d.year != 0 }

// In returns the instant of d, expressed in loc. Without an offset d is a wall
// clock in loc (see Resolve); relative phrases count from now.
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

// Wall returns the wall clock of In, carried in UTC.
func (d Date) Wall(loc *time.Location, now time.Time) time.Time {
	if d.base == dateNone {
		return time.Time{}
	}
	return carried(d.In(loc, now))
}

// Day returns the calendar day as written, at 00:00 and carried in UTC: an
// offset doesn't move it, Unix seconds count in UTC. Lists that compare whole
// days use it (rule 5.2).
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
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC)
}

// clock is the wall clock of now where d was written, carried in UTC.
func (d Date) clock(loc *time.Location, now time.Time) time.Time {
	if d.zoned {
		return now.UTC().Add(time.Duration(d.offset) * time.Second)
	}
	return carried(now.In(loc))
}

// wall places d on the clock of now, without what counts in elapsed seconds.
func (d Date) wall(clock time.Time) time.Time {
	day := d.date(clock)
	h, m, s := d.hour, d.min, d.sec
	if !d.timed && d.base == dateNow {
		h, m, s = clock.Clock()
	}
	return time.Date(day.Year(), day.Month(), day.Day(), h, m, s, 0, time.UTC)
}

// date is the day of d on the calendar of now; 24:00 still belongs to it.
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

// inRange refuses what would leave the years 1 to 9999, for any likely now.
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

// daysIn is the length of a month; year 0 stands for any and has leap days.
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
