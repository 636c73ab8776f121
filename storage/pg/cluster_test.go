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
		return k.db.At("a test", k.site).QueryRow(k.ctx, sql, k.site).Scan(&n)
	}
	for range 10 { // a plan that doesn't depend on values would come after five
		k.must(count(`SELECT count(*) FROM users u WHERE u.site_id = $1`))
	}
	var said *pgconn.PgError
	if err := count(`SELECT count(*) FROM users u WHERE $1::bigint > 0`); !errors.As(err, &said) {
		t.Errorf("%v, want it refused", err)
	}
}

// TestAnotherServer: a node that goes by an old map of shards, or asks for a shard that isn't, looks again and answers.
func TestAnotherServer(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	if !storagetest.OnCluster() {
		t.Skip("only a cluster has shards")
	}
	for name, harm := range map[string]func(p *spread){
		"turned around": func(p *spread) {
			for _, one := range p.shards {
				for _, other := range p.shards {
					if one.address != other.address {
						one.address = other.address
						break
					}
				}
			}
		},
		"divided since": func(p *spread) { p.of(k.site).names.Number["sites"]++ },
	} {
		p, err := readSpread(k.ctx, k.db.pool)
		k.must(err)
		harm(p)
		k.db.nodes.spread.Store(p)
		var n int
		err = k.db.Read(k.ctx, func(site int64, b *pgx.Batch) {
			b.Queue(`SELECT count(*) FROM sites WHERE id = $1`, site).QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
		})
		if err != nil || n != 1 || k.db.nodes.spread.Load() == p {
			t.Errorf("%s: %d sites, %v", name, n, err)
		}
		k.db.nodes.spread.Store(p)
		k.write()
	}
}
