// Package recur reads, checks and expands the recurrence rules of RFC 5545:
// RRULE with its parts from FREQ to WKST, RDATE and EXDATE. It works on wall-clock
// times only, carried in time.Time with time.UTC. Resolving a wall-clock time in a
// zone, on a day when clocks change, is up to the caller that localizes the dates.
//
// SECONDLY, MINUTELY, HOURLY and BYSECOND are refused, because events are not alarms.
// So are RSCALE and SKIP (RFC 7529), and EXRULE, which RFC 5545 removed.
//
// Where implementations of RFC 5545 differ, this package reads it as follows:
//
//   - DTSTART must be a date of the series or be excluded by an EXDATE. WithStart
//     makes it one.
//   - A BYWEEKNO rule without a day means the weekday of DTSTART, not all seven days.
//     With BYWEEKNO, INTERVAL counts week-numbering years.
//   - BYMONTHDAY in a yearly rule without a month refers to the month of DTSTART.
//   - BYSETPOS counts in whole periods, including the one that contains DTSTART.
//   - An UNTIL that is a date includes that whole day in a timed series.
//   - A time that clocks skip counts towards COUNT and is shifted by the gap.
package recur

import "time"

// Freq is the period of a rule (RFC 5545 §3.3.10, FREQ).
type Freq int

// The periods, from shortest to longest.
const (
	Daily Freq = iota + 1
	Weekly
	Monthly
	Yearly
)

// Day is one value of BYDAY: every such weekday of the period if N is 0, the Nth if N > 0, or the Nth from the end of
// the month or year if N < 0.
type Day struct {
	N       int
	Weekday time.Weekday
}

// Rule is one RRULE. A zero field means that the part is not given.
type Rule struct {
	Freq     Freq
	Interval int       // every Interval periods; 0 means 1
	Count    int       // total number of dates; 0 means no limit
	Until    time.Time // last moment, inclusive, as wall-clock time; zero means no limit

	ByMonth    []int // 1 to 12
	ByWeekNo   []int // 1 to 53, -1 to -53
	ByYearDay  []int // 1 to 366, -1 to -366
	ByMonthDay []int // 1 to 31, -1 to -31
	ByDay      []Day
	ByHour     []int // 0 to 23
	ByMinute   []int // 0 to 59
	BySetPos   []int // 1 to 366, -1 to -366
	WeekStart  time.Weekday
}

// Set defines the dates of a series besides DTSTART: the dates of all rules and the single dates, without duplicates
// and without the exceptions.
type Set struct {
	Rules  []Rule
	Dates  []time.Time // RDATE
	Except []time.Time // EXDATE
}

// Endless reports whether a rule has neither COUNT nor UNTIL.
func (s Set) Endless() bool {
	for _, r := range s.Rules {
		if r.Count == 0 && r.Until.IsZero() {
			return true
		}
	}
	return false
}
