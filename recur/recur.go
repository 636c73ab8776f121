// Package recur reads, checks and expands the recurrence rules of RFC 5545:
// RRULE with its parts from FREQ to WKST, RDATE and EXDATE. It knows wall clock
// alone, carried in time.Time with time.UTC; what a wall clock means in a zone
// on a day when clocks change is decided by whoever localises the dates.
//
// SECONDLY, MINUTELY, HOURLY and BYSECOND are refused: events are no alarms. So are
// RSCALE and SKIP (RFC 7529) and EXRULE, which RFC 5545 has taken away.
//
// Where programs read RFC 5545 differently, this is how it is read here:
//
//   - DTSTART has to be a date of the series, or be left out by an EXDATE. WithStart
//     makes it one.
//   - A week of BYWEEKNO without a day has the weekday of DTSTART, not all seven; it
//     and INTERVAL count in years of weeks.
//   - BYMONTHDAY of a yearly rule without a month is one of DTSTART's month.
//   - BYSETPOS counts in whole periods, also in the one that DTSTART is in.
//   - UNTIL of a timed series that is a date is that whole day.
//   - A time that clocks skip counts for COUNT; it is moved on by what they skip.
package recur

import "time"

// Freq is the period that a rule counts in (RFC 5545 §3.3.10, FREQ).
type Freq int

// The periods, from the longest used to the shortest.
const (
	Daily Freq = iota + 1
	Weekly
	Monthly
	Yearly
)

// Day is one value of BYDAY: every such weekday of the period (N is 0), the Nth
// (N > 0) or the Nth from the end (N < 0) of the month or year.
type Day struct {
	N       int
	Weekday time.Weekday
}

// Rule is one RRULE. The zero value of a field is a part that is not given.
type Rule struct {
	Freq     Freq
	Interval int       // every so many periods; 0 is 1
	Count    int       // so many in all; 0 is no end by number
	Until    time.Time // the last moment, wall clock, inclusive; zero is no end by date

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

// Set is everything that says when a series happens beside its first date: the
// dates of all rules and the single dates, each once, without those left out.
type Set struct {
	Rules  []Rule
	Dates  []time.Time // RDATE
	Except []time.Time // EXDATE
}

// Endless reports whether a rule goes on for ever.
func (s Set) Endless() bool {
	for _, r := range s.Rules {
		if r.Count == 0 && r.Until.IsZero() {
			return true
		}
	}
	return false
}
