package recur

import (
	"math"
	"slices"
)

// unlimited is the count of a rule without COUNT.
const unlimited = math.MaxInt

// plan is a rule prepared for a start: missing parts are taken from DTSTART (RFC 5545 §3.3.10), and lists are turned
// into tables.
type plan struct {
	freq      Freq
	interval  int
	count     int // unlimited if COUNT is not given
	start     int64
	until     int64
	weekStart int
	byWeeks   bool // periods are week-numbering years, because BYWEEKNO is given
	nthOfYear bool // numbered weekdays count within the year, not the month
	everyDay  bool // a period is a day, and no day is filtered out
	cycle     int  // number of periods after which the calendar repeats

	months    table
	weeks     table
	yearDays  table
	monthDays table
	weekdays  table
	nth       []Day // BYDAY with a number
	byDay     bool
	times     []int64 // of the day in seconds, ascending
	positions []int
}

// table is a list of BY… values as a set. A nil table matches everything.
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

// has reports whether the table contains the nth of size items, counted from either end.
func (t table) has(n, size int) bool { return t == nil || t[n] || t[n-size-1] }

// newPlan prepares a rule for the start of a series.
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

// Months returns the months of the rule; empty means all. A yearly rule with a day of the month but no month takes
// the month from DTSTART (RFC 5545 §3.3.10), which is how programs write birthdays.
func (r Rule) Months(c Clock) []int {
	if r.Freq != Yearly || len(r.ByMonthDay) == 0 || len(r.ByMonth)+len(r.ByWeekNo)+len(r.ByYearDay) > 0 {
		return r.ByMonth
	}
	return []int{int(c.Start.Month())}
}

// fillDays takes the day from DTSTART if no part of the rule specifies one. A week of BYWEEKNO then means the
// weekday of DTSTART, not all seven days.
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

// fillTimes sets the times of day from BYHOUR and BYMINUTE.
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

// wants reports whether a day satisfies every part that names days. It is the table of RFC 5545 §3.3.10 as a single
// condition: once periods are enumerated whole, expanding and limiting leave the same days.
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
