package cache

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kalends/kalends/internal/bounded"
)

// Key identifies an answer: the site, its version, and everything else the answer depends on.
type Key struct {
	Site    int64
	Version int64
	Rest    string
}

// Options configure a cache.
type Options struct {
	Bytes int              // capacity of this process; 0 means 64 MiB
	Redis *Redis           // nil means none
	Clock func() time.Time // nil means time.Now
}

// Answers is the cache of responses. Entries are added only by Fetch.
type Answers struct {
	local bounded.Cache[Key, *Answer]
	redis *Redis
	clock func() time.Time
	bytes int // capacity
	share int // capacity for one site

	hits, misses, redisHits, evictions atomic.Int64

	mu      sync.Mutex
	sites   map[int64]*shelf
	flights map[Key]*flight
}

// shelf tracks what the process holds for one site.
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
	a.local = bounded.New(bounded.Options[Key, *Answer]{
		Bytes: o.Bytes,
		Weigh: func(k Key, v *Answer) uint32 { return uint32(v.weight() + len(k.Rest) + 128) },
		Gone: func(key Key, _ *Answer, evicted bool) {
			if evicted {
				a.evictions.Add(1)
			}
			a.dropped(key)
		},
	})
	return a
}

// Get returns the answer of a key if this process holds it, and nil otherwise.
func (a *Answers) Get(key Key) *Answer {
	answer, ok := a.local.Get(key)
	if !ok || !answer.holds(a.clock()) {
		return nil
	}
	a.hits.Add(1)
	return answer
}

// Made must be called if In computed a form of an answer that Get or Fetch returned. From then on the answer is
// kept in the forms that clients have requested. The key may share memory with a reused buffer.
func (a *Answers) Made(key Key, answer *Answer) {
	if held, ok := a.local.Peek(key); ok && held == answer {
		key.Rest = strings.Clone(key.Rest)
		a.keep(key, answer.kept())
	}
}

// Over reports whether something valid until a moment has expired. The zero time never expires.
func (a *Answers) Over(until time.Time) bool {
	return !until.IsZero() && !a.clock().Before(until)
}

// holds reports whether an answer is valid at a moment. An answer from the future is not: it was loaded before a
// clock was set back, perhaps for another day.
func (a *Answer) holds(now time.Time) bool {
	return !now.Before(a.made) && (a.Until.IsZero() || now.Before(a.Until))
}

// Fetch returns the answer of a key: from this process, from Redis, or from load, which runs only once at a time
// for a key. load may return nil for an answer that must not be cached; callers waiting for it then call load
// themselves. The key must not share memory with a reused buffer.
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
	defer func() { a.land(key, f, answer) }() // also if load panics
	if answer = a.Get(key); answer != nil {   // the previous load has finished in the meantime
		return answer, nil
	}
	if answer = a.redis.get(ctx, key, a.clock()); answer != nil {
		a.redisHits.Add(1)
		a.keep(key, answer)
		return answer, nil
	}
	a.misses.Add(1)
	now := a.clock().Round(0) // drop the monotonic reading, which would hide that the clock was set back
	made, err := load()
	if err == nil && made != nil {
		answer = made
		answer.made = now
		a.keep(key, answer.kept())
		a.redis.put(key, answer)
	}
	return made, err
}

// flight is a load in progress that others can wait for.
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

// keep stores an answer. It first removes the site's answers of older versions, which nobody requests any more. A
// site at the limit of its share evicts its own answers, so that it cannot displace answers of other sites.
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
	a.local.Forget(key)
}

// dropped updates a shelf after the process evicted an answer. It is called asynchronously, so the answer may be back
// already.
func (a *Answers) dropped(key Key) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, again := a.local.Peek(key); again {
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

// Bytes returns the memory used by the answers in this process.
func (a *Answers) Bytes() int { return a.local.Bytes() }

// Stats counts lookups since the start. Hits were found in this process and RedisHits in Redis; Evictions were
// displaced for lack of space.
type Stats struct {
	Bytes, Capacity                    int
	Hits, Misses, RedisHits, Evictions int64
}

// Stats returns the state of the cache.
func (a *Answers) Stats() Stats {
	return Stats{Bytes: a.Bytes(), Capacity: a.bytes, Hits: a.hits.Load(), RedisHits: a.redisHits.Load(), Misses: a.misses.Load(),
		Evictions: a.evictions.Load()}
}
