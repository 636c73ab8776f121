package cache

import (
	"context"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// The bounds of the buckets: how often nodes tell each other what was taken,
// how many buckets one tells of at a time, and how many it keeps.
const (
	tellEvery   = 200 * time.Millisecond
	tellAtOnce  = 256
	mostBuckets = 100_000
)

// Buckets limit how often something happens, by name: token buckets that hold a
// minute's worth and fill evenly. Nobody waits for Redis: a node takes from what
// it believes to be there and tells Redis soon, which holds what all nodes took.
// Without Redis each node limits for itself.
type Buckets struct {
	redis *Redis // nil: there are no other nodes
	now   func() time.Time
	mu    sync.Mutex
	named map[string]*bucket
}

type bucket struct {
	perMinute float64
	left      float64 // below zero when several nodes took at once
	taken     float64 // since Redis was told
	at        time.Time
}

// Left is what a bucket says to one who takes from it.
type Left struct {
	OK   bool
	Left int           // that may be taken now
	Full time.Duration // until the bucket is full again
	Next time.Duration // until one may be taken; 0 when there is one
}

// NewBuckets returns no buckets yet: they are made full as they are asked for.
func NewBuckets(redis *Redis, now func() time.Time) *Buckets {
	return &Buckets{redis: redis, now: now, named: map[string]*bucket{}}
}

// Take takes one from the bucket of a name, unless it is empty. perMinute is how
// much it holds and how fast it fills; at least 1.
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

// fill adds what came in since the last time; another size counts from now on.
func (o *bucket) fill(now time.Time, perMinute float64) {
	o.left += (perMinute - o.perMinute) + max(0, now.Sub(o.at).Minutes())*perMinute
	o.left = min(o.left, perMinute)
	o.perMinute, o.at = perMinute, now
}

// until returns how long it takes until so much is there.
func (o *bucket) until(much float64) time.Duration {
	return time.Duration(max(0, much-o.left) / o.perMinute * float64(time.Minute))
}

// dropFull forgets the buckets that are full, which are as good as new; if that
// is none, all of them.
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

// Run tells Redis what was taken here and learns what others took, until the
// context ends.
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

// told is what one bucket had to tell.
type told struct {
	name            string
	perMinute, took float64
	answer          *redis.Cmd
}

// pour takes from a bucket in Redis and returns what is left there: its size a
// minute, what was taken. Redis's own clock counts, so nodes need not agree.
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

// tell brings what was taken to Redis. While Redis is away it is kept, up to a
// bucket's worth.
func (b *Buckets) tell(ctx context.Context) {
	if !b.redis.open() {
		return
	}
	list := b.spent()
	if len(list) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*patience)
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

// spent returns the buckets that have something to tell.
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

// learn takes over what Redis says is left, less what was taken meanwhile. What
// makes no sense changes nothing.
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
