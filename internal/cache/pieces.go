package cache

import (
	"bytes"
	"hash/maphash"
	"sync/atomic"

	"github.com/kalends/kalends/internal/bounded"
)

// Pieces caches parts of responses, for the benefit of new responses with parts in common. As with Answers, a key
// contains everything a part depends on. Since most parts are needed only once, a part is kept when it is generated
// for the second time.
type Pieces[K comparable] struct {
	kept bounded.Cache[K, []byte]
	seed maphash.Seed
	made [1 << 13]atomic.Uint32 // hash marks of recently generated parts
}

// PieceBytes is the capacity for pieces in one process.
const PieceBytes = 6 << 20

// NewPieces returns a cache with a capacity of most bytes.
func NewPieces[K comparable](most int) *Pieces[K] {
	const cost = 200 // bytes of overhead per entry
	return &Pieces[K]{seed: maphash.MakeSeed(), kept: bounded.New(bounded.Options[K, []byte]{
		Bytes: most,
		Weigh: func(_ K, piece []byte) uint32 { return uint32(cost + len(piece)) },
	})}
}

// Get returns a piece, or nil. The piece must not be modified.
func (p *Pieces[K]) Get(key K) []byte {
	piece, _ := p.kept.Get(key)
	return piece
}

// Made records that a piece was generated. If it had been generated before, Made stores a copy.
func (p *Pieces[K]) Made(key K, piece []byte) {
	hash := maphash.Comparable(p.seed, key)
	mark := uint32(hash>>32) | 1
	if p.made[hash%uint64(len(p.made))].Swap(mark) == mark {
		p.kept.Set(key, bytes.Clone(piece))
	}
}
