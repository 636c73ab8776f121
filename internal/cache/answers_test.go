package cache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestFetchKeeps(t *testing.T) {
	t.Parallel()
	a := New(Options{})
	var made atomic.Int64
	key := keyOf(1, 7, address(1))
	if a.Get(key) != nil {
		t.Error("an empty cache has an answer")
	}
	first := must(t, a, key, making("x", &made))
	if again := must(t, a, key, making("y", &made)); again != first || a.Get(key) != first || made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
	for _, other := range []Key{keyOf(2, 7, address(1)), keyOf(1, 8, address(1)), keyOf(1, 6, address(1)), keyOf(1, 7, address(2))} {
		if a.Get(other) != nil {
			t.Errorf("%+v is answered by another key", other)
		}
	}
}

// An expired answer is loaded again and counted once.
func TestUntil(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		a := New(Options{Clock: func() time.Time { return now }})
		key := keyOf(1, 1, "x")
		load := func() (*Answer, error) {
			answer := answerOf("x")
			answer.Until = now.Add(time.Minute)
			return answer, nil
		}
		first := must(t, a, key, load)
		now = now.Add(time.Minute - 1)
		if a.Get(key) != first {
			t.Error("gone too early")
		}
		if now = now.Add(1); a.Get(key) != nil {
			t.Error("shown at the end of its time")
		}
		if second := must(t, a, key, load); second == first || a.Get(key) != second {
			t.Error("not made anew")
		}
		if s := a.sites[1]; s.bytes != first.weight()+len(key.Rest)+128 {
			t.Errorf("the shelf counts %d", s.bytes)
		}
	})
}

// One load serves everybody who asks while it runs.
func TestOneLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := New(Options{})
		var made atomic.Int64
		key, gate := keyOf(1, 1, "x"), make(chan struct{})
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				same(t, must(t, a, key, func() (*Answer, error) {
					<-gate
					return making("x", &made)()
				}), answerOf("x"))
			})
		}
		synctest.Wait()
		close(gate)
		all.Wait()
		if made.Load() != 1 || len(a.flights) != 0 {
			t.Errorf("made %d times, %d flights", made.Load(), len(a.flights))
		}
	})
}

// A failed load does not affect others: those waiting for it load themselves.
func TestLoadFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, fail := range map[string]func() (*Answer, error){
		"error": func() (*Answer, error) { return nil, broken },
		"nil":   func() (*Answer, error) { return nil, nil },
		"panic": func() (*Answer, error) { panic("broken") },
	} {
		synctest.Test(t, func(t *testing.T) {
			a := New(Options{})
			key, gate := keyOf(1, 1, "x"), make(chan struct{})
			var all sync.WaitGroup
			all.Go(func() {
				defer func() { _ = recover() }()
				_, _ = a.Fetch(t.Context(), key, func() (*Answer, error) {
					<-gate
					return fail()
				})
			})
			synctest.Wait()
			var made atomic.Int64
			for range 50 {
				all.Go(func() { same(t, must(t, a, key, making("own", &made)), answerOf("own")) })
			}
			synctest.Wait()
			close(gate)
			all.Wait()
			if made.Load() != 50 || len(a.flights) != 0 || a.Get(key) != nil {
				t.Errorf("%s: %d loads, %d flights", name, made.Load(), len(a.flights))
			}
			same(t, must(t, a, key, making("later", &made)), answerOf("later"))
		})
	}
}

// A waiter whose context ends gives up, and the load continues for the others.
func TestWaiterGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := New(Options{})
		key, gate := keyOf(1, 1, "x"), make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			must(t, a, key, func() (*Answer, error) {
				<-gate
				return answerOf("x"), nil
			})
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := a.Fetch(ctx, key, func() (*Answer, error) { return nil, ctx.Err() })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		close(gate)
		all.Wait()
		same(t, a.Get(key), answerOf("x"))
	})
}

