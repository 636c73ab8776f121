package server

import (
	"math"
	"slices"
	"time"
)

// lately is the time constant of a site's load, and how long a site counts as present after a request.
const lately = time.Second

// forgotten is a negligible load: that of a site with one slot after eight times lately without requests.
const forgotten = 0.0004

// line is the state of a site at the gate.
type line struct {
	inside int
	works  int             // requests without a slot that use the processors, for example to decode a picture
	wait   []chan struct{} // closed to admit a request
	since  []time.Time     // when each of them arrived

	load  float64 // exponential moving average of its slots and works
	heavy bool    // whether the load is high
	at    time.Time

	spent time.Duration // slot time since the last release
	rests time.Time     // end of a heavy site's pause while others have requests

	moved time.Time        // when the first in the queue was admitted or became first
	gaps  [3]time.Duration // time before the latest admissions since there is a queue; 0 if there were fewer
	due   time.Time        // when the next cheap response may be sent
}

// age moves the load towards the number of current slots as time passes.
func (l *line) age(now time.Time) {
	if passed := now.Sub(l.at); passed > 0 {
		busy := float64(l.inside + l.works)
		l.load = busy + (l.load-busy)*math.Exp(-passed.Seconds()/lately.Seconds())
		l.spent += passed * time.Duration(l.inside)
		l.at = now
	}
}

// rest returns the pause of a site after a release: its slot time divided by its slots, limited to lately. If none of its requests waits,
// the next one finds an empty queue and must not be rejected because of the pause alone.
func (l *line) rest(places int) time.Duration {
	longest := lately
	if len(l.wait) == 0 {
		longest = longestRest
	}
	rest := min(l.spent/time.Duration(places), longest)
	l.spent = 0
	return rest
}

// next removes the first request from the queue.
func (l *line) next(now time.Time) chan struct{} {
	l.gaps = [...]time.Duration{l.gaps[1], l.gaps[2], now.Sub(l.moved)}
	l.moved = now
	turn := l.wait[0]
	l.wait, l.since = l.wait[1:], l.since[1:]
	return turn
}

// stood returns how long the first request has been waiting.
func (l *line) stood(now time.Time) time.Duration {
	if len(l.since) == 0 {
		return 0
	}
	return now.Sub(l.since[0])
}

// begin records that a queue has formed.
func (l *line) begin(now time.Time) { l.moved, l.gaps = now, [3]time.Duration{} }

// ahead estimates how long a new request would wait at least, based on the fastest of the latest admissions: a slow
// one, as when a disk or a connection stalls, does not predict the next.
func (l *line) ahead() time.Duration {
	return slices.Min(l.gaps[:]) * time.Duration(len(l.wait)+1)
}
