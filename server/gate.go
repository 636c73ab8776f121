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

// The lengths of the lines in front of the gate, and how long a request stands
// there: who waits longer would only get an answer nobody waits for any more.
const (
	longestLine = 256  // of one site
	mostWaiting = 2048 // of all
	patience    = 5 * time.Second
)

// gate lets as many requests in at once as the database answers well. One site
// gets half of the places and no more, so that the others never wait for it
// alone; who has to wait stands in the line of their site, and the sites take
// turns.
type gate struct {
	places int
	share  int // places of one site

	mu      sync.Mutex
	free    int
	waiting int
	sites   map[int64]*line
	turns   []int64 // sites with somebody waiting
}

// line is what a site has inside and in front of the gate.
type line struct {
	inside int
	wait   []chan struct{} // closed to let one in
}

func newGate(places int) *gate {
	places = max(1, places)
	return &gate{places: places, share: max(1, places/2), free: places, sites: map[int64]*line{}}
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
	if turn == nil || err != nil {
		return err
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-turn:
		return nil
	case <-late.C:
		err = errBusy
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
	l := g.sites[site]
	if l == nil {
		l = &line{}
		g.sites[site] = l
	}
	switch {
	case g.free > 0 && l.inside < g.share && len(l.wait) == 0:
		g.free--
		l.inside++
		return nil, nil
	case len(l.wait) >= longestLine || g.waiting >= mostWaiting:
		return nil, errBusy
	}
	turn = make(chan struct{})
	if len(l.wait) == 0 {
		g.turns = append(g.turns, site)
	}
	l.wait = append(l.wait, turn)
	g.waiting++
	return turn, nil
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
	l.wait = slices.Delete(l.wait, i, i+1)
	g.waiting--
	if len(l.wait) == 0 {
		g.turns = slices.DeleteFunc(g.turns, func(s int64) bool { return s == site })
		g.forget(site, l)
	}
	return true
}

// leave gives a place back, to the next site in turn that may have it.
func (g *gate) leave(site int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.sites[site]
	l.inside--
	g.free++
	g.forget(site, l)
	for i := 0; i < len(g.turns) && g.free > 0; i++ {
		next := g.turns[i]
		l := g.sites[next]
		if l.inside >= g.share {
			continue
		}
		g.free--
		g.waiting--
		l.inside++
		close(l.wait[0])
		l.wait = l.wait[1:]
		g.turns = slices.Delete(g.turns, i, i+1)
		if len(l.wait) > 0 {
			g.turns = append(g.turns, next)
		}
		i--
	}
}

// forget drops a site that has nobody here.
func (g *gate) forget(site int64, l *line) {
	if l.inside == 0 && len(l.wait) == 0 {
		delete(g.sites, site)
	}
}
