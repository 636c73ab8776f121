package recur

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// ParseLines reads the content lines that define a series: RRULE, RDATE and EXDATE, folded or not, with TZID and
// VALUE (RFC 5545 §3.1, §3.8.5). A line without a property name is read as a rule. DTSTART is accepted if it equals
// c.Start. Dates are returned as wall-clock time in c.Zone, sorted and without duplicates. ParseLines returns
// everything it could read together with all problems.
//
// In a timed series, an RDATE without a time means that day at the time of DTSTART, and an EXDATE without a time
// means every date on that day.
func ParseLines(text string, c Clock) (Set, []Problem) {
	p := &parser{clock: c}
	var s Set
	var out []lineDate
	for _, line := range unfold(text) {
		p.line(&s, &out, line)
	}
	s.Dates = ordered(s.Dates)
	for part, n := range map[string]int{"RDATE": len(s.Dates), "EXDATE": len(out)} {
		if n > MaxDates {
			p.problems = append(p.problems, Problem{Part: part, Code: TooManyDates, Value: strconv.Itoa(n), N: MaxDates})
			return s, p.problems
		}
	}
	if len(s.Rules) > MaxRules {
		p.problems = append(p.problems, Problem{Part: "RRULE", Code: TooManyRules, Value: strconv.Itoa(len(s.Rules)), N: MaxRules})
		return s, p.problems
	}
	s.Except = s.excluded(c, out)
	return s, p.problems
}

// lineDate is a date as it appears in a line.
type lineDate struct {
	at   time.Time // wall-clock time in the zone of the series
	form form
}

// unfold returns the non-empty lines of a text, with folded lines joined.
func unfold(text string) []string {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	text = strings.NewReplacer("\r", "\n", "\n ", "", "\n\t", "").Replace(text)
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// line reads one content line.
func (p *parser) line(s *Set, out *[]lineDate, line string) {
	name, params, value, ok := splitLine(line)
	switch {
	case !ok && strings.Contains(line, "="):
		s.Rules = append(s.Rules, p.rule(line))
	case !ok:
		p.wrong("RRULE", Syntax, line)
	case name == "RRULE":
		s.Rules = append(s.Rules, p.rule(value))
	case name == "RDATE":
		for _, w := range p.dates(name, params, value) {
			if w.form == formDate {
				w.at = p.clock.onDay(w.at)
			}
			s.Dates = append(s.Dates, w.at)
		}
	case name == "EXDATE":
		*out = append(*out, p.dates(name, params, value)...)
	case name == "DTSTART":
		p.start(params, value)
	case name == "EXRULE":
		p.wrong(name, Obsolete, value)
	default:
		p.wrong(name, Unknown, value)
	}
}

// start checks a DTSTART among the lines against the start of the series.
func (p *parser) start(params map[string]string, value string) {
	for _, w := range p.dates("DTSTART", params, value) {
		at, start := moment(w.at), p.clock.start()
		if w.form == formDate { // only the day is given
			start -= int64(floorMod(int(start), secondsOfDay))
		}
		if at != start {
			p.wrong("DTSTART", OtherStart, value)
		}
	}
}

// splitLine splits a content line at the first colon outside quotes. It returns names in uppercase.
func splitLine(line string) (name string, params map[string]string, value string, ok bool) {
	quoted, from := false, 0
	var parts []string
	for i, r := range line {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted || r != ';' && r != ':':
		default:
			parts = append(parts, line[from:i])
			from = i + 1
			ok = r == ':'
		}
		if ok {
			break
		}
	}
	if !ok || strings.Contains(parts[0], "=") {
		return "", nil, "", false
	}
	params = map[string]string{}
	for _, part := range parts[1:] {
		key, param, _ := strings.Cut(part, "=")
		params[strings.ToUpper(strings.TrimSpace(key))] = strings.Trim(strings.TrimSpace(param), `"`)
	}
	return strings.ToUpper(strings.TrimSpace(parts[0])), params, line[from:], true
}

