package server

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// stopwatch is a manually advanced clock.
type stopwatch struct{ at atomic.Int64 }

func (s *stopwatch) now() time.Time       { return time.Unix(0, s.at.Load()) }
func (s *stopwatch) pass(d time.Duration) { s.at.Add(int64(d)) }

// stopped returns a gate with a manually advanced clock.
func stopped(places, processors int) (*gate, *stopwatch) {
	g, clock := newGate(places, processors), &stopwatch{}
	clock.pass(time.Hour)
	g.clock, g.after = clock.now, func(time.Duration, func()) {} // who lets time pass wakes it
	g.timer = func(time.Duration) *time.Timer { return time.NewTimer(time.Hour) }
	return g, clock
}

// enters takes a slot that must be free.
func enters(t *testing.T, g *gate, site int64) {
	t.Helper()
	if turn, err := g.line(site); turn != nil || err != nil {
		t.Fatalf("site %d has to wait (error %v)", site, err)
	}
}

// waits joins the queue, which must be necessary, and returns the turn.
func waits(t *testing.T, g *gate, site int64) chan struct{} {
	t.Helper()
	turn, err := g.line(site)
	if turn == nil || err != nil {
		t.Fatalf("site %d doesn't wait (error %v)", site, err)
	}
	return turn
}

// came reports whether a turn has come.
func came(turn chan struct{}) bool {
	select {
	case <-turn:
		return true
	default:
		return false
	}
}

// empty fails unless every slot is free and no idle site is remembered.
func empty(t *testing.T, g *gate, clock *stopwatch) {
	t.Helper()
	if g.free != g.places || g.waiting != 0 || len(g.turns) != 0 {
		t.Errorf("left over: %d free, %d waiting, turns %v", g.free, g.waiting, g.turns)
	}
	clock.pass(time.Minute)
	for range len(g.sites) {
		g.tidy(clock.now())
	}
	if len(g.sites) != 0 {
		t.Errorf("still known: %v", g.sites)
	}
}

// queued waits until n requests are waiting.
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
	g, clock := stopped(4, 2)
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
	empty(t, g, clock)
}

func TestGateSendsAwayWhoWouldWaitTooLong(t *testing.T) {
	t.Parallel()
	g, clock := stopped(1, 2)
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
	empty(t, g, clock)
}

// The length of a queue is measured by how long its first request has waited; if that is too long, new requests are
// rejected immediately.
func TestGateGoesByTimeWaited(t *testing.T) {
	t.Parallel()
	g, clock := stopped(2, 2)
	enters(t, g, 1)
	first := waits(t, g, 1)
	clock.pass(stalled - 1)
	second := waits(t, g, 1)
	clock.pass(1)
	err := g.enter(t.Context(), 1)
	if refused := (*later)(nil); !errors.As(err, &refused) || refused.next < longestWait {
		t.Errorf("error %v, want to be told when to come again", err)
	}
	g.leave(1)
	if !came(first) {
		t.Fatal("the first isn't let in")
	}
	third := waits(t, g, 1) // for the second stands there for a moment
	for _, turn := range []chan struct{}{second, third} {
		g.leave(1)
		if !came(turn) {
			t.Fatal("the line is stuck")
		}
	}
	g.leave(1)
	empty(t, g, clock)
}

// A request that has waited for the maximum time is rejected.
func TestGateSendsAwayWhoHasWaited(t *testing.T) {
	t.Parallel()
	g, clock := stopped(1, 2)
	g.timer = func(d time.Duration) *time.Timer {
		if d != longestWait {
			t.Errorf("waits %s", d)
		}
		return time.NewTimer(0)
	}
	enters(t, g, 1)
	if err := g.enter(t.Context(), 1); !errors.Is(err, errBusy) {
		t.Errorf("error %v, want %v", err, errBusy)
	}
	g.leave(1)
	empty(t, g, clock)
}

