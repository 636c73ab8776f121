package storage

import (
	"crypto/sha256"
	"fmt"
	"sync"
)

// counted remembers what was counted of lists, by what they filter. A statement
// carries what is known and the version of the site it was counted at, and
// counts anew unless the site still has that version. So what is remembered can
// be useless, never wrong.
type counted[T any] struct {
	mu    sync.Mutex
	known map[filterKey]T
}

// filterKey names what a list filters. It is a digest, for strangers ask for lists as they
// like, and statements with their values are long.
type filterKey [16]byte

func keyOf(filter string) (key filterKey) {
	sum := sha256.Sum256([]byte(filter))
	copy(key[:], sum[:])
	return key
}

// total is how many events a list has in all.
type total struct {
	version int64
	events  int
}

// mostCounted bounds the memory; beyond it everything is forgotten.
const mostCounted = 20_000

// get returns what is known of a filter, or none.
func (c *counted[T]) get(filter filterKey, none T) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.known[filter]; ok {
		return known
	}
	return none
}

func (c *counted[T]) set(filter filterKey, known T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= mostCounted {
		c.known = map[filterKey]T{}
	}
	c.known[filter] = known
}

// filter names what a list filters: the conditions and their values so far, and the
// words that its search finds by index, which are no values. Values are quoted: two that read alike in a row are two.
func (b *eventQuery) filter() filterKey {
	var conditions string // which add to the values
	if b.whole() {
		conditions = b.singles()
	} else {
		conditions = b.matches(false)
	}
	return keyOf(conditions + fmt.Sprintf("%#v %#v", b.args, b.words))
}
