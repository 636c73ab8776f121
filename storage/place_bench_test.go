package storage_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// noon is when everything in these tests happens.
var noon = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

// placeBench is a database with one site of three users, 1 to 3, seen by user 1.
type placeBench struct {
	*testing.T
	ctx     context.Context
	db      *storage.DB
	site    int64
	version atomic.Int64 // the highest that OnVersion was told
}

func newPlaceBench(t *testing.T) *placeBench {
	t.Helper()
	b := &placeBench{T: t}
	var err error
	b.db, err = storage.Open(t.Context(), storagetest.Database(t), storage.Options{
		Clock:     func() time.Time { return noon },
		OnVersion: b.tell,
	})
	b.must(err)
	t.Cleanup(b.db.Close)
	b.site = b.newSite("one")
	b.ctx = b.as(b.site, 1)
	for id := range 3 {
		b.exec(`INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role)
			VALUES ($1, $2, $3, $3, $3, $3, $3, 'editor')`, b.site, id+1, fmt.Sprint("user", id+1))
	}
	return b
}

// tell is OnVersion; writes that end together may be told in any order.
func (b *placeBench) tell(_, version int64, _ bool) {
	for {
		last := b.version.Load()
		if version <= last || b.version.CompareAndSwap(last, version) {
			return
		}
	}
}

func (b *placeBench) newSite(slug string) (id int64) {
	b.Helper()
	b.must(b.db.Across("a test looks at what is there").QueryRow(b.Context(), `
		INSERT INTO sites (slug, name, timezone, language)
		VALUES ($1, $1, 'UTC', 'en')
		RETURNING id`, slug).Scan(&id))
	return id
}

// as returns a context of a site and user.
func (b *placeBench) as(site, user int64) context.Context {
	return tenancy.With(b.Context(), tenancy.Scope{
		Site: &tenancy.Site{ID: site}, Principal: tenancy.Principal{UserID: user},
	})
}

// exec runs a statement on the site, past the store.
func (b *placeBench) exec(sql string, arguments ...any) {
	b.Helper()
	b.must(pgx.BeginFunc(b.Context(), b.db.At("a test looks at what is there", b.site), func(tx pgx.Tx) error {
		if err := pg.EnterIn(b.Context(), tx, b.site); err != nil {
			return err
		}
		sql, err := storagetest.Placed(b.Context(), tx, b.site, sql)
		if err == nil {
			_, err = tx.Exec(b.Context(), sql, arguments...)
		}
		return err
	}))
}

// Texts reads one column of the site's rows, past the store.
func (b *placeBench) texts(sql string, arguments ...any) (list []string) {
	b.Helper()
	b.must(pgx.BeginFunc(b.Context(), b.db.At("a test looks at what is there", b.site), func(tx pgx.Tx) error {
		if err := pg.EnterIn(b.Context(), tx, b.site); err != nil {
			return err
		}
		sql, err := storagetest.Placed(b.Context(), tx, b.site, sql)
		if err != nil {
			return err
		}
		rows, err := tx.Query(b.Context(), sql, arguments...)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	}))
	return list
}

// event makes an event that starts so many hours after noon.
func (b *placeBench) event(id int64, status calendar.Status, author int64, hours int) int64 {
	b.Helper()
	start := noon.Add(time.Duration(hours) * time.Hour)
	b.exec(`INSERT INTO events (site_id, id, version, author, status, slug, published_at, dated, modified_at, title,
			timezone, start_local, end_local, start_utc, end_utc, search, venue_ids, organizer_ids, term_ids)
		VALUES ($1, $2, 0, $3, $4, $5, $6, true, $6, 'An event', 'UTC', $7, $7, $6, $6, '', '{}', '{}', '{}')`,
		b.site, id, author, string(status), fmt.Sprint("event-", id), start, start)
	return id
}

// changes lists the change log of a kind, as "version action id".
func (b *placeBench) changes(kind string) []string {
	b.Helper()
	return b.texts(`SELECT version || ' ' || action || ' ' || id FROM changes WHERE kind = $1 ORDER BY version, id`, kind)
}

func (b *placeBench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// wants fails the test when err is not an instance of want.
func (b *placeBench) wants(err, want error) {
	b.Helper()
	if !errors.Is(err, want) {
		b.Errorf("error %v, want %v", err, want)
	}
}

// refuses fails the test when err is not about that argument.
func (b *placeBench) refuses(err error, arg, key string) {
	b.Helper()
	var problems *args.Problems
	if !errors.As(err, &problems) || len(problems.Broken()) != 1 || problems.Broken()[0].Arg != arg || problems.Broken()[0].Key != key {
		b.Errorf("error %v, want %s: %s", err, arg, key)
	}
}

func (b *placeBench) equal(what string, got, want any) {
	b.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		b.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
