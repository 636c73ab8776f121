// Package repeats has the part of an event's form about how the event repeats: the choices for its start, the
// resulting rule and dates, and the small calendar in which people remove and add days. It also asks which dates of
// a series a change applies to.
package repeats

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/recurrence"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// The choices for how an event repeats. The start determines the weekday or day of the month.
const (
	never        = ""
	everyDay     = "day"
	everyWeek    = "week"
	monthlyDay   = "month.day"  // on the 3rd
	monthlyPlace = "month.nth"  // on the third Tuesday
	monthlyLast  = "month.last" // on the last Tuesday
	monthlyEnd   = "month.end"  // on the last day
	everyYear    = "year"
	onDates      = "dates" // on dates that are picked
	byRule       = "rule"  // by the lines of a rule
)

// The fields of the choice. All of their names begin with Choice. repeatFrom is the start for which the choice was offered,
// and repeatWas is the stored rule.
const (
	Choice       = "repeat"
	repeatEvery  = "repeat_every"
	repeatOn     = "repeat_on"
	repeatEnd    = "repeat_end"
	repeatUntil  = "repeat_until"
	repeatCount  = "repeat_count"
	repeatRule   = "repeat_rule"
	repeatDates  = "repeat_dates"
	repeatExcept = "repeat_except"
	repeatFrom   = "repeat_from"
	repeatWas    = "repeat_was"
	repeatMonth  = "repeat_month"

	repeatHolidays = "repeat_holidays" // the place whose public holidays are to be skipped
	repeatNamed    = "repeat_named"    // place whose public holidays the form lists; "": none
)

// The values of repeatEnd for a series with an end.
const (
	endsOn    = "on"
	endsAfter = "after"
)

// Repeat is how an event repeats according to its form.
type Repeat struct {
	Clock recur.Clock // start and zone of the form
	Timed bool        // the start could be read
	Set   recur.Set   // for that start
	Wrong bool        // the choice could not be read; the form shows the problem

	moved recur.Set // like Set, but with the end moved along with the start
}

// Some reports whether the event happens more than once.
func (r *Repeat) Some() bool { return len(r.Set.Rules)+len(r.Set.Dates) > 0 }

// clockIn reads start and zone of a form. It returns false if there is no valid start.
func clockIn(ctx context.Context, f *frame.Form) (recur.Clock, bool) {
	clock := recur.Clock{Zone: ui.SiteOf(ctx).Location, AllDay: f.Ticked("all_day")}
	if zone, err := args.LocationOf(f.Get("timezone")); err == nil && f.Get("timezone") != "" {
		clock.Zone = zone
	}
	date, err := args.ParseDate(strings.TrimSpace(f.Get("start_date")))
	if err != nil || !date.Fixed() {
		return clock, false
	}
	if clock.Start = date.Wall(clock.Zone, time.Time{}); clock.AllDay {
		clock.Start = args.DayOf(clock.Start)
	}
	return clock, ui.Within(clock.Start)
}

// In reads from a form how an event repeats. If the start has changed since the choice was offered, the choice
// applies to the new start.
func In(ctx context.Context, f *frame.Form) *Repeat {
	r := &Repeat{}
	r.Clock, r.Timed = clockIn(ctx, f)
	offered := r.Clock
	if at, err := time.Parse(frame.SecondForm, f.Get(repeatFrom)); err == nil && ui.Within(at) {
		if offered.Start = at; offered.AllDay {
			offered.Start = args.DayOf(at)
		}
	}
	set, ok := repeatSet(ctx, f, offered)
	if r.Wrong = !ok; ok && r.Timed {
		r.Set = recurrence.FollowDays(set, offered.Start, r.Clock)
		r.moved = recurrence.Follow(set, offered.Start, r.Clock)
	}
	return r
}

