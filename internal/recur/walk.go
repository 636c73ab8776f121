package recur

import "slices"

// walk iterates over the dates of one rule. It holds one period: its days and the combinations of days and times that
// BYSETPOS selects.
type walk struct {
	*plan
	origin int // the period of DTSTART
	step   int // offset of the current period from origin, in intervals
	days   []int
	picked []int // with BYSETPOS: ascending indexes into the product of days and times
	next   int   // index of the next date
	given  int   // dates returned or skipped so far, for COUNT
}

func newWalk(p *plan) *walk {
	w := &walk{plan: p, origin: p.periodOf(floorDiv(int(p.start), secondsOfDay))}
	w.load(0)
	return w
}

// load fills w with the period that is step intervals after that of DTSTART.
func (w *walk) load(step int) {
	w.step, w.next = step, 0
	w.days = w.daysOf(w.origin+step*w.interval, w.days[:0])
	if len(w.positions) == 0 {
		return
	}
	all := len(w.days) * len(w.times)
	w.picked = w.picked[:0]
	for _, n := range w.positions {
		if n < 0 {
			n += all + 1
		}
		if n >= 1 && n <= all {
			w.picked = append(w.picked, n-1)
		}
	}
	slices.Sort(w.picked)
	w.picked = slices.Compact(w.picked)
}

// size returns the number of dates in the period.
func (w *walk) size() int {
	if len(w.positions) > 0 {
		return len(w.picked)
	}
	return len(w.days) * len(w.times)
}

// at returns the date with index i in the period.
func (w *walk) at(i int) int64 {
	if len(w.positions) > 0 {
		i = w.picked[i]
	}
	return int64(w.days[i/len(w.times)])*secondsOfDay + w.times[i%len(w.times)]
}

// early returns the number of dates in the period that are before the start.
func (w *walk) early() int {
	n := 0
	for n < w.size() && w.at(n) < w.start {
		n++
	}
	return n
}

// ahead reports whether the period begins before the end of the rule.
func (w *walk) ahead() bool {
	from, _ := w.bounds(w.origin + w.step*w.interval)
	return int64(from)*secondsOfDay <= w.until
}

// date returns the next date of the rule, or false if there is none.
func (w *walk) date() (int64, bool) {
	for empty := 0; empty <= w.cycle; {
		if w.next >= w.size() {
			if w.size() > 0 {
				empty = 0
			}
			empty++
			w.load(w.step + 1)
			if !w.ahead() {
				return 0, false
			}
			continue
		}
		at := w.at(w.next)
		w.next++
		if at < w.start {
			continue
		}
		if at > w.until || w.given >= w.count {
			return 0, false
		}
		w.given++
		return at, true
	}
	return 0, false
}

// seek moves to the period of a moment: by arithmetic, or period by period if COUNT requires the number of preceding
// dates.
func (w *walk) seek(from int64) {
	if from <= w.start {
		return
	}
	period := w.periodOf(floorDiv(int(min(from, w.until)), secondsOfDay))
	step := max(0, floorDiv(period-w.origin, w.interval))
	if w.count == unlimited {
		w.load(step)
		return
	}
	for begin := w.lap(); w.step < step && w.given < w.count; w.skip(&begin, step) {
		w.given += w.size() - max(w.next, w.early())
		w.load(w.step + 1)
	}
}

// lap is where a cycle of the calendar began, for COUNT.
type lap struct{ step, given int }

// lap begins a cycle after the period of DTSTART, which may be incomplete.
func (w *walk) lap() lap { return lap{max(1, w.step+1), w.given} }

// skip jumps over whole cycles that end before a step and before COUNT, because each has the same number of dates. It
// must be called at every step.
func (w *walk) skip(begin *lap, step int) {
	if w.step == begin.step {
		begin.given = w.given
	}
	each := w.given - begin.given
	if w.step-begin.step != w.cycle || each == 0 {
		return
	}
	if n := min((step-w.step)/w.cycle, (w.count-w.given-1)/each); n > 0 {
		w.given += n * each
		w.load(w.step + n*w.cycle)
	}
}

// before returns the last date at or before a moment, ignoring COUNT.
func (w *walk) before(at int64) (int64, bool) {
	at = min(at, w.until)
	period := w.periodOf(floorDiv(int(at), secondsOfDay))
	step := floorDiv(period-w.origin, w.interval)
	for empty := 0; step >= 0 && empty <= w.cycle; step-- {
		w.load(step)
		for i := w.size() - 1; i >= 0; i-- {
			if d := w.at(i); d <= at && d >= w.start {
				return d, true
			}
		}
		empty++
	}
	return 0, false
}

// end returns the last date allowed by COUNT, or w.start-1 if COUNT is already used up, or the end of the rule if it
// has fewer dates than COUNT.
func (w *walk) end() int64 {
	begin, final := w.lap(), (w.periodOf(floorDiv(int(w.until), secondsOfDay))-w.origin)/w.interval
	for empty := 0; empty <= w.cycle && w.ahead(); {
		early, left := w.early(), w.count-w.given
		switch n := w.size() - early; {
		case left == 0:
			return w.start - 1
		case n >= left:
			return w.at(early + left - 1)
		case n > 0:
			w.given += n
			empty = 0
		default:
			empty++
		}
		w.load(w.step + 1)
		w.skip(&begin, final)
	}
	return w.until
}
