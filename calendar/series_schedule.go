package calendar

import (
	"strconv"
	"time"

	"github.com/kalends/kalends/recur"
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
		if !rule.Until.IsZero() {
			s.End = rule.Until.Format(day)
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

// scheduleDay formats a weekday as schema.org does, or as RFC 5545 does if it has a number.
func scheduleDay(day recur.Day) string {
	if day.N == 0 {
		return "https://schema.org/" + day.Weekday.String()
	}
	return strconv.Itoa(day.N) + [...]string{time.Sunday: "SU", time.Monday: "MO", time.Tuesday: "TU", time.Wednesday: "WE",
		time.Thursday: "TH", time.Friday: "FR", time.Saturday: "SA"}[day.Weekday]
}
