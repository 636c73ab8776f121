package recur

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// ParseLines reads the lines of a calendar file that make a series: RRULE,
// RDATE and EXDATE, folded or not, with TZID and VALUE (RFC 5545 §3.1, §3.8.5).
// DTSTART may stand with them when it is c.Start. A line without a name is a rule. Dates come back as wall clock of c.Zone,
// ordered, each once. It returns every problem, and what could be read.
//
// A date without a time is, for a timed series, that day at the time of DTSTART
// as RDATE, and everything on that day as EXDATE.
func ParseLines(text string, c Clock) (Set, []Problem) {
	p := &parser{clock: c}
	var s Set
	var out []written
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
	s.Except = s.leftOut(c, out)
	return s, p.problems
}

// written is a date as a line has it.
type written struct {
	at   time.Time // wall clock of the series
	form form
}

// unfold returns the lines of a text, folded ones made whole, empty ones left
// out.
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
func (p *parser) line(s *Set, out *[]written, line string) {
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

// start reads DTSTART, which may stand with the rules when it says the same as the
// series.
func (p *parser) start(params map[string]string, value string) {
	for _, w := range p.dates("DTSTART", params, value) {
		at, start := moment(w.at), p.clock.start()
		if w.form == formDate { // the day alone
			start -= int64(floorMod(int(start), secondsOfDay))
		}
		if at != start {
			p.wrong("DTSTART", OtherStart, value)
		}
	}
}

// splitLine parts a content line at the first colon outside quotes; names come
// back in capitals.
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
func (p *parser) dates(name string, params map[string]string, value string) []written {
	zone, known := p.clock.named(params["TZID"])
	if !known {
		p.wrong(name, NoZone, params["TZID"])
		return nil
	}
	var list []written
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
		case kind == formWrong:
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
		list = append(list, written{t, kind})
	}
	return list
}

// representable reports whether a date is within the years that are written with
// four digits.
func representable(t time.Time) bool { return t.Year() >= 1 && t.Year() <= lastYear }

// local returns the wall clock of an instant.
func (c Clock) local(t time.Time) time.Time {
	return wall(t.Unix() + offsetAt(c.zone(), t.Unix()))
}

// onDay returns the moment of DTSTART on the day of t.
func (c Clock) onDay(t time.Time) time.Time {
	return wall(moment(t) + int64(floorMod(int(c.start()), secondsOfDay)))
}

// leftOut returns the dates of the series that EXDATEs mean. One that means none
// is kept as it is, for Check to tell.
func (s Set) leftOut(c Clock, list []written) []time.Time {
	slices.SortFunc(list, func(a, b written) int { return a.at.Compare(b.at) })
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

// wholeDay returns every date on a day, or that of DTSTART's time.
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

// nominal returns the date of the series that is localised to the wall clock t:
// t itself, or the skipped one that was moved to t where clocks go forward.
func (c Clock) nominal(dates *finder, t time.Time) time.Time {
	const longestGap = 3 * 60 * 60
	at := moment(t)
	then := c.instant(at)
	if offsetAt(c.zone(), then.Unix()) <= offsetAt(c.zone(), then.Unix()-longestGap) {
		return t // no gap before
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

// ordered sorts dates and keeps each once.
func ordered(dates []time.Time) []time.Time {
	slices.SortFunc(dates, time.Time.Compare)
	return slices.CompactFunc(dates, time.Time.Equal)
}
