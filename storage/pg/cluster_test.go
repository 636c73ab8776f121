package pg

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestStatementsGoToOneShard: the connections to other shards are in no site, so a statement that
// needs them would be answered with less than there is. It fails instead.
func TestStatementsGoToOneShard(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	if !storagetest.OnCluster() {
		t.Skip("only a cluster has shards")
	}
	count := func(sql string) error {
		var n int
		return k.db.Read(k.ctx, func(site int64, b *pgx.Batch) {
			b.Queue(sql, site).QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
		})
	}
	for range 10 { // a plan that doesn't depend on values would come after five
		k.must(count(`SELECT count(*) FROM users u WHERE u.site_id = $1`))
	}
	var said *pgconn.PgError
	if err := count(`SELECT count(*) FROM users u WHERE $1::bigint > 0`); !errors.As(err, &said) {
		t.Errorf("%v, want it refused", err)
	}
}