// dates reads the value of RDATE or EXDATE.
func (p *parser) dates(name string, params map[string]string, value string) []lineDate {
	zone, known := p.clock.named(params["TZID"])
	if !known {
		p.wrong(name, NoZone, params["TZID"])
		return nil
	}
	var list []lineDate
	for text := range strings.SplitSeq(value, ",") {
		text = strings.ToUpper(strings.TrimSpace(text))
		if start, _, period := strings.Cut(text, "/"); period && name == "RDATE" {
			p.wrong(name, Period, text)
			text = start
		}
		t, kind := parseDate(text)
		switch {
		case text == "":
			p.wrong(name, Empty, value)
			continue
		case kind == formInvalid:
			p.wrong(name, Syntax, text)
			continue
		case p.clock.AllDay:
			t = wall(p.clock.trim(moment(t)))
		case kind == formUTC:
			t = p.clock.local(t)
		case kind == formLocal && zone != p.clock.zone():
			t = p.clock.local(Clock{Zone: zone}.instant(moment(t)))
			kind = formUTC
		}
		if !representable(t) {
			p.wrong(name, OutOfRange, text)
			continue
		}
		list = append(list, lineDate{t, kind})
	}
	return list
}

// representable reports whether the year of a date can be written with four digits.
func representable(t time.Time) bool { return t.Year() >= 1 && t.Year() <= lastYear }

// local returns the wall-clock time of an instant.
func (c Clock) local(t time.Time) time.Time {
	return wall(t.Unix() + offsetAt(c.zone(), t.Unix()))
}

// onDay returns the time of DTSTART on the day of t.
func (c Clock) onDay(t time.Time) time.Time {
	return wall(moment(t) + int64(floorMod(int(c.start()), secondsOfDay)))
}

// excluded returns the dates of the series that EXDATEs exclude. An EXDATE that matches no date is kept unchanged, so
// that Check can report it.
func (s Set) excluded(c Clock, list []lineDate) []time.Time {
	slices.SortFunc(list, func(a, b lineDate) int { return a.at.Compare(b.at) })
	dates := s.finder(c)
	var out []time.Time
	for _, w := range list {
		switch {
		case c.AllDay || w.form == formLocal:
			out = append(out, w.at)
		case w.form == formUTC:
			out = append(out, c.nominal(dates, w.at))
		default:
			out = append(out, c.wholeDay(dates, w.at)...)
		}
	}
	return ordered(out)
}

// wholeDay returns every date on a day, or the day at the time of DTSTART if there is none.
func (c Clock) wholeDay(dates *finder, day time.Time) []time.Time {
	var list []time.Time
	at, end := moment(day), moment(day)+secondsOfDay
	for d, ok := dates.from(at); ok && d < end; d, ok = dates.from(d + 1) {
		list = append(list, wall(d))
	}
	if len(list) == 0 {
		list = append(list, c.onDay(day))
	}
	return list
}

// nominal returns the date of the series that takes place at the wall-clock time t: t itself, or the skipped date
// that was shifted to t where clocks go forward.
func (c Clock) nominal(dates *finder, t time.Time) time.Time {
	const longestGap = 3 * 60 * 60
	at := moment(t)
	then := c.instant(at)
	if offsetAt(c.zone(), then.Unix()) <= offsetAt(c.zone(), then.Unix()-longestGap) {
		return t // no gap just before t
	}
	skipped := t
	for d, ok := dates.from(at - longestGap); ok && d <= at; d, ok = dates.from(d + 1) {
		if d == at {
			return t
		}
		if c.instant(d).Equal(then) {
			skipped = wall(d)
		}
	}
	return skipped
}

// ordered sorts dates and removes duplicates.
func ordered(dates []time.Time) []time.Time {
	slices.SortFunc(dates, time.Time.Compare)
	return slices.CompactFunc(dates, time.Time.Equal)
}
