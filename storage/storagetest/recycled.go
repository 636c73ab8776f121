package storagetest

import (
	"context"
	_ "embed"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// most is how many tests use a database one after another: deleted rows stay in its files.
const most = 40

// patience is how long Postgres may take to end connections that a test has just closed.
const patience = 250 * time.Millisecond

//go:embed recycled.sql
var recycledSQL string

// recycled are the databases that tests use one after another.
type recycled struct {
	template lazy[templateName]
	mu       sync.Mutex
	idle     []*used          // emptied
	taken    map[string]*used // by name
}

// used is a database that tests use one after another, with its open connections.
type used struct {
	name  string
	tests int
	mu    sync.Mutex
	open  map[string][]*pgx.Conn // idle connections, by how they were made; see Keep
	ended bool                   // the test is over: connections are no longer kept
}

// Recycled is like Database, but the database may have been used by an earlier test. It is emptied in between, and what the
// migrations store and where sequences begin is put back, so that a test finds it like a new one. It keeps the connections of pools
// that Keep prepares, because in a new database and on new connections Postgres first has to read its catalogs and plan each
// statement, which takes longer than most tests. A database is dropped if its test failed, changed the schema, analyzed
// tables, or left other connections open.
func Recycled(t testing.TB) string {
	t.Helper()
	d := sharedDatabases(t)
	if d.citus != nil || d.cluster.super == nil {
		return Database(t)
	}
	u, err := d.takeUsed(t.Context())
	if err != nil {
		t.Fatalf("storagetest: create database: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := cleanup(t)
		defer cancel()
		if err := d.returnUsed(ctx, u, t.Failed()); err != nil {
			t.Errorf("storagetest: give database %s back: %v", u.name, err)
		}
	})
	address, err := d.url(u.name)
	if err != nil {
		t.Fatalf("storagetest: %v", err)
	}
	return address
}

// takeUsed returns an idle database, or creates one.
func (d *databases) takeUsed(ctx context.Context) (*used, error) {
	r := &d.recycled
	r.mu.Lock()
	if n := len(r.idle); n > 0 {
		u := r.idle[n-1]
		r.idle = r.idle[:n-1]
		u.ended = false
		r.taken[u.name] = u
		r.mu.Unlock()
		return u, nil
	}
	r.mu.Unlock()
	template, err := r.template.get(d.recyclable)
	if err != nil {
		return nil, err
	}
	name, err := d.create(ctx, string(template))
	if err != nil {
		return nil, err
	}
	u := &used{name: name, open: map[string][]*pgx.Conn{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.taken == nil {
		r.taken = map[string]*used{}
	}
	r.taken[name] = u
	return u, nil
}

// recyclable makes the template.
func (d *databases) recyclable(ctx context.Context) (templateName, error) {
	template, err := d.migrated()
	if err != nil {
		return "", err
	}
	name, err := d.create(ctx, template)
	if err != nil {
		return "", err
	}
	if err := d.prepare(ctx, name); err != nil {
		return "", errors.Join(err, d.drop(ctx, name))
	}
	return templateName(name), nil
}

func (d *databases) prepare(ctx context.Context, name string) error {
	address, err := d.cluster.super(name)
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, recycledSQL)
	return errors.Join(err, conn.Close(ctx))
}

// returnUsed empties a database for the next test, or drops it.
func (d *databases) returnUsed(ctx context.Context, u *used, failed bool) error {
	r := &d.recycled
	r.mu.Lock()
	delete(r.taken, u.name)
	r.mu.Unlock()
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ended = true
	u.tests++
	if !failed && u.tests < most && u.empty(ctx) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.idle = append(r.idle, u)
		return nil
	}
	return d.end(ctx, u)
}

// end closes the connections of a database and drops it.
func (d *databases) end(ctx context.Context, u *used) error {
	for _, list := range u.open {
		for _, conn := range list {
			_ = conn.Close(ctx) // it goes with the database
		}
	}
	return d.drop(ctx, u.name)
}

// fresh makes a connection as it was when it was new, except for prepared statements.
const afresh = `RESET SESSION AUTHORIZATION; RESET ALL; SELECT pg_advisory_unlock_all(); UNLISTEN *; CLOSE ALL; DISCARD SEQUENCES`

// empty empties the database, and reports whether another test may use it.
func (u *used) empty(ctx context.Context) bool {
	var pids []int32
	var by *pgx.Conn
	for _, list := range u.open {
		for _, conn := range list {
			if _, err := conn.Exec(ctx, afresh, pgx.QueryExecModeSimpleProtocol); err != nil {
				return false
			}
			pids, by = append(pids, int32(conn.PgConn().PID())), conn //nolint:gosec // a process id
		}
	}
	if by == nil {
		return false
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		var objection string
		err := by.QueryRow(ctx, "SELECT kept.empty($1)", pids).Scan(&objection)
		if err != nil || objection != "it has other connections" || time.Now().After(deadline) {
			return err == nil && objection == ""
		}
	}
}
