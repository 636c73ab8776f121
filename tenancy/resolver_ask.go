package tenancy

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"
)

// How long answers of Serves are remembered, and how often it asks the store for
// names it doesn't remember: a hundred times at once, then each 20 ms.
const (
	askLife = 10 * time.Second
	askEach = 20 * time.Millisecond
	askMost = 100
)

// errAsked says that Serves has asked the store often enough for now.
var errAsked = errors.New("too many look-ups")

// Serves reports whether a name is one at which a site that isn't closed is
// found: a domain of its own, or its slug under the platform's. Anybody may ask
// anything, so answers are remembered and the store is asked at a bounded rate;
// beyond it names that aren't remembered are answered with no.
func (r *Resolver) Serves(ctx context.Context, name string) (bool, error) {
	host, ok := Host(name)
	if !ok || !strings.Contains(host, ".") || strings.Contains(host, ":") {
		return false, nil
	}
	site, err := r.asked.get(ctx, host, func(ctx context.Context) (*Site, int64, error) {
		site, err := r.named(ctx, host)
		if err != nil {
			return nil, 0, err
		}
		return site, site.ID, nil
	})
	switch {
	case errors.Is(err, ErrNoSite), errors.Is(err, errAsked):
		return false, nil
	case err != nil:
		return false, wrap("ask for a name", err)
	}
	return site.State != Closed && !site.Deleted(), nil
}

// named asks the store for the site of a name, without the default one.
func (r *Resolver) named(ctx context.Context, host string) (*Site, error) {
	slug, under := strings.CutSuffix(host, "."+r.platform)
	switch {
	case host == r.platform, under && !slugForm.MatchString(slug):
		return nil, ErrNoSite
	case !r.asks.take():
		return nil, errAsked
	case under:
		return r.store.BySlug(ctx, slug)
	}
	return r.store.ByHost(ctx, host)
}

// budget allows something a number of times at once, and once more after each
// while.
type budget struct {
	each  time.Duration
	most  int
	clock func() time.Time

	mu   sync.Mutex
	full time.Time // when all of it is there again
}

// take reports whether there was something left, and uses it up.
func (b *budget) take() bool {
	now := b.clock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if left := b.full.Sub(now); left < 0 || left > time.Duration(b.most)*b.each { // more is owed than can be: the clock was set back
		b.full = now
	}
	if b.full.Sub(now) > time.Duration(b.most-1)*b.each {
		return false
	}
	b.full = b.full.Add(b.each)
	return true
}

// back returns what was taken for nothing.
func (b *budget) back() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.full = b.full.Add(-b.each)
}
