package calendar

import (
	"slices"
	"strconv"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// Schedule is a rule in the vocabulary of schema.org/Schedule.
type Schedule struct {
	Type      string   `json:"@type"`
	Frequency string   `json:"repeatFrequency"` // ISO 8601 duration: P1W
	Start     string   `json:"startDate"`
	End       string   `json:"endDate,omitempty"`
	StartTime string   `json:"startTime,omitempty"`
	EndTime   string   `json:"endTime,omitempty"`
	Count     int      `json:"repeatCount,omitempty"`
	Days      []string `json:"byDay,omitempty"`
	Months    []int    `json:"byMonth,omitempty"`
	MonthDays []int    `json:"byMonthDay,omitempty"`
	Except    []string `json:"exceptDate,omitempty"`
	Timezone  string   `json:"scheduleTimezone"`
}

// Schedules returns the rules of a series as far as schema.org can express them.
func (e *Event) Schedules() []Schedule {
	const day = "2006-01-02"
	units := map[recur.Freq]string{recur.Daily: "D", recur.Weekly: "W", recur.Monthly: "M", recur.Yearly: "Y"}
	var list []Schedule
	for _, rule := range e.Recurrence.Rules {
		s := Schedule{Type: "Schedule", Frequency: "P" + strconv.Itoa(max(rule.Interval, 1)) + units[rule.Freq], Start: e.Start.Format(day),
			Count: rule.Count, Months: rule.ByMonth, MonthDays: rule.ByMonthDay, Timezone: e.Timezone}
		if last := e.lastOf(rule); !last.IsZero() {
			s.End = last.Format(day)
		}
		if !e.AllDay {
			s.StartTime, s.EndTime = e.Start.Format(time.TimeOnly), e.End.Format(time.TimeOnly)
		}
		for _, day := range rule.ByDay {
			s.Days = append(s.Days, scheduleDay(day))
		}
		for _, date := range e.Recurrence.Except {
			s.Except = append(s.Except, date.Format(day))
		}
		list = append(list, s)
	}
	return list
}

// lastOf returns the last date of a rule with UNTIL, which may be after that date. It is the zero time if the rule has none.
func (e *Event) lastOf(rule recur.Rule) (last time.Time) {
	if rule.Until.IsZero() {
		return last
	}
	set := recur.Set{Rules: []recur.Rule{rule}, Except: e.Recurrence.Except}
	const day, most = 24 * time.Hour, 4000
	for back := day; last.IsZero() && back < most*day; back *= 8 {
		for date := range set.All(e.Clock(), rule.Until.Add(-back)) {
			last = date
		}
	}
	return last
}

// Onward returns the next date that the series would have after its end if its rules had no UNTIL. ok is false if the series
// has no end, or ends after a number of dates.
func (e *Event) Onward() (next time.Time, ok bool) {
	set := recur.Set{Rules: slices.Clone(e.Recurrence.Rules)}
	var end time.Time
	for i, rule := range set.Rules {
		if rule.Until.IsZero() {
			return next, false
		}
		if rule.Until.After(end) {
			end = rule.Until
		}
		set.Rules[i].Until = time.Time{}
	}
	for next = range set.All(e.Clock(), end.Add(time.Second)) {
		return next, true
	}
	return next, false
}

// scheduleDay formats a weekday as schema.org does, or as RFC 5545 does if it has a number.
func scheduleDay(day recur.Day) string {
	if day.N == 0 {
		return "https://schema.org/" + day.Weekday.String()
	}
	return strconv.Itoa(day.N) + [...]string{time.Sunday: "SU", time.Monday: "MO", time.Tuesday: "TU", time.Wednesday: "WE",
		time.Thursday: "TH", time.Friday: "FR", time.Saturday: "SA"}[day.Weekday]
}
