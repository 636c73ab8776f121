package repeats

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// upcomingShown is how many of the next dates a form lists.
const upcomingShown = 5

// Shown is the part of a form that shows how its event repeats.
type Shown struct {
	form      *frame.Form
	start     time.Time // start for which the choices are shown
	words     string
	wrong     string // problem with the dates
	stored    string // note about the last stored date, if the plan has no room for more
	next      []calendar.Occurrence
	number    int       // of all dates; 0 if the series has no end, or more than mostCounted
	last      time.Time // the last date, unless number is 0
	nearest   []string  // possible other starts
	month     time.Time
	weeks     [][]repeatDay // of the month; nil: there are no dates to pick
	out, more []time.Time   // left out, and added
	place     string        // whose public holidays can be skipped
	named     bool          // its holidays are named
	holidays  []holiday     // the dates to skip
}

// repeatDay is a day of the small calendar. The zero value is a day of another month.
type repeatDay struct {
	day  time.Time
	on   bool
	kind string // "out" or "more" if the day differs from the rule
}

// repeatButtons are the prefixes of values of buttons that send the form only to show it again.
const (
	buttonDay   = "row_date_"
	buttonMonth = "row_month_"
	buttonStart = "row_start_"

	buttonHolidays = "row_holidays_"
)

// Show returns the part of a form that shows how its event repeats. The choices depend on the start. It includes
// problems that the service finds.
func Show(ctx context.Context, c *services.Calendar, f *frame.Form) (*Shown, error) {
	if !f.Has(Choice) {
		return nil, nil //nolint:nilnil // one date of a series that was moved has no choice
	}
	pressButton(ctx, f)
	pressHolidays(ctx, f, f.Get("do"), c.Now())
	r, unended := unendedIn(ctx, f)
	s := &Shown{form: f, start: r.Clock.Start}
	if !r.Timed {
		s.start = ui.WallAt(c.Now(), ui.SiteOf(ctx).Location)
		return s, nil
	}
	if r.Wrong {
		return s, nil
	}
	if f.Get(repeatFrom) != r.Clock.Start.Format(frame.SecondForm) {
		r.fill(f, unended)
	}
	if !r.Some() {
		return s, nil
	}
	if unended { // its dates are known only when it ends
		s.fillMonth(ctx, r)
		s.fillHolidays(ctx, r, c.Now())
		return s, nil
	}
	e, err := Preview(ctx, c, f, r)
	if err != nil {
		if err := s.refuse(ctx, err); err != nil {
			return nil, err
		}
	} else {
		s.words = ui.DatesIn(ctx).Recurrence(r.Set, r.Clock, "")
		if s.next = e.Upcoming(c.Now(), upcomingShown); len(s.next) == 0 {
			s.next = e.Next(e.Start, upcomingShown)
		}
		s.number, s.last = r.end()
	}
	s.fillMonth(ctx, r)
	s.fillHolidays(ctx, r, c.Now())
	return s, nil
}

// unendedIn is In, but where the choice lacks only a readable last day or number of dates, it reads the choice without an end, and
// unended is true. The problem remains in the form.
func unendedIn(ctx context.Context, f *frame.Form) (r *Repeat, unended bool) {
	r = In(ctx, f)
	if !r.Wrong || f.Get(repeatEnd) == never {
		return r, false
	}
	without := &frame.Form{Kind: f.Kind, Values: maps.Clone(f.Values)}
	without.Set(repeatEnd, never)
	if open := In(ctx, without); !open.Wrong {
		return open, true
	}
	return r, false
}

// fill is Fill with what the form repeats. If unended, the end stays as it was typed.
func (r *Repeat) fill(f *frame.Form, unended bool) {
	ends := map[string]string{repeatEnd: f.Get(repeatEnd), repeatUntil: f.Get(repeatUntil), repeatCount: f.Get(repeatCount)}
	Fill(f, r.Set, r.Clock)
	for name, text := range ends {
		if unended {
			f.Set(name, text)
		}
	}
}

