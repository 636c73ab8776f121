package media

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// Budget limits the memory used for decoding images in a process. A site gets at most half of it, so that others
// never wait for many images of that site; a single image that needs more waits until it is alone. Images sent
// without an account get five twelfths together on all sites, enough for a photo of 12 megapixels, so they never
// block images of editors. Waiting images queue per site, and the sites take turns. An image that would not be
// finished before its request ends is refused as soon as that is known.
type Budget struct {
	all, share int64
	strangers  int64 // the share of images without an account
	least      int64 // minimum charge for an image, which limits concurrency to the number of processors
	now        func() time.Time

	mu    sync.Mutex
	free  int64
	pace  float64 // nanoseconds for each byte that the last images needed, averaged; 0 until an image is finished
	sites map[int64]*claims
	turns []int64 // sites with waiting images
}

// claims are the memory that a site's images hold and wait for.
type claims struct {
	held int64 // what they are charged
	need int64 // what they need
	wait []*claim
}

// claim is a waiting image. settled is closed when it may be decoded, or has been refused.
type claim struct {
	bytes   int64     // what it is charged
	need    int64     // what it needs, which is what its time depends on
	until   time.Time // when its request ends; zero is never
	since   time.Time // when it was granted
	settled chan struct{}
	busy    time.Duration // if refused: the time until the images before it are finished
}

// The memory assumed if its size is unknown, and the maximum that images may use even if there is more: the whole
// process must stay below 256 MiB whatever people send.
const (
	assumedMemory = 2 << 30
	mostUnpacked  = 88 << 20
)

// anonymous is the queue of images that come without an account.
const anonymous = -1

// littered is the size of an image, in bytes, after which garbage is collected immediately, because the next image
// would use memory in addition.
const littered = 4 << 20

// NewBudget returns a budget of half the given memory in bytes; 0 means unknown.
func NewBudget(memory int64) *Budget {
	if memory <= 0 {
		memory = assumedMemory
	}
	all := min(memory/2, mostUnpacked)
	return newBudget(all, min(all/2, all/int64(runtime.GOMAXPROCS(0))))
}

// newBudget returns a budget of so many bytes, which charges each image at least a minimum.
func newBudget(all, least int64) *Budget {
	return &Budget{all: all, share: all / 2, strangers: all * 5 / 12, least: least, free: all,
		now: time.Now, sites: map[int64]*claims{}} //nolint:forbidigo // of how long images take; tests set another
}

// Held returns the bytes with which images are being decoded now, and the most that may be.
func (b *Budget) Held() (held, most int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all - b.free, b.all
}

// take waits until an image of the scope's site may use so many bytes. The caller must release them with give. It
// returns ErrTooManyPixels if a site may never use that much, *calendar.BusyError if too many images of the site come
// before it, and the context's error if the context ends first.
func (b *Budget) take(ctx context.Context, bytes int64) (give func(), err error) {
	site := queueOf(ctx)
	if most := b.most(site); bytes > most {
		return nil, fmt.Errorf("%w: it takes %d bytes of memory", ErrTooManyPixels, bytes)
	}
	until, _ := ctx.Deadline()
	mine := b.stand(site, bytes, until)
	give = func() {
		if mine.bytes >= littered {
			runtime.GC()
		}
		b.give(site, mine)
	}
	select {
	case <-mine.settled:
		if mine.busy > 0 {
			return nil, &calendar.BusyError{Wait: mine.busy}
		}
		return give, nil
	case <-ctx.Done():
	}
	if !b.quit(site, mine) && mine.busy == 0 {
		b.release(site, mine) // granted at the same moment
	}
	return nil, ctx.Err()
}

// queueOf returns the queue of the images of a request.
func queueOf(ctx context.Context) int64 {
	switch scope := tenancy.Current(ctx); {
	case scope.Site == nil:
		return 0
	case !tenancy.ByProvider(ctx) && scope.Principal.Anonymous():
		return anonymous
	default:
		return scope.Site.ID
	}
}

// most returns the memory that a single image of a queue may need.
func (b *Budget) most(site int64) int64 {
	if site == anonymous {
		return b.strangers
	}
	return b.all
}

// shareOf returns the memory that the images of a queue may hold together, unless it is a single one.
func (b *Budget) shareOf(site int64) int64 {
	if site == anonymous {
		return b.strangers
	}
	return b.share
}

// stand appends a claim to its site's queue.
func (b *Budget) stand(site, bytes int64, until time.Time) *claim {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.sites[site]
	if s == nil {
		s = &claims{}
		b.sites[site] = s
	}
	mine := &claim{bytes: max(bytes, min(b.least, b.most(site))), need: bytes, until: until, settled: make(chan struct{})}
	if s.wait = append(s.wait, mine); len(s.wait) == 1 {
		b.turns = append(b.turns, site)
	}
	b.grant()
	b.refuse(site)
	return mine
}

// refuse removes the waiting claims of a site that would not be finished in time if each image took as long as the
// last ones. It assumes that the site's images use all of its share; that other sites want theirs, too, is part of the
// pace.
func (b *Budget) refuse(site int64) {
	s, now := b.sites[site], b.now()
	ahead := s.need
	s.wait = slices.DeleteFunc(s.wait, func(c *claim) bool {
		queued := time.Duration(b.pace * float64(ahead) / float64(max(1, b.shareOf(site)/c.bytes)))
		own := time.Duration(b.pace * float64(c.need))
		if !c.until.IsZero() && queued > 0 && now.Add(queued+own).After(c.until) {
			c.busy = queued
			close(c.settled)
			return true
		}
		ahead += c.need
		return false
	})
	if len(s.wait) == 0 {
		b.turns = slices.DeleteFunc(b.turns, func(turn int64) bool { return turn == site })
	}
}

// grant admits the claims that fit into the free memory. A claim that may proceed but must wait for memory is not
// overtaken.
func (b *Budget) grant() {
	for i := 0; i < len(b.turns); {
		site := b.turns[i]
		s := b.sites[site]
		next := s.wait[0]
		if s.held > 0 && s.held+next.bytes > b.shareOf(site) {
			i++
			continue
		}
		if next.bytes > b.free {
			return
		}
		b.free -= next.bytes
		s.held += next.bytes
		s.need += next.need
		s.wait = s.wait[1:]
		next.since = b.now()
		close(next.settled)
		b.turns = slices.Delete(b.turns, i, i+1)
		if len(s.wait) > 0 {
			b.turns = append(b.turns, site)
		}
	}
}

// give releases the bytes of a finished image.
func (b *Budget) give(site int64, c *claim) {
	b.mu.Lock()
	took := float64(b.now().Sub(c.since)) / float64(max(1, c.need))
	if b.pace == 0 {
		b.pace = took
	}
	b.pace += (took - b.pace) / 2
	b.mu.Unlock()
	b.release(site, c)
}

// release releases bytes.
func (b *Budget) release(site int64, c *claim) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += c.bytes
	b.sites[site].held -= c.bytes
	b.sites[site].need -= c.need
	b.grant()
	b.refuse(site)
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
