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
	p := &places{shards: []place{{math.MinInt32, min(one, two), "a:1", 7, 8}, {min(one, two) + 1, math.MaxInt32, "b:2", 9, 10}}}
	want := map[int64]string{1: "a:1", 2: "b:2"}
	if two < one {
		want = map[int64]string{1: "b:2", 2: "a:1"}
	}
	for site, address := range want {
		if got, ok := p.of(site); got != address || !ok {
			t.Errorf("site %d: %q", site, got)
		}
	}
	if got, ok := (&places{shards: []place{{one + 1, math.MaxInt32, "a:1", 7, 8}}}).of(1); ok {
		t.Errorf("a shard that nobody has is at %q", got)
	}
}

// TestShardNames: a query of all sites is one of a shard, by its names.
func TestShardNames(t *testing.T) {
	t.Parallel()
	got := place{sites: 12, schedule: 34}.named("SELECT s.sites FROM schedule d JOIN sites s ON true")
	if want := "SELECT s.sites FROM schedule_34 d JOIN sites_12 s ON true"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
