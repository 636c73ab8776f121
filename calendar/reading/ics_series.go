package reading

import (
	"encoding/json"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/reading/moments"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/recur"
)

// icsSeries is a repeating event of a file that has changed dates.
type icsSeries struct {
	zone     *time.Location
	start    time.Time
	length   time.Duration // on the wall clock
	wholeDay bool
	values   map[string]uint64 // digests of the values that its dates have as well
}

// chooseVersions decides which of several versions of an event or date to use: the one with the highest SEQUENCE,
// then the last modified one, then the last one in the file.
func (f *calendarFile) chooseVersions() {
	best := map[string]*eventPart{}
	differ := map[string]bool{}
	for _, e := range f.events {
		switch {
		case e.uid == "" || !e.isComplete():
		case e.recurrence == nil:
			supersede(best, e.uid, e)
		default:
			differ[e.uid] = true
		}
	}
	for uid := range differ {
		if e := best[uid]; e != nil {
			f.series[uid] = f.seriesOf(e)
		}
	}
	dates := map[string]*eventPart{}
	for _, e := range f.events {
		if e.recurrence == nil {
			continue
		}
		e.original = e.originalStart(f.series[e.uid])
		if e.uid != "" && e.isComplete() {
			supersede(dates, e.uid+"\x00"+e.original, e)
		}
	}
	f.setApart(dates)
}

// isComplete reports whether an event is complete enough to replace another version of itself.
func (e *eventPart) isComplete() bool {
	return e.fault == "" && (e.begun || e.recurrence != nil || e.calendar.method == "CANCEL")
}

// supersede sets an event as the best version if it is better, and marks the other one as superseded.
func supersede(best map[string]*eventPart, key string, e *eventPart) {
	was := best[key]
	if was == nil {
		best[key] = e
		return
	}
	if e.sequence < was.sequence || e.sequence == was.sequence && e.modified.Before(was.modified) {
		e.superseded = true
		return
	}
	was.superseded, best[key] = true, e
}

// seriesOf reads the data of a series that its changed dates depend on.
func (f *calendarFile) seriesOf(part *eventPart) *icsSeries {
	e := f.whole(part)
	if e.zone == nil {
		return nil
	}
	s := &icsSeries{zone: e.zone, start: e.start, length: e.end.Sub(e.start), wholeDay: e.wholeDay, values: map[string]uint64{}}
	for name, value := range e.values {
		s.values[name] = digest(value)
	}
	return s
}

// whole reads a series, without what it gives as an entry.
func (f *calendarFile) whole(part *eventPart) *icsEvent {
	e := &icsEvent{icsComponent: readComponent(f.data[part.from:part.to], part.line), part: part, entry: &Entry{}, values: args.Values{}}
	e.read()
	return e
}

// hashing is the seed of digests.
var hashing = maphash.MakeSeed()

// digest returns a hash that is the same for equal values.
func digest(value any) uint64 {
	text, _ := json.Marshal(value) //nolint:errchkjson // of texts, booleans and lists and objects of them
	return maphash.Bytes(hashing, text)
}

// ofSeries are the values that a date always takes from its series.
var ofSeries = []string{"recurrence", "timezone", "all_day", "status"}

// otherwise holds the values that a date gets if it has none itself but its series does.
var otherwise = args.Values{"description": nil, "image": nil, "cost": nil, "website": nil, "venue": nil, "organizer": nil,
	"categories": nil, "tags": nil, "virtual_url": nil, "event_status": "scheduled", "attendance_mode": "offline"}

// differing removes the values that a date shares with its series, except its start and end.
func (s *icsSeries) differing(values args.Values) {
	for name, value := range otherwise {
		if _, has := values[name]; !has && s.values[name] != 0 {
			values[name] = value
		}
	}
	for name, value := range values {
		same := s.values[name] != 0 && s.values[name] == digest(value) && !strings.HasSuffix(name, "_date")
		if same || slices.Contains(ofSeries, name) {
			delete(values, name)
		}
	}
}

// originalStart returns the start that a date had in its series before it was changed, or "" if the file does not say. s is
// nil if the series is not in the file.
func (e *eventPart) originalStart(s *icsSeries) string {
	w, ok := e.calendar.when(*e.recurrence)
	switch {
	case !ok:
		return ""
	case s == nil && w.zone == time.UTC:
		return w.in(e.calendar.floating).Format(layout)
	case s == nil:
		return w.Wall.Format(layout)
	case s.wholeDay:
		return args.DayOf(w.in(s.zone)).Format(layout)
	case w.Day:
		return w.Wall.Add(s.start.Sub(args.DayOf(s.start))).Format(layout)
	}
	return w.in(s.zone).Format(layout)
}

