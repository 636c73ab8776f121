package cache

import (
	"context"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Limits of the buckets: how often a node reports to Redis, how many buckets it reports at a time, and how many it
// keeps.
const (
	tellEvery   = 200 * time.Millisecond
	tellAtOnce  = 256
	mostBuckets = 100_000
)

// Buckets are rate limits by name: token buckets with a capacity of one minute that refill evenly. Nobody waits for
// Redis: a node takes tokens from its local estimate and reports them to Redis shortly afterwards, which accumulates
// what all nodes took. Without Redis each node limits on its own.
type Buckets struct {
	redis *Redis // nil if there are no other nodes
	now   func() time.Time
	mu    sync.Mutex
	named map[string]*bucket
}

type bucket struct {
	perMinute float64
	left      float64 // negative if several nodes took the last tokens at once
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
func (b *Buckets) Take(name string, perMinute int) Left {
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
	ok := one.left >= 1
	if ok {
		one.left--
		if b.redis != nil {
			one.taken = min(one.taken+1, size)
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

// Run exchanges taken tokens with Redis until the context ends.
func (b *Buckets) Run(ctx context.Context) {
	if b.redis == nil {
		return
	}
	tick := time.NewTicker(tellEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			b.tell(ctx)
		}
	}
}

// told is what one bucket has to report.
type told struct {
	name            string
	perMinute, took float64
	answer          *redis.Cmd
}

// pour takes tokens from a bucket in Redis and returns what is left. Its arguments are the capacity per minute and
// the number of tokens. It uses the clock of Redis, so that nodes need not agree.
var pour = redis.NewScript(`
	local size, taken = tonumber(ARGV[1]), tonumber(ARGV[2])
	local clock = redis.call('TIME')
	local now = clock[1] + clock[2] / 1000000
	local was = redis.call('HMGET', KEYS[1], 'left', 'at')
	local left, at = tonumber(was[1]) or size, tonumber(was[2]) or now
	left = math.min(size, left + math.max(0, now - at) * size / 60)
	left = math.max(-size, left - taken)
	redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', string.format('%.6f', now))
	redis.call('PEXPIRE', KEYS[1], 180000)
	return tostring(left)`)

// tell reports taken tokens to Redis. While Redis is down they are kept, up to the capacity of a bucket.
func (b *Buckets) tell(ctx context.Context) {
	if !b.redis.open() {
		return
	}
	list := b.spent()
	if len(list) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*lookupTimeout)
	defer cancel()
	pipe := b.redis.client.Pipeline()
	for i := range list {
		key := "kalends:b:" + list[i].name
		list[i].answer = pour.Eval(ctx, pipe, []string{key}, list[i].perMinute, list[i].took)
	}
	if _, err := pipe.Exec(ctx); err != nil && ctx.Err() == nil {
		b.redis.fail(err)
	}
	b.learn(list)
}

// spent returns the buckets that have something to report.
func (b *Buckets) spent() []told {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []told
	for name, one := range b.named {
		if one.taken == 0 {
			continue
		}
		if list = append(list, told{name: name, perMinute: one.perMinute, took: one.taken}); len(list) == tellAtOnce {
			break
		}
	}
	return list
}

// learn adopts the number of tokens that Redis has left, less those taken meanwhile. It ignores invalid values.
func (b *Buckets) learn(list []told) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range list {
		one := b.named[t.name]
		text, err := t.answer.Text()
		left, wrong := strconv.ParseFloat(text, 64)
		if one == nil || err != nil || wrong != nil || math.IsNaN(left) || math.Abs(left) > t.perMinute {
			continue
		}
		one.taken = max(0, one.taken-t.took)
		one.left = min(left-one.taken, one.perMinute)
		one.at = b.now()
	}
}
