package recur

import "time"

// A moment is a wall-clock time in seconds since 1970-01-01 00:00; a day is counted from the same date. Integer
// arithmetic avoids normalizing dates.
const (
	secondsOfDay = 24 * 60 * 60
	firstYear    = 2 // year 1 begins at the zero time.Time, which means "no date"
	lastYear     = 9999
)

// lastDay is the last day on which a series may have a date.
var lastDay = dayOf(lastYear, 12, 31)

// moment returns the wall-clock time of t in seconds.
func moment(t time.Time) int64 { return t.Unix() }

// wall returns a moment as a time.Time in time.UTC.
func wall(at int64) time.Time { return time.Unix(at, 0).UTC() }

// civil is a day with all the fields that the parts of a rule test.
type civil struct {
	day      int // since 1970-01-01
	year     int
	month    int
	monthDay int
	monthLen int
	yearDay  int
	yearLen  int
	weekday  int // 0 is Sunday
}

var daysBefore = [...]int{0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func monthLength(year, month int) int {
	switch month {
	case 2:
		if isLeap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

func yearLength(year int) int {
	if isLeap(year) {
		return 366
	}
	return 365
}

// dayOf returns the day number of a date.
func dayOf(year, month, day int) int {
	past := year - 1
	n := past*365 + floorDiv(past, 4) - floorDiv(past, 100) + floorDiv(past, 400)
	n += daysBefore[month] + day - 1
	if month > 2 && isLeap(year) {
		n++
	}
	return n - 719162 // day number of 0001-01-01, negated
}

// civilOf returns the date of a day number.
func civilOf(day int) civil {
	since := day + 719162
	year := floorDiv(since*400, 146097) + 1 // correct or one year too high
	if dayOf(year, 1, 1) > day {
		year--
	} else if dayOf(year+1, 1, 1) <= day {
		year++
	}
	c := civil{day: day, year: year, yearLen: yearLength(year), weekday: weekdayOf(day)}
	c.yearDay = day - dayOf(year, 1, 1) + 1
	c.month = 1
	for c.month < 12 && dayOf(year, c.month+1, 1) <= day {
		c.month++
	}
	c.monthDay = day - dayOf(year, c.month, 1) + 1
	c.monthLen = monthLength(year, c.month)
	return c
}

// next advances c by one day.
func (c *civil) next() {
	c.day++
	c.monthDay++
	c.yearDay++
	c.weekday = (c.weekday + 1) % 7
	if c.monthDay <= c.monthLen {
		return
	}
	c.monthDay = 1
	c.month++
	if c.month > 12 {
		c.month, c.yearDay = 1, 1
		c.year++
		c.yearLen = yearLength(c.year)
	}
	c.monthLen = monthLength(c.year, c.month)
}

func weekdayOf(day int) int { return floorMod(day+4, 7) } // 1970-01-01 was a Thursday

// weekStart returns the first day of the week of day, for weeks that begin on first.
func weekStart(day, first int) int { return day - floorMod(weekdayOf(day)-first, 7) }

// firstWeek returns the first day of week 1 of a year: the first week with at least four days in that year (RFC 5545
// §3.3.10, BYWEEKNO).
func firstWeek(year, first int) int { return weekStart(dayOf(year, 1, 4), first) }

// weekYear returns the year to which the week of a day belongs.
func weekYear(day, first int) int { return civilOf(weekStart(day, first) + 3).year }

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func floorMod(a, b int) int {
	m := a % b
	if m < 0 {
		m += b
	}
	return m
}
