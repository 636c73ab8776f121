// Package leased does work that one node at a time holds: it looks for some, keeps the lease while the work is done, and ends the
// work when the lease is lost or somebody cancels it. What the work is and where its lease stands, the caller knows.
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

// New returns no work. A lease is extended at every beat; the answer to that may take as long as timeout, because a connection may
// be dead without notice. lost is the error that says that somebody else has the lease.
func New[K comparable](lost error, beat, timeout time.Duration) *Works[K] {
	return &Works[K]{lost: lost, beat: beat, timeout: timeout, wake: make(chan struct{}, 1), running: map[K]context.CancelCauseFunc{}}
}

// Wake has Look look at once. It does not block.
func (w *Works[K]) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Looking is how Look looks for work.
type Looking struct {
	Pause  time.Duration                       // between two looks
	Tidy   time.Duration                       // between two calls of Purge
	Clock  func() time.Time                    // by which Tidy is measured
	Work   func(context.Context) (bool, error) // does one piece of work and reports whether there was one
	Purge  func(context.Context) error         // removes what is over; nil: nothing is
	Failed func(error)                         // told of the errors of both
}

// Look looks for work when woken and after each pause, and does all there is, until the context ends.
func (w *Works[K]) Look(ctx context.Context, l Looking) {
	tick := time.NewTicker(l.Pause)
	defer tick.Stop()
	var tidied time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.wake:
		case <-tick.C:
		}
		for worked := true; worked && ctx.Err() == nil; {
			var err error
			worked, err = l.Work(ctx)
			if now := l.Clock(); err == nil && l.Purge != nil && now.Sub(tidied) > l.Tidy {
				tidied = now
				err = l.Purge(ctx)
			}
			if err != nil && ctx.Err() == nil {
				l.Failed(err)
			}
		}
	}
}

// Hold does work and extends its lease meanwhile. The context of do ends if the lease is lost or Stop is called; an error of do is
// then the one that says so.
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
