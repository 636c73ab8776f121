package pg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
)

// Turns limits how many tasks of a site run simultaneously. Further tasks wait. When the first waiting task gets its
// turn, all waiting tasks that fit run together with it.
type Turns[T any] struct {
	most   int // tasks of a site that run simultaneously
	fit    func(all []*Member[T], next *Member[T]) bool
	logger *slog.Logger // told of panics

	mu    sync.Mutex
	sites map[int64]*siteTurns[T]
}

// siteTurns are the turns of one site.
type siteTurns[T any] struct {
	running int
	waiting []*Member[T]
}

// Member is a task that runs or waits to run.
type Member[T any] struct {
	Of     T
	alone  bool              // it never runs together with others
	called chan []*Member[T] // receives the members that run together, this one first; nil if another member ran them
	failed bool              // the shared run failed, and this task must run again alone
	err    error             // error of a shared run that must not be repeated
}

// NewTurns returns Turns. most is how many tasks of a site run simultaneously, and fit decides which tasks share a
// turn. The logger is for panics.
func NewTurns[T any](most int, fit func([]*Member[T], *Member[T]) bool, logger *slog.Logger) *Turns[T] {
	return &Turns[T]{most: most, fit: fit, logger: logger, sites: map[int64]*siteTurns[T]{}}
}

// AtMost returns a fit that lets any n members run together.
func AtMost[T any](n int) func([]*Member[T], *Member[T]) bool {
	return func(all []*Member[T], _ *Member[T]) bool { return len(all) < n }
}

// Alone runs do as one of the site's turns.
func (c *Turns[T]) Alone(ctx context.Context, site int64, do func() error) error {
	if _, err := c.begin(ctx, site, &Member[T]{alone: true}); err != nil {
		return err
	}
	defer c.end(site)
	return do()
}

// Share runs do if it gets a turn for itself. If several members share a turn, one of them calls together for all.
// If together fails, each member runs alone again, unless the error is ErrUncertain.
func (c *Turns[T]) Share(ctx context.Context, site int64, of T, do func() error, together func(all []*Member[T]) error) error {
	one := &Member[T]{Of: of}
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
		return c.Alone(ctx, site, do)
	}
	return one.err
}

// Waiting returns how many members of a site wait, and whether all its turns are taken.
func (c *Turns[T]) Waiting(site int64) (n int, taken bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sites[site]
	if s == nil {
		return 0, false
	}
	return len(s.waiting), s.running == c.most
}

// begin waits for a turn and returns the members that run together, starting with one. The caller then calls end or
// lead. If another member has already led the run, begin returns nil.
func (c *Turns[T]) begin(ctx context.Context, site int64, one *Member[T]) ([]*Member[T], error) {
	if c.free(site, one) {
		return []*Member[T]{one}, nil
	}
	select {
	case all := <-one.called:
		return all, nil
	case <-ctx.Done():
	}
	if c.quit(site, one) {
		return nil, ctx.Err()
	}
	return <-one.called, nil // the turn came at the moment the context ended
}

// lead calls together for all members, and passes the result to the others. If it fails or panics, each member must
// run alone, where it may fail or panic again. If the run may have been committed, each member gets the error.
func (c *Turns[T]) lead(site int64, all []*Member[T], together func(all []*Member[T]) error) {
	err := errors.New("it panicked")
	defer func() {
		if r := recover(); r != nil { // each member may succeed alone, so without a log entry nobody would learn of the panic
			c.logger.Error("panic in what requests do together", "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
		}
		c.end(site)
		for i, one := range all {
			if errors.Is(err, ErrUncertain) {
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

// free gives one a turn of the site if there is a free one. Otherwise it adds one to the waiting members and
// returns false.
func (c *Turns[T]) free(site int64, one *Member[T]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sites[site]
	if s == nil {
		s = &siteTurns[T]{}
		c.sites[site] = s
	}
	if s.running < c.most {
		s.running++
		return true
	}
	one.called = make(chan []*Member[T], 1)
	s.waiting = append(s.waiting, one)
	return false
}

// quit removes one from the waiting members and reports whether it was still waiting.
func (c *Turns[T]) quit(site int64, one *Member[T]) bool {
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

// end passes the turn to the member that has waited longest and to all waiting members that fit.
func (c *Turns[T]) end(site int64) {
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
	all := []*Member[T]{first}
	s.waiting = slices.DeleteFunc(s.waiting[1:], func(next *Member[T]) bool {
		along := !first.alone && !next.alone && c.fit(all, next)
		if along {
			all = append(all, next)
		}
		return along
	})
	first.called <- all
}
