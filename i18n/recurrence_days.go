package i18n

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// mostDates is the maximum number of dates in a year that are listed individually.
const mostDates = 6

// days describes the days of a usual rule; it returns false for others.
func (w words) days(r recur.Rule) (string, bool) {
	if len(r.ByWeekNo)+len(r.ByYearDay) > 0 {
		return "", false
	}
	if len(r.ByDay) > 0 && len(r.ByMonthDay) > 0 {
		return w.onlyIf(r)
	}
	switch r.Freq {
	case recur.Daily:
		if len(r.ByDay)+len(r.ByMonthDay)+len(r.BySetPos) > 0 {
			return "", false
		}
		return w.inMonths(r, w.period(r)), true
	case recur.Weekly:
		if len(r.BySetPos) > 0 {
			return "", false
		}
		return w.inMonths(r, w.weekly(r)), true
	case recur.Monthly:
		items, ok := w.monthly(r)
		if !ok {
			return "", false
		}
		return w.inMonths(r, w.onDays("monthly", r, items)), true
	}
	items, ok := w.yearly(r)
	if !ok || len(items) > mostDates {
		return "", false
	}
	return w.onDays("yearly", r, items), true
}

// onlyIf describes days of the month that must be a certain weekday: Friday the 13th.
func (w words) onlyIf(r recur.Rule) (string, bool) {
	if len(r.ByDay) > 1 || r.ByDay[0].N != 0 || len(r.BySetPos) > 0 || len(r.ByMonthDay) > mostDates || r.Freq == recur.Daily {
		return "", false
	}
	weekday := r.ByDay[0].Weekday
	r.ByDay = nil
	text, ok := w.days(r)
	return w.sayOf("onlyif", w.ofWeekday(isoWeekday(weekday)), data{"Rule": text, "Day": w.weekday(weekday)}), ok
}

// onDays combines days and period.
func (w words) onDays(key string, r recur.Rule, items []string) string {
	if r.Interval == 1 {
		return w.say(key+".each", data{"Days": w.list(items)})
	}
	return w.say(key, data{"Period": w.period(r), "Days": w.list(items)})
}

// inMonths adds the months that a rule is limited to.
func (w words) inMonths(r recur.Rule, text string) string {
	if len(r.ByMonth) == 0 {
		return text
	}
	return w.say("months", data{"Rule": text, "Months": w.list(w.monthNames(r.ByMonth, "in"))})
}

var workdays = []recur.Day{
	{Weekday: time.Monday}, {Weekday: time.Tuesday}, {Weekday: time.Wednesday}, {Weekday: time.Thursday}, {Weekday: time.Friday},
}

// weekly describes a rule of weekdays.
func (w words) weekly(r recur.Rule) string {
	days := r.ByDay
	if len(days) == 0 {
		days = []recur.Day{{Weekday: w.clock.Start.Weekday()}}
	}
	switch {
	case r.Interval == 1 && len(days) == 7:
		return w.say("each.day", nil)
	case r.Interval == 1 && slices.Equal(days, workdays):
		return w.say("weekly.workdays", nil)
	case r.Interval == 1 && len(days) == 1:
		return w.about("weekly.each.one", "Days", days[0].Weekday, "each", "on")
	case r.Interval == 2 && len(days) == 1:
		return w.about("weekly.second.one", "Days", days[0].Weekday, "each", "on")
	}
	var items []string
	for _, d := range days {
		items = append(items, w.about("weekday", "Day", d.Weekday, "on"))
	}
	return w.onDays("weekly", r, items)
}

// monthly lists the days of the month in a rule.
func (w words) monthly(r recur.Rule) ([]string, bool) {
	switch {
	case len(r.BySetPos) > 0:
		return w.nthOf(r)
	case len(r.ByDay) > 0:
		return w.nthDays(r.ByDay)
	case len(r.ByMonthDay) > 0:
		return w.monthDays(r.ByMonthDay)
	}
	return w.monthDays([]int{w.clock.Start.Day()})
}

func (w words) monthDays(days []int) ([]string, bool) {
	var items []string
	for _, n := range days {
		switch {
		case n > 0:
			items = append(items, w.sayOf("monthday", w.ofMonthday(n), data{"Ordinal": w.ordinal(n)}))
		case n >= -2:
			items = append(items, w.say("monthday."+strconv.Itoa(n), nil))
		default:
			return nil, false
		}
	}
	return items, true
}

func (w words) nthDays(days []recur.Day) ([]string, bool) {
	var items []string
	for _, d := range days {
		text, ok := w.nth(d.N, isoWeekday(d.Weekday), w.weekday(d.Weekday, "nth", "on"))
		if !ok {
			return nil, false
		}
		items = append(items, text)
	}
	return items, true
}

// nth describes the nth weekday, if there are words for it.
func (w words) nth(n, weekday int, name string) (string, bool) {
	if n == 0 || n < -2 || n > 5 {
		return "", false
	}
	return w.sayOf("nth."+strconv.Itoa(n), w.ofWeekday(weekday), data{"Day": name}), true
}

// nthOf describes what BYSETPOS selects from all days, workdays or one weekday of a month.
func (w words) nthOf(r recur.Rule) ([]string, bool) {
	numbered := slices.ContainsFunc(r.ByDay, func(d recur.Day) bool { return d.N != 0 })
	if numbered || len(r.ByDay) == 0 || len(r.ByHour) > 1 || len(r.ByMinute) > 1 {
		return nil, false
	}
	if len(r.ByDay) == 7 {
		return w.monthDays(r.BySetPos)
	}
	var day string
	weekday := aWorkday
	switch {
	case slices.Equal(r.ByDay, workdays):
		day = w.say("workday", nil)
	case len(r.ByDay) == 1:
		weekday, day = isoWeekday(r.ByDay[0].Weekday), w.weekday(r.ByDay[0].Weekday, "nth", "on")
	default:
		return nil, false
	}
	var items []string
	for _, n := range r.BySetPos {
		text, ok := w.nth(n, weekday, day)
		if !ok {
			return nil, false
		}
		items = append(items, text)
	}
	return items, true
}

