// Package recurrence reads the recurrence argument of an event, reports problems with it, and adapts rules to a
// moved start. Package recur defines what rules mean.
package recurrence

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
)

// Parse parses a recurrence: an object, the short form, or lines of an iCalendar file. It returns nil if there are no
// rules, and *args.Problems on "recurrence".
func Parse(v any, clock recur.Clock, now time.Time) (*recur.Set, error) {
	return Amend(nil, v, clock, now)
}

// Amend is Parse for what may be a series already. An object that says nothing but which dates are left out keeps the
// rules and the added dates.
func Amend(was *recur.Set, v any, clock recur.Clock, now time.Time) (*recur.Set, error) {
	found := &args.Problems{}
	note := func(problems []recur.Problem) {
		for _, p := range problems {
			recurrenceProblem(found, p, nil, clock)
		}
	}
	if writtenLength(v) > recur.MaxText {
		note([]recur.Problem{{Part: "RRULE", Code: recur.TooLong, N: recur.MaxText}})
		return nil, found.Err()
	}
	set := recur.Set{}
	switch v := v.(type) {
	case nil:
		return nil, nil //nolint:nilnil // not recurring is no error
	case string:
		if strings.TrimSpace(v) == "" {
			return nil, nil //nolint:nilnil // as above
		}
		clock.Lookup = zoneNamed
		if !strings.Contains(v, ":") {
			v = "RRULE:" + v
		}
		lines, problems := recur.ParseLines(v, clock)
		set = lines
		note(problems)
	case map[string]any:
		if was != nil && onlyLeavesOut(v) {
			set.Rules, set.Dates = slices.Clone(was.Rules), slices.Clone(was.Dates)
		}
		r := &reader{clock: clock, now: now, found: found, note: note, set: &set}
		r.read(v)
	default:
		found.WrongType("recurrence", "object")
	}
	if err := found.Err(); err != nil {
		return nil, err
	}
	set.Dates, set.Except = eachOnce(set.Dates), eachOnce(set.Except)
	set.Rules = rulesOnce(set.Rules, clock)
	if len(set.Rules)+len(set.Dates) == 0 {
		return nil, nil //nolint:nilnil // as above
	}
	return &set, nil
}

// Check returns all problems with the rules as *args.Problems. If no rule yields the start, it suggests other starts.
func Check(set *recur.Set, clock recur.Clock) error {
	found := &args.Problems{}
	for _, p := range set.Check(clock) {
		recurrenceProblem(found, p, set, clock)
	}
	return found.Err()
}

// nearestDates is the number of alternative starts suggested if no rule yields the start.
const nearestDates = 3

func recurrenceProblem(found *args.Problems, p recur.Problem, set *recur.Set, clock recur.Clock) {
	data := map[string]any{"Part": p.Part, "Value": args.Shortened(p.Value), "N": p.N}
	if p.Code == recur.StartMissed && set != nil {
		var near []string
		dates := set.Nearest(clock, nearestDates)
		slices.SortFunc(dates, time.Time.Compare)
		for _, date := range dates {
			near = append(near, date.Format("2006-01-02 15:04:05"))
		}
		data["Nearest"], data["nearest"] = strings.Join(near, ", "), near
		found.Invalid("start_date", "problem.recurrence."+p.Code, data)
		return
	}
	found.Invalid("recurrence", "problem.recurrence."+p.Code, data)
}

// ReadOnly are the fields of a recurrence in responses besides its rules. They are ignored in requests.
var ReadOnly = []string{"text", "next", "exceptions", "stored_until"}

// eachOnce sorts dates and removes duplicates.
func eachOnce(dates []time.Time) []time.Time {
	slices.SortFunc(dates, time.Time.Compare)
	return slices.CompactFunc(dates, time.Time.Equal)
}

// rulesOnce removes duplicate rules.
func rulesOnce(rules []recur.Rule, clock recur.Clock) []recur.Rule {
	seen := map[string]bool{}
	return slices.DeleteFunc(rules, func(r recur.Rule) bool {
		text := r.Text(clock)
		was := seen[text]
		seen[text] = true
		return was
	})
}

// zoneNamed returns the zone of a TZID in iCalendar lines.
func zoneNamed(name string) (*time.Location, error) {
	zone, err := args.ParseZone(name)
	return zone.Location(), err
}

// writtenLength returns the length in bytes of the rules as sent.
func writtenLength(v any) (n int) {
	object, ok := v.(map[string]any)
	if !ok {
		return ruleLength(v)
	}
	for _, name := range []string{"rrule", "every", "on", "until"} {
		n += ruleLength(object[name])
	}
	return n
}

// ruleLength returns the length in bytes of the lines of a text or list that are not dates.
func ruleLength(v any) (n int) {
	for _, text := range listOf(v) {
		for line := range strings.Lines(textOf(text)) {
			if upper := strings.ToUpper(line); !strings.HasPrefix(upper, "RDATE") && !strings.HasPrefix(upper, "EXDATE") {
				n += len(line)
			}
		}
	}
	return n
}

// reader parses a recurrence given as an object.
type reader struct {
	clock recur.Clock
	now   time.Time
	found *args.Problems
	note  func([]recur.Problem)
	set   *recur.Set
}

