package storage

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// convoys lets only so many of a site go at once. Who comes meanwhile waits, and
// goes with the first of those that wait if they fit together.
type convoys[T any] struct {
	most int // of a site at once
	fit  func(all []*rider[T], next *rider[T]) bool

	mu    sync.Mutex
	sites map[int64]*siteConvoys[T]
}

// siteConvoys are those of one site.
type siteConvoys[T any] struct {
	running int
	waiting []*rider[T]
}

// rider is who goes, or waits to.
type rider[T any] struct {
	of     T
	alone  bool             // it fits with nobody
	called chan []*rider[T] // told who goes with it, itself the first; nil when another took it along
	failed bool             // what was done together: it is to be done again, alone
	err    error            // of what was done together, where it can't be done again
}

// errUncertain says that nobody knows whether a transaction was committed: what may
// be there already isn't made again.
var errUncertain = errors.New("whether it was committed is not known")

func newConvoys[T any](most int, fit func([]*rider[T], *rider[T]) bool) *convoys[T] {
	return &convoys[T]{most: most, fit: fit, sites: map[int64]*siteConvoys[T]{}}
}

// atMost lets so many go together, whatever they are.
func atMost[T any](n int) func([]*rider[T], *rider[T]) bool {
	return func(all []*rider[T], _ *rider[T]) bool { return len(all) < n }
}

// alone runs do as one of the site's turns.
func (c *convoys[T]) alone(ctx context.Context, site int64, do func() error) error {
	if _, err := c.begin(ctx, site, &rider[T]{alone: true}); err != nil {
		return err
	}
	defer c.end(site)
	return do()
}

// share runs do as one of the site's turns, or has together done for all that go
// in one. What fails together is done again, alone, unless the error is errUncertain.
func (c *convoys[T]) share(ctx context.Context, site int64, of T, do func() error, together func(all []*rider[T]) error) error {
	one := &rider[T]{of: of}
	all, err := c.begin(ctx, site, one)
	switch {
	case err != nil:
		return err
	case len(all) == 1:
		defer c.end(site)
		return do()
	case len(all) > 1:
		c.lead(site, all, together)
	}
	if one.failed {
		return c.alone(ctx, site, do)
	}
	return one.err
}

// begin waits until one may go and returns who goes with it, itself the first:
// then the caller calls end, or lead. It returns nil after another took it along.
func (c *convoys[T]) begin(ctx context.Context, site int64, one *rider[T]) ([]*rider[T], error) {
	if c.free(site, one) {
		return []*rider[T]{one}, nil
	}
	select {
	case all := <-one.called:
		return all, nil
	case <-ctx.Done():
	}
	if c.quit(site, one) {
		return nil, ctx.Err()
	}
	return <-one.called, nil // the turn came at the same moment
}

// lead does what the first does for all that go together, and tells the others.
// When that fails or panics each is to do its own alone, where it may fail or
// panic again; of what may have been committed each has the error.
func (c *convoys[T]) lead(site int64, all []*rider[T], together func(all []*rider[T]) error) {
	err := errors.New("it panicked")
	defer func() {
		_ = recover()
		c.end(site)
		for i, one := range all {
			if errors.Is(err, errUncertain) {
				one.err = err
			} else {
				one.failed = err != nil
			}
			if i > 0 {
				one.called <- nil
			}
		}
	}()
	err = together(all)
}

// free takes one of the site's turns, or has one wait.
func (c *convoys[T]) free(site int64, one *rider[T]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sites[site]
	if s == nil {
		s = &siteConvoys[T]{}
		c.sites[site] = s
	}
	if s.running < c.most {
		s.running++
		return true
	}
	one.called = make(chan []*rider[T], 1)
	s.waiting = append(s.waiting, one)
	return false
}

// quit takes one from those who wait and reports whether it was there.
func (c *convoys[T]) quit(site int64, one *rider[T]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sites[site]
	if s == nil {
		return false
	}
	i := slices.Index(s.waiting, one)
	if i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
	return i >= 0
}

// end hands a turn on to whoever waits longest, with those that fit.
func (c *convoys[T]) end(site int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sites[site]
	if len(s.waiting) == 0 {
		if s.running--; s.running == 0 {
			delete(c.sites, site)
		}
		return
	}
	first := s.waiting[0]
	all := []*rider[T]{first}
	s.waiting = slices.DeleteFunc(s.waiting[1:], func(next *rider[T]) bool {
		along := !first.alone && !next.alone && c.fit(all, next)
		if along {
			all = append(all, next)
		}
		return along
	})
	first.called <- all
}
