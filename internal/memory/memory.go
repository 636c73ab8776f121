// Package memory caches look-ups in the database for a short time.
package memory

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// loadTime is the time limit of a look-up, whether or not anyone still waits for it.
const loadTime = 5 * time.Second

// Of keeps what was looked up for a moment. One look-up per key runs at a
// time, and what was forgotten while it ran is not kept.
type Of[V any] struct {
	Life     time.Duration
	Limit    int                            // entries
	Negative error                          // kept like a value; any other error isn't kept
	Still    func(key string, value V) bool // whether a value holds beyond its life; nil: none does
	Clock    func() time.Time

	mu      sync.RWMutex
	entries map[string]remembered[V]
	age     uint64 // raised by forget
	flight  singleflight.Group
}

type remembered[V any] struct {
	value V
	err   error
	site  int64 // the site it belongs to; 0: none
	until time.Time
}

// Load looks up a value and returns which site it belongs to.
type Load[V any] func(ctx context.Context) (value V, site int64, err error)

// Get returns what is kept under the key, or looks it up. It returns the
// context's error when that ends first.
func (m *Of[V]) Get(ctx context.Context, key string, look Load[V]) (V, error) {
	entry, age, ok := m.held(key)
	if ok {
		return entry.value, entry.err
	}
	return m.renew(ctx, key, "", age, look)
}

// held returns the entry of a key and whether it holds.
func (m *Of[V]) held(key string) (entry remembered[V], age uint64, ok bool) {
	m.mu.RLock()
	entry, ok = m.entries[key]
	age = m.age
	m.mu.RUnlock()
	return entry, age, ok && (m.fresh(entry) || m.Still != nil && entry.err == nil && m.Still(key, entry.value))
}

// fresh reports whether the moment of an entry isn't over. One that has more left
// than there ever is comes of before a clock was set back.
func (m *Of[V]) fresh(e remembered[V]) bool {
	left := e.until.Sub(m.Clock())
	return 0 < left && left <= m.Life
}

// Since looks up a value again, because its site has reached a version, and remembers it in place of the former
// value.
func (m *Of[V]) Since(ctx context.Context, key string, version int64, look Load[V]) (V, error) {
	m.mu.RLock()
	age := m.age
	m.mu.RUnlock()
	return m.renew(ctx, key, strconv.FormatInt(version, 36), age, look)
}

// renew looks a value up. Without a version it first checks the memory again, because a concurrent look-up may just
// have ended.
func (m *Of[V]) renew(ctx context.Context, key, version string, age uint64, look Load[V]) (V, error) {
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
		if e.err == nil || m.Negative != nil && errors.Is(e.err, m.Negative) {
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

// keep stores an entry, unless Forget was called since the look-up began.
func (m *Of[V]) keep(key string, e remembered[V], age uint64) {
	now := m.Clock()
	e.until = now.Add(m.Life)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.age != age {
		return
	}
	if m.entries == nil {
		m.entries = map[string]remembered[V]{}
	}
	if len(m.entries) >= m.Limit {
		m.makeRoom(now)
	}
	m.entries[key] = e
}

// makeRoom drops a few entries: those that have expired, but at least one.
func (m *Of[V]) makeRoom(now time.Time) {
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

// Forget drops the values that belong to the site, and those that belong to no site.
func (m *Of[V]) Forget(site int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.age++
	for key, e := range m.entries {
		if e.site == site || e.site == 0 {
			delete(m.entries, key)
		}
	}
}

// Clear drops everything.
func (m *Of[V]) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.age++
	clear(m.entries)
}
