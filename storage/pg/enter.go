package pg

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const enterSite = `SELECT set_config('kalends.site', $1, true)`

// enterToRead enters a site and makes the rest of the transaction read-only.
const enterToRead = `SELECT set_config('kalends.site', $1, true), set_config('transaction_read_only', 'on', true)`

func enter(b *pgx.Batch, site int64) { b.Queue(enterSite, strconv.FormatInt(site, 10)) }

// EnterIn sets the site whose rows row-level security shows for the rest of the transaction. Round trips and
// transactions on a site do this by themselves; transactions of At must call EnterIn.
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

// Unhurried lifts the time limit on statements, which is meant for requests: reading an archive's rows takes
// longer.
func Unhurried(ctx context.Context, t Executor) error {
	_, err := t.Exec(ctx, `SET LOCAL statement_timeout = 0`)
	return err
}
