package server

import (
	"context"
	"time"
)

// atHand is the cost of a response that needs no slot, cached or a rejection: twice its processor time, because it
// wakes other goroutines and evicts their data from CPU caches.
const atHand = 120 * time.Microsecond

// pace waits until a request of the site may get a response that needs no slot. While other sites have requests,
// the responses of a heavy site are sent one by one, at the rate that just makes a site heavy; otherwise the
// clients of one site could occupy the processors with cheap responses. It returns errBusy if the wait would be too
// long, and the context's error.
func (g *gate) pace(ctx context.Context, site int64) error {
	wait := g.pass(site)
	switch {
	case wait == 0:
		return nil
	case wait > longestWait:
		return &later{errBusy, wait}
	}
	turn := time.NewTimer(wait)
	defer turn.Stop()
	select {
	case <-turn.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pass adds a cheap response to the site's load and returns how long it has to wait.
func (g *gate) pass(site int64) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock()
	l := g.of(site, now)
	l.load += float64(atHand) / float64(lately)
	if !g.yields(site, l, now) {
		return 0
	}
	if l.due.Before(now) {
		l.due = now
	}
	wait := l.due.Sub(now)
	if wait <= longestWait {
		l.due = l.due.Add(time.Duration(float64(atHand) / g.much))
	}
	return wait
}
