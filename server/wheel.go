package server

import "time"

// notch is how late a waiting request may be answered, and mostDue is how many are answered at each notch. The
// limit spreads followers that all began at the same moment.
const (
	notch   = 50 * time.Millisecond
	mostDue = 500
	notches = int64(longestPatience/notch) + 2
)

// wheel has the waiting requests by the time at which their wait ends, so that one ticker is enough for all of
// them. Times are counted from the start of the lot, so jumps of the clock do not matter.
type wheel struct {
	of    [notches]*parked // the first of each notch
	last  int64            // the last notch that has passed
	count int
}

// spoke is the place of a request in the wheel.
type spoke struct {
	notch         int64
	before, after *parked
}

// add puts a request into the wheel, to be due at a moment.
func (w *wheel) add(p *parked, now time.Duration) {
	if w.count == 0 {
		w.last = int64(now / notch)
	}
	w.count++
	p.notch = max(int64((p.until+notch-1)/notch), w.last+1)
	first := &w.of[p.notch%notches]
	if p.after = *first; p.after != nil {
		p.after.before = p
	}
	*first = p
}

// remove takes a request out of the wheel.
func (w *wheel) remove(p *parked) {
	w.count--
	if p.after != nil {
		p.after.before = p.before
	}
	if p.before != nil {
		p.before.after = p.after
	} else {
		w.of[p.notch%notches] = p.after
	}
	p.before, p.after = nil, nil
}

// pass turns the wheel up to a moment and returns the requests whose time is up. They must be removed before the
// next call.
func (w *wheel) pass(now time.Duration, due []*parked) []*parked {
	for until := int64(now / notch); w.last < until; w.last++ {
		for p := w.of[(w.last+1)%notches]; p != nil; p = p.after {
			if p.notch > w.last+1 {
				continue // due one turn later: it was added while the wheel was late
			}
			if len(due) == mostDue {
				return due // the others are next
			}
			due = append(due, p)
		}
	}
	return due
}