// mostCounted is the maximum number of dates that a form counts.
const mostCounted = 1000

// end returns the number of dates and the last one, or 0 if the series has no end, or more dates than mostCounted.
func (r *Repeat) end() (number int, last time.Time) {
	if r.Set.Endless() {
		return 0, time.Time{}
	}
	for at := range r.Set.All(r.Clock, time.Time{}) {
		if number++; number > mostCounted {
			return 0, time.Time{}
		}
		last = at
	}
	return number, last
}

// Waits sets a note about the last stored date of a series, if the site's plan has no room for more.
func (s *Shown) Waits(ctx context.Context, e *calendar.Event) {
	if site := ui.SiteOf(ctx); !e.StoredUntil.IsZero() && site.Plan.Room(site.Usage) == 0 {
		s.stored = frame.TellWith(ctx, "repeat.stored", "Day", ui.DatesIn(ctx).Full(e.StoredUntil))
	}
}

// refuse shows the problem with the dates before the form is saved.
func (s *Shown) refuse(ctx context.Context, err error) error {
	if s.nearest = NearestOf(err); len(s.nearest) > 0 {
		s.wrong = frame.Tell(ctx, "repeat.missed")
		return nil
	}
	within := &frame.Form{Kind: s.form.Kind}
	if !within.Refuse(ctx, err) {
		return err
	}
	s.wrong = within.Problem("recurrence")
	return nil
}

// eventArguments reads the arguments of an event.
var eventArguments = args.TableOf(reflect.TypeFor[calendar.EventFields]())

// Preview returns the event of a form with only its dates, as the preview of the API does.
func Preview(ctx context.Context, c *services.Calendar, f *frame.Form, r *Repeat) (*calendar.Event, error) {
	values := args.Values{"recurrence": r.Argument()}
	for _, name := range []string{"start_date", "end_date", "all_day", "timezone"} {
		if text := strings.TrimSpace(f.Get(name)); text != "" {
			values[name] = text
		}
	}
	fields := &calendar.EventFields{}
	if err := eventArguments.Parse(values, args.Updating, fields); err != nil {
		return nil, err
	}
	e, err := c.Events().Draft(ctx, calendar.Key{}, fields)
	var found *args.Problems
	if errors.As(err, &found) && !slices.ContainsFunc(found.Broken(), func(p args.Problem) bool {
		return p.Arg == "recurrence" || p.Data["nearest"] != nil
	}) {
		err = nil // problems with other fields do not affect the dates
	}
	return e, err
}

// NearestOf returns the dates at which a series could start, if the error is that its rule does not include the
// start.
func NearestOf(err error) []string {
	var found *args.Problems
	if !errors.As(err, &found) {
		return nil
	}
	for _, p := range found.Broken() {
		if list, ok := p.Data["nearest"].([]string); ok {
			return list
		}
	}
	return nil
}

// fillMonth fills in the small calendar and the dates that differ from the rule.
func (s *Shown) fillMonth(ctx context.Context, r *Repeat) {
	s.out, s.more = slices.Clone(r.Set.Except), slices.DeleteFunc(slices.Clone(r.Set.Dates), r.Clock.Start.Equal)
	slices.SortFunc(s.out, time.Time.Compare)
	slices.SortFunc(s.more, time.Time.Compare)
	l := ui.DatesIn(ctx)
	if month, _, ok := l.ReadMonth(s.form.Get(repeatMonth)); ok {
		s.month = month
	} else {
		s.month = l.MonthOf(r.Clock.Start)
		if len(s.next) > 0 {
			s.month = l.MonthOf(s.next[0].Start)
		}
	}
	end := l.MonthFrom(s.month, 1)
	on := map[time.Time]bool{}
	for at := range r.Set.All(r.Clock, s.month) {
		if !at.Before(end) {
			break
		}
		on[args.DayOf(at)] = true
	}
	kinds := map[time.Time]string{}
	for _, at := range s.more {
		kinds[args.DayOf(at)] = "more"
	}
	for _, at := range s.out {
		kinds[args.DayOf(at)] = "out"
	}
	before := (ui.ISOWeekday(s.month) - l.WeekStart() + 7) % 7
	for day := s.month.AddDate(0, 0, -before); day.Before(end); day = day.AddDate(0, 0, 7) {
		week := make([]repeatDay, 7)
		for i := range week {
			if one := day.AddDate(0, 0, i); !one.Before(s.month) && one.Before(end) {
				week[i] = repeatDay{one, on[one], kinds[one]}
			}
		}
		s.weeks = append(s.weeks, week)
	}
}

