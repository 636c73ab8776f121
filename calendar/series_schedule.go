package calendar

import (
	"strconv"
	"time"

	"github.com/kalends/kalends/recur"
)

// Schedule is a rule in the terms of schema.org/Schedule.
type Schedule struct {
	Frequency string // ISO 8601 duration: P1W
	End       string // day, or ""
	Count     int    // 0: none
	Days      []string
	Months    []int
	MonthDays []int
}

// Schedules returns the rules of a series as far as schema.org can say them.
func (e *Event) Schedules() []Schedule {
	units := map[recur.Freq]string{recur.Daily: "D", recur.Weekly: "W", recur.Monthly: "M", recur.Yearly: "Y"}
	var list []Schedule
	for _, rule := range e.Recurrence.Rules {
		s := Schedule{Frequency: "P" + strconv.Itoa(max(rule.Interval, 1)) + units[rule.Freq], Count: rule.Count,
			Months: rule.ByMonth, MonthDays: rule.ByMonthDay}
		if !rule.Until.IsZero() {
			s.End = rule.Until.Format("2006-01-02")
		}
		for _, day := range rule.ByDay {
			s.Days = append(s.Days, scheduleDay(day))
		}
		list = append(list, s)
	}
	return list
}

// scheduleDay writes a weekday as schema.org does, one with a number as RFC 5545.
func scheduleDay(day recur.Day) string {
	if day.N == 0 {
		return "https://schema.org/" + day.Weekday.String()
	}
	return strconv.Itoa(day.N) + [...]string{time.Sunday: "SU", time.Monday: "MO", time.Tuesday: "TU", time.Wednesday: "WE",
		time.Thursday: "TH", time.Friday: "FR", time.Saturday: "SA"}[day.Weekday]
}
