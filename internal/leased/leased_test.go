package leased

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var errLost = errors.New("lost")

// TestHold: work goes on while its lease is extended and the store merely fails, and ends when the lease is lost or it is stopped.
func TestHold(t *testing.T) {
	t.Parallel()
	waits := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for name, c := range map[string]struct {
		extend func(beat int) error
		stop   time.Duration // 0: never
		do     func(context.Context) error
		want   error
		took   time.Duration
	}{
		"done":                   {func(int) error { return nil }, 0, func(context.Context) error { time.Sleep(25 * time.Second); return nil }, nil, 25 * time.Second},
		"the store fails":        {func(int) error { return errors.New("away") }, 0, func(context.Context) error { time.Sleep(25 * time.Second); return nil }, nil, 25 * time.Second},
		"the lease is lost":      {func(beat int) error { return map[bool]error{true: errLost}[beat == 3] }, 0, waits, errLost, 15 * time.Second},
		"it is stopped":          {func(int) error { return nil }, 7 * time.Second, waits, errLost, 7 * time.Second},
		"done before it is lost": {func(int) error { return errLost }, 0, func(context.Context) error { return nil }, nil, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			w, beats, began := New[string](errLost, 5*time.Second, time.Second), 0, time.Now()
			if c.stop > 0 {
				go func() { time.Sleep(c.stop); w.Stop("other"); w.Stop("work") }()
			}
			err := w.Hold(t.Context(), "work", func(context.Context) error { beats++; return c.extend(beats) }, c.do)
			if !errors.Is(err, c.want) || time.Since(began) != c.took || len(w.running) != 0 {
				t.Errorf("%s: %v after %s, %d left", name, err, time.Since(began), len(w.running))
			}
		})
	}
}

// TestLook: all work there is is done when woken and after each pause, and what is over is removed now and then.
func TestLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := New[int](errLost, time.Second, time.Second)
		ctx, stop := context.WithCancel(t.Context())
		var left, looks, purged, failed atomic.Int64
		left.Store(3)
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.Look(ctx, Looking{Pause: 10 * time.Second, Tidy: time.Minute, Clock: time.Now,
				Work: func(context.Context) (bool, error) {
					if looks.Add(1); left.Load() == 0 {
						return false, nil
					}
					left.Add(-1)
					return true, nil
				},
				Purge:  func(context.Context) error { purged.Add(1); return errors.New("away") },
				Failed: func(error) { failed.Add(1) }})
		}()
		w.Wake()
		w.Wake() // which blocks nobody
		synctest.Wait()
		if left.Load() != 0 || looks.Load() != 4 || purged.Load() != 1 || failed.Load() != 1 {
			t.Errorf("woken: %d left after %d looks, purged %d times, failed %d times", left.Load(), looks.Load(), purged.Load(), failed.Load())
		}
		time.Sleep(95 * time.Second)
		synctest.Wait()
		if looks.Load() != 4+9 || purged.Load() != 2 {
			t.Errorf("later: %d looks, purged %d times", looks.Load(), purged.Load())
		}
		stop()
		<-done
	})
}

// TestLookAtOnce: work that takes long holds up no other, and however many loops there are, one of them looks after a pause.
func TestLookAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := New[int](errLost, time.Second, time.Second)
		ctx, stop := context.WithCancel(t.Context())
		var looks, purged atomic.Int64
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.Look(ctx, Looking{AtOnce: 3, Pause: time.Second, Tidy: time.Hour, Clock: time.Now,
				Work: func(ctx context.Context) (bool, error) {
					if looks.Add(1) <= 2 {
						<-ctx.Done() // an address that does not answer
					}
					return false, nil
				},
				Purge:  func(context.Context) error { purged.Add(1); return nil },
				Failed: func(err error) { t.Error(err) }})
		}()
		time.Sleep(9500 * time.Millisecond)
		synctest.Wait()
		if looks.Load() != 9 || purged.Load() != 1 {
			t.Errorf("%d looks in nine pauses, purged %d times", looks.Load(), purged.Load())
		}
		stop()
		<-done
	})
}
