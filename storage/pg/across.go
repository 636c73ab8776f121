package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/trace"
)

// reason says why a statement runs outside a site. The type is not exported, so other packages can pass only
// constants, and the reason is visible where the statement is.
type reason string

// Across runs statements outside a site: on the platform's own tables, and on all sites for the provider. Rows
// protected by row-level security stay hidden until a site is entered.
type Across struct {
	nodes *nodes
	site  int64 // 0: none
	why   reason
}

// Across returns an Across for a reason. Traces show the reason as well.
func (db *DB) Across(why reason) Across { return Across{db.nodes, 0, why} }

// At is Across for work that is done site by site. Its statements run on the server that has the site. The site's
// rows stay hidden until EnterIn is called; In does both in one round trip.
func (db *DB) At(why reason, site int64) Across { return Across{db.nodes, site, why} }

// In runs queued statements in one round trip, in a site, without a scope.
func (db *DB) In(ctx context.Context, why reason, site int64, queue Queue) error {
	a := db.At(why, site)
	return db.failure(db.trips.send(a.in(ctx), site, enterSite, queue))
}

func (a Across) pool(ctx context.Context) (*pgxpool.Pool, error) {
	if a.site == 0 {
		return a.nodes.pool, nil
	}
	at, err := a.nodes.homeOf(ctx, a.site)
	if err != nil || at.at == nil {
		return at.pool, err
	}
	return a.nodes.worker(at.at.address, false)
}

// whyKey is the key of the reason in a traced context.
type whyKey struct{}

func (a Across) in(ctx context.Context) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	return context.WithValue(ctx, whyKey{}, string(a.why))
}

// Query runs a statement that returns rows.
func (a Across) Query(ctx context.Context, sql string, arguments ...any) (pgx.Rows, error) {
	pool, err := a.pool(ctx)
	if err != nil {
		return nil, err
	}
	return pool.Query(a.in(ctx), sql, arguments...)
}

// QueryRow runs a statement that returns one row.
func (a Across) QueryRow(ctx context.Context, sql string, arguments ...any) pgx.Row {
	pool, err := a.pool(ctx)
	if err != nil {
		return noRow{err}
	}
	return pool.QueryRow(a.in(ctx), sql, arguments...)
}

// noRow is the row of a query that could not be run.
type noRow struct{ err error }

// Scan implements pgx.Row.
func (r noRow) Scan(...any) error { return r.err }

// Exec runs a statement that returns no rows.
func (a Across) Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error) {
	pool, err := a.pool(ctx)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	return pool.Exec(a.in(ctx), sql, arguments...)
}

// Send runs queued statements in one round trip, which is one transaction.
func (a Across) Send(ctx context.Context, b *pgx.Batch) error {
	pool, err := a.pool(ctx)
	if err != nil {
		return err
	}
	return pool.SendBatch(a.in(ctx), b).Close()
}

// Begin begins a transaction.
func (a Across) Begin(ctx context.Context) (pgx.Tx, error) { return a.BeginTx(ctx, pgx.TxOptions{}) }

// BeginTx begins a transaction with options.
func (a Across) BeginTx(ctx context.Context, o pgx.TxOptions) (pgx.Tx, error) {
	pool, err := a.pool(ctx)
	if err != nil {
		return nil, err
	}
	return pool.BeginTx(a.in(ctx), o)
}

// Ask reads one row on a connection of its own, for callers that check a database before Open.
func Ask(ctx context.Context, url string, _ reason, sql string, into ...any) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return conn.QueryRow(ctx, sql).Scan(into...)
}

// Alone runs a function while no other connection to the database runs one under the same name. It waits for the
// others on a connection of its own; if the process ends, that connection closes and the lock is released.
func Alone(ctx context.Context, url string, _ reason, name string, do func() error) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext($1))", name); err != nil {
		return err
	}
	return do()
}
