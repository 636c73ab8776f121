package storage

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// linkedEvent makes an event that links one of everything.
func (k *kit) linkedEvent() *calendar.Event {
	k.Helper()
	links := venueLinks(venue("Hall"))
	links.Organizers = organizerLinks(organizer("Club")).Organizers
	links.Categories, links.Tags = termLinks("Music"), termLinks("Loud")
	return k.create(k.sample(), links)
}

// TestReplica is everything about a replica that is well.
func TestReplica(t *testing.T) {
	t.Parallel()
	k := newReplicaKit(t)
	e := k.linkedEvent()
	for range 5 {
		k.event()
	}
	k.caughtUp()
	t.Run("reads", func(t *testing.T) { k.answers(t, e) })
	t.Run("is for the public", func(t *testing.T) { k.forThePublic(t, e) })
	t.Run("wall", func(t *testing.T) { k.walled(t, e) })
	t.Run("held", func(t *testing.T) { k.held(t, e) })
}

// What the replica answers is what the primary would have answered.
func (k *replicaKit) answers(t *testing.T, e *calendar.Event) {
	for name, read := range k.reads(e) {
		before := k.stats().Reads
		for range 3 { // with and without what is remembered
			k.same(name, read)
		}
		if s := k.stats(); s.Reads < before+3 || s.Behind+s.Failed+s.Closed != 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// Who may see more than the public, whose version isn't known, or whom an earlier
// read has sent to the primary, reads there.
func (k *replicaKit) forThePublic(t *testing.T, e *calendar.Event) {
	reads := k.stats().Reads
	public := k.anybody()
	dropped := k.anybody()
	tenancy.FloorOf(dropped).Drop()
	for name, ctx := range map[string]context.Context{
		"no version": k.as(k.site, 0),
		"user":       tenancy.With(public, tenancy.Scope{Site: &tenancy.Site{ID: k.site}, Principal: tenancy.Principal{UserID: 1}}),
		"dropped":    dropped,
	} {
		for kind, read := range k.reads(e) {
			if _, err := read(ctx, k.db); err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
		}
		if s := k.stats(); s.Reads != reads {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if _, err := k.db.Events().Get(public, calendar.Key{ID: e.ID}); err != nil || k.stats().Reads != reads+1 {
		t.Errorf("the public: %v, %+v", err, k.stats())
	}
}

// Sessions in the replica are held by the second wall as all others, and can't
// write whatever it becomes.
func (k *replicaKit) walled(t *testing.T, e *calendar.Event) {
	other := k.newSite("two")
	k.caughtUp()
	foreign := tenancy.Above(tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: other}}), 0)
	page, err := k.db.Events().List(foreign, calendar.EventQuery{Page: 1, PerPage: 50})
	if k.must(err); len(page.Items) != 0 {
		t.Errorf("%d events of another site", len(page.Items))
	}
	_, err = k.db.Events().Get(foreign, calendar.Key{ID: e.ID})
	k.wants(err, calendar.ErrNotFound)
	for _, c := range []struct{ site, want int64 }{{0, 0}, {other, 0}, {k.site, 6}} {
		reads := k.stats().Reads
		k.must(k.db.Public(k.anybody(), func(_ int64, b *pgx.Batch) {
			b.Queue("SELECT set_config('kalends.site', $1, true)", strconv.FormatInt(c.site, 10))
			b.Queue(`SELECT current_user::text, current_setting('default_transaction_read_only'), (SELECT count(*) FROM events)`).
				QueryRow(func(row pgx.Row) error {
					var role, readOnly string
					var n int64
					err := row.Scan(&role, &readOnly, &n)
					if n != c.want || role != pg.ServiceRole || readOnly != "on" {
						t.Errorf("site %d: %d events as %s, read-only %s", c.site, n, role, readOnly)
					}
					return err
				})
		}))
		if k.stats().Reads != reads+1 {
			t.Errorf("site %d: the primary answers", c.site)
		}
	}
}

// A replica that shows nothing new makes no answer old; only the sites it is
// behind with go past it, and only for as long.
func (k *replicaKit) held(t *testing.T, e *calendar.Event) {
	quiet := k.newSite("quiet")
	k.caughtUp()
	reads, late := k.stats().Reads, k.stats().Behind
	k.standby.Hold()
	_, err := k.db.Venues().Update(k.ctx, calendar.Key{ID: e.Venues[0].ID}, func(v *calendar.Venue) error {
		v.Name = "Renamed"
		return nil
	})
	k.must(err)
	for name, read := range k.reads(e) {
		k.same(name, read)
	}
	if s := k.stats(); s.Reads != reads || s.Behind == late || s.Sites != 1 {
		t.Errorf("held: %+v", s)
	}
	k.db.LookAtReplica(t.Context())
	if s := k.stats(); s.Sites != 1 {
		t.Errorf("it has not caught up: %+v", s)
	}
	_, err = k.db.Events().List(tenancy.Above(k.as(quiet, 0), 0), calendar.EventQuery{Page: 1, PerPage: 5})
	if k.must(err); k.stats().Reads != reads+1 {
		t.Errorf("a site without news: %+v", k.stats())
	}
	k.standby.Release()
	k.caughtUp()
	for name, read := range k.reads(e) {
		k.same(name, read)
	}
	if s := k.stats(); s.Reads < reads+11 || s.Sites != 0 {
		t.Errorf("released: %+v", s)
	}
}

// Links read from a replica that is held up now and then are remembered with its
// version: whoever reads or links them finds what the primary has.
func TestReplicaRemembers(t *testing.T) {
	t.Parallel()
	k := newReplicaKit(t)
	e := k.linkedEvent()
	k.caughtUp()
	held := false
	for i := range 60 {
		switch rand.IntN(6) {
		case 0:
			if held = !held; held {
				k.standby.Hold()
			} else {
				k.standby.Release()
			}
		case 1:
			_, err := k.db.Venues().Update(k.ctx, calendar.Key{ID: e.Venues[0].ID}, func(v *calendar.Venue) error {
				v.City += "x"
				return nil
			})
			k.must(err)
		case 2: // of another node, which this one hears of as a version
			_, err := k.plain.Venues().Update(k.ctx, calendar.Key{ID: e.Venues[0].ID}, func(v *calendar.Venue) error {
				v.City += "y"
				return nil
			})
			k.must(err)
		case 3:
			links := venueLinks(e.Venues[0].ID)
			links.Categories = termLinks(e.Categories[0].ID)
			k.create(k.sample(), links)
		default:
			if !held && rand.IntN(2) == 0 {
				k.standby.Follow()
			}
			k.db.LookAtReplica(t.Context())
		}
		// An answer may be as old as what was known when it was asked for.
		_, err := k.db.Events().List(k.at(0), calendar.EventQuery{Page: 1, PerPage: 50})
		k.must(err)
		for name, read := range k.reads(e) {
			if k.same(name, read); t.Failed() {
				t.Fatalf("in step %d, held %v", i, held)
			}
		}
	}
	if s := k.stats(); s.Reads == 0 || s.Behind == 0 {
		t.Errorf("too little happened: %+v", s)
	}
	if held {
		k.standby.Release()
	}
}

// A dead or frozen replica costs the first reads a wait that is bounded, later
// ones nothing, and is read from again once it answers.
func TestReplicaFails(t *testing.T) {
	t.Parallel()
	k := newReplicaKit(t)
	e := k.linkedEvent()
	k.caughtUp()
	read := k.reads(e)["event"]
	for name, c := range map[string]struct {
		harm, heal func(*storagetest.StandbyProcess)
	}{
		"killed": {(*storagetest.StandbyProcess).Kill, (*storagetest.StandbyProcess).Restart},
		"frozen": {(*storagetest.StandbyProcess).Freeze, (*storagetest.StandbyProcess).Thaw},
	} {
		k.same(name, read)
		before := k.stats()
		c.harm(k.standby)
		for range 10 {
			k.same(name, read)
		}
		s := k.stats()
		if s.Failed-before.Failed != replicaStrikes || s.Closed-before.Closed != 10-replicaStrikes || s.Reads != before.Reads || s.Open {
			t.Errorf("%s: %+v, before %+v", name, s, before)
		}
		k.db.LookAtReplica(t.Context())
		if _, why, _ := k.db.Replica(); why != silent {
			t.Errorf("%s: why: %q", name, why)
		}
		c.heal(k.standby)
		k.caughtUp()
		k.same(name, read)
		if after := k.stats(); after.Reads != s.Reads+1 {
			t.Errorf("%s: healed: %+v", name, after)
		}
	}
}

// A start needs no replica, only an address that is one.
func TestReplicaIsAway(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	if db, err := Open(t.Context(), k.url, Options{Replica: "postgres://[nonsense"}); err == nil {
		db.Close()
		t.Error("nonsense is taken for an address")
	}
	db, err := Open(t.Context(), k.url, Options{Replica: "postgres://nobody@127.0.0.1:1/none"})
	k.must(err)
	defer db.Close()
	db.LookAtReplica(t.Context())
	if _, why, ok := db.Replica(); why != silent || !ok {
		t.Errorf("%q, %v", why, ok)
	}
	page, err := db.Events().List(tenancy.Above(k.as(k.site, 0), 0), calendar.EventQuery{Page: 1, PerPage: 5})
	if s, _, _ := db.Replica(); err != nil || page.Total != 0 || s.Closed != 1 {
		t.Errorf("%v, %+v", err, s)
	}
	if _, _, ok := k.db.Replica(); ok {
		t.Error("a store without an address has a replica")
	}
}

// A standby that was promoted has a history of its own. The first read finds out
// by itself, on a connection from before.
func TestReplicaPromoted(t *testing.T) {
	t.Parallel()
	k := newReplicaKit(t)
	e := k.linkedEvent()
	k.event()
	k.caughtUp()
	for name, read := range k.reads(e) {
		k.same(name, read)
	}
	reads := k.stats().Reads
	k.standby.Promote()
	k.standby.Exec("UPDATE events SET title = 'of another history', search = 'of another history'")
	k.standby.Exec("UPDATE sites SET version = version + 100, links_version = version + 100")
	k.same("events", k.reads(e)["events"]) // on a connection that is open since before
	if s, why, _ := k.db.Replica(); s.Reads != reads || s.Open || why != promoted {
		t.Errorf("%q, %+v", why, s)
	}
	k.db.LookAtReplica(t.Context())
	for name, read := range k.reads(e) {
		k.same(name, read)
	}
	if s, why, _ := k.db.Replica(); s.Reads != reads || why != promoted {
		t.Errorf("looked at: %q, %+v", why, s)
	}
}

// What isn't a copy of the primary as it is now is never read from.
func TestReplicaOfAnother(t *testing.T) {
	t.Parallel()
	k := newReplicaKit(t)
	k.event()
	elsewhere := storagetest.Cluster(t)
	second := k.cluster.Standby()
	second.Follow()
	second.Promote()
	_, err := k.owner().Exec(t.Context(), "CREATE DATABASE aside")
	k.must(err)
	k.standby.Follow()
	onSecond, err := Open(t.Context(), second.URL(), Options{Replica: k.standby.URL()})
	k.must(err)
	defer onSecond.Close()
	for _, c := range []struct {
		name, want string
		db         *DB
	}{
		{"the primary itself", promoted, k.reading(k.url)},
		{"no standby, of another cluster", promoted, k.reading(elsewhere.URL())},
		{"a standby of another cluster", "it is a copy of another database", k.reading(elsewhere.Standby().URL())},
		{"another database of the cluster", "it is a copy of another database", k.reading(strings.Replace(k.standby.URL(), "/kalends?", "/aside?", 1))},
		{"a standby of the primary before", "it is on timeline 1 and the primary on 2", onSecond},
	} {
		why := silent
		for tries := 0; why == silent && tries < 30; tries++ { // a busy machine may take longer than a look
			c.db.LookAtReplica(t.Context())
			_, why, _ = c.db.Replica()
		}
		if why != c.want {
			t.Errorf("%s: %q", c.name, why)
		}
		_, err := c.db.Events().List(k.at(0), calendar.EventQuery{Page: 1, PerPage: 5})
		if s, _, _ := c.db.Replica(); err != nil || s.Reads != 0 {
			t.Errorf("%s: %v, %+v", c.name, err, s)
		}
	}
}
