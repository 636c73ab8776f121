package cache

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

// there waits until an answer is in Redis.
func there(t testing.TB, r *Redis, key Key) {
	t.Helper()
	until(t, "an answer in Redis", func() bool { return r.client.Exists(t.Context(), r.seal.name(key)).Val() == 1 })
}

// Nodes share their answers.
func TestRedisShares(t *testing.T) {
	t.Parallel()
	url := storagetest.Redis(t)
	r := redisOn(t, url, "secret")
	second := redisOn(t, url, "secret")
	one, two := New(Options{Redis: r}), New(Options{Redis: second})
	other := New(Options{Redis: redisOn(t, url, "other secret")})
	var made atomic.Int64
	key := keyOf(1, 7, address(1))
	load := func() (*Answer, error) {
		made.Add(1)
		return &Answer{ETag: `"x"`, Headers: []Header{{"Link", "<x>"}}, Body: body(5000), Until: time.Now().Add(time.Hour).Truncate(time.Second)}, nil
	}
	first := must(t, one, key, load)
	there(t, second, key) // which is connected then: a busy machine may take longer for that than a look-up may
	same(t, must(t, two, key, load), first)
	if made.Load() != 1 || two.Get(key) == nil {
		t.Errorf("made %d times", made.Load())
	}
	must(t, other, key, load)
	must(t, two, keyOf(1, 8, address(1)), load)
	if made.Load() != 3 {
		t.Errorf("made %d times: another secret or version was answered", made.Load())
	}
	if life := patient(t, r).PTTL(t.Context(), r.seal.name(key)).Val(); life <= 0 || life > keepFor {
		t.Errorf("stays for %s", life)
	}
}

// Whatever is in Redis, only values that belong to the key are accepted.
func TestRedisLies(t *testing.T) {
	t.Parallel()
	r := redisOn(t, storagetest.Redis(t), "secret")
	key, foreign := keyOf(1, 7, address(1)), keyOf(1, 6, address(1))
	ctx, now := t.Context(), time.Now()
	right := string(r.seal.close(key, answerOf("right")))
	for what, value := range map[string]string{
		"garbage": "\x00\xff{", "nothing": "", "a short one": right[:50], "a long one": right + "x",
		"another key's": string(r.seal.close(foreign, answerOf("old"))), "much": strings.Repeat("x", 5<<20),
	} {
		patient(t, r).Set(ctx, r.seal.name(key), value, 0)
		if got := r.get(ctx, key, now); got != nil {
			t.Errorf("%s is taken: %+v", what, got)
		}
	}
	r.failed.Store(0)
	patient(t, r).Del(ctx, r.seal.name(key))
	patient(t, r).LPush(ctx, r.seal.name(key), "a list")
	if got := r.get(ctx, key, now); got != nil {
		t.Errorf("a list is taken: %+v", got)
	}
	over := answerOf("over")
	over.Until = now.Add(-time.Second)
	patient(t, r).Set(ctx, r.seal.name(foreign), r.seal.close(foreign, over), 0)
	if got := r.get(ctx, foreign, now); got != nil {
		t.Errorf("what is over is taken: %+v", got)
	}
}

// Large and expired answers are not written to Redis, and a full queue blocks nobody.
func TestRedisTakesNotAll(t *testing.T) {
	t.Parallel()
	r, err := NewRedis(storagetest.Redis(t), []byte("secret"), silent) // nobody writes yet
	if err != nil {
		t.Fatal(err)
	}
	r.put(keyOf(1, 1, "large"), &Answer{Body: body(largest + 1)})
	if len(r.puts) != 0 {
		t.Error("a large answer is put")
	}
	over := answerOf("over")
	over.Until = time.Now().Add(-time.Second)
	r.put(keyOf(1, 1, "over"), over)
	for i := range 2 * waiting {
		r.put(keyOf(1, 1, address(i)), answerOf("x"))
	}
	if len(r.puts) != waiting {
		t.Errorf("%d wait", len(r.puts))
	}
	go r.Run(t.Context())
	until(t, "an empty queue", func() bool { return len(r.puts) == 0 })
	for _, rest := range []string{"large", "over"} {
		if n := patient(t, r).Exists(t.Context(), r.seal.name(keyOf(1, 1, rest))).Val(); n != 0 {
			t.Errorf("%s is there", rest)
		}
	}
}

func TestRedisFilled(t *testing.T) {
	t.Parallel()
	process := storagetest.RedisProcess(t)
	r := redisOn(t, process.URL(), "secret")
	a := New(Options{Redis: r})
	var made atomic.Int64
	must(t, a, keyOf(1, 1, "before"), making("x", &made))
	there(t, r, keyOf(1, 1, "before"))
	patient(t, r).ConfigSet(t.Context(), "maxmemory", "1")
	for i := range 20 {
		must(t, a, keyOf(1, 1, address(i)), making("x", &made))
	}
	until(t, "a refusal", r.refused.Load)
	until(t, "a full Redis is read", func() bool { return r.get(t.Context(), keyOf(1, 1, "before"), time.Now()) != nil && r.open() })
	patient(t, r).ConfigSet(t.Context(), "maxmemory", "0")
	must(t, a, keyOf(1, 1, "after"), making("x", &made))
	there(t, r, keyOf(1, 1, "after"))
	patient(t, r).FlushAll(t.Context())
	if r.get(t.Context(), keyOf(1, 1, "after"), time.Now()) != nil {
		t.Error("found after a flush")
	}
}

// A frozen Redis delays only a few lookups; it is used again once it answers.
func TestBreaker(t *testing.T) {
	t.Parallel()
	process := storagetest.RedisProcess(t)
	r := redisOn(t, process.URL(), "secret")
	key := keyOf(1, 1, "x")
	until(t, "an answer", func() bool {
		r.put(key, answerOf("x"))
		return r.get(t.Context(), key, time.Now()) != nil
	})
	for _, harm := range []struct{ do, undo func() }{{process.Pause, process.Resume}, {process.Kill, process.Restart}} {
		harm.do()
		shortest := time.Hour
		for range strikes {
			begun := time.Now()
			if r.get(t.Context(), keyOf(1, 1, "other"), begun) != nil {
				t.Error("an answer from nowhere")
			}
			shortest = min(shortest, time.Since(begun))
		}
		if shortest > 50*lookupTimeout { // a machine with much to do makes some of them longer
			t.Errorf("each look-up took %s or longer", shortest)
		}
		if r.open() {
			t.Error("still open after its strikes")
		}
		var all sync.WaitGroup
		begun := time.Now()
		for range 1000 {
			all.Go(func() { r.get(t.Context(), key, begun) })
		}
		all.Wait()
		if took := time.Since(begun); took > 1000*lookupTimeout/2 {
			t.Errorf("a thousand look-ups took %s", took)
		}
		harm.undo()
		until(t, "the way open again", r.open)
		until(t, "an answer", func() bool {
			r.put(key, answerOf("x"))
			return r.get(t.Context(), key, time.Now()) != nil
		})
	}
}

func TestNoRedis(t *testing.T) {
	t.Parallel()
	var r *Redis
	r.put(keyOf(1, 1, "x"), answerOf("x"))
	if r.get(t.Context(), keyOf(1, 1, "x"), time.Now()) != nil || r.open() {
		t.Error("nothing answers")
	}
	if _, err := NewRedis("http://nowhere", nil, silent); err == nil || CheckAddress("http://nowhere") == nil || CheckAddress("redis://here") != nil {
		t.Error("no address of a Redis is taken for one, or one for none")
	}
}
