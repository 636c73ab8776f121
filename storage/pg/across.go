package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/trace"
)

// reason says why something is asked outside of a site. Only a constant can be one for
// other packages, so it stands where it is asked.
type reason string

// Across asks the database outside of sites: for the platform's own tables, and where
// the provider asks all sites. What row-level security guards isn't seen this way unless
// a site is entered.
type Across struct {
	pool *pgxpool.Pool
	why  reason
}

// Across says why something is asked outside of a site, and asks it. Spans of requests
// have the reason, too.
func (db *DB) Across(why reason) Across { return Across{db.pool, why} }

// whyKey is where the reason is in a context that is traced.
type whyKey struct{}

func (a Across) in(ctx context.Context) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	return context.WithValue(ctx, whyKey{}, string(a.why))
}

// Query runs a statement that gives rows.
func (a Across) Query(ctx context.Context, sql string, arguments ...any) (pgx.Rows, error) {
	return a.pool.Query(a.in(ctx), sql, arguments...)
}

// QueryRow runs a statement that gives one row.
func (a Across) QueryRow(ctx context.Context, sql string, arguments ...any) pgx.Row {
	return a.pool.QueryRow(a.in(ctx), sql, arguments...)
}

// Exec runs a statement that gives none.
func (a Across) Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error) {
	return a.pool.Exec(a.in(ctx), sql, arguments...)
}

// Send runs queued statements in one round trip, which is one transaction.
func (a Across) Send(ctx context.Context, b *pgx.Batch) error {
	return a.pool.SendBatch(a.in(ctx), b).Close()
}

// Begin begins a transaction.
func (a Across) Begin(ctx context.Context) (pgx.Tx, error) { return a.pool.Begin(a.in(ctx)) }

// BeginTx begins a transaction of a certain kind.
func (a Across) BeginTx(ctx context.Context, o pgx.TxOptions) (pgx.Tx, error) {
	return a.pool.BeginTx(a.in(ctx), o)
}

// Ask asks one row of a database on a connection of its own, for who looks at one before
// it is opened.
func Ask(ctx context.Context, url string, _ reason, sql string, into ...any) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return conn.QueryRow(ctx, sql).Scan(into...)
}
