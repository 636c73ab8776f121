package web

import (
	"sync"
	"time"
)

// How often a visitor may try the passwords of a site's events, and how many
// visitors are remembered.
const (
	attemptsPerMinute = 10
	mostVisitors      = 10_000
)

// throttle counts attempts of the running minute.
type throttle struct {
	now    func() time.Time
	mu     sync.Mutex
	minute time.Time
	counts map[string]int
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, counts: map[string]int{}}
}

// allow counts an attempt and reports whether it may be made.
func (t *throttle) allow(who string) bool {
	minute := t.now().Truncate(time.Minute)
	t.mu.Lock()
	defer t.mu.Unlock()
	if !minute.Equal(t.minute) || len(t.counts) >= mostVisitors {
		t.minute = minute
		clear(t.counts)
	}
	t.counts[who]++
	return t.counts[who] <= attemptsPerMinute
}
