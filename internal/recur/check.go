package recur

import (
	"strconv"
	"time"
)

// The limits of one series.
const (
	MaxText   = 4096 // bytes, all rules together
	MaxRules  = 20
	MaxDates  = 2000 // RDATEs, and the same number of EXDATEs
	MaxPerDay = 24
)

// dateForm is the layout of dates in Problem.Value.
const dateForm = "2006-01-02T15:04:05"

// Check returns every reason not to store a set: a limit is exceeded, a rule ends before it begins, the set has no
// date, or no rule yields DTSTART. A start that no rule yields is accepted if an EXDATE excludes it explicitly.
func (s Set) Check(c Clock) []Problem {
	problems := s.checkSize(c)
	if len(s.Rules) > MaxRules {
		return problems
	}
	for _, r := range s.Rules {
		p := newPlan(r, c)
		if !r.Until.IsZero() && p.until < p.start {
			problems = append(problems, Problem{Part: "UNTIL", Code: UntilEarly, Value: r.Text(c)})
			continue
		}
		if _, ok := newWalk(p).date(); !ok {
			problems = append(problems, Problem{Part: "RRULE", Code: Never, Value: r.Text(c)})
			break // proving it requires a full calendar cycle, and there may be many such rules
		}
	}
	if len(problems) > 0 {
		return problems
	}
	if !s.Hits(c) && !s.except(c)[c.start()] {
		problems = append(problems, Problem{Part: "DTSTART", Code: StartMissed, Value: wall(c.start()).Format(dateForm)})
	}
	problems = append(problems, s.checkExcept(c)...)
	return append(problems, s.checkDays(c)...)
}

func (s Set) checkSize(c Clock) []Problem {
	var problems []Problem
	size := 0
	for _, r := range s.Rules {
		size += len(r.Text(c))
	}
	tooMany := func(part, code string, n, limit int) {
		if n > limit {
			problems = append(problems, Problem{Part: part, Code: code, Value: strconv.Itoa(n), N: limit})
		}
	}
	tooMany("RRULE", TooLong, size, MaxText)
	tooMany("RRULE", TooManyRules, len(s.Rules), MaxRules)
	tooMany("RDATE", TooManyDates, len(s.Dates), MaxDates)
	tooMany("EXDATE", TooManyDates, len(s.Except), MaxDates)
	for part, dates := range map[string][]time.Time{"RDATE": s.Dates, "EXDATE": s.Except} {
		for _, t := range dates {
			if !representable(t) {
				problems = append(problems, Problem{Part: part, Code: OutOfRange, Value: t.Format(dateForm)})
			}
		}
	}
	return problems
}

// checkExcept reports a series whose dates are all excluded. An excluded date that is not part of the series has no
// effect (RFC 5545 §3.8.5.1).
func (s Set) checkExcept(c Clock) []Problem {
	if len(s.Except) == 0 {
		return nil
	}
	for range s.All(c, time.Time{}) {
		return nil
	}
	return []Problem{{Part: "EXDATE", Code: Never}}
}

// Has reports whether t is one of the dates of the series.
func (s Set) Has(c Clock, t time.Time) bool {
	at := c.trim(moment(t))
	for found := range s.All(c, wall(at)) {
		return moment(found) == at
	}
	return false
}

// maxSampled is the number of dates that checkDays examines for days with too many dates.
const maxSampled = 20_000

func (s Set) checkDays(c Clock) []Problem {
	times := map[int64]bool{}
	for _, r := range s.Rules {
		for _, at := range newPlan(r, c).times {
			times[at] = true
		}
	}
	if len(times) <= MaxPerDay && len(s.Dates) == 0 {
		return nil
	}
	day, onDay, seen := 0, 0, 0
	for t := range s.All(c, time.Time{}) {
		d := floorDiv(int(moment(t)), secondsOfDay)
		if d != day {
			day, onDay = d, 0
		}
		if onDay++; onDay > MaxPerDay {
			return []Problem{{Part: "RRULE", Code: TooManyADay, Value: t.Format(time.DateOnly), N: MaxPerDay}}
		}
		if seen++; seen == maxSampled {
			break
		}
	}
	return nil
}
