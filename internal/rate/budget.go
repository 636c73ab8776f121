// Package rate bounds how often something is done on one node.
package rate

import (
	"sync"
	"time"
)

// Budget allows something a number of times in a row, and then once more per interval.
type Budget struct {
	Each  time.Duration
	Most  int
	Clock func() time.Time

	mu   sync.Mutex
	full time.Time // time at which the whole budget is available again
}

// Take uses up one unit of the budget, and reports whether one was left.
func (b *Budget) Take() bool {
	now := b.Clock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if left := b.full.Sub(now); left < 0 || left > time.Duration(b.Most)*b.Each { // more is owed than can be: the clock was set back
		b.full = now
	}
	if b.full.Sub(now) > time.Duration(b.Most-1)*b.Each {
		return false
	}
	b.full = b.full.Add(b.Each)
	return true
}

// Back returns a unit that was taken but not needed.
func (b *Budget) Back() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.full = b.full.Add(-b.Each)
}