// pressButton performs the action of the form's button if it is about the dates.
func pressButton(ctx context.Context, f *frame.Form) {
	do := f.Get("do")
	if month, ok := strings.CutPrefix(do, buttonMonth); ok {
		f.Set(repeatMonth, month)
	}
	if start, ok := strings.CutPrefix(do, buttonStart); ok {
		startAt(ctx, f, start)
	}
	text, ok := strings.CutPrefix(do, buttonDay)
	day, err := time.Parse(time.DateOnly, text)
	if !ok || err != nil || !ui.Within(day) {
		return
	}
	r, unended := unendedIn(ctx, f)
	if !r.Timed || r.Wrong || !r.Some() {
		return
	}
	set := toggled(r.Set, r.Clock, day)
	r.fill(f, unended)
	f.Set(repeatDates, writeDays(set.Dates, r.Clock.Start))
	f.Set(repeatExcept, writeDays(set.Except, r.Clock.Start))
}

// startAt moves the event of a form to another start. The event keeps its duration.
func startAt(ctx context.Context, f *frame.Form, text string) {
	was, timed := clockIn(ctx, f)
	start, err := frame.ReadClock(text)
	if err != nil || !timed || !ui.Within(start) {
		return
	}
	if end, err := frame.ReadClock(f.Get("end_date")); err == nil && !end.Before(was.Start) {
		f.Set("end_date", frame.ClockText(end.Add(start.Sub(was.Start))))
	}
	f.Set("start_date", frame.ClockText(start))
	f.Set(repeatFrom, start.Format(frame.SecondForm)) // the rule stays unchanged
}

// toggled removes a day from a series, adds a day, or restores a skipped day.
func toggled(set recur.Set, clock recur.Clock, day time.Time) recur.Set {
	other := func(at time.Time) bool { return args.DayOf(at).Equal(day) }
	var on []time.Time
	for at := range set.All(clock, day) {
		if !other(at) {
			break
		}
		on = append(on, at)
	}
	next := recur.Set{Rules: set.Rules, Dates: slices.DeleteFunc(slices.Clone(set.Dates), other),
		Except: slices.DeleteFunc(slices.Clone(set.Except), other)}
	given := recur.Set{Rules: next.Rules, Dates: next.Dates}
	if len(on) == 0 {
		if at := day.Add(clock.Start.Sub(args.DayOf(clock.Start))); len(set.Except) == len(next.Except) && !given.Has(clock, at) {
			next.Dates = append(next.Dates, at)
		}
		return next
	}
	for _, at := range on {
		if given.Has(clock, at) {
			next.Except = append(next.Except, at)
		}
	}
	return next
}

// repeatLabel returns the label of a choice for a start, such as "monthly on the third Tuesday".
func repeatLabel(ctx context.Context, choice string, start time.Time) string {
	switch choice {
	case never, everyWeek, onDates, byRule, everyDay:
		return frame.Tell(ctx, "repeat.choice."+cmp.Or(choice, "never"))
	}
	rule, known := choiceRule(choice, start)
	if !known {
		return choice
	}
	set, at := recur.Set{Rules: []recur.Rule{rule}}, recur.Clock{Zone: time.UTC, Start: start}
	return ui.Capital(ui.DatesIn(ctx).Recurrence(set, at, ""))
}

// period says how often the event repeats if its choice is one by days, weeks, months or years.
func (s *Shown) period(ctx context.Context, unit string) string {
	n, _ := strconv.Atoi(s.form.Get(repeatEvery))
	if n <= 1 {
		return i18n.T(ctx, "recurrence.each."+unit, nil)
	}
	return i18n.T(ctx, "recurrence.period."+unit, map[string]any{"Count": n, "Number": frame.Number(ctx, n)})
}

