package recur

import (
	"iter"
	"math"
	"slices"
	"time"
)

// All returns the dates of a series from a moment on, in ascending order and without duplicates. They are nominal:
// the wall-clock times that the rules yield, even where clocks skip them. DTSTART is included unless it is excluded,
// and counts towards COUNT even if no rule yields it (RFC 5545 §3.3.10). Dates end with the year 9999.
//
// A rule jumps to the period of from by arithmetic; only COUNT makes it walk period by period.
func (s Set) All(c Clock, from time.Time) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		first := moment(from)
		streams := s.streams(c, first)
		except := s.except(c)
		for {
			at, ok := earliest(streams)
			if !ok {
				return
			}
			for i := range streams {
				streams[i].pass(at)
			}
			if !except[at] && !yield(wall(at)) {
				return
			}
		}
	}
}

// stream is one source of dates. head is its next date.
type stream struct {
	rule  *walk
	dates []int64
	head  int64
	done  bool
}

// pass advances until the next date is after at.
func (s *stream) pass(at int64) {
	for !s.done && s.head <= at {
		ok := false
		switch {
		case s.rule != nil:
			s.head, ok = s.rule.date()
		case len(s.dates) > 0:
			s.head, s.dates, ok = s.dates[0], s.dates[1:], true
		}
		s.done = !ok
	}
}

func earliest(streams []stream) (at int64, ok bool) {
	for i := range streams {
		if s := &streams[i]; !s.done && (!ok || s.head < at) {
			at, ok = s.head, true
		}
	}
	return at, ok
}

// streams returns every source of dates, positioned before its first date at or after from.
func (s Set) streams(c Clock, from int64) []stream {
	streams := make([]stream, 0, len(s.Rules)+1)
	for _, p := range s.plans(c) {
		w := newWalk(p)
		w.seek(from)
		streams = append(streams, stream{rule: w, head: math.MinInt64})
	}
	streams = append(streams, stream{dates: s.single(c), head: math.MinInt64})
	for i := range streams {
		streams[i].pass(from - 1)
	}
	return streams
}

// plans prepares every rule. A start that no rule yields uses up one of COUNT.
func (s Set) plans(c Clock) []*plan {
	counts := slices.ContainsFunc(s.Rules, func(r Rule) bool { return r.Count > 0 })
	hit := !counts || s.Hits(c)
	plans := make([]*plan, 0, len(s.Rules))
	for _, r := range s.Rules {
		p := newPlan(r, c)
		if !hit && p.count != unlimited {
			p.count--
		}
		plans = append(plans, p)
	}
	return plans
}

// single returns DTSTART and the single dates in ascending order.
func (s Set) single(c Clock) []int64 {
	dates := make([]int64, 0, len(s.Dates)+1)
	dates = append(dates, c.start())
	for _, t := range s.Dates {
		dates = append(dates, c.trim(moment(t)))
	}
	slices.Sort(dates)
	return slices.Compact(dates)
}

func (s Set) except(c Clock) map[int64]bool {
	except := make(map[int64]bool, len(s.Except))
	for _, t := range s.Except {
		except[c.trim(moment(t))] = true
	}
	return except
}

// Hits reports whether a rule or a single date yields DTSTART. It is true if there are no rules.
func (s Set) Hits(c Clock) bool {
	start := c.start()
	for _, t := range s.Dates {
		if c.trim(moment(t)) == start {
			return true
		}
	}
	for _, r := range s.Rules {
		at, ok := newWalk(newPlan(r, c)).date()
		if ok && at == start {
			return true
		}
	}
	return len(s.Rules) == 0
}

// WithStart returns the series with DTSTART as a date of its own. It replaces COUNT by the equivalent UNTIL, because
// implementations differ on whether a start that no rule yields counts.
func (s Set) WithStart(c Clock) Set {
	rules := make([]Rule, 0, len(s.Rules))
	for i, p := range s.plans(c) {
		rule := s.Rules[i]
		if rule.Count > 0 {
			last := newWalk(p).end()
			if last < p.start {
				continue // COUNT covers the start alone
			}
			rule.Count, rule.Until = 0, wall(last)
		}
		rules = append(rules, rule)
	}
	s.Rules, s.Dates = rules, append([]time.Time{wall(c.start())}, s.Dates...)
	return s
}

// Last returns the last date of a series. It returns false if the series is endless or every date is excluded.
func (s Set) Last(c Clock) (time.Time, bool) {
	if s.Endless() {
		return time.Time{}, false
	}
	var walks []*walk
	for _, p := range s.plans(c) {
		if p.count != unlimited {
			p.until = newWalk(p).end()
			p.count = unlimited
		}
		walks = append(walks, newWalk(p))
	}
	single, except := s.single(c), s.except(c)
	for at := int64(math.MaxInt64 - 1); ; {
		last, found := int64(0), false
		take := func(d int64) {
			if !found || d > last {
				last, found = d, true
			}
		}
		for _, w := range walks {
			if d, ok := w.before(at); ok {
				take(d)
			}
		}
		if i, exact := slices.BinarySearch(single, at); exact {
			take(at)
		} else if i > 0 {
			take(single[i-1])
		}
		if !found {
			return time.Time{}, false
		}
		if !except[last] {
			return wall(last), true
		}
		at = last - 1
	}
}
