// Package bounded keeps values by key in a bounded number of bytes. When they are full, what is used least is forgotten.
//
// Caches are behind an interface, so that packages with a cache in one of their types don't have the library's generic code compiled
// into every package that imports them.
package bounded

import "github.com/maypok86/otter/v2"

// Cache keeps values by key. It is safe for concurrent use.
type Cache[K comparable, V any] interface {
	// Get returns the value of a key and whether there is one.
	Get(key K) (V, bool)
	// Peek is Get, but does not count as a use.
	Peek(key K) (V, bool)
	// Set keeps a value, in place of an earlier one.
	Set(key K, value V)
	// Forget forgets a key.
	Forget(key K)
	// Change calls change with the value of a key, and whether there is one, and applies its result. Changes of the
	// same key run one after another.
	Change(key K, change func(old V, found bool) (V, Outcome))
	// Bytes returns the total weight of the values.
	Bytes() int
}

// Outcome says what to do with the value of a key.
type Outcome = otter.ComputeOp

// Outcomes of a change.
const (
	Leave  = otter.CancelOp     // as it was
	Keep   = otter.WriteOp      // the returned value
	Forget = otter.InvalidateOp // nothing
)

// Options describe a cache.
type Options[K comparable, V any] struct {
	Bytes int                                // the most that values may weigh together
	Weigh func(key K, value V) uint32        // bytes of a value with its key
	Gone  func(key K, value V, evicted bool) // nil, or called when a value is dropped; evicted: to make room
}

// New returns an empty cache.
func New[K comparable, V any](o Options[K, V]) Cache[K, V] {
	all := &otter.Options[K, V]{MaximumWeight: uint64(o.Bytes), Weigher: o.Weigh}
	if o.Gone != nil {
		all.OnDeletion = func(e otter.DeletionEvent[K, V]) { o.Gone(e.Key, e.Value, e.WasEvicted()) }
	}
	return kept[K, V]{otter.Must(all)}
}

type kept[K comparable, V any] struct{ of *otter.Cache[K, V] }

func (k kept[K, V]) Get(key K) (V, bool) { return k.of.GetIfPresent(key) }

func (k kept[K, V]) Peek(key K) (V, bool) {
	e, ok := k.of.GetEntryQuietly(key)
	return e.Value, ok
}

func (k kept[K, V]) Set(key K, value V) { k.of.Set(key, value) }

func (k kept[K, V]) Forget(key K) { k.of.Invalidate(key) }

func (k kept[K, V]) Change(key K, change func(old V, found bool) (V, Outcome)) {
	k.of.Compute(key, change)
}

func (k kept[K, V]) Bytes() int {
	k.of.CleanUp() // evicted values are removed a moment later
	return int(k.of.WeightedSize())
}
