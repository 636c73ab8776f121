package memory

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
)

var errBroken = errors.New("broken")

// aMemory returns a memory with a clock the test moves.
func aMemory(limit int) (m *Of[int], ahead func(time.Duration)) {
	var now atomic.Int64
	m = &Of[int]{Life: time.Second, Limit: limit, Negative: tenancy.ErrNoSite, Clock: func() time.Time { return time.Unix(0, now.Load()) }}
	return m, func(d time.Duration) { now.Add(int64(d)) }
}

// counting returns a look-up of n for a site, and how often it ran.
func counting(n int, site int64, err error) (Load[int], *atomic.Int64) {
	runs := &atomic.Int64{}
	return func(context.Context) (int, int64, error) {
		runs.Add(1)
		return n, site, err
	}, runs
}

func TestMemoryKeeps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		runs int64
	}{
		"a value":       {nil, 2},
		"nothing":       {tenancy.ErrNoSite, 2},
		"not a failure": {errBroken, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, ahead := aMemory(10)
			look, runs := counting(7, 1, c.err)
			for i := range 4 {
				if i == 2 {
					ahead(time.Second)
				}
				if n, err := m.Get(t.Context(), "key", look); n != 7 || !errors.Is(err, c.err) {
					t.Errorf("%d, %v", n, err)
				}
			}
			if runs.Load() != c.runs {
				t.Errorf("looked up %d times, want %d", runs.Load(), c.runs)
			}
		})
	}
}

// Who finds nothing and then comes too late for the look-up that was under way
// doesn't begin another, and what is kept lives no longer for it.
func TestMemoryLooksOnce(t *testing.T) {
	t.Parallel()
	m, ahead := aMemory(10)
	look, runs := counting(7, 1, nil)
	_, age, _ := m.held("key")
	for range 2 {
		if n, err := m.renew(t.Context(), "key", "", age, look); n != 7 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		ahead(time.Second - 1)
	}
	if runs.Load() != 1 {
		t.Errorf("looked up %d times", runs.Load())
	}
	if _, _, ok := m.held("key"); ok {
		t.Error("kept beyond its moment")
	}
}

func TestMemoryForgets(t *testing.T) {
	t.Parallel()
	m, _ := aMemory(10)
	mine, mineRuns := counting(1, 1, nil)
	others, othersRuns := counting(2, 2, nil)
	none, noneRuns := counting(0, 0, tenancy.ErrNoSite)
	for range 2 {
		_, _ = m.Get(t.Context(), "mine", mine)
		_, _ = m.Get(t.Context(), "others", others)
		_, _ = m.Get(t.Context(), "none", none)
		m.Forget(1)
	}
	if mineRuns.Load() != 2 || noneRuns.Load() != 2 || othersRuns.Load() != 1 {
		t.Errorf("looked up mine %d, none %d, others %d times", mineRuns.Load(), noneRuns.Load(), othersRuns.Load())
	}
}

// What is forgotten while it is looked up must not come back afterwards, and
// who asks after the forgetting must not be given the old value.
func TestMemoryForgetsWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	m, _ := aMemory(10)
	started, finish := make(chan struct{}), make(chan struct{})
	done := make(chan int)
	go func() {
		n, _ := m.Get(context.Background(), "key", func(context.Context) (int, int64, error) {
			close(started)
			<-finish
			return 1, 1, nil
		})
		done <- n
	}()
	<-started
	m.Forget(1)
	fresh, runs := counting(2, 1, nil)
	if n, _ := m.Get(t.Context(), "key", fresh); n != 2 {
		t.Errorf("after forgetting: %d", n)
	}
	close(finish)
	<-done
	if n, _ := m.Get(t.Context(), "key", fresh); n != 2 || runs.Load() != 1 {
		t.Errorf("at last: %d after %d look-ups", n, runs.Load())
	}
}

func TestMemoryLooksUpOnce(t *testing.T) {
	t.Parallel()
	m, _ := aMemory(10)
	var runs atomic.Int64
	finish := make(chan struct{})
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			n, err := m.Get(context.Background(), "key", func(context.Context) (int, int64, error) {
				runs.Add(1)
				<-finish
				return 3, 1, nil
			})
			if n != 3 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		})
	}
	time.Sleep(20 * time.Millisecond)
	close(finish)
	group.Wait()
	if runs.Load() != 1 {
		t.Errorf("looked up %d times", runs.Load())
	}
}

// One who goes away doesn't spoil the look-up for those who wait.
func TestMemoryOutlivesWhoAsked(t *testing.T) {
	t.Parallel()
	m, _ := aMemory(10)
	ctx, cancel := context.WithCancel(t.Context())
	finish := make(chan struct{})
	look := func(ctx context.Context) (int, int64, error) {
		cancel()
		<-finish
		return 4, 1, ctx.Err()
	}
	if _, err := m.Get(ctx, "key", look); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(finish)
	if n, err := m.Get(t.Context(), "key", look); n != 4 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	m, ahead := aMemory(100)
	for i := range 1000 {
		look, _ := counting(i, 1, nil)
		_, _ = m.Get(t.Context(), fmt.Sprint(i), look)
		ahead(time.Millisecond)
		if len(m.entries) > 100 {
			t.Fatalf("%d entries", len(m.entries))
		}
	}
	if len(m.entries) < 50 {
		t.Errorf("only %d entries left", len(m.entries))
	}
}