// A new version removes the old ones. A late answer of an old version is returned but not cached.
func TestOldVersionsGo(t *testing.T) {
	t.Parallel()
	a := New(Options{})
	var made atomic.Int64
	for i := range 20 {
		must(t, a, keyOf(1, 1, address(i)), making("old", &made))
		must(t, a, keyOf(2, 1, address(i)), making("other", &made))
	}
	must(t, a, keyOf(1, 2, address(0)), making("new", &made))
	for i := range 20 {
		if a.Get(keyOf(1, 1, address(i))) != nil || a.Get(keyOf(2, 1, address(i))) == nil {
			t.Errorf("%d: the old version is there, or the other site is not", i)
		}
	}
	same(t, must(t, a, keyOf(1, 1, address(0)), making("late", &made)), answerOf("late"))
	if a.Get(keyOf(1, 1, address(0))) != nil || a.Get(keyOf(1, 2, address(0))) == nil {
		t.Error("a late old version is kept")
	}
}

// A site never exceeds its share and evicts only its own answers, and the total stays within the capacity.
func TestShares(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	a := New(Options{Bytes: most})
	big := func() (*Answer, error) { return &Answer{Body: body(4 << 10)}, nil }
	quiet := keyOf(2, 1, "quiet")
	must(t, a, quiet, big)
	for i := range 2000 {
		key := keyOf(1, 1, address(i))
		must(t, a, key, big)
		a.mu.Lock()
		held, sum := a.sites[1].bytes, 0
		for _, weight := range a.sites[1].keys {
			sum += weight
		}
		a.mu.Unlock()
		if held > most/4 || sum != held {
			t.Fatalf("after %d: holds %d, a share is %d, the sum is %d", i, held, most/4, sum)
		}
		if a.Get(key) == nil {
			t.Fatalf("%d: the newest isn't kept", i)
		}
	}
	if a.Get(quiet) == nil {
		t.Error("another site lost its answer")
	}
	for site := int64(10); site < 40; site++ {
		for i := range 50 {
			must(t, a, keyOf(site, 1, address(i)), big)
		}
	}
	until(t, "the bound", func() bool { return a.Bytes() <= most })
	huge := must(t, a, keyOf(3, 1, "huge"), func() (*Answer, error) { return &Answer{Body: body(most / 3)}, nil })
	if huge == nil || a.Get(keyOf(3, 1, "huge")) != nil {
		t.Error("an answer larger than a share is kept, or wasn't given")
	}
}

// Evicted answers are removed from the shelves.
func TestShelvesFollow(t *testing.T) {
	t.Parallel()
	a := New(Options{Bytes: 64 << 10})
	var made atomic.Int64
	for site := range int64(500) {
		must(t, a, keyOf(site, 1, "x"), making(string(body(1000)), &made))
	}
	until(t, "shelves with nothing but answers", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		for _, s := range a.sites {
			for key := range s.keys {
				if _, held := a.local.Peek(key); !held {
					return false
				}
			}
		}
		return len(a.sites) > 0 && len(a.sites) < 500 && a.Bytes() <= 64<<10
	})
}

// With many concurrent goroutines, versions and sites, every answer belongs to its key.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	a := New(Options{Bytes: 256 << 10})
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 2000 {
				key := keyOf(int64(i%5), int64(i/400), address((i*7+g)%90))
				want := fmt.Sprint(key)
				got := must(t, a, key, func() (*Answer, error) { return answerOf(want), nil })
				if string(got.Body) != want {
					t.Errorf("%s answered by %s", want, got.Body)
				}
			}
		})
	}
	all.Wait()
}

func TestWeight(t *testing.T) {
	t.Parallel()
	small, large := answerOf("x"), &Answer{Body: body(30_000)}
	if small.weight() < 1 || large.weight() < 30_000 {
		t.Errorf("weights %d, %d", small.weight(), large.weight())
	}
	plain := large.weight()
	forms := len(large.Gzip()) + len(large.Brotli())
	if got := large.kept().weight(); got < forms || got > plain-30_000+forms {
		t.Errorf("compressed forms of %d weigh %d", forms, got)
	}
}

