package pg

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"
)

const enterSite = `SELECT set_config('kalends.site', $1, true)`

// enterToRead enters a site in a transaction that takes no writes from here on.
const enterToRead = `SELECT set_config('kalends.site', $1, true), set_config('transaction_read_only', 'on', true)`

func enter(b *pgx.Batch, site int64) { b.Queue(enterSite, strconv.FormatInt(site, 10)) }

// EnterIn names a site to row-level security, for what follows within the transaction. Round
// trips and transactions on a site begin with it by themselves; it is for those of At.
func EnterIn(ctx context.Context, t pgx.Tx, site int64) error {
	b := &pgx.Batch{}
	arrive(t.Conn(), b, site)
	enter(b, site)
	return t.SendBatch(ctx, b).Close()
}