// A request whose slot is granted at the moment at which it has waited for the maximum time is let in.
func TestGateLetsInAtTheLastMoment(t *testing.T) {
	t.Parallel()
	g, clock := stopped(1, 2)
	g.timer = func(time.Duration) *time.Timer {
		g.leave(1) // before the request looks at either
		return time.NewTimer(0)
	}
	for range 20 {
		enters(t, g, 1)
		if err := g.enter(t.Context(), 1); err != nil {
			t.Errorf("error %v", err)
		}
		g.leave(1)
	}
	empty(t, g, clock)
}

// Under random load, there are never more requests inside than slots, and none is lost.
func TestGateUnderLoad(t *testing.T) {
	t.Parallel()
	g, clock := stopped(6, 2)
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
					for {
						if was := most.Load(); now <= was || most.CompareAndSwap(was, now) {
							break
						}
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
	if most.Load() > 6 {
		t.Errorf("%d were inside at once", most.Load())
	}
	empty(t, g, clock)
}

// A queue with too long a waiting time accepts no more, however short it is.
func TestGateSendsAwayFromASlowLine(t *testing.T) {
	t.Parallel()
	g, clock := stopped(1, 2)
	enters(t, g, 1)
	turns := []chan struct{}{waits(t, g, 1)}
	for n, gap := range []time.Duration{250 * time.Millisecond, 220 * time.Millisecond, 220 * time.Millisecond} {
		turns = append(turns, waits(t, g, 1)) // fewer than three were slow
		clock.pass(gap)
		g.leave(1)
		if !came(turns[n]) || came(turns[n+1]) {
			t.Fatalf("number %d in line isn't let in, or the next is", n)
		}
	}
	turns = append(turns, waits(t, g, 1))
	_, err := g.line(1)
	if full, ok := errors.AsType[*later](err); !ok || !errors.Is(err, errBusy) || full.next != 660*time.Millisecond {
		t.Errorf("error %v, want %v with 0.66 s", err, errBusy)
	}
	other := waits(t, g, 2) // whose line has not shown to be slow
	g.leave(1)
	turns = append(turns, waits(t, g, 1)) // one was quick
	for g.free < g.places {
		for site, l := range g.sites {
			if l.inside > 0 {
				g.leave(site)
			}
		}
	}
	if !came(other) || !came(turns[len(turns)-1]) {
		t.Error("who stood in line wasn't let in")
	}
	empty(t, g, clock)
}

// Cheap responses are sent immediately, except those of a very busy site while another has requests.
func TestAnswersAtHandArePaced(t *testing.T) {
	t.Parallel()
	g, clock := stopped(8, 2)
	many := int(2 * g.much / (float64(atHand) / float64(lately)))
	for n := range many {
		if wait := g.pass(1); wait != 0 {
			t.Fatalf("answer %d of a site alone waits %s", n, wait)
		}
	}
	for n := range 10 {
		if wait := g.pass(2); wait != 0 {
			t.Fatalf("answer %d of a site that had little waits %s", n, wait)
		}
	}
	var waits []time.Duration
	for range 3 {
		waits = append(waits, g.pass(1))
	}
	each := time.Duration(float64(atHand) / g.much)
	if want := []time.Duration{0, each, 2 * each}; !slices.Equal(waits, want) {
		t.Errorf("wait %v, want %v", waits, want)
	}
	var wait time.Duration
	for n := 0; wait <= longestWait && n < 1_000_000; n++ {
		wait = g.pass(1)
	}
	if err := g.pace(t.Context(), 1); !errors.Is(err, errBusy) {
		t.Errorf("error %v after %s in advance, want %v", err, wait, errBusy)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	clock.pass(lately / 2)
	if err := g.pace(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	clock.pass(lately)
	if wait := g.pass(1); wait != 0 {
		t.Errorf("nobody else asks, and an answer waits %s", wait)
	}
	empty(t, g, clock)
}
