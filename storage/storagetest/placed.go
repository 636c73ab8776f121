package storagetest

import (
	"context"
	"net/url"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kalends/kalends/storage/shards"
)

// Placed returns a statement with the table names that it has on the server of a site: on a cluster, the names of
// shards. Tests also run statements that Citus does not understand, because they do not name the site for each
// table, and examine query plans. Placed replaces only table names, not their aliases.
func Placed(ctx context.Context, on pgx.Tx, site int64, sql string) (string, error) {
	const names = `
		SELECT logicalrelid::text, get_shard_id_for_distribution_column(logicalrelid, $1::bigint)
		FROM pg_dist_partition
		WHERE partmethod = 'h'`
	if !OnCluster() {
		return sql, nil
	}
	var spread bool
	if err := on.QueryRow(ctx, isSpread).Scan(&spread); err != nil || !spread {
		return sql, err
	}
	rows, err := on.Query(ctx, names, site)
	if err != nil {
		return "", err
	}
	placed := map[string]int64{}
	var table string
	var shard int64
	if _, err := pgx.ForEachRow(rows, []any{&table, &shard}, func() error { placed[table] = shard; return nil }); err != nil {
		return "", err
	}
	return (&shards.Names{Number: placed}).In(sql), nil
}

// isSpread reads whether a database is distributed, because some tests have a Postgres of their own.
const isSpread = `SELECT to_regclass('pg_dist_partition') IS NOT NULL`

// Home returns the URL of the server that has a site: on a cluster the URL of a worker, otherwise address.
func Home(ctx context.Context, on *pgxpool.Pool, address string, site int64) (string, error) {
	const home = `
		SELECT n.nodename || ':' || n.nodeport
		FROM pg_dist_placement p
		JOIN pg_dist_node n USING (groupid)
		WHERE p.shardid = get_shard_id_for_distribution_column('sites'::regclass, $1::bigint)`
	if !OnCluster() {
		return address, nil
	}
	var spread bool
	if err := on.QueryRow(ctx, isSpread).Scan(&spread); err != nil || !spread {
		return address, err
	}
	u, err := url.Parse(address)
	if err == nil {
		err = on.QueryRow(ctx, home, site).Scan(&u.Host)
	}
	if err != nil {
		return "", err
	}
	return u.String(), nil
}
