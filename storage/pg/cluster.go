package pg

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"
)

// nodes finds the server that has a site. Plain Postgres has only one. In a database spread by `kalends migrate
// --citus`, sites are on workers, each in a shard. Statements of a site go directly to its worker, with the table
// names of the shard, so the worker plans and runs them like a single server.
//
// The locations of shards are read once, and again when a worker says that it does not have a site. A transaction
// locks the location of its site, so the site cannot move in the middle of it.
type nodes struct {
	pool    *pgxpool.Pool // of the configured URL: the only server, or the coordinator
	connect Connect
	spread  atomic.Pointer[spread]
	reads   singleflight.Group

	mu      sync.Mutex
	workers map[server]*pgxpool.Pool
}

// server is a server of a cluster, together with the kind of statements that run there.
type server struct {
	address string
	named   bool
}

// clusterKey marks a connection to a server of a cluster in its custom data.
const clusterKey = "kalends cluster"

// errMoved is the code with which enter_site says that a site is on another server.
const errMoved = "KD001"

// moved reports whether an error means that the site is on another server. Postgres checks a statement before it
// calls enter_site, so the error may also be that a table of the shard is missing.
func moved(err error) bool {
	said, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (said.Code == errMoved || said.Code == "42P01" && onShard.MatchString(said.Message))
}

var onShard = regexp.MustCompile(`_[0-9]{6,}\b`)

// onCluster reports whether a connection is to a server of a cluster.
func onCluster(conn *pgx.Conn) bool {
	_, on := conn.PgConn().CustomData()[clusterKey]
	return on
}

// prepareForCluster marks a connection if it leads to a cluster, and sets the parameters that a cluster needs. Generic query plans
// are turned off: a cluster finds the shard of a statement by its values, and a generic plan would query all shards
// over connections that have entered no site and therefore see no rows. Statements on several shards run one after the
// other, because a change of a provider's plan reads and changes the rows of its sites in one transaction.
func prepareForCluster(ctx context.Context, conn *pgx.Conn) error {
	const look = `
		SELECT set_config('plan_cache_mode', 'force_custom_plan', false), set_config('citus.multi_shard_modify_mode', 'sequential', false)
		WHERE to_regprocedure('public.enter_site(bigint, bigint)') IS NOT NULL`
	switch err := conn.QueryRow(ctx, look, pgx.QueryExecModeSimpleProtocol).Scan(nil, nil); {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	conn.PgConn().CustomData()[clusterKey] = true
	return nil
}

// home is the location of a site.
type home struct {
	pool *pgxpool.Pool
	at   *shard // nil: on the only server
}

// queueLock queues the statement that locks the location of a site on a cluster. A single server has nothing to lock.
func (h home) queueLock(b *pgx.Batch, site int64) {
	if h.at != nil {
		b.Queue(`SELECT enter_site($1, $2)`, site, h.at.number())
	}
}

// withShardNames returns a statement with the table names of the shard.
func (h home) withShardNames(sql string) string {
	if h.at == nil {
		return sql
	}
	return h.at.names.In(sql)
}

// nameFrom gives queued statements the table names of the shard, starting with statement number first.
func (h home) nameFrom(b *pgx.Batch, first int) {
	if h.at == nil {
		return
	}
	for _, q := range b.QueuedQueries[first:] {
		q.SQL = h.withShardNames(q.SQL)
	}
}

// homeOf returns the location of a site.
func (n *nodes) homeOf(ctx context.Context, site int64) (home, error) {
	p, err := n.shards(ctx)
	if err != nil {
		return home{}, err
	}
	if p.alone {
		return home{pool: n.pool}, nil
	}
	at := p.of(site)
	if at == nil {
		return home{}, fmt.Errorf("no server has the shard of site %d", site)
	}
	pool, err := n.worker(at.address, true)
	return home{pool, at}, err
}

// shards returns the locations of shards, and reads them if they are not known yet.
func (n *nodes) shards(ctx context.Context) (*spread, error) {
	if p := n.spread.Load(); p != nil {
		return p, nil
	}
	return n.readShards(ctx)
}

// worker returns the connections to a server of the cluster. There are two kinds: for statements that name tables
// of shards, which are planned as on a single server, and for statements that Citus plans.
func (n *nodes) worker(address string, named bool) (*pgxpool.Pool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := server{address, named}
	if pool := n.workers[key]; pool != nil {
		return pool, nil
	}
	config := n.pool.Config() // a copy
	there, err := toServer(config.ConnConfig, address)
	if err != nil {
		return nil, err
	}
	config.ConnConfig = there
	config.MaxConns = share(config.MaxConns, named)
	there.RuntimeParams["citus.multi_task_query_log_level"] = "error" // otherwise other shards would silently return nothing
	if settled := config.AfterConnect; named {
		config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			if err := settled(ctx, conn); err != nil {
				return err
			}
			_, err := conn.Exec(ctx, "SET plan_cache_mode = "+there.RuntimeParams["plan_cache_mode"])
			return err
		}
	}
	pool, err := n.connect(context.Background(), config)
	if err != nil {
		return nil, err
	}
	n.workers[key] = pool
	return pool, nil
}

// share returns how many of the most connections to a worker are of one kind. Most are for statements that name
// tables of shards. Two at least are for those that Citus plans: who restores a site copies it while its transaction
// goes on.
func share(most int32, named bool) int32 {
	planned := max(2, most/4)
	if named {
		return max(1, most-planned)
	}
	return planned
}

// each calls do with every pool of connections.
func (n *nodes) each(do func(*pgxpool.Pool)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	do(n.pool)
	for _, pool := range n.workers {
		do(pool)
	}
}

// readShards reads the locations of shards. Simultaneous callers share one read.
func (n *nodes) readShards(ctx context.Context) (*spread, error) {
	found, err, _ := n.reads.Do("", func() (any, error) {
		p, err := readSpread(context.WithoutCancel(ctx), n.pool)
		if err == nil {
			n.spread.Store(p)
		}
		return p, err
	})
	if err != nil {
		return nil, err
	}
	return found.(*spread), nil
}

// retryIfMoved calls do. If the site has moved, it reads the locations and calls do again, up to three times.
func (n *nodes) retryIfMoved(ctx context.Context, do func() error) error {
	err := do()
	for range 3 {
		if !moved(err) {
			break
		}
		if _, err := n.readShards(ctx); err != nil {
			return err
		}
		err = do()
	}
	return err
}
