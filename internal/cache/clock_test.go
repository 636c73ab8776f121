package cache

import (
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

// Clock changes in either direction neither extend the trust in a version nor cause the database to be asked every
// time for hours.
func TestVersionsAndClocks(t *testing.T) {
	t.Parallel()
	var clock hand
	clock.add(time.Hour)
	d := newDatabase(map[int64]int64{1: 5})
	v := NewVersions(d, silent)
	v.clock = clock.now
	of(t, v, 1, 5)
	for i, jump := range []time.Duration{72 * time.Hour, -72 * time.Hour, -5 * time.Hour, time.Minute} {
		clock.add(jump)
		before, now := d.questions(), int64(6+i)
		d.set(1, now)
		of(t, v, 1, now)
		clock.add(trust / 2)
		of(t, v, 1, now)
		if n := d.questions() - before; n != 1 {
			t.Errorf("after %s the database was asked %d times", jump, n)
		}
	}
}

// Answers loaded while the clock was ahead are valid then but not after it was corrected, both in the process and in
// Redis.
func TestAnswersAndClocks(t *testing.T) {
	t.Parallel()
	now := time.Now()
	clock := func() time.Time { return now }
	r := redisOn(t, storagetest.Redis(t), "secret")
	one, other := New(Options{Redis: r, Clock: clock}), New(Options{Redis: r, Clock: clock})
	var made atomic.Int64
	key := keyOf(1, 1, "x")
	right := now
	now = right.Add(72 * time.Hour)
	ahead := must(t, one, key, making("ahead", &made))
	if one.Get(key) != ahead {
		t.Error("not kept")
	}
	until(t, "it lies in Redis", func() bool { return r.client.Exists(t.Context(), r.seal.name(key)).Val() == 1 })
	same(t, must(t, other, key, making("never", &made)), ahead)
	now = right
	for i, a := range []*Answers{New(Options{Redis: r, Clock: clock}), one, other} {
		if a.Get(key) != nil {
			t.Errorf("cache %d shows what was made in the future", i)
		}
		if got := must(t, a, key, making("right", &made)); string(got.Body) != "right" {
			t.Errorf("cache %d has %q", i, got.Body)
		}
		if got := a.Get(key); got == nil || string(got.Body) != "right" {
			t.Errorf("cache %d doesn't keep what is right", i)
		}
	}
	now = right.Add(-5 * time.Hour)
	if got := must(t, one, key, making("behind", &made)); string(got.Body) != "behind" {
		t.Errorf("a clock that is behind shows %q", got.Body)
	}
}

// Clock changes neither lock anybody out nor grant more than the capacity of a bucket.
func TestBucketsAndClocks(t *testing.T) {
	t.Parallel()
	for _, jump := range []time.Duration{-72 * time.Hour, -time.Minute, 72 * time.Hour} {
		var clock hand
		clock.add(1000 * time.Hour)
		b := NewBuckets(nil, clock.now)
		drain(b, "site", 60)
		clock.add(jump)
		if n := drain(b, "site", 60); jump < 0 && n != 0 || n > 60 {
			t.Errorf("%s: %d at once", jump, n)
		}
		clock.add(10 * time.Second)
		if n := drain(b, "site", 60); n != 10 {
			t.Errorf("%s: %d after ten seconds, want 10", jump, n)
		}
	}
	r := redisOn(t, storagetest.Redis(t), "secret")
	var clock hand
	b := NewBuckets(r, clock.now)
	for _, at := range []string{"99999999999.0", "1.0"} { // Redis's own clock was set back, and forward
		if err := patient(t, r).HSet(t.Context(), "kalends:b:site", "left", "0", "at", at).Err(); err != nil {
			t.Fatal(err)
		}
		drain(b, "site", 60)
		heard(t, b)
		kept := patient(t, r).HGetAll(t.Context(), "kalends:b:site").Val()
		left, _ := strconv.ParseFloat(kept["left"], 64)
		from, _ := strconv.ParseFloat(kept["at"], 64)
		if now := float64(patient(t, r).Time(t.Context()).Val().Unix()); left > 0 || from < now-60 || from > now+60 {
			t.Errorf("at %s: %v is kept, it fills from %s on", at, kept, time.Unix(int64(from), 0))
		}
		clock.add(2 * time.Minute)
	}
}
