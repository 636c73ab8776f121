package tenancy

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// loadTime is how long one look-up may take, whoever still waits for it.
const loadTime = 5 * time.Second

// memory keeps what was looked up for a moment. One look-up per key runs at a
// time, and what was forgotten while it ran is not kept.
type memory[V any] struct {
	life     time.Duration
	limit    int                            // entries
	negative error                          // kept like a value; any other error isn't kept
	still    func(key string, value V) bool // whether a value holds beyond its life; nil: none does
	clock    func() time.Time

	mu      sync.RWMutex
	entries map[string]remembered[V]
	age     uint64 // raised by forget
	flight  singleflight.Group
}

type remembered[V any] struct {
	value V
	err   error
	site  int64 // whose it is; 0: nobody's
	until time.Time
}

// load looks something up and says whose it is.
type load[V any] func(ctx context.Context) (value V, site int64, err error)

// get returns what is kept under the key, or looks it up. It returns the
// context's error when that ends first.
func (m *memory[V]) get(ctx context.Context, key string, look load[V]) (V, error) {
	entry, age, ok := m.held(key)
	if ok {
		return entry.value, entry.err
	}
	return m.renew(ctx, key, "", age, look)
}

// held returns the entry of a key and whether it holds.
func (m *memory[V]) held(key string) (entry remembered[V], age uint64, ok bool) {
	m.mu.RLock()
	entry, ok = m.entries[key]
	age = m.age
	m.mu.RUnlock()
	return entry, age, ok && (m.fresh(entry) || m.still != nil && entry.err == nil && m.still(key, entry.value))
}

// fresh reports whether the moment of an entry isn't over. One that has more left
// than there ever is comes of before a clock was set back.
func (m *memory[V]) fresh(e remembered[V]) bool {
	left := e.until.Sub(m.clock())
	return 0 < left && left <= m.life
}

// since looks something up anew, at a moment after what version names was there;
// it is kept instead of what was.
func (m *memory[V]) since(ctx context.Context, key string, version int64, look load[V]) (V, error) {
	m.mu.RLock()
	age := m.age
	m.mu.RUnlock()
	return m.renew(ctx, key, strconv.FormatInt(version, 36), age, look)
}

// renew looks something up; without a version what is kept by now will do, for the
// look-up of another may just have ended.
func (m *memory[V]) renew(ctx context.Context, key, version string, age uint64, look load[V]) (V, error) {
	flight := strconv.FormatUint(age, 36) + " " + version + " " + key
	result := m.flight.DoChan(flight, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTime)
		defer cancel()
		if version == "" {
			if e, _, ok := m.held(key); ok {
				return e, nil
			}
		}
		var e remembered[V]
		e.value, e.site, e.err = look(ctx)
		if e.err == nil || m.negative != nil && errors.Is(e.err, m.negative) {
			m.keep(key, e, age)
		}
		return e, nil
	})
	select {
	case r := <-result:
		e, _ := r.Val.(remembered[V])
		return e.value, e.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

// keep stores an entry, unless something was forgotten since it was looked up.
func (m *memory[V]) keep(key string, e remembered[V], age uint64) {
	now := m.clock()
	e.until = now.Add(m.life)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.age != age {
		return
	}
	if m.entries == nil {
		m.entries = map[string]remembered[V]{}
	}
	if len(m.entries) >= m.limit {
		m.makeRoom(now)
	}
	m.entries[key] = e
}

// makeRoom drops a few entries, those that are over and at least one.
func (m *memory[V]) makeRoom(now time.Time) {
	seen := 0
	for key, e := range m.entries {
		if seen++; seen == 1 || !now.Before(e.until) {
			delete(m.entries, key)
		}
		if seen == 16 {
			return
		}
	}
}

// forget drops what belongs to the site and what belongs to nobody.
func (m *memory[V]) forget(site int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.age++
	for key, e := range m.entries {
		if e.site == site || e.site == 0 {
			delete(m.entries, key)
		}
	}
}

// clear drops everything.
func (m *memory[V]) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.age++
	clear(m.entries)
}
