package cache

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/andybalholm/brotli"
)

// Nobody waits for the smallest form of a file, and who asks once it is made gets it.
func TestLastingBecomesSmaller(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("answer.go")
	if err != nil {
		t.Fatal(err)
	}
	l := &Lasting{Answer: Answer{Body: source}}
	l.packing.Do(func() {}) // nothing begins in the background, so that the order is certain
	quick := l.Brotli()
	best := l.Best()
	if len(best) == 0 || len(best) >= len(quick) {
		t.Fatalf("%d bytes became %d, and then %d", len(l.Body), len(quick), len(best))
	}
	if got := l.Brotli(); !bytes.Equal(got, best) {
		t.Errorf("after it is made, %d bytes are sent instead of %d", len(got), len(best))
	}
	if plain, err := io.ReadAll(brotli.NewReader(bytes.NewReader(best))); err != nil || !bytes.Equal(plain, l.Body) {
		t.Errorf("the smallest form gives %d bytes, %v", len(plain), err)
	}
	if tiny := (&Lasting{Answer: Answer{Body: body(smallest - 1)}}); tiny.Best() != nil || tiny.Brotli() != nil {
		t.Error("what is too short to compress is compressed")
	}
}