// repeatSet reads the choice, for the start for which it was offered. If the choice has a problem, repeatSet adds
// the problem to its field and returns false.
func repeatSet(ctx context.Context, f *frame.Form, offered recur.Clock) (recur.Set, bool) {
	choice := f.Get(Choice)
	set := recur.Set{}
	switch choice {
	case never:
		return set, true
	case byRule:
		lines := f.Get(repeatRule)
		if !strings.Contains(lines, ":") {
			lines = "RRULE:" + strings.TrimSpace(lines)
		}
		read, problems := recur.ParseLines(lines, offered)
		if len(problems) > 0 {
			for _, p := range problems {
				f.Wrong(repeatRule, i18n.T(ctx, "problem.recurrence."+p.Code, map[string]any{"Part": p.Part, "Value": p.Value, "N": p.N}))
			}
			return set, false
		}
		set = read
	case onDates:
	default:
		rule, ok := chosenRule(ctx, f, choice, offered)
		if !ok {
			return set, false
		}
		set.Rules = []recur.Rule{rule}
	}
	set.Dates = append(set.Dates, readDays(f.Get(repeatDates), offered.Start)...)
	set.Except = append(set.Except, readDays(f.Get(repeatExcept), offered.Start)...)
	if choice == onDates && len(set.Dates) == 0 {
		set.Dates = []time.Time{offered.Start}
	}
	given := recur.Set{Rules: set.Rules, Dates: set.Dates}
	set.Except = given.Among(offered, set.Except) // without skipped dates of a former rule
	return set, true
}

// chosenRule reads the rule of a choice. If it means the same as the stored rule, chosenRule returns the stored
// rule with all its details.
func chosenRule(ctx context.Context, f *frame.Form, choice string, offered recur.Clock) (recur.Rule, bool) {
	rule, known := choiceRule(choice, offered.Start)
	if !known {
		f.Wrong("recurrence", i18n.T(ctx, "problem.choice", nil))
		return rule, false
	}
	whole := func(name string) int {
		text := strings.TrimSpace(f.Get(name))
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1_000_000_000 {
			f.Wrong(name, i18n.T(ctx, "problem.recurrence.number", map[string]any{"Part": f.Label(ctx, name)}))
		}
		return n
	}
	if f.Has(repeatEvery) {
		rule.Interval = whole(repeatEvery)
	}
	if choice == everyWeek && len(f.All(repeatOn)) > 0 {
		rule.ByDay = weekdaysOf(f.All(repeatOn))
	}
	switch f.Get(repeatEnd) {
	case endsOn:
		day, err := time.Parse(time.DateOnly, strings.TrimSpace(f.Get(repeatUntil)))
		if err != nil {
			f.Wrong(repeatUntil, i18n.T(ctx, "problem.recurrence.date", map[string]any{"Value": f.Get(repeatUntil)}))
		}
		rule.Until = lastOf(day)
	case endsAfter:
		rule.Count = whole(repeatCount)
	}
	if f.Problem(repeatEvery)+f.Problem(repeatUntil)+f.Problem(repeatCount) != "" {
		return rule, false
	}
	was, problems := recur.ParseRule(f.Get(repeatWas), offered)
	if len(problems) > 0 {
		return rule, true
	}
	if rule.WeekStart = was.WeekStart; same(plainRule(was, offered), plainRule(rule, offered)) {
		return was, true
	}
	return rule, true
}

func same(a, b recur.Rule) bool { return reflect.DeepEqual(a, b) }

// choiceRule returns the rule of a choice for a start, without an end. It returns false for an unknown choice.
func choiceRule(choice string, start time.Time) (recur.Rule, bool) {
	rule := recur.Rule{Interval: 1, WeekStart: time.Monday}
	switch choice {
	case everyDay:
		rule.Freq = recur.Daily
	case everyWeek:
		rule.Freq, rule.ByDay = recur.Weekly, []recur.Day{{Weekday: start.Weekday()}}
	case monthlyDay:
		rule.Freq, rule.ByMonthDay = recur.Monthly, []int{start.Day()}
	case monthlyPlace:
		rule.Freq, rule.ByDay = recur.Monthly, []recur.Day{{N: weekOfMonth(start), Weekday: start.Weekday()}}
	case monthlyLast:
		rule.Freq, rule.ByDay = recur.Monthly, []recur.Day{{N: -1, Weekday: start.Weekday()}}
	case monthlyEnd:
		rule.Freq, rule.ByMonthDay = recur.Monthly, []int{-1}
	case everyYear:
		rule.Freq, rule.ByMonth, rule.ByMonthDay = recur.Yearly, []int{int(start.Month())}, []int{start.Day()}
	default:
		return rule, false
	}
	return rule, true
}

