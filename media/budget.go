package media

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/kalends/kalends/tenancy"
)

// Budget limits the memory used for decoding images in a process. A site gets at most half of it, so that others
// never wait for that site alone; an image that needs more than half is rejected. Waiting images queue per site, and
// the sites take turns.
type Budget struct {
	all, share int64
	least      int64 // minimum charge for an image, which limits concurrency to the number of processors

	mu    sync.Mutex
	free  int64
	sites map[int64]*claims
	turns []int64 // sites with waiting images
}

// claims are the memory that a site's images hold and wait for.
type claims struct {
	held int64
	wait []*claim
}

// claim is a waiting image. granted is closed when it may be decoded.
type claim struct {
	bytes   int64
	granted chan struct{}
}

// The memory assumed if its size is unknown, and the maximum that images use however much there is.
const (
	assumedMemory = 2 << 30
	mostUnpacked  = 1 << 30
)

// littered is the size of an image, in bytes, after which garbage is collected at once, because the next image would
// use memory in addition.
const littered = 32 << 20

// NewBudget returns a budget of half the given memory in bytes; 0 means unknown.
func NewBudget(memory int64) *Budget {
	if memory <= 0 {
		memory = assumedMemory
	}
	all := min(memory/2, mostUnpacked)
	return &Budget{all: all, share: all / 2, least: min(all/2, all/int64(runtime.GOMAXPROCS(0))), free: all, sites: map[int64]*claims{}}
}

// take waits until an image of the scope's site may use so many bytes. The caller must release them with give. It
// returns ErrTooManyPixels if a site may never use that much, and the context's error if the context ends first.
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

// stand appends a claim to its site's queue.
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

// grant admits the claims that fit into the free memory. A claim that may proceed but must wait for memory is not
// overtaken.
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

// give releases bytes.
func (b *Budget) give(site, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += bytes
	b.sites[site].held -= bytes
	b.grant()
	b.tidy(site)
}

// quit leaves the queue and reports whether the claim was still waiting.
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

// tidy removes a site without images.
func (b *Budget) tidy(site int64) {
	if s := b.sites[site]; s.held == 0 && len(s.wait) == 0 {
		delete(b.sites, site)
	}
}
