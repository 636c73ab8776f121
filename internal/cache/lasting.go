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

// Brotli returns the body compressed with brotli, or nil if that saves nothing. The first request gets it as Answer makes it, and starts
// what takes a hundred times as long and is a tenth smaller; those after it has ended get that.
func (l *Lasting) Brotli() []byte {
	l.packing.Do(func() { go l.Best() })
	if best := l.best.get(); best != nil {
		return best
	}
	return l.Answer.Brotli()
}

// Best returns the body compressed with brotli as small as it gets, or nil if that saves nothing. It waits until it is made.
func (l *Lasting) Best() []byte {
	return l.best.make(func() []byte {
		return l.pack(func(body []byte) []byte { return packWith(brotli.NewWriterLevel(nil, brotli.BestCompression), body) })
	})
}
