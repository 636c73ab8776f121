// Package cache keeps complete responses. A key contains the site's version and everything else a response depends
// on, so that an entry never becomes wrong. Correctness never requires deleting anything, and a cache that is down,
// slow or empty only makes Kalends slower. Responses are cached in the process first and in Redis second.
package cache

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unique"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// Answer is a complete response with status 200. It is shared and must not be modified.
type Answer struct {
	ETag    string
	Route   string    // pattern of the route that produced it, for metrics
	Counted Counted   // what a visitor who gets it is counted for
	Headers []Header  // headers in addition to those of every response of a site
	Body    []byte    // nil if only kept compressed; see Plain
	Until   time.Time // when it expires; zero: never
	made    time.Time // when Fetch loaded it; it is not valid for earlier times

	plain, gzip, brotli form
	gzipTag, brotliTag  string // if it is kept compressed
}

// Counted is an event and what is counted for it, as numbers of the package that caches the response. The zero
// value means that nothing is counted.
type Counted struct {
	Event int64
	Kind  uint8
}

// Header is one header line.
type Header struct{ Name, Value string }

// NewHeader returns a header whose texts may share memory with a reused buffer. It interns them, because most headers
// are the same in all responses.
func NewHeader(name, value string) Header {
	return Header{unique.Make(name).Value(), unique.Make(value).Value()}
}

// form is a body in one coding, computed on first use.
type form struct {
	once sync.Once
	body atomic.Pointer[[]byte]
}

// get returns the body if it has been computed.
func (f *form) get() []byte {
	if b := f.body.Load(); b != nil {
		return *b
	}
	return nil
}

func (f *form) make(how func() []byte) []byte {
	f.once.Do(func() {
		if f.body.Load() == nil {
			body := how()
			f.body.Store(&body)
		}
	})
	return f.get()
}

// Codings are the content codings that a client accepts besides identity.
type Codings struct{ Gzip, Brotli bool }

// smallest is the minimum size of a body worth compressing, in bytes.
const smallest = 512

// Plain returns the uncompressed body.
func (a *Answer) Plain() []byte {
	if a.Body != nil || a.packed() == nil {
		return a.Body
	}
	return a.plain.make(a.unpack)
}

// Gzip returns the body compressed with gzip, or nil if that saves nothing.
func (a *Answer) Gzip() []byte { return a.gzip.make(func() []byte { return a.pack(packGzip) }) }

// Brotli returns the body compressed with brotli, or nil if that saves nothing.
func (a *Answer) Brotli() []byte { return a.brotli.make(func() []byte { return a.pack(packBrotli) }) }

// In returns the body in the best coding that the client accepts, and the name of the coding, "" for identity. made
// reports that this form had to be computed.
func (a *Answer) In(codings Codings) (body []byte, coding string, made bool) {
	switch coding = a.Coding(codings); coding {
	case "br":
		made = a.brotli.get() == nil
		body = a.Brotli()
	case "gzip":
		made = a.gzip.get() == nil
		body = a.Gzip()
	}
	if body == nil {
		return a.Plain(), "", a.Body == nil && a.packed() != nil
	}
	return body, coding, made
}

// Coding returns the coding that In chooses, provided that compression saves anything. It prefers a form that already
// exists to a slightly smaller one that does not.
func (a *Answer) Coding(codings Codings) string {
	switch {
	case codings.Brotli && a.brotli.get() != nil:
		return "br"
	case codings.Gzip && a.gzip.get() != nil:
		return "gzip"
	case a.packed() == nil && len(a.Body) < smallest:
		return ""
	case codings.Brotli:
		return "br"
	case codings.Gzip:
		return "gzip"
	}
	return ""
}

// packed returns an existing compressed form.
func (a *Answer) packed() []byte {
	if b := a.gzip.get(); b != nil {
		return b
	}
	return a.brotli.get()
}

// kept returns the answer reduced to the forms that clients have requested. It retains the plain body only if there
// is no compressed form or if it had to be unpacked.
func (a *Answer) kept() *Answer {
	if a.packed() == nil {
		return a
	}
	next := &Answer{ETag: a.ETag, Route: a.Route, Counted: a.Counted, Headers: a.Headers, Body: a.plain.get(), Until: a.Until, made: a.made}
	next.gzip.body.Store(a.gzip.body.Load())
	next.brotli.body.Store(a.brotli.body.Load())
	next.gzipTag, next.brotliTag = coded(a.ETag, "gzip"), coded(a.ETag, "br")
	return next
}

// Tag returns the ETag of the body in a coding. A compressed form is a separate representation and has its own tag
// (RFC 9110 §8.8.3.3).
func (a *Answer) Tag(coding string) string {
	switch {
	case coding == "":
		return a.ETag
	case a.gzipTag == "":
		return coded(a.ETag, coding)
	case coding == "gzip":
		return a.gzipTag
	}
	return a.brotliTag
}

func coded(tag, coding string) string { return strings.TrimSuffix(tag, `"`) + "-" + coding + `"` }

// pack returns the compressed body, or nil if that saves nothing. It does not retain a body that it has to unpack.
func (a *Answer) pack(how func([]byte) []byte) []byte {
	body := a.Body
	if body == nil && a.packed() != nil {
		body = a.unpack()
	}
	if len(body) < smallest {
		return nil
	}
	if small := how(body); len(small) < len(body) {
		return small
	}
	return nil
}

// Compressors are large and therefore reused, which halves the cost and produces no garbage. There is only one for
// brotli, because they are too large for more.
var (
	gzips   = sync.Pool{New: func() any { w, _ := gzip.NewWriterLevel(nil, 6); return w }}
	brotlis struct {
		sync.Mutex
		w *brotli.Writer
	}
)

func packGzip(body []byte) []byte {
	w, _ := gzips.Get().(*gzip.Writer)
	defer gzips.Put(w)
	return packWith(w, body)
}

func packBrotli(body []byte) []byte {
	brotlis.Lock()
	defer brotlis.Unlock()
	if brotlis.w == nil {
		brotlis.w = brotli.NewWriterLevel(nil, 5)
	}
	return packWith(brotlis.w, body)
}

// compressor is a writer that compresses into another writer.
type compressor interface {
	io.WriteCloser
	Reset(into io.Writer)
}

func packWith(w compressor, body []byte) []byte {
	var b bytes.Buffer
	w.Reset(&b)
	_, _ = w.Write(body) // writing to a buffer cannot fail
	_ = w.Close()
	return bytes.Clone(b.Bytes())
}

// unpack returns the body of a compressed form, which was compressed here.
func (a *Answer) unpack() []byte {
	var from io.Reader
	if b := a.gzip.get(); b != nil {
		from, _ = gzip.NewReader(bytes.NewReader(b))
	} else {
		from = brotli.NewReader(bytes.NewReader(a.brotli.get()))
	}
	body, _ := io.ReadAll(from)
	return body
}

// weight returns an upper bound of the answer's memory use in bytes: its body in all existing forms plus overhead.
func (a *Answer) weight() int {
	n := len(a.Body) + len(a.gzip.get()) + len(a.brotli.get()) + len(a.ETag) + 384
	for _, h := range a.Headers {
		n += len(h.Value) + 32
	}
	return n
}
