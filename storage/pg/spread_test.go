package pg

import (
	"math"
	"testing"
)

// TestHash compares the hash of ids with Postgres' own, by which a cluster spreads rows.
func TestHash(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, n := range []int64{0, 1, 2, 3, 7, 1000, 1 << 31, 1 << 32, 1<<53 + 1, math.MaxInt64, -1, -5, math.MinInt64} {
		var want int32
		if err := k.db.pool.QueryRow(k.ctx, `SELECT hashint8($1)`, n).Scan(&want); err != nil {
			t.Fatal(err)
		}
		if got := hashOf(n); got != want {
			t.Errorf("%d: %d, Postgres has %d", n, got, want)
		}
	}
}

// TestPlaces finds shards by the hashes they hold, at their borders, too.
func TestPlaces(t *testing.T) {
	t.Parallel()
	one, two := hashOf(1), hashOf(2)
	p := &spread{shards: []*shard{{from: math.MinInt32, to: min(one, two), address: "a:1"},
		{from: min(one, two) + 1, to: math.MaxInt32, address: "b:2"}}}
	want := map[int64]string{1: "a:1", 2: "b:2"}
	if two < one {
		want = map[int64]string{1: "b:2", 2: "a:1"}
	}
	for site, address := range want {
		if got := p.of(site); got == nil || got.address != address {
			t.Errorf("site %d: %v", site, got)
		}
	}
	if got := (&spread{shards: []*shard{{from: one + 1, to: math.MaxInt32, address: "a:1"}}}).of(1); got != nil {
		t.Errorf("a shard that nobody has is at %q", got.address)
	}
}
