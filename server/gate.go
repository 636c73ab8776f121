package server

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/kalends/kalends/metrics"
)

// errBusy says that there are more requests than can be answered in time.
var errBusy = errors.New("too many requests at once")

// The lengths of the lines in front of the gate, and how long a request stands there at
// most, so that an answer comes within a second or not at all: who waits longer would
// only get an answer nobody waits for any more. A line whose first has stood for half of
// that takes nobody, for who comes to its end would stand longer still.
const (
	longestLine = 256  // of one site
	mostWaiting = 1024 // of all
	patience    = 600 * time.Millisecond
	stalled     = patience / 2
)

// gate lets as many requests in at once as the database answers well. One site
// gets half of the places and no more, so that the others never wait for it
// alone; who has to wait stands in the line of their site, and the sites take
// turns.
//
// Places are not all that sites share: requests that are inside share the
// processors. So a site that had much lately gets few places while others ask
// that had little, rests after each request as long as it took, and has half of
// them again as soon as nobody else asks.
type gate struct {
	places int
	share  int     // places of one site
	few    int     // places of a heavy site while a light one asks
	much   float64 // load beyond which a site is heavy
	clock  func() time.Time
	after  func(time.Duration, func())
	timer  func(time.Duration) *time.Timer

	mu      sync.Mutex
	free    int
	waiting int
	sites   map[int64]*line
	turns   []int64  // sites with somebody waiting
	lights  [2]asked // the two light sites that asked last
}

// asked is when a site did.
type asked struct {
	site int64
	at   time.Time
}

// newGate returns a gate of so many places to so many processors.
func newGate(places, processors int) *gate {
	places = max(1, places)
	share := max(1, places/2)
	return &gate{places: places, share: share, few: min(share, max(1, processors/2)), much: float64(processors) / 8,
		clock: time.Now, after: func(d time.Duration, do func()) { time.AfterFunc(d, do) }, timer: time.NewTimer,
		free: places, sites: map[int64]*line{}}
}

// state returns how full it is.
func (g *gate) state() metrics.Gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	return metrics.Gate{Places: g.places, Taken: g.places - g.free, Waiting: g.waiting}
}

// enter waits for a place for a request of the site; whoever got in calls leave.
// It returns errBusy when the line is too long or too slow.
func (g *gate) enter(ctx context.Context, site int64) error {
	turn, err := g.line(site)
	switch {
	case err != nil:
		_ = g.pace(ctx, site) // a refusal, too, is an answer at hand
		return err
	case turn == nil:
		return nil
	}
	late := g.timer(patience)
	defer late.Stop()
	select {
	case <-turn:
		return nil
	case <-late.C:
		err = &later{errBusy, patience}
	case <-ctx.Done():
		err = ctx.Err()
	}
	if !g.quit(site, turn) {
		g.leave(site) // the turn came at the same moment
	}
	return err
}

// line takes a place at once, without a turn to wait for, or stands in line.
func (g *gate) line(site int64) (turn chan struct{}, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock()
	l := g.of(site, now)
	if len(l.wait) == 0 && g.open(site, l, now) {
		g.admit(l)
		return nil, nil //nolint:nilnil // there is nothing to wait for
	}
	if wait := l.ahead(); len(l.wait) >= longestLine || g.waiting >= mostWaiting || wait > patience || l.stood(now) >= stalled {
		return nil, &later{errBusy, max(wait, patience)}
	}
	turn = make(chan struct{})
	if len(l.wait) == 0 {
		g.turns = append(g.turns, site)
		l.begin(now)
	}
	l.wait, l.since = append(l.wait, turn), append(l.since, now)
	g.waiting++
	return turn, nil
}

// of returns the line of a site that asks now.
func (g *gate) of(site int64, now time.Time) *line {
	l := g.sites[site]
	if l == nil {
		g.tidy(now)
		l = &line{at: now}
		g.sites[site] = l
	}
	g.weigh(l, now)
	if !l.heavy {
		g.seen(site, now)
	}
	return l
}

// open reports whether a site may have one more place.
func (g *gate) open(site int64, l *line, now time.Time) bool {
	return g.free > 0 && l.inside < g.share && (!g.yields(site, l, now) || l.inside < g.few && !now.Before(l.rests))
}

// yields reports whether a site is heavy while others ask.
func (g *gate) yields(site int64, l *line, now time.Time) bool { return l.heavy && g.others(site, now) }

// admit gives a site a place.
func (g *gate) admit(l *line) {
	g.free--
	l.inside++
}

// seen notes that a light site asked.
func (g *gate) seen(site int64, now time.Time) {
	if g.lights[0].site != site {
		g.lights[1] = g.lights[0]
	}
	g.lights[0] = asked{site, now}
}

// others reports whether another site asked lately that is light, and still is.
func (g *gate) others(site int64, now time.Time) bool {
	return slices.ContainsFunc(g.lights[:], func(last asked) bool {
		return last.site != site && now.Sub(last.at) < lately && !g.heavy(last.site, now)
	})
}

// heavy reports whether a site has had much by now.
func (g *gate) heavy(site int64, now time.Time) bool {
	l := g.sites[site]
	if l == nil {
		return false
	}
	g.weigh(l, now)
	return l.heavy
}

// quit leaves the line and reports whether the turn had not come yet.
func (g *gate) quit(site int64, turn chan struct{}) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.sites[site]
	i := slices.Index(l.wait, turn)
	if i < 0 {
		return false
	}
	l.wait, l.since = slices.Delete(l.wait, i, i+1), slices.Delete(l.since, i, i+1)
	g.waiting--
	if len(l.wait) == 0 {
		g.turns = slices.DeleteFunc(g.turns, func(s int64) bool { return s == site })
	}
	return true
}

// leave gives a place back.
func (g *gate) leave(site int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock()
	l := g.sites[site]
	g.weigh(l, now)
	l.inside--
	g.free++
	if rest := l.rest(g.few); g.yields(site, l, now) {
		l.rests = now.Add(rest)
		g.after(rest, g.wake)
	}
	g.fill(now)
}

// wake is called when a site has rested.
func (g *gate) wake() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fill(g.clock())
}

// fill gives free places to the sites in turn that may have them.
func (g *gate) fill(now time.Time) {
	for i := 0; i < len(g.turns) && g.free > 0; i++ {
		next := g.turns[i]
		l := g.sites[next]
		g.weigh(l, now)
		if !g.open(next, l, now) {
			continue
		}
		g.admit(l)
		g.waiting--
		close(l.next(now))
		g.turns = slices.Delete(g.turns, i, i+1)
		if len(l.wait) > 0 {
			g.turns = append(g.turns, next)
		}
		i--
	}
}

// weigh brings a site's load up to now.
func (g *gate) weigh(l *line, now time.Time) {
	l.age(now)
	l.heavy = l.load > g.much
}

// tidy forgets a few sites that have nobody here and had nothing lately.
func (g *gate) tidy(now time.Time) {
	seen := 0
	for site, l := range g.sites {
		if l.inside == 0 && len(l.wait) == 0 {
			if g.weigh(l, now); l.load < forgotten {
				delete(g.sites, site)
			}
		}
		if seen++; seen == 2 {
			return
		}
	}
}
