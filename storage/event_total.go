package storage

import (
	"fmt"
	"sync"
)

// counted remembers what was counted of lists, by what they filter. A statement
// carries what is known and the version of the site it was counted at, and
// counts anew unless the site still has that version. So what is remembered can
// be useless, never wrong.
type counted[T any] struct {
	mu    sync.Mutex
	known map[string]T
}

// total is how many events a list has in all.
type total struct {
	version int64
	events  int
}

// mostCounted bounds the memory; beyond it everything is forgotten.
const mostCounted = 20_000

// get returns what is known of a filter, or none.
func (c *counted[T]) get(filter string, none T) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.known[filter]; ok {
		return known
	}
	return none
}

func (c *counted[T]) set(filter string, known T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= mostCounted {
		c.known = map[string]T{}
	}
	c.known[filter] = known
}

// filter names what a list filters: the conditions and their values so far, and the
// words that its search finds by index, which are no values.
func (b *eventQuery) filter() string {
	if b.whole() {
		return b.singles() + fmt.Sprint(b.args, b.words)
	}
	return b.matches(false) + fmt.Sprint(b.args, b.words)
}
