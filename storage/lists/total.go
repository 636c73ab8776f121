package lists

import (
	"crypto/sha256"
	"fmt"
	"sync"
)

// counted remembers the results of counting lists, by the lists' filters. A statement carries the remembered result
// with the version of the site, and counts again unless the site still has that version. Remembered results can be
// outdated but never wrong.
type counted[T any] struct {
	mu    sync.Mutex
	known map[filterKey]T
}

// filterKey identifies the filters of a list. It is a digest, because anyone may request any list, and statements
// with their values are long.
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

// mostCounted limits the memory. When it is reached, everything is forgotten.
const mostCounted = 20_000

// get returns the remembered result for a filter, or none.
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

// filter returns the key of everything that filters the list: the conditions and their values so far, and the words
// that the search looks up by index, which are not among these values. Values are quoted, so different values never
// result in the same key.
func (b *eventQuery) filter() filterKey {
	var conditions string // building them adds values
	if b.whole() {
		conditions = b.singles()
	} else {
		conditions = b.matches(false)
	}
	return keyOf(conditions + fmt.Sprintf("%#v %#v", b.args, b.words))
}
