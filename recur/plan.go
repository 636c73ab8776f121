package recur

import (
	"math"
	"slices"
)

// unlimited is the COUNT of a rule without one.
const unlimited = math.MaxInt

// plan is a rule made ready for a start: what is not given is taken from
// DTSTART (RFC 5545 §3.3.10), lists have become tables.
type plan struct {
	freq      Freq
	interval  int
	count     int // unlimited: no end by number
	start     int64
	until     int64
	weekStart int
	byWeeks   bool // periods are years of weeks: BYWEEKNO is given
	nthOfYear bool // the Nth weekday is counted in the year, not in the month
	everyDay  bool // a day is a period, and all are meant
	cycle     int  // after so many periods the calendar begins anew

	months    table
	weeks     table
	yearDays  table
	monthDays table
	weekdays  table
	nth       []Day // BYDAY with a number
	byDay     bool
	times     []int64 // of the day, ascending
	positions []int
}

// table is a list of BY… values for quick asking; nil says everything is meant.
type table map[int]bool

func newTable(values []int) table {
	if len(values) == 0 {
		return nil
	}
	t := make(table, len(values))
	for _, v := range values {
		t[v] = true
	}
	return t
}

// has reports whether the nth of size is meant, counted from either end.
func (t table) has(n, size int) bool { return t == nil || t[n] || t[n-size-1] }

// newPlan makes a rule ready for the start of a series.
func newPlan(r Rule, c Clock) *plan {
	p := &plan{
		freq: r.Freq, interval: max(r.Interval, 1), count: unlimited,
		start: c.start(), until: int64(lastDay+1)*secondsOfDay - 1,
		weekStart: int(r.WeekStart), byWeeks: len(r.ByWeekNo) > 0,
		nthOfYear: r.Freq == Yearly && len(r.ByMonth) == 0,
		months:    newTable(r.Months(c)), weeks: newTable(r.ByWeekNo),
		yearDays: newTable(r.ByYearDay), monthDays: newTable(r.ByMonthDay),
		positions: r.BySetPos,
	}
	if r.Count > 0 {
		p.count = r.Count
	}
	if !r.Until.IsZero() {
		p.until = min(p.until, moment(r.Until))
	}
	for _, d := range r.ByDay {
		p.byDay = true
		if d.N != 0 {
			p.nth = append(p.nth, d)
			continue
		}
		if p.weekdays == nil {
			p.weekdays = table{}
		}
		p.weekdays[int(d.Weekday)] = true
	}
	p.fillDays()
	p.fillTimes(r, c)
	p.cycle = cycleOf(p.freq, p.interval)
	p.everyDay = p.freq == Daily && p.months == nil && p.monthDays == nil && !p.byDay
	return p
}

// Months returns the months that the rule means, nothing for all. A yearly rule that
// names a day of the month and no month takes the month from DTSTART (RFC 5545
// §3.3.10). Programs write birthdays in this way.
func (r Rule) Months(c Clock) []int {
	if r.Freq != Yearly || len(r.ByMonthDay) == 0 || len(r.ByMonth)+len(r.ByWeekNo)+len(r.ByYearDay) > 0 {
		return r.ByMonth
	}
	return []int{int(c.Start.Month())}
}

// fillDays takes the day that no part names from DTSTART. A week of BYWEEKNO
// has the weekday of DTSTART, not all seven.
func (p *plan) fillDays() {
	if p.byDay || p.monthDays != nil || p.yearDays != nil || p.freq == Daily {
		return
	}
	first := civilOf(floorDiv(int(p.start), secondsOfDay))
	if p.freq == Weekly || p.byWeeks {
		p.byDay, p.weekdays = true, table{first.weekday: true}
		return
	}
	p.monthDays = table{first.monthDay: true}
	if p.freq == Yearly && p.months == nil {
		p.months = table{first.month: true}
	}
}

// fillTimes makes the times of a day from BYHOUR and BYMINUTE.
func (p *plan) fillTimes(r Rule, c Clock) {
	ofDay := floorMod(int(p.start), secondsOfDay)
	hours, minutes := r.ByHour, r.ByMinute
	if len(hours) == 0 || c.AllDay {
		hours = []int{ofDay / 3600}
	}
	if len(minutes) == 0 || c.AllDay {
		minutes = []int{ofDay / 60 % 60}
	}
	for _, hour := range hours {
		for _, minute := range minutes {
			p.times = append(p.times, int64(hour*3600+minute*60+ofDay%60))
		}
	}
	slices.Sort(p.times)
	p.times = slices.Compact(p.times)
}

// wants reports whether a day fulfils every part that names days. It is the
// table of RFC 5545 §3.3.10 read as one condition: what expands a period and
// what limits it leave the same days, once the periods are whole.
func (p *plan) wants(c *civil) bool {
	return (p.months == nil || p.months[c.month]) &&
		p.monthDays.has(c.monthDay, c.monthLen) &&
		p.yearDays.has(c.yearDay, c.yearLen) &&
		p.wantsWeekday(c) &&
		p.wantsWeek(c)
}

func (p *plan) wantsWeekday(c *civil) bool {
	if !p.byDay || p.weekdays[c.weekday] {
		return true
	}
	n, size := c.monthDay, c.monthLen
	if p.nthOfYear {
		n, size = c.yearDay, c.yearLen
	}
	for _, d := range p.nth {
		if int(d.Weekday) != c.weekday {
			continue
		}
		if d.N == (n-1)/7+1 || d.N == -((size-n)/7+1) {
			return true
		}
	}
	return false
}

func (p *plan) wantsWeek(c *civil) bool {
	if p.weeks == nil {
		return true
	}
	year := weekYear(c.day, p.weekStart)
	first, next := firstWeek(year, p.weekStart), firstWeek(year+1, p.weekStart)
	return p.weeks.has((c.day-first)/7+1, (next-first)/7)
}
