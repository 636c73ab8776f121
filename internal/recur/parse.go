package recur

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// parser accumulates problems, so that all of them are reported at once.
type parser struct {
	clock    Clock
	problems []Problem
	end      time.Time // UNTIL, if it was given as an instant
}

// mostProblems is how many problems are reported of one text, however many it has.
const mostProblems = 100

func (p *parser) wrong(part, code, value string) {
	if len(p.problems) < mostProblems {
		p.problems = append(p.problems, Problem{Part: part, Code: code, Value: value})
	}
}

// ParseRule reads an RRULE value (RFC 5545 §3.3.10) in any letter case, with or without the prefix "RRULE:". It
// returns all problems together with the rule as far as it could be read.
//
// UNTIL is read as UTC if it ends in Z and as wall-clock time otherwise. In a timed series, an UNTIL that is a date
// includes that whole day; in an all-day series only the date of UNTIL counts. BYHOUR and BYMINUTE are ignored in an
// all-day series, as the RFC requires.
func ParseRule(text string, c Clock) (Rule, []Problem) {
	p := &parser{clock: c}
	r := p.rule(text)
	return r, p.problems
}

func (p *parser) rule(text string) Rule {
	r := Rule{WeekStart: time.Monday}
	text = strings.ToUpper(strings.TrimRight(text, whitespace))
	if value, ok := strings.CutPrefix(strings.TrimLeft(text, whitespace), "RRULE:"); ok {
		text = value
	}
	text = strings.TrimSuffix(text, ";") // some programs write a trailing semicolon
	if text == "" {
		p.wrong("RRULE", Missing, "")
		return r
	}
	p.end = time.Time{}
	seen := map[string]bool{}
	before := len(p.problems)
	for part := range strings.SplitSeq(text, ";") {
		name, value, found := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		switch {
		case strings.ContainsAny(part, whitespace):
			p.wrong("RRULE", Blank, part)
		case part == "":
			p.wrong("RRULE", Syntax, text)
		case !found || name == "":
			p.wrong("RRULE", Syntax, part)
		case seen[name]:
			p.wrong(name, Duplicate, value)
		case value == "":
			p.wrong(name, Empty, "")
		default:
			p.part(&r, name, value)
		}
		seen[name] = true
	}
	if !seen["FREQ"] {
		p.wrong("FREQ", Missing, "")
	}
	if p.clock.AllDay {
		r.ByHour, r.ByMinute = nil, nil
	}
	if len(p.problems) == before {
		p.together(r, seen)
	}
	if len(p.problems) == before && !p.end.IsZero() {
		r.Until = p.beforeGap(r)
	}
	return r
}

const whitespace = " \t\r\n"

var freqs = map[string]Freq{"DAILY": Daily, "WEEKLY": Weekly, "MONTHLY": Monthly, "YEARLY": Yearly}

// part reads one part of a rule.
func (p *parser) part(r *Rule, name, value string) {
	switch name {
	case "FREQ":
		p.freq(r, value)
	case "INTERVAL":
		r.Interval = p.positive(name, value)
	case "COUNT":
		r.Count = p.positive(name, value)
	case "UNTIL":
		r.Until = p.until(value)
	case "WKST":
		r.WeekStart = p.weekday(name, value)
	case "BYMONTH":
		r.ByMonth = p.numbers(name, value, 1, 12, false)
	case "BYWEEKNO":
		r.ByWeekNo = p.numbers(name, value, 1, 53, true)
	case "BYYEARDAY":
		r.ByYearDay = p.numbers(name, value, 1, 366, true)
	case "BYMONTHDAY":
		r.ByMonthDay = p.numbers(name, value, 1, 31, true)
	case "BYDAY":
		r.ByDay = p.days(value)
	case "BYHOUR":
		r.ByHour = p.numbers(name, value, 0, 23, false)
	case "BYMINUTE":
		r.ByMinute = p.numbers(name, value, 0, 59, false)
	case "BYSETPOS":
		r.BySetPos = p.numbers(name, value, 1, 366, true)
	case "BYSECOND", "RSCALE", "SKIP":
		p.wrong(name, PartRefused, value)
	default:
		p.wrong(name, Unknown, value)
	}
}

