package pg

import (
	"testing"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

// TestStandbys: one that has got nothing since its start is as far behind as that is ago,
// not level with the primary; and one that has what the primary hasn't, for that lost it, is
// not read from.
func TestStandbys(t *testing.T) {
	t.Parallel()
	cluster := storagetest.Cluster(t)
	k := &kit{TB: t, url: cluster.URL()}
	k.must(migrations.Up(t.Context(), k.url))
	standby := cluster.Standby()
	standby.Hold()
	k.db = k.open(Options{Replica: standby.URL()})
	k.newSite("one")
	k.db.LookAtReplica(t.Context())
	if s, why, _ := k.db.Replica(); why != "" || s.Lag <= 0 {
		t.Errorf("%s behind, %q", s.Lag, why)
	}
	standby.Release()
	standby.Follow()
	k.db.LookAtReplica(t.Context())
	r := k.db.replica
	seen, of := r.seen.Load(), r.of.Load()
	r.look(t.Context(), *of, seen.replayed-1)
	if _, why, _ := k.db.Replica(); why != "it has changes that the primary does not have" {
		t.Errorf("why: %q", why)
	}
	k.db.LookAtReplica(t.Context())
	if _, why, _ := k.db.Replica(); why != "" {
		t.Errorf("afterwards it is not read from: %q", why)
	}
}