func (r *reader) read(object map[string]any) {
	short := recur.Short{}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value := object[name]
		switch {
		case value == nil || slices.Contains(ReadOnly, name):
		case name == "rrule":
			r.rules(value)
		case name == "rdate":
			r.set.Dates = append(r.set.Dates, r.dates(value, false)...)
		case name == "exdate":
			// below, when the dates they exclude are known
		case name == "every":
			short.Every = textOf(value)
		case name == "interval":
			short.Interval = r.number(name, value)
		case name == "count":
			short.Count = r.number(name, value)
		case name == "on":
			short.On = textsOf(value)
		case name == "until":
			short.Until = textOf(value)
		default:
			r.found.Invalid("recurrence", "problem.recurrence.field", map[string]any{"Part": name})
		}
	}
	if short.Every != "" {
		rule, problems := short.Rule(r.clock)
		r.note(problems)
		r.set.Rules = append(r.set.Rules, rule)
	} else if short.Interval != 0 || short.Count != 0 || len(short.On) > 0 || short.Until != "" {
		r.found.Invalid("recurrence", "problem.recurrence.every", nil)
	}
	if value := object["exdate"]; value != nil {
		r.set.Except = r.dates(value, true)
	}
}

// onlyLeavesOut reports whether an object has the dates that are left out and nothing else that can be written.
func onlyLeavesOut(object map[string]any) bool {
	_, says := object["exdate"]
	for name := range object {
		says = says && (name == "exdate" || slices.Contains(ReadOnly, name))
	}
	return says
}

func (r *reader) rules(value any) {
	if text, ok := value.(string); ok && strings.TrimSpace(text) == "" {
		r.found.Invalid("recurrence", "problem.recurrence.empty", map[string]any{"Part": "RRULE"})
		return
	}
	for _, text := range listOf(value) {
		s, ok := text.(string)
		if !ok {
			r.found.Invalid("recurrence", "problem.recurrence.text", map[string]any{"Part": "rrule"})
			return
		}
		if strings.TrimSpace(s) == "" {
			continue
		}
		rule, problems := recur.ParseRule(s, r.clock)
		r.note(problems)
		r.set.Rules = append(r.set.Rules, rule)
	}
}

// dates parses dates and instants. A date alone means that day at the start time of the series or, if leftOut is set,
// every occurrence on that day.
func (r *reader) dates(value any, leftOut bool) []time.Time {
	part := "RDATE"
	if leftOut {
		part = "EXDATE"
	}
	entries := datesOf(value)
	if n := len(entries); n > recur.MaxDates {
		r.note([]recur.Problem{{Part: part, Code: recur.TooManyDates, Value: strconv.Itoa(n), N: recur.MaxDates}})
		return nil
	}
	var list, days []time.Time
	for _, entry := range entries {
		text, ok := entry.(string)
		date, err := args.ParseDate(text)
		if !ok || err != nil || !date.Fixed() {
			r.found.Invalid("recurrence", "problem.recurrence.date", map[string]any{"Part": part, "Value": args.Shortened(textOf(entry))})
			continue
		}
		at := r.nominal(date)
		switch {
		case date.HasTime() && !r.clock.AllDay:
			list = append(list, at)
		case leftOut && !r.clock.AllDay:
			days = append(days, args.DayOf(at))
		default:
			list = append(list, args.DayOf(at).Add(r.clock.Start.Sub(args.DayOf(r.clock.Start))))
		}
	}
	return append(list, r.set.OnDays(r.clock, eachOnce(days))...)
}

// datesOf returns the entries of a list of dates. A text that is no date may be several with commas between them (rule
// 3.1), but "March 4, 2027" is one.
func datesOf(value any) (list []any) {
	for _, entry := range listOf(value) {
		text, _ := entry.(string)
		if !strings.Contains(text, ",") || isDate(text) {
			list = append(list, entry)
			continue
		}
		for part := range strings.SplitSeq(text, ",") {
			list = append(list, strings.TrimSpace(part))
		}
	}
	return list
}

func isDate(text string) bool {
	_, err := args.ParseDate(text)
	return err == nil
}

// Start parses the start of an occurrence as a date that is added to a series. It reports whether text is one.
func Start(text string, clock recur.Clock, now time.Time) (time.Time, bool) {
	r := &reader{clock: clock, now: now, found: &args.Problems{}, note: func([]recur.Problem) {}, set: &recur.Set{}}
	list := r.dates(text, false)
	if len(list) != 1 {
		return time.Time{}, false
	}
	return list[0], true
}

// nominal returns the wall-clock time that a date denotes. It is taken as written, even in a gap, because rules use
// the nominal time (RFC 5545 §3.8.5.1). An instant with an offset is converted to the series' time zone.
func (r *reader) nominal(date args.Date) time.Time {
	if date.HasOffset() {
		return date.Wall(r.clock.Zone, r.now)
	}
	return date.Wall(time.UTC, r.now)
}

// number parses a whole number, which may be written as 2.0, as in other arguments.
func (r *reader) number(name string, value any) int {
	n, err := strconv.ParseFloat(textOf(value), 64)
	if err != nil || n < 1 || n != math.Trunc(n) {
		r.found.Invalid("recurrence", "problem.recurrence.number", map[string]any{"Part": name})
		return 0
	}
	return int(min(n, 1<<53)) // beyond what any rule may have
}

// listOf returns the entries of a list, or the only one.
func listOf(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

func textOf(value any) string {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case nil:
		return ""
	}
	return fmt.Sprint(value)
}

func textsOf(value any) []string {
	var list []string
	for _, entry := range listOf(value) {
		for part := range strings.SplitSeq(textOf(entry), ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
	}
	return list
}
