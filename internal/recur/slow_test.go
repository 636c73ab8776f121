package recur_test

import (
	"slices"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// slow expands a rule by testing every single day to the end of a year, including periods that end in the next. It
// derives everything by stepping from day to day, which makes it slow but easy to verify.
func slow(r recur.Rule, c recur.Clock, lastYear int) []time.Time {
	first := date(c.Start)
	groups := map[int][]time.Time{} // by period
	var order []int
	for d := first.AddDate(-1, 0, -first.YearDay()); d.Year() <= lastYear+1; d = d.AddDate(0, 0, 1) {
		period := periodOf(r, d)
		steps := period - periodOf(r, first)
		if steps < 0 || steps%max(r.Interval, 1) != 0 || !means(r, first, d) {
			continue
		}
		if groups[period] == nil {
			order = append(order, period)
		}
		for _, hour := range orElse(r.ByHour, c.Start.Hour()) {
			for _, minute := range orElse(r.ByMinute, c.Start.Minute()) {
				groups[period] = append(groups[period],
					time.Date(d.Year(), d.Month(), d.Day(), hour, minute, c.Start.Second(), 0, time.UTC))
			}
		}
	}
	var dates []time.Time
	for _, period := range order {
		for i, t := range groups[period] {
			after := i - len(groups[period])
			if len(r.BySetPos) > 0 && !slices.Contains(r.BySetPos, i+1) && !slices.Contains(r.BySetPos, after) {
				continue
			}
			if t.Year() > lastYear || t.Before(c.Start) || !r.Until.IsZero() && t.After(r.Until) || r.Count > 0 && len(dates) == r.Count {
				continue
			}
			dates = append(dates, t)
		}
	}
	return dates
}

func date(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

func orElse(list []int, n int) []int {
	if len(list) == 0 {
		return []int{n}
	}
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

func periodOf(r recur.Rule, d time.Time) int {
	switch {
	case r.Freq == recur.Daily:
		return int(d.Unix() / 86400)
	case r.Freq == recur.Weekly:
		return int(weekOf(d, r.WeekStart).Unix()/86400+7*100_000) / 7 // weeks all begin on the same weekday
	case r.Freq == recur.Monthly:
		return d.Year()*12 + int(d.Month())
	case len(r.ByWeekNo) > 0:
		return yearOfWeek(d, r.WeekStart)
	}
	return d.Year()
}

func weekOf(d time.Time, start time.Weekday) time.Time {
	for d.Weekday() != start {
		d = d.AddDate(0, 0, -1)
	}
	return d
}

// yearOfWeek returns the year that contains most days of a week.
func yearOfWeek(d time.Time, start time.Weekday) int {
	return weekOf(d, start).AddDate(0, 0, 3).Year()
}

// means reports whether a day satisfies every part of a rule.
func means(r recur.Rule, first, d time.Time) bool {
	months, monthDays := r.ByMonth, r.ByMonthDay
	days := r.ByDay
	if len(monthDays)+len(r.ByYearDay)+len(days) == 0 {
		switch {
		case r.Freq == recur.Weekly || len(r.ByWeekNo) > 0:
			days = []recur.Day{{Weekday: first.Weekday()}}
		case r.Freq == recur.Monthly:
			monthDays = []int{first.Day()}
		case r.Freq == recur.Yearly:
			monthDays = []int{first.Day()}
			months = orElse(months, int(first.Month()))
		}
	}
	if r.Freq == recur.Yearly && len(monthDays) > 0 && len(months)+len(r.ByYearDay)+len(r.ByWeekNo) == 0 {
		months = []int{int(first.Month())}
	}
	month := func(t time.Time) int { return t.Year()*12 + int(t.Month()) }
	year := time.Time.Year
	week := func(t time.Time) int { return yearOfWeek(t, r.WeekStart) }
	if len(months) > 0 && !slices.Contains(months, int(d.Month())) {
		return false
	}
	if len(monthDays) > 0 && !anyNth(monthDays, d, month, 1) {
		return false
	}
	if len(r.ByYearDay) > 0 && !anyNth(r.ByYearDay, d, year, 1) {
		return false
	}
	if len(r.ByWeekNo) > 0 && !anyNth(r.ByWeekNo, weekOf(d, r.WeekStart), week, 7) {
		return false
	}
	unit := month
	if r.Freq == recur.Yearly && len(r.ByMonth) == 0 {
		unit = year
	}
	return len(days) == 0 || slices.ContainsFunc(days, func(day recur.Day) bool {
		return day.Weekday == d.Weekday() && (day.N == 0 || anyNth([]int{day.N}, d, unit, 7))
	})
}

// anyNth reports whether d is one of the given steps of days within its unit, counted from the front or, if negative,
// from the back.
func anyNth(list []int, d time.Time, unit func(time.Time) int, days int) bool {
	count := func(step int) int {
		n := 0
		for t := d; unit(t) == unit(d); t = t.AddDate(0, 0, step) {
			n++
		}
		return n
	}
	return slices.Contains(list, count(-days)) || slices.Contains(list, -count(days))
}