// yearly lists the dates of the year in a rule.
func (w words) yearly(r recur.Rule) ([]string, bool) {
	if len(r.BySetPos) > 0 || len(r.ByDay)+len(r.ByMonthDay) > 0 && len(r.ByMonth) == 0 {
		return nil, false
	}
	months, days := r.ByMonth, r.ByMonthDay
	if len(months) == 0 {
		months = []int{int(w.clock.Start.Month())}
	}
	if len(days) == 0 {
		days = []int{w.clock.Start.Day()}
	}
	var items []string
	for _, month := range months {
		if len(r.ByDay) > 0 {
			of, ok := w.nthDays(r.ByDay)
			if !ok {
				return nil, false
			}
			items = append(items, w.ofMonth(of, month)...)
			continue
		}
		for _, n := range days {
			if n > 0 {
				items = append(items, w.dated("date", w.ofMonthday(n), data{"Number": w.day(n), "Month": w.month(month)}))
				continue
			}
			of, ok := w.monthDays([]int{n})
			if !ok {
				return nil, false
			}
			items = append(items, w.ofMonth(of, month)...)
		}
	}
	return items, true
}

// ofMonth describes days of a month: "the last Sunday of March".
func (w words) ofMonth(days []string, month int) []string {
	name := w.say("ofmonth."+strconv.Itoa(month), nil)
	items := make([]string, 0, len(days))
	for _, day := range days {
		items = append(items, w.say("inmonth", data{"Days": day, "Month": name}))
	}
	return items
}

// parts describes an unusual rule: the period, and every part by name.
func (w words) parts(r recur.Rule) string {
	var parts []string
	back := false
	add := func(key string, items []string) {
		if len(items) == 0 {
			return
		}
		text := items[0]
		for _, item := range items[1:] {
			text = w.say("list.more", data{"First": text, "Second": item})
		}
		parts = append(parts, w.say("part."+key, data{"List": text}))
	}
	numbers := func(list []int) (items []string) {
		for _, n := range list {
			items = append(items, w.digits(n))
			back = back || n < 0
		}
		return items
	}
	back = slices.ContainsFunc(r.ByDay, func(d recur.Day) bool { return d.N < 0 })
	add("months", w.monthNames(r.ByMonth, "alone"))
	add("weeks", numbers(r.ByWeekNo))
	add("yeardays", numbers(r.ByYearDay))
	add("monthdays", numbers(r.ByMonthDay))
	add("weekdays", w.dayNames(r.ByDay))
	add("positions", numbers(r.BySetPos))
	if back {
		parts = append(parts, w.say("part.back", nil))
	}
	if len(parts) == 0 {
		return w.period(r)
	}
	text := parts[0]
	for _, part := range parts[1:] {
		text = w.say("list.parts", data{"First": text, "Second": part})
	}
	return w.say("parts", data{"Rule": w.period(r), "Parts": text})
}

// mostNamed is the maximum number of added or excluded dates that are named.
const mostNamed = 2

// particular names dates that a series has besides its rules, or lacks despite them. It only counts them if there are more, or if the
// series may have other times on an excluded day.
func (w words) particular(key string, dates []time.Time, s recur.Set) string {
	dates = slices.SortedFunc(slices.Values(dates), time.Time.Compare)
	day := func(t time.Time) string { return t.Format(time.DateOnly) }
	same := func(a, b time.Time) bool { return day(a) == day(b) }
	counted := len(dates) > mostNamed || len(slices.CompactFunc(slices.Clone(dates), same)) < len(dates)
	if key == "except" {
		times := func(r recur.Rule) bool { return len(r.ByHour) > 1 || len(r.ByMinute) > 1 }
		again := func(d time.Time) bool { return day(d) == day(dates[0]) || day(d) == day(dates[len(dates)-1]) }
		counted = counted || slices.ContainsFunc(s.Rules, times) || slices.ContainsFunc(s.Dates, again)
	}
	if counted {
		return w.number(key, len(dates))
	}
	var items []string
	for i, year := range w.years(dates, s.Rules) {
		d := dates[i]
		text := w.dated("date", w.ofMonthday(d.Day()), data{"Number": w.day(d.Day()), "Month": w.month(int(d.Month()))})
		if year {
			text = w.dated("date.year", nil, data{"Date": text, "Year": w.digits(d.Year())})
		}
		items = append(items, text)
	}
	return w.say(key+".dates", data{"Dates": w.list(items)})
}

// years tells which of one or two dates need their year. None does in a series that ends within a year, because its text names that
// end. Two dates of one year have it once: before or after them, as the language writes it.
func (w words) years(dates []time.Time, rules []recur.Rule) []bool {
	long := func(r recur.Rule) bool { return r.Until.IsZero() || !r.Until.Before(w.clock.Start.AddDate(1, 0, 0)) }
	need := make([]bool, len(dates))
	if len(rules) > 0 && !slices.ContainsFunc(rules, long) {
		return need
	}
	first := strings.HasPrefix(w.say("date.year", data{"Date": "", "Year": "0"}), "0")
	once := dates[0].Year() == dates[len(dates)-1].Year()
	for i := range need {
		need[i] = !once || first && i == 0 || !first && i == len(dates)-1
	}
	return need
}
