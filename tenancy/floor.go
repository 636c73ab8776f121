package tenancy

import (
	"context"
	"sync/atomic"
)

// Floor is the oldest version of its site that the answer to a public request
// may show. Only a request that has one may be read from a replica. What it reads
// raises its floor, so that no part of an answer shows less than the part before;
// once something had to come from the primary, the rest does.
type Floor struct{ version atomic.Int64 }

// dropped is the floor of a request that goes on with the primary.
const dropped = -1

type floorKey struct{}

// Above returns a context whose reads may come from a replica as long as they
// show this version of the site or a later one.
func Above(ctx context.Context, version int64) context.Context {
	f := &Floor{}
	f.version.Store(version)
	return context.WithValue(ctx, floorKey{}, f)
}

// FloorOf returns the floor of the context's request, or nil: the primary alone
// may be read.
func FloorOf(ctx context.Context) *Floor {
	f, _ := ctx.Value(floorKey{}).(*Floor)
	return f
}

// Version returns the version that has to be shown at least; ok is false when
// nothing more may come from a replica.
func (f *Floor) Version() (version int64, ok bool) {
	version = f.version.Load()
	return version, version != dropped
}

// Raise notes that a version was shown.
func (f *Floor) Raise(version int64) {
	for {
		have := f.version.Load()
		if have == dropped || version <= have || f.version.CompareAndSwap(have, version) {
			return
		}
	}
}

// Drop has the rest of the request read from the primary.
func (f *Floor) Drop() { f.version.Store(dropped) }
