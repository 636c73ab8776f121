package server

import (
	"math"
	"slices"
	"time"
)

// lately is how far back the load of a site reaches, and how long a site that
// asked counts as there.
const lately = time.Second

// forgotten is a load that is as good as none: eight times lately without
// anything of a site that had one place.
const forgotten = 0.0004

// line is what a site has inside and in front of the gate.
type line struct {
	inside int
	wait   []chan struct{} // closed to let one in
	since  []time.Time     // when each of them came

	load  float64 // places it had lately, on average: each weighs less the longer ago it is
	heavy bool    // whether that is much
	at    time.Time

	spent time.Duration // in places, since one was given back
	rests time.Time     // until when a heavy site does, while others ask

	moved time.Time        // when the first in line went in, or became the first
	gaps  [3]time.Duration // before the last ones that went in since there is a line; 0: there were fewer
	due   time.Time        // when the next answer that is at hand may go out
}

// age lets time pass: the load comes nearer to what is inside.
func (l *line) age(now time.Time) {
	if passed := now.Sub(l.at); passed > 0 {
		inside := float64(l.inside)
		l.load = inside + (l.load-inside)*math.Exp(-passed.Seconds()/lately.Seconds())
		l.spent += passed * time.Duration(l.inside)
		l.at = now
	}
}

// rest returns how long a site rests that gave a place back: as long as it would
// have had so many places for what it spent, and no longer than counts as lately.
func (l *line) rest(places int) time.Duration {
	rest := min(l.spent/time.Duration(places), lately)
	l.spent = 0
	return rest
}

// next takes the first out of the line.
func (l *line) next(now time.Time) chan struct{} {
	l.gaps = [...]time.Duration{l.gaps[1], l.gaps[2], now.Sub(l.moved)}
	l.moved = now
	turn := l.wait[0]
	l.wait, l.since = l.wait[1:], l.since[1:]
	return turn
}

// stood returns how long the first in line stands there.
func (l *line) stood(now time.Time) time.Duration {
	if len(l.since) == 0 {
		return 0
	}
	return now.Sub(l.since[0])
}

// begin notes that there is a line from now on.
func (l *line) begin(now time.Time) { l.moved, l.gaps = now, [3]time.Duration{} }

// ahead returns how long one who comes to the end of the line now would wait at
// least, going by the last that went in: one that took long, as in the moment a
// disk or a connection stalls, says nothing of the next.
func (l *line) ahead() time.Duration {
	return slices.Min(l.gaps[:]) * time.Duration(len(l.wait)+1)
}
