package server

import (
	"slices"
	"testing"
	"time"
)

// A lone site has half of the slots indefinitely. When sites with low load have requests, it is reduced to few slots,
// and gets its half back when they are gone.
func TestHeavySiteGivesWayWhileOthersAsk(t *testing.T) {
	t.Parallel()
	g, clock := stopped(8, 2)
	for range 4 {
		enters(t, g, 1)
	}
	clock.pass(10 * time.Second)
	turns := []chan struct{}{waits(t, g, 1), waits(t, g, 1), waits(t, g, 1), waits(t, g, 1), waits(t, g, 1)}
	g.leave(1)
	if !came(turns[0]) {
		t.Fatal("a site alone isn't let in though it has less than its half")
	}
	enters(t, g, 2)
	for range 3 {
		g.leave(1)
	}
	if came(turns[1]) {
		t.Fatal("a heavy site got more than few places while another asks")
	}
	g.leave(1)
	if !came(turns[1]) || came(turns[2]) {
		t.Fatal("a heavy site has its few places and no more while another asks")
	}
	enters(t, g, 3) // which finds free places
	g.leave(3)
	g.leave(2)
	if came(turns[2]) {
		t.Fatal("a site that asked just now doesn't count as there")
	}
	clock.pass(lately)
	g.leave(1)
	if !came(turns[2]) || !came(turns[3]) || !came(turns[4]) {
		t.Fatal("nobody else asks, and a site hasn't got its half again")
	}
	for range 3 {
		g.leave(1)
	}
	empty(t, g, clock)
}

// A site for which the processors work outside of the gate, as on its pictures, is heavy, too: another one is not kept waiting for it.
func TestWorkOutsideCounts(t *testing.T) {
	t.Parallel()
	g, clock := stopped(8, 2)
	g.work(1, 1)
	clock.pass(10 * time.Second)
	if enters(t, g, 1); !g.heavy(1, clock.now()) {
		t.Fatal("a site whose pictures keep a processor busy isn't heavy")
	}
	enters(t, g, 2)
	turn := waits(t, g, 1)
	clock.pass(10 * time.Second)
	enters(t, g, 2) // heavy by now, but the other one is so, too
	if g.yields(2, g.sites[2], clock.now()) {
		t.Fatal("a site gives way to one that keeps the processors busy")
	}
	g.leave(2)
	g.leave(2)
	g.leave(1)
	if !came(turn) {
		t.Fatal("the heavy site isn't let in though nobody else asks")
	}
	g.leave(1)
	g.work(1, -1)
	empty(t, g, clock)
}

// A heavy site pauses for as long as its request took while others have requests, and not at all otherwise.
func TestHeavySiteRests(t *testing.T) {
	t.Parallel()
	g, clock := stopped(8, 2)
	var rests []time.Duration
	g.after = func(d time.Duration, _ func()) { rests = append(rests, d) }
	enters(t, g, 1)
	clock.pass(10 * time.Second)
	g.leave(1)
	enters(t, g, 1) // alone
	clock.pass(30 * time.Millisecond)
	enters(t, g, 2)
	next := []chan struct{}{waits(t, g, 1), waits(t, g, 1)}
	clock.pass(10 * time.Millisecond)
	g.leave(1)
	clock.pass(39 * time.Millisecond)
	if g.wake(); came(next[0]) {
		t.Fatal("a heavy site was let in before it rested")
	}
	clock.pass(time.Millisecond)
	if g.wake(); !came(next[0]) || came(next[1]) {
		t.Fatal("a heavy site that rested isn't let in, or twice")
	}
	clock.pass(20 * time.Millisecond)
	g.leave(1)
	if want := []time.Duration{40 * time.Millisecond, 20 * time.Millisecond}; !slices.Equal(rests, want) {
		t.Errorf("rests of %v, want %v", rests, want)
	}
	g.leave(2)
	clock.pass(lately)
	if g.wake(); !came(next[1]) {
		t.Fatal("nobody else asks, and a site isn't let in")
	}
	g.leave(1)
	empty(t, g, clock)
}

// A heavy site whose only client waits for each answer rests no longer than a request may wait, however long its requests take. While others
// of the site wait, it rests for longer, because those cannot be answered in time anyway.
func TestHeavySiteAloneInLineIsLetIn(t *testing.T) {
	t.Parallel()
	g, clock := stopped(8, 2)
	var rest time.Duration
	g.after = func(d time.Duration, _ func()) { rest = d }
	for _, took := range []time.Duration{600 * time.Millisecond, 1200 * time.Millisecond, 3 * time.Second, time.Minute} {
		rest = 0
		enters(t, g, 1)
		clock.pass(took)
		enters(t, g, 2)
		g.leave(2)
		g.leave(1)
		if rest != min(took, longestRest) || rest >= longestWait {
			t.Errorf("after %v a rest of %v", took, rest)
		}
		next := waits(t, g, 1)
		clock.pass(rest - 1)
		if g.wake(); came(next) {
			t.Errorf("after %v the site does not rest", took)
		}
		clock.pass(1)
		if g.wake(); !came(next) {
			t.Errorf("after %v the site is not let in", took)
		}
		g.leave(1)
		clock.pass(10 * time.Second)
	}
	enters(t, g, 1)
	clock.pass(3 * time.Second)
	enters(t, g, 2)
	g.leave(2)
	turn := waits(t, g, 1)
	if g.leave(1); rest != lately {
		t.Errorf("a site with a line rests for %v", rest)
	}
	clock.pass(lately)
	if g.wake(); !came(turn) {
		t.Error("a site with a line is not let in")
	}
	g.leave(1)
	empty(t, g, clock)
}

// Heavy sites do not block each other, and a site is no longer heavy after a period of low load.
func TestHeavySitesDoNotStopEachOther(t *testing.T) {
	t.Parallel()
	g, clock := stopped(8, 2)
	enters(t, g, 1)
	enters(t, g, 2)
	clock.pass(10 * time.Second)
	for _, site := range []int64{1, 2} {
		g.leave(site)
		enters(t, g, site)
	}
	clock.pass(lately / 10)
	enters(t, g, 3)
	first, second := waits(t, g, 1), waits(t, g, 2)
	g.leave(2) // while the other's request takes its time
	clock.pass(lately / 10)
	g.wake()
	if came(first) || !came(second) {
		t.Fatal("each heavy site has its few places, whatever the others do")
	}
	g.leave(1)
	clock.pass(lately / 5)
	g.wake()
	if !came(first) {
		t.Fatal("a heavy site hasn't got the place it gave back")
	}
	g.leave(1)
	g.leave(2)
	clock.pass(10 * time.Second)
	enters(t, g, 4)
	enters(t, g, 1)
	enters(t, g, 1)
	for _, site := range []int64{1, 1, 3, 4} {
		g.leave(site)
	}
	empty(t, g, clock)
}

// Equally busy sites do not make each other pause, although each was light at first.
func TestHeavySitesDoNotRestForEachOther(t *testing.T) {
	t.Parallel()
	g, clock := stopped(8, 2)
	g.after = func(d time.Duration, _ func()) { t.Errorf("a rest of %v", d) }
	sites := []int64{1, 2, 3}
	for range 3 * lately / time.Millisecond {
		for _, site := range sites {
			enters(t, g, site)
		}
		clock.pass(time.Millisecond)
		for _, site := range sites {
			g.leave(site)
		}
	}
	empty(t, g, clock)
}
