package cache

import (
	"bytes"
	"hash/maphash"
	"sync/atomic"

	"github.com/maypok86/otter/v2"
)

// Pieces keeps parts of answers, for answers that were never asked for before and have
// parts in common. As with answers, a key names all that its piece depends on. Most
// parts are wanted once, so one is kept when it is made for the second time.
type Pieces[K comparable] struct {
	kept *otter.Cache[K, []byte]
	seed maphash.Seed
	made [1 << 13]atomic.Uint32 // marks of those made lately, each in one place
}

// PieceBytes bounds the pieces of one process.
const PieceBytes = 6 << 20

// NewPieces returns room for pieces of so many bytes in all.
func NewPieces[K comparable](most int) *Pieces[K] {
	const cost = 200 // of a key and its place
	return &Pieces[K]{seed: maphash.MakeSeed(), kept: otter.Must(&otter.Options[K, []byte]{
		MaximumWeight: uint64(most),
		Weigher:       func(_ K, piece []byte) uint32 { return uint32(cost + len(piece)) },
	})}
}

// Get returns a piece that nobody changes, nil where none is kept.
func (p *Pieces[K]) Get(key K) []byte {
	piece, _ := p.kept.GetIfPresent(key)
	return piece
}

// Made is told of a piece that was made, and keeps a copy if it was before.
func (p *Pieces[K]) Made(key K, piece []byte) {
	hash := maphash.Comparable(p.seed, key)
	mark := uint32(hash>>32) | 1
	if p.made[hash%uint64(len(p.made))].Swap(mark) == mark {
		p.kept.Set(key, bytes.Clone(piece))
	}
}
