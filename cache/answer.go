// Package cache keeps finished answers. A key names a site's version and all
// that an answer depends on, so what lies under it is true for ever: nothing is
// deleted to be correct, and a dead, slow or empty cache can only make Kalends
// slower. Answers lie in this process first and in Redis behind it.
package cache

import (
	"bytes"
	"sync"
	"sync/atomic"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// Answer is a finished answer with status 200. It is shared: nobody changes it.
type Answer struct {
	ETag    string
	Route   string   // pattern of the route that made it, for those who count
	Headers []Header // beyond those every answer of a site has
	Body    []byte
	Until   time.Time // when it ends to be true; zero: never
	made    time.Time // when Fetch had it made: nothing is said of the time before

	gzip, brotli packed
}

// Header is one header line.
type Header struct{ Name, Value string }

// packed is a compressed body, made when it is first asked for and kept.
type packed struct {
	once sync.Once
	body atomic.Pointer[[]byte]
}

// smallest is the shortest body worth compressing.
const smallest = 512

// Gzip returns the body compressed with gzip, or nil where that saves nothing.
func (a *Answer) Gzip() []byte { return a.gzip.get(a.Body, packGzip) }

// Brotli returns the body compressed with brotli, or nil where that saves
// nothing.
func (a *Answer) Brotli() []byte { return a.brotli.get(a.Body, packBrotli) }

func (p *packed) get(body []byte, pack func([]byte) []byte) []byte {
	if len(body) < smallest {
		return nil
	}
	if b := p.body.Load(); b != nil {
		return *b
	}
	p.once.Do(func() {
		small := pack(body)
		if len(small) >= len(body) {
			small = nil
		}
		p.body.Store(&small)
	})
	if b := p.body.Load(); b != nil {
		return *b
	}
	return nil
}

func packGzip(body []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, 6)
	if err != nil {
		return nil
	}
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return bytes.Clone(b.Bytes())
}

func packBrotli(body []byte) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, 5)
	_, _ = w.Write(body)
	_ = w.Close()
	return bytes.Clone(b.Bytes())
}

// weight is what an answer may take in memory: its body and both compressed
// forms, which are a third of it together, and what holds them.
func (a *Answer) weight() int {
	n := len(a.Body) + len(a.Body)/3 + len(a.ETag) + 256
	for _, h := range a.Headers {
		n += len(h.Name) + len(h.Value) + 32
	}
	return n
}
