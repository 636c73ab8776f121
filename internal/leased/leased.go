// Package leased runs work that only one node at a time may hold: it looks for work, extends the lease while the
// work runs, and stops the work when the lease is lost or someone cancels it. The caller defines the work and
// stores the lease.
package leased

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Works is the work of one kind that this node holds, by key.
type Works[K comparable] struct {
	lost    error
	beat    time.Duration
	timeout time.Duration
	wake    chan struct{}

	mu      sync.Mutex
	running map[K]context.CancelCauseFunc
}

// New returns empty Works. A lease is extended at every beat; extending it may take up to timeout, because a
// connection may be dead without notice. lost is the error that means that another node has the lease.
func New[K comparable](lost error, beat, timeout time.Duration) *Works[K] {
	return &Works[K]{lost: lost, beat: beat, timeout: timeout, wake: make(chan struct{}, 1), running: map[K]context.CancelCauseFunc{}}
}

// Wake makes Look check for work immediately. It does not block.
func (w *Works[K]) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Looking configures Look.
type Looking struct {
	Pause  time.Duration                       // between two checks for work
	Tidy   time.Duration                       // between two calls of Purge
	Clock  func() time.Time                    // clock for the intervals of Tidy
	Work   func(context.Context) (bool, error) // does one piece of work and reports whether there was one
	Purge  func(context.Context) error         // removes what has expired; nil if nothing expires
	Failed func(error)                         // called with the errors of both
	AtOnce int                                 // most pieces of work at a time; 0: one
}

// Look looks for work when woken and after each pause, and does all there is, until the context ends. However much it does at a
// time, one idle loop looks after each pause.
func (w *Works[K]) Look(ctx context.Context, l Looking) {
	tick := time.NewTicker(l.Pause)
	defer tick.Stop()
	due := l.purging()
	var loops sync.WaitGroup
	for range max(l.AtOnce, 1) {
		loops.Go(func() {
			for w.called(ctx, tick.C) {
				l.work(ctx, due)
			}
		})
	}
	loops.Wait()
}

// called waits until somebody wakes the work or a pause is over. It reports false when the context ends.
func (w *Works[K]) called(ctx context.Context, over <-chan time.Time) bool {
	select {
	case <-ctx.Done():
		return false
	case <-w.wake:
	case <-over:
	}
	return true
}

// work does all work that there is, and purges when that is due.
func (l *Looking) work(ctx context.Context, due func() bool) {
	for worked := true; worked && ctx.Err() == nil; {
		var err error
		worked, err = l.Work(ctx)
		if err == nil && due() {
			err = l.Purge(ctx)
		}
		if err != nil && ctx.Err() == nil {
			l.Failed(err)
		}
	}
}

// purging returns a function that reports whether Purge is due, to one of those who ask.
func (l *Looking) purging() func() bool {
	var mu sync.Mutex
	var tidied time.Time
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		now := l.Clock()
		if l.Purge == nil || now.Sub(tidied) <= l.Tidy {
			return false
		}
		tidied = now
		return true
	}
}

// Hold runs do and extends the lease in the meantime. The context of do ends if the lease is lost or Stop is
// called; Hold then returns the error for that in place of do's error.
func (w *Works[K]) Hold(ctx context.Context, key K, extend, do func(context.Context) error) error {
	inside, stop := context.WithCancelCause(ctx)
	var beating sync.WaitGroup
	defer beating.Wait()
	defer stop(nil)
	w.mu.Lock()
	w.running[key] = stop
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.running, key)
		w.mu.Unlock()
	}()
	beating.Go(func() {
		tick := time.NewTicker(w.beat)
		defer tick.Stop()
		for {
			select {
			case <-inside.Done():
				return
			case <-tick.C:
			}
			asking, answered := context.WithTimeout(inside, w.timeout)
			err := extend(asking)
			answered()
			if errors.Is(err, w.lost) {
				stop(w.lost)
			}
		}
	})
	err := do(inside)
	if err != nil && errors.Is(context.Cause(inside), w.lost) {
		return w.lost
	}
	return err
}

// Stop ends the work with a key if this node does it.
func (w *Works[K]) Stop(key K) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if stop := w.running[key]; stop != nil {
		stop(w.lost)
	}
}
