package cache

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

// hand is a manually set clock.
type hand struct{ at atomic.Int64 }

func (h *hand) now() time.Time      { return time.Unix(0, h.at.Load()) }
func (h *hand) add(d time.Duration) { h.at.Add(int64(d)) }

// drain takes all tokens and returns how many there were.
func drain(b *Buckets, name string, perMinute int) (n int) {
	for b.Take(name, perMinute).OK {
		n++
	}
	return n
}

func TestBuckets(t *testing.T) {
	t.Parallel()
	var clock hand
	b := NewBuckets(nil, clock.now)
	if got := b.Take("one", 60); got != (Left{OK: true, Left: 59, Full: time.Second}) {
		t.Errorf("the first of 60: %+v", got)
	}
	if n := drain(b, "one", 60); n != 59 {
		t.Errorf("%d more, want 59", n)
	}
	if got := b.Take("one", 60); got != (Left{Full: time.Minute, Next: time.Second}) {
		t.Errorf("empty: %+v", got)
	}
	if n := drain(b, "another", 5); n != 5 {
		t.Errorf("another name got %d, want 5", n)
	}
	clock.add(10 * time.Second)
	if n := drain(b, "one", 60); n != 10 {
		t.Errorf("%d after ten seconds, want 10", n)
	}
	clock.add(-time.Hour)
	if b.Take("one", 60).OK {
		t.Error("a clock set back fills the bucket")
	}
	clock.add(2 * time.Hour)
	if n := drain(b, "one", 60); n != 60 {
		t.Errorf("%d after hours, want 60", n)
	}
	if n := drain(b, "one", 100); n != 40 {
		t.Errorf("%d when the limit rises by 40", n)
	}
}

func TestBucketsAreForgotten(t *testing.T) {
	t.Parallel()
	var clock hand
	b := NewBuckets(nil, clock.now)
	b.Take("used", 60)
	b.Take("fresh", 60)
	clock.add(time.Second)
	b.named["fresh"].taken, b.named["used"].taken = 0, 1
	b.dropFull(clock.now())
	if len(b.named) != 1 || b.named["used"] == nil {
		t.Errorf("left: %v", b.named)
	}
}

// Tokens taken by one node are gone for the others, too.
func TestBucketsOfTwoNodes(t *testing.T) {
	t.Parallel()
	url := storagetest.Redis(t)
	one, two := NewBuckets(redisOn(t, url, "secret"), time.Now), NewBuckets(redisOn(t, url, "secret"), time.Now)
	if n := drain(one, "site", 600); n < 600 || n > 700 {
		t.Errorf("%d, want the 600 there are and what comes in meanwhile", n)
	}
	two.Take("site", 600)
	heard(t, one)
	heard(t, two)
	if got := two.Take("site", 600); got.Left > 300 { // ten come in a second
		t.Errorf("the other node has %+v", got)
	}
	if got := NewBuckets(nil, time.Now).Take("site", 600); !got.OK {
		t.Errorf("a node without Redis has %+v", got)
	}
}

// A Redis that is full still gives answers.
func TestBucketsInFullRedis(t *testing.T) {
	t.Parallel()
	var clock hand
	process := storagetest.RedisProcess(t)
	b := NewBuckets(redisOn(t, process.URL(), "secret"), clock.now)
	patient(t, b.redis).ConfigSet(t.Context(), "maxmemory", "1")
	drain(b, "site", 10)
	for range strikes {
		b.tell(t.Context())
	}
	if got := b.Take("site", 10); got.OK || !b.redis.open() {
		t.Errorf("%+v, open %t", got, b.redis.open())
	}
}

// Without Redis, or with garbage in it, a node continues on its own.
func TestBucketsWithoutGoodRedis(t *testing.T) {
	t.Parallel()
	var clock hand
	b := NewBuckets(redisOn(t, storagetest.Redis(t), "secret"), clock.now)
	drain(b, "site", 10)
	if err := patient(t, b.redis).Set(t.Context(), "kalends:b:site", "nonsense", 0).Err(); err != nil {
		t.Fatal(err)
	}
	b.tell(t.Context())
	if got := b.Take("site", 10); got.OK {
		t.Errorf("with nonsense in Redis: %+v", got)
	}
	if kind := patient(t, b.redis).Type(t.Context(), "kalends:b:site").Val(); kind != "hash" {
		t.Errorf("the nonsense stays: %s", kind)
	}
	for range strikes {
		b.redis.fail(errSeal)
	}
	b.tell(t.Context())
	clock.add(6 * time.Second)
	if got := b.Take("site", 10); !got.OK || got.Left != 0 {
		t.Errorf("without Redis: %+v", got)
	}
}
