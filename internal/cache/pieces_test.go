package cache_test

import (
	"fmt"
	"testing"

	"github.com/kalends/kalends/internal/cache"
)

func TestPieces(t *testing.T) {
	t.Parallel()
	p := cache.NewPieces[string](1 << 20)
	piece := []byte("one")
	p.Made("a", piece)
	if got := p.Get("a"); got != nil {
		t.Errorf("made once: %q", got)
	}
	p.Made("a", piece)
	piece[0] = 'X'
	if got := p.Get("a"); string(got) != "one" {
		t.Errorf("made twice: %q", got)
	}
	if got := p.Get("b"); got != nil {
		t.Errorf("never made: %q", got)
	}
}

func TestPiecesAreBounded(t *testing.T) {
	t.Parallel()
	const most = 100 << 10
	p := cache.NewPieces[string](most)
	big := make([]byte, 10<<10)
	held := func() (n int) {
		for i := range 1000 {
			n += len(p.Get(fmt.Sprint(i)))
		}
		return n
	}
	for i := range 1000 {
		for range 2 {
			p.Made(fmt.Sprint(i), big)
		}
	}
	for try := 0; held() > most && try < 1000; try++ { // what is too much is given up beside those who ask
		p.Get("")
	}
	if n := held(); n == 0 || n > most {
		t.Errorf("%d bytes are held, want some and no more than %d", n, most)
	}
}
