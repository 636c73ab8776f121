package server

import (
	"fmt"
	"testing"
	"time"
)

// Hot tells the busiest sites, begins anew with each call, and forgets the idle ones where there are too many.
func TestHot(t *testing.T) {
	t.Parallel()
	h := &Hot{}
	for n := range 3 * mostHot {
		h.Add(fmt.Sprint("idle-", n), time.Microsecond, 200)
		h.Add("busy", time.Millisecond, 200)
	}
	h.Add("failing", time.Hour, 503)
	if n := len(h.sites); n > mostHot {
		t.Errorf("%d sites are counted", n)
	}
	top := h.Take()
	if len(top) != hotShown || top[0] != (Load{"failing", 1, 1, time.Hour}) || top[1] != (Load{"busy", 3 * mostHot, 0, 3 * mostHot * time.Millisecond}) {
		t.Errorf("%d: %v", len(top), top[:2])
	}
	if again := h.Take(); len(again) != 0 {
		t.Errorf("still %v", again)
	}
	if sum := Hottest([]Load{{"a", 1, 0, 1}, {"b", 1, 1, 3}, {"a", 2, 0, 4}}); len(sum) != 2 || sum[0] != (Load{"a", 3, 0, 5}) {
		t.Errorf("of two nodes: %v", sum)
	}
	(*Hot)(nil).Add("x", 1, 200)
}
