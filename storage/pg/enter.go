package pg

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const enterSite = `SELECT set_config('kalends.site', $1, true)`

// enterToRead enters a site in a transaction that takes no writes from here on.
const enterToRead = `SELECT set_config('kalends.site', $1, true), set_config('transaction_read_only', 'on', true)`

func enter(b *pgx.Batch, site int64) { b.Queue(enterSite, strconv.FormatInt(site, 10)) }

// EnterIn names a site to row-level security for the rest of the transaction. Round trips and transactions on a site do so by
// themselves; those of At need EnterIn.
func EnterIn(ctx context.Context, t pgx.Tx, site int64) error {
	b := &pgx.Batch{}
	if onCluster(t.Conn()) {
		b.Queue(`SELECT enter_site($1, NULL)`, site)
	}
	enter(b, site)
	return t.SendBatch(ctx, b).Close()
}

// Executor runs one statement within a transaction.
type Executor interface {
	Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error)
}

// Unhurried lifts the time limit on statements, which is meant for requests: an archive has more rows than they have.
func Unhurried(ctx context.Context, t Executor) error {
	_, err := t.Exec(ctx, `SET LOCAL statement_timeout = 0`)
	return err
}