// repeatChoices returns the choices that make sense for a start, and the present choice.
func repeatChoices(start time.Time, now string) []string {
	list := []string{never, everyDay, everyWeek, monthlyDay}
	if weekOfMonth(start) < 5 || now == monthlyPlace {
		list = append(list, monthlyPlace)
	}
	if start.AddDate(0, 0, 7).Month() != start.Month() || now == monthlyLast {
		list = append(list, monthlyLast)
	}
	if start.AddDate(0, 0, 1).Month() != start.Month() || now == monthlyEnd {
		list = append(list, monthlyEnd)
	}
	return append(list, everyYear, onDates, byRule)
}

// weekOfMonth returns the number of a weekday within its month, such as 3 for the third Tuesday.
func weekOfMonth(day time.Time) int { return (day.Day()-1)/7 + 1 }

// lastOf returns the last second of a day.
func lastOf(day time.Time) time.Time { return args.DayOf(day).AddDate(0, 0, 1).Add(-time.Second) }

// weekdaysOf reads weekdays, 1 for Monday to 7 for Sunday.
func weekdaysOf(list []string) []recur.Day {
	var days []recur.Day
	for n := 1; n <= 7; n++ {
		if slices.Contains(list, strconv.Itoa(n)) {
			days = append(days, recur.Day{Weekday: time.Weekday(n % 7)})
		}
	}
	return days
}

// plainRule returns a rule with its implied parts filled in, and with its end as a day instead of a moment. Two
// rules that mean the same to people are then equal.
func plainRule(rule recur.Rule, clock recur.Clock) recur.Rule {
	rule.Interval = max(rule.Interval, 1)
	if len(rule.ByWeekNo)+len(rule.ByYearDay)+len(rule.ByMonthDay)+len(rule.ByDay) == 0 {
		switch {
		case rule.Freq == recur.Weekly:
			rule.ByDay = []recur.Day{{Weekday: clock.Start.Weekday()}}
		case rule.Freq == recur.Monthly:
			rule.ByMonthDay = []int{clock.Start.Day()}
		case rule.Freq == recur.Yearly && len(rule.ByMonth) == 0:
			rule.ByMonth, rule.ByMonthDay = []int{int(clock.Start.Month())}, []int{clock.Start.Day()}
		}
	}
	if len(rule.ByDay) > 1 { // sorted by weekday
		rule.ByDay = slices.Clone(rule.ByDay)
		slices.SortFunc(rule.ByDay, func(a, b recur.Day) int { return (int(a.Weekday)+6)%7 - (int(b.Weekday)+6)%7 })
	}
	if until := rule.Until; !until.IsZero() {
		if rule.Until = lastOf(until); until.Sub(args.DayOf(until)) < clock.Start.Sub(args.DayOf(clock.Start)) {
			rule.Until = lastOf(until.AddDate(0, 0, -1))
		}
	}
	return rule
}

// Fill enters into a form how a series repeats.
func Fill(f *frame.Form, set recur.Set, clock recur.Clock) {
	for name := range f.Values {
		if strings.HasPrefix(name, Choice) && name != repeatMonth && name != repeatHolidays && name != repeatNamed {
			delete(f.Values, name)
		}
	}
	f.Set(repeatFrom, clock.Start.Format(frame.SecondForm))
	f.Set(repeatEvery, "1")
	f.Set(repeatEnd, never)
	f.Set(repeatOn, strconv.Itoa(ui.ISOWeekday(clock.Start)))
	f.Set(repeatDates, writeDays(set.Dates, clock.Start))
	f.Set(repeatExcept, writeDays(set.Except, clock.Start))
	f.Set(Choice, choiceOf(set, clock))
	switch f.Get(Choice) {
	case never, onDates:
		return
	case byRule:
		lines := make([]string, 0, len(set.Rules))
		for _, rule := range set.Rules {
			lines = append(lines, "RRULE:"+rule.Text(clock))
		}
		f.Set(repeatRule, strings.Join(lines, "\n"))
		return
	}
	f.Set(repeatWas, set.Rules[0].Text(clock))
	rule := plainRule(set.Rules[0], clock)
	f.Set(repeatEvery, strconv.Itoa(rule.Interval))
	if rule.Freq == recur.Weekly {
		f.Values[repeatOn] = nil
		for _, day := range rule.ByDay {
			f.Values.Add(repeatOn, strconv.Itoa((int(day.Weekday)+6)%7+1))
		}
	}
	switch {
	case rule.Count > 0:
		f.Set(repeatEnd, endsAfter)
		f.Set(repeatCount, strconv.Itoa(rule.Count))
	case !rule.Until.IsZero():
		f.Set(repeatEnd, endsOn)
		f.Set(repeatUntil, rule.Until.Format(time.DateOnly))
	}
}

