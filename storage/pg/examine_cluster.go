package pg

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Cluster describes a Citus cluster, as seen from its coordinator.
type Cluster struct {
	Spread  bool // tables of sites are distributed
	Moving  int  // shards that are being moved
	Workers []Worker
}

// Worker is one server of a cluster.
type Worker struct {
	Address string
	Shards  int      // of sites
	Synced  bool     // it knows the locations of the shards
	Blind   []string // roles on the worker that copy shards but cannot see their rows
	Walls            // row-level security of each site's rows in the worker's shards
	Err     error    // why nodes of the service cannot work there; nil: they can
}

// examineCluster returns nil for a database that is on no cluster.
func examineCluster(ctx context.Context, conn *pgx.Conn) (*Cluster, error) {
	const (
		installed = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')`
		spread    = `
			SELECT to_regprocedure('public.enter_site(bigint, bigint)') IS NOT NULL,
			       (SELECT count(*)::int FROM get_rebalance_progress())`
		servers = `
			SELECT n.nodename,
			       n.nodeport,
			       n.metadatasynced OR n.groupid = 0,
			       count(s.shardid)::int
			FROM pg_dist_node n
			LEFT JOIN pg_dist_placement p USING (groupid)
			LEFT JOIN pg_dist_shard s ON s.shardid = p.shardid
			  AND s.logicalrelid = to_regclass('public.sites')
			  AND s.shardminvalue IS NOT NULL
			WHERE n.noderole = 'primary'
			GROUP BY n.nodeid, n.groupid, n.nodename, n.nodeport, n.metadatasynced
			HAVING n.groupid <> 0 OR count(s.shardid) > 0
			ORDER BY n.nodeid`
	)
	var there bool
	if err := conn.QueryRow(ctx, installed).Scan(&there); err != nil || !there {
		return nil, err
	}
	c := &Cluster{}
	if err := conn.QueryRow(ctx, spread).Scan(&c.Spread, &c.Moving); err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, servers)
	if err != nil {
		return nil, err
	}
	c.Workers, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (w Worker, err error) {
		var host string
		var port int
		err = row.Scan(&host, &port, &w.Synced, &w.Shards)
		w.Address = net.JoinHostPort(host, strconv.Itoa(port))
		return w, err
	})
	for i := range c.Workers {
		c.Workers[i].examine(ctx, conn.Config(), c.Spread)
	}
	return c, err
}

// examine connects to the worker as a node of the service does.
func (w *Worker) examine(ctx context.Context, config *pgx.ConnConfig, spread bool) {
	const (
		shown   = `SET citus.override_table_visibility = off` // shards, too
		entered = `SELECT has_function_privilege('public.enter_site(bigint, bigint)', 'EXECUTE')`
		blind   = `
			SELECT rolname::text
			FROM pg_roles
			WHERE rolname LIKE 'citus\_shard\_move\_subscription\_role\_%'
			  AND NOT rolbypassrls
			  AND NOT rolsuper
			ORDER BY 1`
	)
	config, err := toServer(config, w.Address)
	if err != nil {
		w.Err = err
		return
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		w.Err = err
		return
	}
	defer conn.Close(context.WithoutCancel(ctx))
	w.Blind, err = names(ctx, conn, blind)
	if err == nil && spread {
		var may bool
		if _, err = conn.Exec(ctx, shown); err == nil {
			w.Walls, err = examineWalls(ctx, conn)
		}
		if err == nil {
			err = becomePlain(ctx, conn)
		}
		if err == nil {
			err = conn.QueryRow(ctx, entered).Scan(&may)
		}
		if err == nil && !may {
			err = fmt.Errorf("%s may not call enter_site there", ServiceRole)
		}
	}
	w.Err = err
}

// toServer returns the configuration for connecting to another server of the cluster.
func toServer(config *pgx.ConnConfig, address string) (*pgx.ConnConfig, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, err
	}
	config = config.Copy()
	config.Host, config.Port = host, uint16(number)
	// Keep the fallbacks for the same host: sslmode=prefer, the default, tries TLS first and then a plain
	// connection. Drop the URL's other hosts.
	var ways []*pgconn.FallbackConfig
	for _, way := range config.Fallbacks {
		same := slices.ContainsFunc(ways, func(w *pgconn.FallbackConfig) bool {
			return (w.TLSConfig == nil) == (way.TLSConfig == nil)
		})
		if same || (way.TLSConfig == nil) == (config.TLSConfig == nil) {
			continue
		}
		ways = append(ways, &pgconn.FallbackConfig{Host: host, Port: uint16(number), TLSConfig: tlsFor(way.TLSConfig, host)})
	}
	config.TLSConfig, config.Fallbacks = tlsFor(config.TLSConfig, host), ways
	return config, nil
}

// tlsFor returns the TLS configuration for a host, or nil for nil.
func tlsFor(config *tls.Config, host string) *tls.Config {
	if config == nil {
		return nil
	}
	config = config.Clone()
	config.ServerName = host
	return config
}
