package web

import (
	"strconv"
	"sync"
	"time"
)

// How often somebody may try to sign in: a few times at once, then one more
// each half minute.
const (
	bucketSize   = 5
	bucketRefill = 30 * time.Second
	mostBuckets  = 20_000
)

// buckets count attempts by who makes them.
type buckets struct {
	now  func() time.Time
	mu   sync.Mutex
	full map[string]time.Time // when the bucket will be full again
}

func newBuckets(now func() time.Time) *buckets {
	return &buckets{now: now, full: map[string]time.Time{}}
}

// take uses up an attempt. Without one left it returns how long to wait.
func (b *buckets) take(who string) (wait time.Duration) {
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	full := b.full[who]
	if full.Before(now) {
		full = now
	}
	if ready := full.Add(-(bucketSize - 1) * bucketRefill); ready.After(now) {
		return ready.Sub(now)
	}
	if len(b.full) >= mostBuckets {
		b.drop(now)
	}
	b.full[who] = full.Add(bucketRefill)
	return 0
}

// back returns an attempt that was right.
func (b *buckets) back(who string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.full[who] = b.full[who].Add(-bucketRefill)
}

// drop forgets full buckets, and all of them when there are none.
func (b *buckets) drop(now time.Time) {
	for who, full := range b.full {
		if !full.After(now) {
			delete(b.full, who)
		}
	}
	if len(b.full) >= mostBuckets {
		clear(b.full)
	}
}

// seconds writes a wait as Retry-After takes it.
func seconds(wait time.Duration) string {
	return strconv.Itoa(int((wait + time.Second - 1) / time.Second))
}
