package bounded

import (
	"sync/atomic"
	"testing"
	"time"
)

func TestCache(t *testing.T) {
	t.Parallel()
	var gone, evicted atomic.Int64
	c := New(Options[int, string]{
		Bytes: 1000,
		Weigh: func(_ int, value string) uint32 { return uint32(len(value)) },
		Gone: func(_ int, _ string, forRoom bool) {
			if gone.Add(1); forRoom {
				evicted.Add(1)
			}
		},
	})
	is := func(key int, want string) {
		t.Helper()
		got, found := c.Get(key)
		if peeked, there := c.Peek(key); got != want || found != (want != "") || peeked != got || there != found {
			t.Errorf("%d is %q, %v, peeked %q, %v, want %q", key, got, found, peeked, there, want)
		}
	}
	change := func(value string, outcome Outcome) {
		c.Change(1, func(string, bool) (string, Outcome) { return value, outcome })
	}
	is(1, "")
	c.Set(1, "one")
	is(1, "one")
	change("two", Leave)
	is(1, "one")
	change("two", Keep)
	is(1, "two")
	if n := c.Bytes(); n != 3 {
		t.Errorf("%d bytes", n)
	}
	change("", Forget)
	is(1, "")
	c.Set(1, "three")
	c.Forget(1)
	is(1, "")
	for key := range 100 {
		c.Set(key, "a value of twenty by")
	}
	if n := c.Bytes(); n > 1000 || n < 500 {
		t.Errorf("%d bytes of at most 1,000", n)
	}
	for evicted.Load() < 50 { // it is called a moment later
		time.Sleep(time.Millisecond)
	}
	if gone.Load() < evicted.Load()+3 {
		t.Errorf("%d went, %d of them for room", gone.Load(), evicted.Load())
	}
}