// Answers are held in the forms that clients asked for, and all forms have the same content.
func TestHeldAsAskedFor(t *testing.T) {
	t.Parallel()
	a := New(Options{})
	key, text := keyOf(1, 1, "x"), body(20_000)
	zipped, brotlied := Codings{Gzip: true}, Codings{Gzip: true, Brotli: true}
	first := must(t, a, key, func() (*Answer, error) {
		answer := &Answer{Body: text}
		answer.In(zipped)
		return answer, nil
	})
	same(t, first, &Answer{Body: text})
	ask := func(what string, codings Codings, coding string, made bool, held int) {
		t.Helper()
		answer := a.Get(key)
		got, by, fresh := answer.In(codings)
		if fresh {
			a.Made(key, answer)
		}
		if by != coding || fresh != made || !bytes.Equal((&Answer{Body: got}).as(by), text) {
			t.Errorf("%s: %d bytes, %q, made %v", what, len(got), by, fresh)
		}
		if n := a.Get(key).weight(); n < held || n > held+2000 {
			t.Errorf("%s: %d bytes are held of about %d", what, n, held)
		}
	}
	ask("what was asked for first", zipped, "gzip", false, 0)
	ask("what is at hand, not the shorter one", brotlied, "gzip", false, 0)
	ask("another", Codings{Brotli: true}, "br", true, 0)
	ask("again", brotlied, "br", false, 0)
	ask("plain", Codings{}, "", true, 20_000)
	ask("plain again", Codings{}, "", false, 20_000)
	ask("the first", zipped, "gzip", false, 20_000)
	if got := a.Get(keyOf(1, 1, "y")); got != nil {
		t.Error("another key has it")
	}
}

// as returns the decoded body of an answer in a coding.
func (a *Answer) as(coding string) []byte {
	packed := &Answer{}
	switch coding {
	case "br":
		packed.brotli.body.Store(&a.Body)
	case "gzip":
		packed.gzip.body.Store(&a.Body)
	default:
		return a.Body
	}
	return packed.Plain()
}

// Compressing an answer that was replaced meanwhile does not bring it back.
func TestMadeTooLate(t *testing.T) {
	t.Parallel()
	a := New(Options{})
	old := must(t, a, keyOf(1, 1, "x"), func() (*Answer, error) { return &Answer{Body: body(2000)}, nil })
	fresh := must(t, a, keyOf(1, 2, "x"), func() (*Answer, error) { return &Answer{Body: body(3000)}, nil })
	old.In(Codings{Gzip: true})
	a.Made(keyOf(1, 1, "x"), old)
	a.Made(keyOf(1, 2, "x"), old)
	if a.Get(keyOf(1, 1, "x")) != nil || a.Get(keyOf(1, 2, "x")) != fresh {
		t.Error("an old answer is held again")
	}
}

// A cache hit does not allocate.
func TestGetAllocates(t *testing.T) {
	a := New(Options{})
	key := keyOf(1, 1, address(1))
	must(t, a, key, func() (*Answer, error) { return answerOf("x"), nil })
	if n := testing.AllocsPerRun(1000, func() { a.Get(key) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkGet(b *testing.B) {
	a := New(Options{})
	key := keyOf(1, 1, address(1))
	must(b, a, key, func() (*Answer, error) { return answerOf("x"), nil })
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if a.Get(key) == nil {
				b.Error("missed")
			}
		}
	})
}

func BenchmarkFetchMiss(b *testing.B) {
	a := New(Options{})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_, _ = a.Fetch(b.Context(), keyOf(1, int64(i), "x"), func() (*Answer, error) { return answerOf("x"), nil })
	}
}
