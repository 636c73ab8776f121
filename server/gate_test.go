package server

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// queued waits until n requests stand in line.
func queued(t *testing.T, g *gate, n int) {
	t.Helper()
	for {
		g.mu.Lock()
		waiting := g.waiting
		g.mu.Unlock()
		if waiting == n {
			return
		}
		if t.Context().Err() != nil {
			t.Fatalf("%d wait, want %d", waiting, n)
		}
	}
}

func TestGateSharesItsPlaces(t *testing.T) {
	t.Parallel()
	g := newGate(4)
	enter := func(site int64) {
		if err := g.enter(t.Context(), site); err != nil {
			t.Error(err)
		}
	}
	enter(1)
	enter(1)
	order := make(chan int64, 3)
	var all sync.WaitGroup
	for i, site := range []int64{1, 1, 1} {
		all.Go(func() {
			enter(site)
			order <- site
		})
		queued(t, g, i+1) // half of the places is all that site 1 gets
	}
	enter(2) // and another site doesn't wait behind it
	enter(3)
	all.Go(func() {
		enter(2)
		order <- 2
	})
	queued(t, g, 4)
	g.leave(1)
	g.leave(3)
	got := []int64{<-order, <-order}
	slices.Sort(got)
	if !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("let in %v, want each site in its turn", got)
	}
	for _, site := range []int64{1, 1, 2, 2} {
		g.leave(site)
	}
	all.Wait()
	g.leave(1)
	g.leave(1)
	if g.free != 4 || g.waiting != 0 || len(g.sites) != 0 || len(g.turns) != 0 {
		t.Errorf("left over: %d free, %d waiting, sites %v, turns %v", g.free, g.waiting, g.sites, g.turns)
	}
}

func TestGateSendsAwayWhoWouldWaitTooLong(t *testing.T) {
	t.Parallel()
	g := newGate(1)
	if err := g.enter(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range longestLine {
		all.Go(func() {
			if err := g.enter(ctx, 1); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want that of the context", err)
			}
		})
	}
	queued(t, g, longestLine)
	if err := g.enter(t.Context(), 1); !errors.Is(err, errBusy) {
		t.Errorf("error %v, want %v", err, errBusy)
	}
	stop()
	all.Wait()
	g.leave(1)
	if g.free != 1 || g.waiting != 0 || len(g.sites) != 0 || len(g.turns) != 0 {
		t.Errorf("left over: %d free, %d waiting, sites %v, turns %v", g.free, g.waiting, g.sites, g.turns)
	}
}

// Whatever comes and goes, never more are inside than there are places, and none
// is lost.
func TestGateUnderLoad(t *testing.T) {
	t.Parallel()
	g := newGate(6)
	var inside, most atomic.Int64
	of := [5]atomic.Int64{}
	var all sync.WaitGroup
	for n := range 40 {
		site := int64(n % 5)
		all.Go(func() {
			for i := range 200 {
				ctx, cancel := context.WithCancel(t.Context())
				if i%7 == 0 {
					cancel()
				}
				if err := g.enter(ctx, site); err == nil {
					now := inside.Add(1)
					for was := most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
					}
					if of[site].Add(1) > 3 {
						t.Errorf("site %d has more than its share", site)
					}
					of[site].Add(-1)
					inside.Add(-1)
					g.leave(site)
				}
				cancel()
			}
		})
	}
	all.Wait()
	if most.Load() > 6 || g.free != 6 || g.waiting != 0 || len(g.sites) != 0 || len(g.turns) != 0 {
		t.Errorf("at most %d inside; left over: %d free, %d waiting, sites %v, turns %v", most.Load(), g.free, g.waiting, g.sites, g.turns)
	}
}
