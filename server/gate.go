package server

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/kalends/kalends/internal/metrics"
)

// errBusy is returned if there are more requests than can be answered in time.
var errBusy = errors.New("too many simultaneous requests")

// Limits of the queues in front of the gate and of the time spent in them, chosen so that a response arrives within a
// second or not at all, since nobody waits much longer. A queue whose first request has been waiting for half of that
// time accepts no more, because new ones would wait even longer.
const (
	longestLine = 256  // per site
	mostWaiting = 1024 // of all sites together
	longestWait = 600 * time.Millisecond
	stalled     = longestWait / 2
	longestRest = longestWait - 100*time.Millisecond // of a site whose queue is empty: leaves time for timers that are late
)

// gate limits concurrent requests to what the database handles well. A site gets at most half of the slots, so that
// others never wait for that site alone. Waiting requests queue per site, and the sites take turns.
//
// Requests inside also compete for processors. A site with a high recent load therefore gets few slots while sites
// with a low load have requests, and pauses after each request for as long as it took. It gets its half of the
// slots back as soon as no other site has requests.
type gate struct {
	places int
	share  int     // slots of one site
	few    int     // slots of a heavy site while a light one has requests
	much   float64 // load above which a site is heavy
	clock  func() time.Time
	after  func(time.Duration, func())
	timer  func(time.Duration) *time.Timer

	mu      sync.Mutex
	free    int
	waiting int
	sites   map[int64]*line
	turns   []int64        // sites with waiting requests
	lights  [2]lastRequest // the two light sites with the latest requests
}

// lastRequest is when a site had a request.
type lastRequest struct {
	site int64
	at   time.Time
}

// newGate returns a gate with a number of slots for a number of processors.
func newGate(places, processors int) *gate {
	places = max(1, places)
	share := max(1, places/2)
	return &gate{places: places, share: share, few: min(share, max(1, processors/2)), much: float64(processors) / 8,
		clock: time.Now, after: func(d time.Duration, do func()) { time.AfterFunc(d, do) }, timer: time.NewTimer,
		free: places, sites: map[int64]*line{}}
}

// state returns how full the gate is.
func (g *gate) state() metrics.Gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	return metrics.Gate{Places: g.places, Taken: g.places - g.free, Waiting: g.waiting}
}

// enter waits for a slot for a request of the site. The caller must call leave. It returns errBusy if the queue is
// too long or too slow.
func (g *gate) enter(ctx context.Context, site int64) error {
	turn, err := g.line(site)
	switch {
	case err != nil:
		_ = g.pace(ctx, site) // a rejection counts as a cheap response
		return err
	case turn == nil:
		return nil
	}
	late := g.timer(longestWait)
	defer late.Stop()
	select {
	case <-turn:
		return nil
	case <-late.C:
		if g.quit(site, turn) {
			return &later{errBusy, longestWait}
		}
		return nil // the slot was granted at the same moment
	case <-ctx.Done():
		if !g.quit(site, turn) {
			g.leave(site)
		}
		return ctx.Err()
	}
}

// line takes a free slot immediately, returning a nil turn, or joins the queue.
func (g *gate) line(site int64) (turn chan struct{}, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock()
	l := g.of(site, now)
	if len(l.wait) == 0 && g.open(site, l, now) {
		g.admit(l)
		return nil, nil //nolint:nilnil // no need to wait
	}
	if wait := l.ahead(); len(l.wait) >= longestLine || g.waiting >= mostWaiting || wait > longestWait || l.stood(now) >= stalled {
		return nil, &later{errBusy, max(wait, longestWait)}
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

// of returns the queue of a site that has a request now.
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

// open reports whether a site may have another slot.
func (g *gate) open(site int64, l *line, now time.Time) bool {
	return g.free > 0 && l.inside < g.share && (!g.yields(site, l, now) || l.inside < g.few && !now.Before(l.rests))
}

// yields reports whether a site is heavy while others have requests.
func (g *gate) yields(site int64, l *line, now time.Time) bool { return l.heavy && g.others(site, now) }

// admit gives a slot to a site.
func (g *gate) admit(l *line) {
	g.free--
	l.inside++
}

// seen records a request of a light site.
func (g *gate) seen(site int64, now time.Time) {
	if g.lights[0].site != site {
		g.lights[1] = g.lights[0]
	}
	g.lights[0] = lastRequest{site, now}
}

// others reports whether another site that is still light had a request recently.
func (g *gate) others(site int64, now time.Time) bool {
	return slices.ContainsFunc(g.lights[:], func(last lastRequest) bool {
		return last.site != site && now.Sub(last.at) < lately && !g.heavy(last.site, now)
	})
}

// heavy reports whether a site currently has a high load.
func (g *gate) heavy(site int64, now time.Time) bool {
	l := g.sites[site]
	if l == nil {
		return false
	}
	g.weigh(l, now)
	return l.heavy
}

// work adds to the number of a site's requests that use the processors without a slot. They count towards the
// site's load like requests with a slot.
func (g *gate) work(site int64, more int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock()
	l := g.sites[site]
	if l == nil {
		l = &line{at: now}
		g.sites[site] = l
	}
	g.weigh(l, now)
	l.works += more
}

// quit leaves the queue and reports whether the request was still waiting.
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

// leave releases a slot.
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

// wake is called when a site's pause is over.
func (g *gate) wake() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fill(g.clock())
}

// fill gives free slots to the waiting sites that may have them.
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

// weigh updates a site's load.
func (g *gate) weigh(l *line, now time.Time) {
	l.age(now)
	l.heavy = l.load > g.much
}

// tidy removes a few sites without requests and recent load.
func (g *gate) tidy(now time.Time) {
	seen := 0
	for site, l := range g.sites {
		if l.inside == 0 && l.works == 0 && len(l.wait) == 0 {
			if g.weigh(l, now); l.load < forgotten {
				delete(g.sites, site)
			}
		}
		if seen++; seen == 2 {
			return
		}
	}
}
