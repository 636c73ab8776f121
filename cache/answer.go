// Package cache keeps finished answers. A key names a site's version and all
// that an answer depends on, so what lies under it is true for ever: nothing is
// deleted to be correct, and a dead, slow or empty cache can only make Kalends
// slower. Answers lie in this process first and in Redis behind it.
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

// Answer is a finished answer with status 200. It is shared: nobody changes it.
type Answer struct {
	ETag    string
	Route   string    // pattern of the route that made it, for those who count
	Headers []Header  // beyond those every answer of a site has
	Body    []byte    // nil in one that is kept compressed: see Plain
	Until   time.Time // when it ends to be true; zero: never
	made    time.Time // when Fetch had it made: nothing is said of the time before

	plain, gzip, brotli form
	gzipTag, brotliTag  string // of one that is kept compressed
}

// Header is one header line.
type Header struct{ Name, Value string }

// NewHeader returns a header whose texts may share memory with a buffer that is
// used again. Answers have one copy of them: most headers are the same in all.
func NewHeader(name, value string) Header {
	return Header{unique.Make(name).Value(), unique.Make(value).Value()}
}

// form is a body in one coding, made when it is first asked for and kept.
type form struct {
	once sync.Once
	body atomic.Pointer[[]byte]
}

// get returns the body if it was made.
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

// Codings are the forms of a body that a client takes beside the plain one.
type Codings struct{ Gzip, Brotli bool }

// smallest is the shortest body worth compressing.
const smallest = 512

// Plain returns the body as it was made.
func (a *Answer) Plain() []byte {
	if a.Body != nil || a.packed() == nil {
		return a.Body
	}
	return a.plain.make(a.unpack)
}

// Gzip returns the body compressed with gzip, or nil where that saves nothing.
func (a *Answer) Gzip() []byte { return a.gzip.make(func() []byte { return a.pack(packGzip) }) }

// Brotli returns the body compressed with brotli, or nil where that saves
// nothing.
func (a *Answer) Brotli() []byte { return a.brotli.make(func() []byte { return a.pack(packBrotli) }) }

// In returns the body in the coding that the client takes and how that is called,
// "" for the plain one. Made reports that the answer wasn't held in this form.
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

// Coding returns the coding that In chooses, unless the body can't be made shorter:
// one at hand, rather than one to make that were a little shorter.
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

// packed returns a compressed form that was made.
func (a *Answer) packed() []byte {
	if b := a.gzip.get(); b != nil {
		return b
	}
	return a.brotli.get()
}

// kept returns the answer with the forms that clients asked for: the plain body
// only if nobody asked for another, or if it was unpacked for somebody.
func (a *Answer) kept() *Answer {
	if a.packed() == nil {
		return a
	}
	next := &Answer{ETag: a.ETag, Route: a.Route, Headers: a.Headers, Body: a.plain.get(), Until: a.Until, made: a.made}
	next.gzip.body.Store(a.gzip.body.Load())
	next.brotli.body.Store(a.brotli.body.Load())
	next.gzipTag, next.brotliTag = coded(a.ETag, "gzip"), coded(a.ETag, "br")
	return next
}

// Tag returns the tag of the body in a coding. A compressed form is a
// representation of its own and has a tag of its own (RFC 9110 §8.8.3.3).
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

// pack returns the body compressed, nil where that saves nothing. What has to be
// unpacked for it isn't kept.
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

// Compressors are large, and used again: that costs half of making one each time,
// and no garbage. Those of brotli are too large for more than one.
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

// compressor is a writer that compresses into another.
type compressor interface {
	io.WriteCloser
	Reset(into io.Writer)
}

func packWith(w compressor, body []byte) []byte {
	var b bytes.Buffer
	w.Reset(&b)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return bytes.Clone(b.Bytes())
}

// unpack returns the body of a compressed form, which was made here.
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

// weight is what an answer takes in memory at most: its body in the forms that it
// has, and what holds them.
func (a *Answer) weight() int {
	n := len(a.Body) + len(a.gzip.get()) + len(a.brotli.get()) + len(a.ETag) + 384
	for _, h := range a.Headers {
		n += len(h.Value) + 32
	}
	return n
}
