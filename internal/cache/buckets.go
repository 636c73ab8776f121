package cache

import (
	"sync"
	"time"
)

// Limits of the buckets: how often a node reports to Redis, how many buckets it reports at a time, and how many it
// keeps.
const (
	tellEvery   = 200 * time.Millisecond
	tellAtOnce  = 256
	mostBuckets = 100_000
)

// Buckets are rate limits by name: token buckets with a capacity of one minute that refill evenly. Nobody waits for
// Redis: a node takes tokens from its local estimate and reports them to Redis shortly afterwards, which adds up
// the tokens that all nodes have taken. Without Redis, each node limits by itself.
type Buckets struct {
	redis *Redis // nil if there are no other nodes
	now   func() time.Time
	mu    sync.Mutex
	named map[string]*bucket
}

type bucket struct {
	perMinute float64
	left      float64 // negative if several nodes took the last tokens simultaneously
	taken     float64 // since the last report to Redis
	at        time.Time
}

// Left is the state of a bucket after a Take.
type Left struct {
	OK   bool
	Left int           // tokens left
	Full time.Duration // until the bucket is full again
	Next time.Duration // time until a token is available; 0 if there is one
}

// NewBuckets returns an empty set of buckets. A bucket is created full on first use.
func NewBuckets(redis *Redis, now func() time.Time) *Buckets {
	return &Buckets{redis: redis, now: now, named: map[string]*bucket{}}
}

// Take takes a token from the named bucket unless it is empty. perMinute, at least 1, is both its capacity and its
// refill rate.
func (b *Buckets) Take(name string, perMinute int) Left { return b.take(name, perMinute, 1) }

// Look returns the state of the named bucket without taking a token.
func (b *Buckets) Look(name string, perMinute int) Left { return b.take(name, perMinute, 0) }

func (b *Buckets) take(name string, perMinute int, tokens float64) Left {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, size := b.now(), float64(max(1, perMinute))
	one := b.named[name]
	if one == nil {
		if len(b.named) >= mostBuckets {
			b.dropFull(now)
		}
		one = &bucket{perMinute: size, left: size, at: now}
		b.named[name] = one
	}
	one.fill(now, size)
	ok := one.left >= tokens
	if ok {
		one.left -= tokens
		if b.redis != nil {
			one.taken = min(one.taken+tokens, size)
		}
	}
	return Left{OK: ok, Left: int(max(0, one.left)), Full: one.until(size), Next: one.until(1)}
}

// fill adds the tokens that accrued since the last call. A changed rate applies from now on.
func (o *bucket) fill(now time.Time, perMinute float64) {
	o.left += (perMinute - o.perMinute) + max(0, now.Sub(o.at).Minutes())*perMinute
	o.left = min(o.left, perMinute)
	o.perMinute, o.at = perMinute, now
}

// until returns the time until the bucket has so many tokens.
func (o *bucket) until(much float64) time.Duration {
	return time.Duration(max(0, much-o.left) / o.perMinute * float64(time.Minute))
}

// dropFull removes the full buckets, which are equivalent to new ones. If there are none, it removes all.
func (b *Buckets) dropFull(now time.Time) {
	before := len(b.named)
	for name, one := range b.named {
		if one.fill(now, one.perMinute); one.left >= one.perMinute && one.taken == 0 {
			delete(b.named, name)
		}
	}
	if len(b.named) == before {
		clear(b.named)
	}
}
