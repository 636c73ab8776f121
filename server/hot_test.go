package server

import (
	"fmt"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy/platform"
)

// Hot tells the busiest sites, begins anew with each call, and forgets the idle ones where there are too many.
func TestHot(t *testing.T) {
	t.Parallel()
	h := &Hot{}
	for n := range 3 * mostHot {
		h.Add(fmt.Sprint("idle-", n), time.Microsecond, 200, false)
		h.Add("busy", time.Millisecond, 200, false)
	}
	h.Add("failing", time.Hour, 503, false)
	if n := len(h.sites); n > mostHot {
		t.Errorf("%d sites are counted", n)
	}
	top := h.Take()
	if len(top) != hotShown || top[0] != (Load{"failing", 1, 1, time.Hour}) || top[1] != (Load{"busy", 3 * mostHot, 0, 3 * mostHot * time.Millisecond}) {
		t.Errorf("%d: %v", len(top), top[:2])
	}
	h.Add("busy", 1, 429, false)
	h.Add("busy", 1, 403, true)
	h.Add("busy", 1, 500, false)
	h.Take()
	traffic := h.Traffic()
	if got, want := traffic["busy"], (platform.Traffic{Requests: 3*mostHot + 3, Limited: 1, Full: 1, Errors: 1}); got != want || len(traffic) != 3*mostHot+2 ||
		traffic["failing"].Busy != 1 || traffic["idle-0"].Requests != 1 {
		t.Errorf("traffic of %d sites: %+v", len(traffic), got)
	}
	h.Back(traffic)
	if again := h.Traffic(); len(again) != len(traffic) || len(h.Traffic()) != 0 {
		t.Errorf("of %d sites after it could not be written", len(again))
	}
	if again := h.Take(); len(again) != 0 {
		t.Errorf("still %v", again)
	}
	if sum := Hottest([]Load{{"a", 1, 0, 1}, {"b", 1, 1, 3}, {"a", 2, 0, 4}}); len(sum) != 2 || sum[0] != (Load{"a", 3, 0, 5}) {
		t.Errorf("of two nodes: %v", sum)
	}
	(*Hot)(nil).Add("x", 1, 200, false)
}
