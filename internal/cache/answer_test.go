package cache

import (
	"bytes"
	"crypto/rand"
	"io"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

func TestPacked(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 4000)
	_, _ = rand.Read(noise)
	for _, c := range []struct {
		body   []byte
		packed bool
	}{{nil, false}, {body(smallest - 1), false}, {body(smallest), true}, {body(100_000), true}, {noise, false}} {
		a := &Answer{Body: c.body}
		zipped, brotlied := a.Gzip(), a.Brotli()
		if (zipped != nil) != c.packed || (brotlied != nil) != c.packed {
			t.Errorf("%d bytes: gzip %d, brotli %d", len(c.body), len(zipped), len(brotlied))
		}
		if !c.packed {
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(zipped))
		if err != nil {
			t.Fatal(err)
		}
		for name, reader := range map[string]io.Reader{"gzip": r, "brotli": brotli.NewReader(bytes.NewReader(brotlied))} {
			if plain, err := io.ReadAll(reader); err != nil || !bytes.Equal(plain, c.body) {
				t.Errorf("%s of %d bytes gives %d, %v", name, len(c.body), len(plain), err)
			}
		}
	}
}

// A body is compressed once, whoever asks first.
func TestPackedOnce(t *testing.T) {
	t.Parallel()
	a := &Answer{Body: body(10_000)}
	forms := make([][]byte, 50)
	var all sync.WaitGroup
	for i := range forms {
		all.Go(func() { forms[i] = a.Gzip() })
	}
	all.Wait()
	for _, form := range forms {
		if len(form) == 0 || &form[0] != &forms[0][0] {
			t.Error("compressed twice")
		}
	}
}

func BenchmarkGzipKept(b *testing.B) {
	a := &Answer{Body: body(30_000)}
	for b.Loop() {
		a.Gzip()
	}
}
