package numbers

import (
	"hash/maphash"
	"sync"
	"time"
)

// Limits on the clicks that one node counts in a minute.
const (
	mostClicks   = 60     // of a network
	mostNetworks = 10_000 // then nobody else's
)

// clicks limits how many clicks of a network are counted. It remembers networks for a minute, as digests that
// outsiders cannot compute.
type clicks struct {
	mu   sync.Mutex
	seed maphash.Seed
	ends time.Time
	of   map[uint64]int
}

// pass reports whether one more click of a network counts.
func (c *clicks) pass(network string, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil || !now.Before(c.ends) || c.ends.Sub(now) > time.Minute {
		c.seed, c.ends, c.of = maphash.MakeSeed(), now.Add(time.Minute), map[uint64]int{}
	}
	key := maphash.String(c.seed, network)
	if n, there := c.of[key]; n >= mostClicks || !there && len(c.of) >= mostNetworks {
		return false
	}
	c.of[key]++
	return true
}
