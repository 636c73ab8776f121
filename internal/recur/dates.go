package recur

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// form is the notation of a date.
type form int

const (
	formInvalid form = iota // not a date
	formDate                // 20270630
	formLocal               // 20270630T193000
	formUTC                 // 20270630T173000Z
)

// parseDate reads an uppercase DATE or DATE-TIME (RFC 5545 §3.3.4, §3.3.5) as wall-clock time. A leap second becomes
// the second before it.
func parseDate(s string) (time.Time, form) {
	kind := formLocal
	if rest, ok := strings.CutSuffix(s, "Z"); ok {
		s, kind = rest, formUTC
	}
	date, clock, timed := strings.Cut(s, "T")
	if !timed {
		if kind == formUTC {
			return time.Time{}, formInvalid
		}
		clock, kind = "000000", formDate
	}
	if len(date) != 8 || len(clock) != 6 || strings.Trim(date+clock, "0123456789") != "" {
		return time.Time{}, formInvalid
	}
	n := func(s string) int { i, _ := strconv.Atoi(s); return i }
	year, month, day := n(date[:4]), n(date[4:6]), n(date[6:])
	hour, minute, second := n(clock[:2]), n(clock[2:4]), n(clock[4:])
	if year < firstYear || month < 1 || month > 12 || day < 1 || day > monthLength(year, month) ||
		hour > 23 || minute > 59 || second > 60 {
		return time.Time{}, formInvalid
	}
	return time.Date(year, time.Month(month), day, hour, minute, min(second, 59), 0, time.UTC), kind
}

// until reads UNTIL as wall-clock time.
func (p *parser) until(value string) time.Time {
	t, kind := parseDate(value)
	if kind == formInvalid {
		code := Syntax
		if strings.Trim(value, "0123456789TZ") == "" && len(value) >= 8 {
			code = OutOfRange
		}
		p.wrong("UNTIL", code, value)
		return time.Time{}
	}
	switch {
	case p.clock.AllDay:
		return wall(p.clock.trim(moment(t)))
	case kind == formDate:
		return t.Add(secondsOfDay*time.Second - time.Second)
	case kind == formUTC:
		p.end = t
		return readable(wall(p.clock.lastWall(t)))
	}
	return t
}

// beforeGap returns UNTIL as wall-clock time. It excludes the last dates if clocks skip their times and shift them past
// the instant UNTIL names. They may be of the days before: a gap can reach midnight or last a day.
func (p *parser) beforeGap(r Rule) time.Time {
	until := moment(r.Until)
	midnight := until - int64(floorMod(int(until), secondsOfDay))
	times := newPlan(r, p.clock).times
	for back := range int64(3) {
		for _, ofDay := range slices.Backward(times) {
			at := midnight - back*secondsOfDay + ofDay
			if at > until {
				continue
			}
			if !p.clock.instant(at).After(p.end) {
				return wall(until)
			}
			until = at - 1
		}
	}
	return wall(until)
}