// Words describes how an event repeats.
func Words(ctx context.Context, f *frame.Form) string {
	within := &frame.Form{Kind: f.Kind, Values: f.Values}
	r := In(ctx, within)
	if !r.Some() {
		return repeatLabel(ctx, f.Get(Choice), r.Clock.Start)
	}
	return ui.DatesIn(ctx).Recurrence(r.Set, r.Clock, "")
}

// picked reports whether the person is changing single dates, so that the list stays open.
func (s *Shown) picked() bool {
	do := s.form.Get("do")
	return len(s.out)+len(s.more) > 0 ||
		strings.HasPrefix(do, buttonDay) || strings.HasPrefix(do, buttonMonth) || strings.HasPrefix(do, buttonHolidays)
}

// pressed returns the value of aria-pressed for a button.
func pressed(on bool) string { return strconv.FormatBool(on) }

// pickLabel returns the label of a day in the small calendar, which mentions if the day differs from the rule.
func pickLabel(ctx context.Context, d repeatDay) string {
	name := ui.DatesIn(ctx).Full(d.day)
	if d.kind == "" {
		return name
	}
	return frame.TellWith(ctx, "repeat.day."+d.kind, "Day", name)
}

// dayNumber returns the number of a day in the language's digits.
func dayNumber(ctx context.Context, day time.Time) string { return ui.DatesIn(ctx).Plain(day.Day()) }

// weekdayOrder returns the days of the week, 1 for Monday, in the order of the site.
func weekdayOrder(ctx context.Context) []int {
	first := ui.DatesIn(ctx).WeekStart()
	days := make([]int, 0, 7)
	for i := range 7 {
		days = append(days, (first+i-1)%7+1)
	}
	return days
}

// nearestLabel formats a possible start for people.
func nearestLabel(ctx context.Context, text string) string {
	at, err := time.Parse(time.DateTime, text)
	if err != nil {
		return text
	}
	return ui.DatesIn(ctx).Full(at)
}

// nearestValue formats a possible start for its field.
func nearestValue(text string) string {
	at, err := time.Parse(time.DateTime, text)
	if err != nil {
		return ""
	}
	return frame.ClockText(at)
}

// readDays reads dates from a text, with or without a time. Those without get the time of the start.
func readDays(text string, start time.Time) []time.Time {
	var list []time.Time
	for one := range strings.FieldsSeq(text) {
		if at, err := time.Parse(frame.SecondForm, one); err == nil && ui.Within(at) {
			list = append(list, at)
		} else if day, err := time.Parse(time.DateOnly, one); err == nil && ui.Within(day) {
			list = append(list, day.Add(start.Sub(args.DayOf(start))))
		}
	}
	return list
}

// writeDays formats dates for readDays.
func writeDays(list []time.Time, start time.Time) string {
	texts := make([]string, 0, len(list))
	for _, at := range list {
		if at.Sub(args.DayOf(at)) == start.Sub(args.DayOf(start)) {
			texts = append(texts, at.Format(time.DateOnly))
		} else {
			texts = append(texts, at.Format(frame.SecondForm))
		}
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), " ")
}

// DatesAddress is the address of the list of a series' dates, from a day on.
func DatesAddress(series int64, from time.Time) string {
	return frame.AdminRoot + "/events?" + url.Values{"series": {frame.IDText(series)}, "from": {from.Format(time.DateOnly)}}.Encode()
}

// DatesFrom returns the first day that the list of a series' dates shows: today, or the start of the series if it
// is over.
func DatesFrom(ctx context.Context, e *calendar.Event, now time.Time) time.Time {
	today := args.DayOf(ui.WallAt(now, ui.SiteOf(ctx).Location))
	if e.Coming != nil && e.Coming.Start.Before(today) {
		return args.DayOf(e.Start)
	}
	return today
}
