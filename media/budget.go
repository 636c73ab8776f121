package media

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/kalends/kalends/tenancy"
)

// Budget is the memory that pictures may take while they are unpacked: one for the
// process. A site has half of it at most, so that another never waits for it alone,
// and a picture that is larger than that half is refused. Who has to wait stands in
// the line of their site, and the sites take turns.
type Budget struct {
	all, share int64
	least      int64 // what a picture counts at least: as many are unpacked at once as there are processors

	mu    sync.Mutex
	free  int64
	sites map[int64]*claims
	turns []int64 // sites with somebody waiting
}

// claims is what pictures of a site hold and wait for.
type claims struct {
	held int64
	wait []*claim
}

// claim is a picture that waits; granted is closed when it may be unpacked.
type claim struct {
	bytes   int64
	granted chan struct{}
}

// The memory to reckon with where nobody knows how much there is, and the most that
// pictures take of it however much that is.
const (
	assumedMemory = 2 << 30
	mostUnpacked  = 1 << 30
)

// littered is what a picture takes whose memory is collected at once: a later one
// would come on top of it.
const littered = 32 << 20

// NewBudget returns a budget for a process that may use so many bytes of memory, 0 where
// nobody knows: half of them.
func NewBudget(memory int64) *Budget {
	if memory <= 0 {
		memory = assumedMemory
	}
	all := min(memory/2, mostUnpacked)
	return &Budget{all: all, share: all / 2, least: min(all/2, all/int64(runtime.GOMAXPROCS(0))), free: all, sites: map[int64]*claims{}}
}

// take waits for so many bytes for a picture of the scope's site; who got them gives
// them back with what is returned. It returns ErrTooManyPixels for more than a site may
// have, and the context's error when that ends first.
func (b *Budget) take(ctx context.Context, bytes int64) (give func(), err error) {
	if bytes > b.share {
		return nil, fmt.Errorf("%w: it takes %d bytes of memory", ErrTooManyPixels, bytes)
	}
	site := int64(0)
	if scope := tenancy.Current(ctx); scope.Site != nil {
		site = scope.Site.ID
	}
	bytes = max(bytes, b.least)
	give = func() {
		if bytes >= littered {
			runtime.GC()
		}
		b.give(site, bytes)
	}
	mine := b.stand(site, bytes)
	select {
	case <-mine.granted:
		return give, nil
	case <-ctx.Done():
	}
	if !b.quit(site, mine) {
		b.give(site, bytes) // granted at the same moment
	}
	return nil, ctx.Err()
}

// stand puts a claim at the end of its site's line.
func (b *Budget) stand(site, bytes int64) *claim {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.sites[site]
	if s == nil {
		s = &claims{}
		b.sites[site] = s
	}
	mine := &claim{bytes, make(chan struct{})}
	if s.wait = append(s.wait, mine); len(s.wait) == 1 {
		b.turns = append(b.turns, site)
	}
	b.grant()
	return mine
}

// grant lets in who may have what is free. Who may, and has to wait for memory, is
// overtaken by nobody.
func (b *Budget) grant() {
	for i := 0; i < len(b.turns); {
		site := b.turns[i]
		s := b.sites[site]
		next := s.wait[0]
		if s.held+next.bytes > b.share {
			i++
			continue
		}
		if next.bytes > b.free {
			return
		}
		b.free -= next.bytes
		s.held += next.bytes
		s.wait = s.wait[1:]
		close(next.granted)
		b.turns = slices.Delete(b.turns, i, i+1)
		if len(s.wait) > 0 {
			b.turns = append(b.turns, site)
		}
	}
}

// give takes bytes back.
func (b *Budget) give(site, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += bytes
	b.sites[site].held -= bytes
	b.grant()
	b.tidy(site)
}

// quit leaves the line and reports whether the claim was not granted yet.
func (b *Budget) quit(site int64, mine *claim) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.sites[site]
	i := slices.Index(s.wait, mine)
	if i < 0 {
		return false
	}
	if s.wait = slices.Delete(s.wait, i, i+1); len(s.wait) == 0 {
		b.turns = slices.DeleteFunc(b.turns, func(turn int64) bool { return turn == site })
	}
	b.grant()
	b.tidy(site)
	return true
}

// tidy forgets a site without pictures.
func (b *Budget) tidy(site int64) {
	if s := b.sites[site]; s.held == 0 && len(s.wait) == 0 {
		delete(b.sites, site)
	}
}
