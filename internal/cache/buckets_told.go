package cache

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

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

// told is the report of one bucket.
type told struct {
	name            string
	perMinute, took float64
	answer          *redis.Cmd
}

// pour takes tokens from a bucket in Redis and returns the number that is left. Its arguments are the capacity per
// minute and the number of tokens. It uses the clock of Redis, so that nodes need not agree, and replaces what is no bucket.
var pour = redis.NewScript(`
	local size, taken = tonumber(ARGV[1]), tonumber(ARGV[2])
	local clock = redis.call('TIME')
	local now = clock[1] + clock[2] / 1000000
	if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then
		redis.call('DEL', KEYS[1])
	end
	local was = redis.call('HMGET', KEYS[1], 'left', 'at')
	local left, at = tonumber(was[1]) or size, tonumber(was[2]) or now
	left = math.min(size, left + math.max(0, now - at) * size / 60)
	left = math.max(-size, left - taken)
	redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', string.format('%.6f', now))
	redis.call('PEXPIRE', KEYS[1], 180000)
	return tostring(left)`)

// tell reports to Redis how many tokens were taken. While Redis is down, it reports nothing and the counts grow up to
// the capacity of a bucket.
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
	_, err := pipe.Exec(ctx)
	var refusal redis.Error // Redis may be full but still readable
	if err != nil && ctx.Err() == nil && !errors.As(err, &refusal) {
		b.redis.fail(err)
	}
	b.learn(list)
}

// spent returns the buckets from which tokens were taken since the last report, at most tellAtOnce.
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

// learn adopts the number of tokens that Redis has left, minus those taken in the meantime. It ignores invalid
// values.
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
