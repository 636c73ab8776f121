package storage

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// What the engine says of replicas that aren't read from, and how many failures in a row
// it takes.
const (
	silent         = "it doesn't answer"
	promoted       = "it accepts writes, so it is no longer a replica"
	replicaStrikes = 3
)

// replicaKit is a kit whose database has a standby. Its store reads from it, that
// of plain doesn't.
type replicaKit struct {
	*kit
	cluster *storagetest.ClusterProcess
	standby *storagetest.StandbyProcess
	plain   *DB
}

func newReplicaKit(t testing.TB) *replicaKit {
	t.Helper()
	k := &replicaKit{kit: &kit{TB: t}, cluster: storagetest.Cluster(t)}
	k.url = k.cluster.URL()
	k.must(migrations.Up(t.Context(), k.url))
	k.standby = k.cluster.Standby()
	k.plain = k.open()
	k.db = k.reading(k.standby.URL())
	k.site = k.newSite("one")
	k.ctx = k.as(k.site, 1)
	k.caughtUp()
	return k
}

// reading opens a store that reads from this replica. Nobody follows that by
// itself: tests look when they want it looked at.
func (k *replicaKit) reading(replica string) *DB {
	k.Helper()
	db, err := Open(k.Context(), k.url, Options{Clock: func() time.Time { return monday }, Replica: replica})
	k.must(err)
	k.Cleanup(db.Close)
	return db
}

// caughtUp waits for the standby, and has the store find out.
func (k *replicaKit) caughtUp() {
	k.Helper()
	k.standby.Follow()
	k.db.LookAtReplica(k.Context())
	if _, why, _ := k.db.Replica(); why != "" {
		k.Fatalf("the replica is not read from: %s", why)
	}
}

// anybody returns a context in which the site is read as the public, at the
// version the primary has now.
func (k *replicaKit) anybody() context.Context {
	k.Helper()
	versions, err := k.plain.Versions(k.Context(), []int64{k.site})
	k.must(err)
	return k.at(versions[k.site])
}

func (k *replicaKit) at(version int64) context.Context {
	return tenancy.Above(tenancy.With(k.Context(), tenancy.Scope{Site: &tenancy.Site{ID: k.site}}), version)
}

// reads is every kind of read that a replica may answer, of events and of what
// they are linked to.
func (k *replicaKit) reads(e *calendar.Event) map[string]func(context.Context, *DB) (any, error) {
	public := calendar.PlaceQuery{Page: 1, PerPage: 50}
	return map[string]func(context.Context, *DB) (any, error){
		"events": func(ctx context.Context, db *DB) (any, error) {
			return db.Events().List(ctx, calendar.EventQuery{Page: 1, PerPage: 50})
		},
		"events found": func(ctx context.Context, db *DB) (any, error) {
			return db.Events().List(ctx, calendar.EventQuery{Page: 1, PerPage: 50, Search: wording.Search{Words: []string{"event"}}})
		},
		"event": func(ctx context.Context, db *DB) (any, error) { return db.Events().Get(ctx, calendar.Key{ID: e.ID}) },
		"event by slug": func(ctx context.Context, db *DB) (any, error) {
			return db.Events().Get(ctx, calendar.Key{Slug: e.Slug})
		},
		"venues": func(ctx context.Context, db *DB) (any, error) { return db.Venues().List(ctx, public) },
		"venue": func(ctx context.Context, db *DB) (any, error) {
			return db.Venues().Get(ctx, calendar.Key{ID: e.Venues[0].ID})
		},
		"organizers": func(ctx context.Context, db *DB) (any, error) { return db.Organizers().List(ctx, public) },
		"organizer": func(ctx context.Context, db *DB) (any, error) {
			return db.Organizers().Get(ctx, calendar.Key{ID: e.Organizers[0].ID})
		},
		"categories": func(ctx context.Context, db *DB) (any, error) {
			return db.Terms(calendar.Categories).List(ctx, calendar.TermQuery{Page: 1, PerPage: 50})
		},
		"tag": func(ctx context.Context, db *DB) (any, error) { return db.Terms(calendar.Tags).Get(ctx, e.Tags[0].ID) },
	}
}

// same compares a read of both stores.
func (k *replicaKit) same(name string, read func(context.Context, *DB) (any, error)) {
	k.Helper()
	got, err := read(k.anybody(), k.db)
	k.must(err)
	want, err := read(k.anybody(), k.plain)
	k.must(err)
	if diff := cmp.Diff(want, got); diff != "" {
		k.Errorf("%s: %s", name, diff)
	}
}

// stats returns what became of reads so far.
func (k *replicaKit) stats() pg.ReplicaStats {
	s, _, _ := k.db.Replica()
	return s
}
