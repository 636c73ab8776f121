package server

import (
	"context"
	"time"
)

// atHand is what an answer that is at hand, kept or a refusal, counts as: its
// processor time twice, for it wakes others and pushes their data out of the caches.
const atHand = 120 * time.Microsecond

// pace waits until a request of the site may have an answer that is at hand and
// needs no place. Those of a heavy site go out one by one while others ask, at the
// pace that just makes a site heavy; or else the clients of one site could keep
// the processors busy with what costs next to nothing. It returns errBusy when the
// wait would be too long, and the context's error.
func (g *gate) pace(ctx context.Context, site int64) error {
	wait := g.pass(site)
	switch {
	case wait == 0:
		return nil
	case wait > patience:
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

// pass adds an answer that is at hand to what its site had, and returns how long
// it has to wait.
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
	if wait <= patience {
		l.due = l.due.Add(time.Duration(float64(atHand) / g.much))
	}
	return wait
}