func (p *parser) freq(r *Rule, value string) {
	switch value {
	case "SECONDLY", "MINUTELY", "HOURLY":
		p.wrong("FREQ", Unsupported, value)
	default:
		if r.Freq = freqs[value]; r.Freq == 0 {
			p.wrong("FREQ", Syntax, value)
		}
	}
}

// maxNumber bounds INTERVAL and COUNT, so that arithmetic on them cannot overflow.
const maxNumber = 1_000_000_000

func (p *parser) positive(name, value string) int {
	if strings.Trim(value, "0123456789") != "" {
		p.wrong(name, Syntax, value)
		return 0
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxNumber {
		p.wrong(name, OutOfRange, value)
		return 0
	}
	return n
}

// numbers reads a list of numbers between low and high. If signed is set, a minus sign counts from the end. The
// result is sorted and has no duplicates.
func (p *parser) numbers(name, value string, low, high int, signed bool) []int {
	var list []int
	for text := range strings.SplitSeq(value, ",") {
		digits := text
		if signed && text != "" && (text[0] == '-' || text[0] == '+') {
			digits = text[1:]
		}
		switch n, err := strconv.Atoi(digits); {
		case text == "":
			p.wrong(name, Empty, value)
		case digits == "" || strings.Trim(digits, "0123456789") != "":
			p.wrong(name, Syntax, text)
		case err != nil || n < low || n > high:
			p.wrong(name, OutOfRange, text)
		case text[0] == '-':
			list = append(list, -n)
		default:
			list = append(list, n)
		}
	}
	return order(list)
}

// order sorts numbers, negative ones last, and removes duplicates.
func order(list []int) []int {
	slices.SortFunc(list, func(a, b int) int {
		if (a < 0) != (b < 0) {
			return b - a
		}
		return a - b
	})
	return slices.Compact(list)
}

var weekdays = map[string]time.Weekday{
	"SU": time.Sunday, "MO": time.Monday, "TU": time.Tuesday, "WE": time.Wednesday,
	"TH": time.Thursday, "FR": time.Friday, "SA": time.Saturday,
}

func (p *parser) weekday(name, value string) time.Weekday {
	day, ok := weekdays[value]
	if !ok {
		p.wrong(name, Syntax, value)
	}
	return day
}

// days reads BYDAY: weekdays, each with an optional number of up to two digits.
func (p *parser) days(value string) []Day {
	var list []Day
	for text := range strings.SplitSeq(value, ",") {
		if text == "" {
			p.wrong("BYDAY", Empty, value)
			continue
		}
		number := text[:max(0, len(text)-2)]
		day, ok := weekdays[text[len(number):]]
		digits := strings.TrimLeft(number, "+-")
		switch n, err := strconv.Atoi(digits); {
		case !ok || len(number)-len(digits) > 1 || strings.Trim(digits, "0123456789") != "" || number != "" && digits == "":
			p.wrong("BYDAY", Syntax, text)
		case number == "":
			list = append(list, Day{Weekday: day})
		case err != nil || n < 1 || n > 53:
			p.wrong("BYDAY", OutOfRange, text)
		case number[0] == '-':
			list = append(list, Day{-n, day})
		default:
			list = append(list, Day{n, day})
		}
	}
	slices.SortFunc(list, compareDays)
	return slices.Compact(list)
}

// compareDays orders weekdays from Monday to Sunday, those without a number first, and those counted from the end
// last.
func compareDays(a, b Day) int {
	key := func(d Day) int {
		n := d.N
		if n < 0 {
			n += 1000
		}
		return n*7 + (int(d.Weekday)+6)%7
	}
	return key(a) - key(b)
}