// repeats reads the rules and single dates of a series.
func (e *icsEvent) repeats() {
	rules, dates := []any{}, []any{}
	for _, p := range e.all["RRULE"] {
		if strings.TrimSpace(p.value) == "" {
			continue
		}
		rule := e.rule(p.value)
		if _, problems := recur.ParseRule(rule, e.clock()); len(problems) > 0 {
			e.entry.refuse("rule-unsupported", "recurrence", p.value)
			return
		}
		rules = append(rules, rule)
	}
	if p, found := e.first("EXRULE"); found {
		e.entry.refuse("rule-unsupported", "recurrence", "EXRULE:"+p.value)
		return
	}
	for _, p := range e.all["RDATE"] {
		dates = append(dates, e.dates(p)...)
	}
	if len(rules)+len(dates) == 0 {
		return
	}
	recurrence := map[string]any{}
	if len(rules) > 0 {
		recurrence["rrule"] = rules
	}
	if len(dates) > 0 {
		recurrence["rdate"] = dates
	}
	except := []any{}
	for _, p := range e.all["EXDATE"] {
		except = append(except, e.dates(p)...)
	}
	if len(except) > 0 {
		recurrence["exdate"] = except
	}
	e.values["recurrence"] = recurrence
}

func (e *icsEvent) clock() recur.Clock {
	return recur.Clock{Zone: e.zone, AllDay: e.wholeDay, Start: e.start}
}

// rule returns a rule without meaningless parts: blanks, the default calendar, the second of the start, empty
// lists and items, and private parts of programs.
func (e *icsEvent) rule(text string) string {
	text = strings.ToUpper(strings.Join(strings.Fields(inNewGrammar(text)), ""))
	var parts []string
	for part := range strings.SplitSeq(strings.TrimPrefix(text, "RRULE:"), ";") {
		name, value, _ := strings.Cut(part, "=")
		if value = strings.Trim(value, ","); value != "" {
			part = name + "=" + value
		}
		switch {
		case part == "", part == "RSCALE=GREGORIAN", part == "SKIP=OMIT", value == "", strings.HasPrefix(name, "X-"):
		case name == "BYSECOND" && value == strconv.Itoa(e.start.Second()):
		case name == "UNTIL":
			parts = append(parts, "UNTIL="+e.until(value))
		default:
			parts = append(parts, part)
		}
	}
	return e.oneEnd(parts)
}

// oneEnd returns the text of a rule that ends once. Some programs write both COUNT and UNTIL, although RFC 5545 forbids it, and
// mean the one that comes first.
func (e *icsEvent) oneEnd(parts []string) string {
	without := func(name string) string {
		left := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return strings.HasPrefix(part, name+"=") })
		return strings.Join(left, ";")
	}
	whole, counted, until := strings.Join(parts, ";"), without("UNTIL"), without("COUNT")
	if whole == counted || whole == until {
		return whole
	}
	byCount, problems := recur.ParseRule(counted, e.clock())
	byDate, more := recur.ParseRule(until, e.clock())
	if len(problems)+len(more) > 0 {
		return whole
	}
	if last, found := (recur.Set{Rules: []recur.Rule{byCount}}).Last(e.clock()); found && !last.After(byDate.Until) {
		return counted
	}
	return until
}

// until returns the UNTIL of a rule in the form of RFC 5545.
func (e *icsEvent) until(text string) string {
	until, ok := moments.ParseISO(text)
	switch {
	case !ok:
		return text
	case until.Day:
		return until.Wall.Format("20060102")
	case e.wholeDay:
		return e.lastDay(until).Format("20060102")
	case until.UTC:
		return until.Wall.Format("20060102T150405Z")
	}
	return until.Wall.Format("20060102T150405")
}

// lastDay returns the last day of an all-day rule from its last moment. A midnight in local time means the day that
// begins then; any other time means its own day.
func (e *icsEvent) lastDay(until moments.ISO) time.Time {
	if local := args.WallTime(until.Wall, e.zone); until.UTC && (e.midnights || isMidnight(local)) {
		return local
	}
	return until.Wall
}
