package server

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestWheel: each request is due at the first notch after its time is up, also when the wheel was turned late, and those that were taken
// out are not.
func TestWheel(t *testing.T) {
	var w wheel
	by := rand.New(rand.NewPCG(1, 42))
	now := time.Duration(0)
	waits := map[*parked]bool{}
	for range 3000 {
		for range by.IntN(30) {
			p := &parked{until: now + time.Duration(by.Int64N(int64(longestPatience)))}
			waits[p] = true
			w.add(p, now)
		}
		for p := range waits {
			if by.IntN(40) == 0 {
				delete(waits, p)
				w.remove(p)
			}
			break
		}
		if now += time.Duration(by.Int64N(int64(2 * notch))); by.IntN(500) == 0 {
			now += time.Duration(by.Int64N(int64(3 * longestPatience)))
		}
		for due, more := []*parked(nil), true; more; more = len(due) == mostDue {
			due = w.pass(now, due[:0])
			for _, p := range due {
				if !waits[p] || p.until > now {
					t.Fatalf("%v is due at %v, waits %v", p.until, now, waits[p])
				}
				delete(waits, p)
				w.remove(p)
			}
		}
		for p := range waits {
			if p.until <= now-notch {
				t.Fatalf("%v is not due at %v", p.until, now)
			}
		}
		if w.count != len(waits) {
			t.Fatalf("%d in the wheel, want %d", w.count, len(waits))
		}
	}
}

// TestWheelIsNotTurnedAtOnce: of many that are due at the same moment some come at the next notch.
func TestWheelIsNotTurnedAtOnce(t *testing.T) {
	var w wheel
	for range 2*mostDue + 1 {
		w.add(&parked{until: time.Second}, 0)
	}
	for i, want := range []int{mostDue, mostDue, 1, 0} {
		due := w.pass(time.Second, nil)
		for _, p := range due {
			w.remove(p)
		}
		if len(due) != want {
			t.Errorf("%d: %d, want %d", i, len(due), want)
		}
	}
}

// TestCrowdSettles: memory is given back when many have come, once, and again when others come after they have left.
func TestCrowdSettles(t *testing.T) {
	var c crowd
	var at []int
	for i, waiting := range []int{10, 900, 3000, 9000, 10000, 10000, 10000, 9500, 10040, 10040, 11200, 11210, 2000, 2000, 5000, 5000} {
		if c.hasGrown(waiting, time.Duration(i+1)*time.Second) {
			at = append(at, i)
		}
		if c.hasGrown(20_000, time.Duration(i+1)*time.Second+time.Millisecond) {
			t.Error("it looks twice in a second")
		}
	}
	if want := []int{5, 11, 15}; !slices.Equal(at, want) {
		t.Errorf("at %v, want %v", at, want)
	}
}
