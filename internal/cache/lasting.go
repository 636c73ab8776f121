package cache

import (
	"sync"

	"github.com/andybalholm/brotli"
)

// Lasting is an answer that is the same as long as the program runs.
type Lasting struct {
	Answer

	best    form
	packing sync.Once
}

// Brotli returns the body compressed with brotli, or nil if that saves nothing. The first request gets the fast
// compression of Answer. It also starts the best compression, which takes a hundred times as long and is a tenth
// smaller; later requests get its result once it has finished.
func (l *Lasting) Brotli() []byte {
	l.packing.Do(func() { go l.Best() })
	if best := l.best.get(); best != nil {
		return best
	}
	return l.Answer.Brotli()
}

// Best returns the body with the best compression of brotli, or nil if that saves nothing. It waits for the result.
func (l *Lasting) Best() []byte {
	return l.best.make(func() []byte {
		return l.pack(func(body []byte) []byte { return packWith(brotli.NewWriterLevel(nil, brotli.BestCompression), body) })
	})
}
