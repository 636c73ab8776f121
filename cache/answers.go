package cache

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
)

// Key names an answer: the site, its version, and everything else the answer
// depends on.
type Key struct {
	Site    int64
	Version int64
	Rest    string
}

// Options are what a cache is made of.
type Options struct {
	Bytes int              // in this process; 0: 64 MiB
	Redis *Redis           // nil: none
	Clock func() time.Time // nil: time.Now
}

// Answers is the cache of answers. Fetch is its only way in.
type Answers struct {
	local *otter.Cache[Key, *Answer]
	redis *Redis
	clock func() time.Time
	bytes int // most that is held
	share int // most bytes one site may hold

	hits, misses, redisHits, evictions atomic.Int64

	mu      sync.Mutex
	sites   map[int64]*shelf
	flights map[Key]*flight
}

// shelf is what the process holds of one site.
type shelf struct {
	version int64
	bytes   int
	keys    map[Key]int // with their weights
}

// New returns an empty cache.
func New(o Options) *Answers {
	if o.Bytes == 0 {
		o.Bytes = 64 << 20
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	a := &Answers{redis: o.Redis, clock: o.Clock, bytes: o.Bytes, share: o.Bytes / 4, sites: map[int64]*shelf{}, flights: map[Key]*flight{}}
	a.local = otter.Must(&otter.Options[Key, *Answer]{
		MaximumWeight: uint64(o.Bytes),
		Weigher:       func(k Key, v *Answer) uint32 { return uint32(v.weight() + len(k.Rest) + 128) },
		OnDeletion: func(e otter.DeletionEvent[Key, *Answer]) {
			if e.WasEvicted() {
				a.evictions.Add(1)
			}
			a.dropped(e.Key)
		},
	})
	return a
}

// Get returns the answer under a key when this process holds it.
func (a *Answers) Get(key Key) *Answer {
	answer, ok := a.local.GetIfPresent(key)
	if !ok || !answer.holds(a.clock()) {
		return nil
	}
	a.hits.Add(1)
	return answer
}

// Made is told that In made a form of an answer that Get or Fetch returned: from
// now on it is held in the forms that clients asked for. The key may share memory
// with a buffer that is used again.
func (a *Answers) Made(key Key, answer *Answer) {
	if held, ok := a.local.GetEntryQuietly(key); ok && held.Value == answer {
		key.Rest = strings.Clone(key.Rest)
		a.keep(key, answer.kept())
	}
}

// Over reports whether what is true until a moment, zero for ever, is so no
// more.
func (a *Answers) Over(until time.Time) bool {
	return !until.IsZero() && !a.clock().Before(until)
}

// holds reports whether an answer is true at a moment. One from the future is not:
// it was made before a clock was set back, for another day perhaps.
func (a *Answer) holds(now time.Time) bool {
	return !now.Before(a.made) && (a.Until.IsZero() || now.Before(a.Until))
}

// Fetch returns the answer under a key: from this process, from Redis, or from
// load, of which one runs at a time for a key. Load may return nil for an
// answer that can't be kept; those who waited then load for themselves. The key
// must not share memory with a buffer that is used again.
func (a *Answers) Fetch(ctx context.Context, key Key, load func() (*Answer, error)) (*Answer, error) {
	if answer := a.Get(key); answer != nil {
		return answer, nil
	}
	f, first := a.join(key)
	if !first {
		if answer := f.wait(ctx); answer != nil {
			return answer, nil
		}
		return load()
	}
	var answer *Answer
	defer func() { a.land(key, f, answer) }() // also when load panics
	if answer = a.Get(key); answer != nil {   // the load before ended meanwhile
		return answer, nil
	}
	if answer = a.redis.get(ctx, key, a.clock()); answer != nil {
		a.redisHits.Add(1)
		a.keep(key, answer)
		return answer, nil
	}
	a.misses.Add(1)
	now := a.clock().Round(0) // by the clock alone: the monotonic reading would hide that it was set back
	made, err := load()
	if err == nil && made != nil {
		answer = made
		answer.made = now
		a.keep(key, answer.kept())
		a.redis.put(key, answer)
	}
	return made, err
}

// flight is one load that others wait for.
type flight struct {
	done   chan struct{}
	answer *Answer
}

func (f *flight) wait(ctx context.Context) *Answer {
	select {
	case <-f.done:
		return f.answer
	case <-ctx.Done():
		return nil
	}
}

func (a *Answers) join(key Key) (f *flight, first bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f = a.flights[key]; f != nil {
		return f, false
	}
	f = &flight{done: make(chan struct{})}
	a.flights[key] = f
	return f, true
}

func (a *Answers) land(key Key, f *flight, answer *Answer) {
	f.answer = answer
	a.mu.Lock()
	delete(a.flights, key)
	a.mu.Unlock()
	close(f.done)
}

// keep puts an answer on its site's shelf. What lies there of older versions is
// cleared away, for nobody asks for it any more; a site that holds its share
// gives up answers of its own, so that it can't push out the others.
func (a *Answers) keep(key Key, answer *Answer) {
	weight := answer.weight() + len(key.Rest) + 128
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.sites[key.Site]
	if s == nil || key.Version > s.version {
		a.clear(s)
		s = &shelf{version: key.Version, keys: map[Key]int{}}
		a.sites[key.Site] = s
	}
	if key.Version < s.version || weight > a.share {
		return
	}
	s.bytes += weight - s.keys[key]
	s.keys[key] = weight
	for other := range s.keys {
		if s.bytes <= a.share {
			break
		}
		if other != key {
			a.evictions.Add(1)
			a.remove(s, other)
		}
	}
	a.local.Set(key, answer)
}

func (a *Answers) clear(s *shelf) {
	if s == nil {
		return
	}
	for key := range s.keys {
		a.remove(s, key)
	}
}

func (a *Answers) remove(s *shelf, key Key) {
	s.bytes -= s.keys[key]
	delete(s.keys, key)
	a.local.Invalidate(key)
}

// dropped takes an answer the process no longer holds off its site's shelf. It
// is told later, so the answer may be there again.
func (a *Answers) dropped(key Key) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, again := a.local.GetEntryQuietly(key); again {
		return
	}
	s := a.sites[key.Site]
	if s == nil {
		return
	}
	s.bytes -= s.keys[key]
	delete(s.keys, key)
	if len(s.keys) == 0 {
		delete(a.sites, key.Site)
	}
}

// Bytes returns what the answers held take in memory.
func (a *Answers) Bytes() int { return int(a.local.WeightedSize()) }

// Stats is what became of look-ups since the start, and how much is held. Hits
// were found in this process, RedisHits behind it; Evictions were given up for
// want of room.
type Stats struct {
	Bytes, Capacity                    int
	Hits, Misses, RedisHits, Evictions int64
}

// Stats returns the state of the cache.
func (a *Answers) Stats() Stats {
	return Stats{Bytes: a.Bytes(), Capacity: a.bytes, Hits: a.hits.Load(), RedisHits: a.redisHits.Load(), Misses: a.misses.Load(),
		Evictions: a.evictions.Load()}
}
