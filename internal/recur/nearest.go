package recur

import (
	"slices"
	"time"
)

// nearby is how far back, in seconds, Nearest searches for another start: one cycle of the calendar.
const nearby = 146097 * secondsOfDay

// Nearest returns up to n dates, the closest to DTSTART first, that the rules yield and at which the series could
// therefore start. If n is at least two and dates exist on both sides of DTSTART, the result has dates from both
// sides.
func (s Set) Nearest(c Clock, n int) []time.Time {
	var dates []int64
	start := c.start()
	for _, r := range s.Rules {
		r.Interval, r.Count = 1, 0 // both count from the start, which is what varies here
		p := newPlan(r, c)
		p.start -= nearby
		dates = append(dates, around(p, start, n)...)
	}
	distance := func(d int64) int64 { return max(d-start, start-d) }
	slices.SortFunc(dates, func(a, b int64) int {
		if d := distance(a) - distance(b); d != 0 {
			return int(d)
		}
		return int(a - b)
	})
	dates = slices.Compact(dates)
	nearest := make([]time.Time, 0, n)
	for _, d := range bothSides(dates, start, n) {
		nearest = append(nearest, wall(d))
	}
	return nearest
}

// bothSides returns the first n dates. If they are all on one side of start, the last is replaced by the first date
// of the other side.
func bothSides(dates []int64, start int64, n int) []int64 {
	if len(dates) <= n {
		return dates
	}
	chosen := slices.Clone(dates[:n])
	after := func(d int64) bool { return d >= start }
	before := func(d int64) bool { return d < start }
	for _, side := range []func(int64) bool{after, before} {
		if i := slices.IndexFunc(dates, side); n > 1 && i >= n {
			chosen[n-1] = dates[i]
		}
	}
	return chosen
}

// around returns the n dates of a rule before a moment and the n dates at or after it.
func around(p *plan, at int64, n int) []int64 {
	var dates []int64
	w := newWalk(p)
	for d, ok := w.before(at - 1); ok && len(dates) < n; d, ok = w.before(d - 1) {
		dates = append(dates, d)
	}
	w = newWalk(p)
	w.seek(at)
	for found := 0; found < n; {
		d, ok := w.date()
		if !ok {
			break
		}
		if d >= at {
			dates = append(dates, d)
			found++
		}
	}
	return dates
}
