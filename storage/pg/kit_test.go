package pg

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }

// monday is when everything in these tests happens.
var monday = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

// kit is a database with one site.
type kit struct {
	testing.TB
	url  string
	db   *DB
	site int64
	ctx  context.Context
}

func newKit(t testing.TB) *kit {
	t.Helper()
	k := &kit{TB: t, url: storagetest.Database(t)}
	k.db = k.open(Options{})
	k.site = k.newSite("one")
	k.ctx = k.as(k.site)
	return k
}

// plainly leaves errors as they are.
func plainly(err error) error { return err }

// open opens the kit's database, whose clock stands still.
func (k *kit) open(o Options) *DB {
	k.Helper()
	o.Clock = func() time.Time { return monday }
	o.Failure = plainly
	o.Strict = true
	if o.Committed == nil {
		o.Committed = func(*Tx) {}
	}
	db, err := Open(k.Context(), k.url, o)
	k.must(err)
	k.Cleanup(db.Close)
	return db
}

func (k *kit) newSite(slug string) (id int64) {
	k.Helper()
	k.must(k.db.pool.QueryRow(k.Context(), `
		INSERT INTO sites (slug, name, timezone, language)
		VALUES ($1, $1, 'UTC', 'en')
		RETURNING id`, slug).Scan(&id))
	return id
}

// as returns a context of a site.
func (k *kit) as(site int64) context.Context {
	return tenancy.With(k.Context(), tenancy.Scope{Site: &tenancy.Site{ID: site}})
}

// owner returns a connection of the role that owns the tables.
func (k *kit) owner() *pgx.Conn {
	k.Helper()
	conn, err := pgx.Connect(k.Context(), k.url)
	k.must(err)
	k.Cleanup(func() { _ = conn.Close(context.WithoutCancel(k.Context())) })
	return conn
}

// write makes a new version of the site.
func (k *kit) write() {
	k.Helper()
	k.must(k.db.Write(k.ctx, func(_ context.Context, t *Tx) error {
		t.Log("venue", t.NextPost(), "create", nil)
		return nil
	}))
}

func (k *kit) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

func (k *kit) equal(what string, got, want any) {
	k.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		k.Errorf("%s: %s", what, diff)
	}
}

func (k *kit) wants(err, want error) {
	k.Helper()
	if !errors.Is(err, want) {
		k.Errorf("%v, want %v", err, want)
	}
}