// choiceOf returns the choice that means the same as a set of rules and dates, or byRule if there is none.
func choiceOf(set recur.Set, clock recur.Clock) string {
	switch {
	case len(set.Rules) == 0 && len(set.Dates) == 0:
		return never
	case len(set.Rules) == 0:
		return onDates
	case len(set.Rules) > 1:
		return byRule
	}
	rule := plainRule(set.Rules[0], clock)
	for _, choice := range []string{everyDay, everyWeek, monthlyDay, monthlyPlace, monthlyLast, monthlyEnd, everyYear} {
		one, _ := choiceRule(choice, clock.Start)
		one.Interval, one.Count, one.Until, one.WeekStart = rule.Interval, rule.Count, rule.Until, rule.WeekStart
		if choice == everyWeek && rule.Freq == recur.Weekly {
			one.ByDay = rule.ByDay
		}
		if same(one, rule) {
			return choice
		}
	}
	return byRule
}

// Argument returns the value for the API's argument "recurrence", or nil if the event does not repeat.
func (r *Repeat) Argument() any {
	if !r.Some() {
		return nil
	}
	rules := make([]any, 0, len(r.Set.Rules))
	for _, rule := range r.Set.Rules {
		rules = append(rules, rule.Text(r.Clock))
	}
	moments := func(list []time.Time) []any {
		texts := make([]any, 0, len(list))
		for _, at := range list {
			texts = append(texts, at.Format(time.DateTime))
		}
		return texts
	}
	return map[string]any{"rrule": rules, "rdate": moments(r.Set.Dates), "exdate": moments(r.Set.Except)}
}

// FillFrom sets the fields of a form to how an event repeats. For one date of a series, they describe how the
// series continues from that date. For a date that was moved or added there is no choice.
func FillFrom(f *frame.Form, e, series *calendar.Event) {
	switch {
	case e.Recurrence != nil:
		Fill(f, *e.Recurrence, e.Clock())
	case e.Series == nil || series == nil:
		Fill(f, recur.Set{}, e.Clock())
	default:
		rest, given := series.Rest(e.Series.OriginalStart)
		if clock := series.Clock(); given && e.Start.Equal(e.Series.OriginalStart) {
			clock.Start = e.Start
			Fill(f, rest, clock)
		}
	}
}

// Touched reports whether a form changes how its event repeats. If the rule changes only because the start does,
// this does not count.
func Touched(ctx context.Context, f *frame.Form, now *frame.Form) bool {
	if !f.Has(Choice) || Text(f) == Text(now) {
		return false
	}
	r, was := In(ctx, f), In(ctx, now)
	if r.Wrong || !r.Timed {
		return true
	}
	return !sameDates(recurrence.Follow(was.Set, was.Clock.Start, r.Clock), r.moved, r.Clock)
}

// sameDates reports whether rules and dates are the same.
func sameDates(a, b recur.Set, clock recur.Clock) bool {
	return slices.EqualFunc(a.Rules, b.Rules, func(a, b recur.Rule) bool { return same(plainRule(a, clock), plainRule(b, clock)) }) &&
		writeDays(a.Dates, clock.Start) == writeDays(b.Dates, clock.Start) &&
		writeDays(a.Except, clock.Start) == writeDays(b.Except, clock.Start)
}

// Text returns the choice as a text for comparing two forms.
func Text(f *frame.Form) string {
	choice := f.Get(Choice)
	parts := []string{choice}
	switch choice {
	case never:
		return ""
	case byRule:
		parts = append(parts, strings.Join(strings.Fields(f.Get(repeatRule)), " "))
	case onDates:
	default:
		parts = append(parts, f.Get(repeatEvery), f.Get(repeatEnd))
		if choice == everyWeek {
			days := f.All(repeatOn)
			slices.Sort(days)
			parts = append(parts, strings.Join(days, ","))
		}
		switch f.Get(repeatEnd) {
		case endsOn:
			parts = append(parts, f.Get(repeatUntil))
		case endsAfter:
			parts = append(parts, f.Get(repeatCount))
		}
	}
	return strings.Join(append(parts, f.Get(repeatDates), f.Get(repeatExcept)), "\n")
}
