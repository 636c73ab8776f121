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

// nodes finds the server that has a site. On plain Postgres that is the only one. A database
// spread by `kalends migrate --citus` has its sites on workers, each in a shard, and statements
// of a site go straight there, with the names of the shard's tables: the worker plans and runs
// them as a single server would.
//
// Which shard is where is read once, and again when a worker says that a site isn't there. A
// transaction holds the place of its site, so it never sees half of a move.
type nodes struct {
	pool   *pgxpool.Pool // of the database's address: the only server, or the coordinator
	places atomic.Pointer[places]
	reads  singleflight.Group

	mu      sync.Mutex
	workers map[server]*pgxpool.Pool
}

// server is one of a cluster, for statements of a kind.
type server struct {
	address string
	named   bool
}

// clusterKey is where a connection has whether it is to a server of a cluster.
const clusterKey = "kalends cluster"

// errMoved is the code with which enter_site says that a site is on another server.
const errMoved = "KD001"

// moved reports whether a server said that the site is on another. A statement is
// looked at before enter_site is called, so that may be that a shard isn't there.
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

// settle notes what a connection is to, and sets what depends on it. A cluster finds the
// shard of a statement by its values. A plan that doesn't depend on them asks all shards, over
// connections that are in no site and therefore see nothing, so there must be none. What changes
// a plan reads and changes the rows of sites in the same transaction, one shard after the other.
func settle(ctx context.Context, conn *pgx.Conn) error {
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

// home is where a site is.
type home struct {
	pool *pgxpool.Pool
	at   *place // nil: on the only server
}

// arrive queues what holds the place of a site on a server of a cluster; elsewhere there is
// nothing to hold.
func (h home) arrive(b *pgx.Batch, site int64) {
	if h.at != nil {
		b.Queue(`SELECT enter_site($1, $2)`, site, h.at.number())
	}
}

// named returns a statement with the names that tables have there.
func (h home) named(sql string) string {
	if h.at == nil {
		return sql
	}
	return h.at.names.In(sql)
}

// nameFrom names the tables of queued statements, from one on.
func (h home) nameFrom(b *pgx.Batch, first int) {
	if h.at == nil {
		return
	}
	for _, q := range b.QueuedQueries[first:] {
		q.SQL = h.named(q.SQL)
	}
}

// of returns where a site is.
func (n *nodes) of(ctx context.Context, site int64) (home, error) {
	p, err := n.known(ctx)
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

// known returns which shard is where, as far as is known.
func (n *nodes) known(ctx context.Context) (*places, error) {
	if p := n.places.Load(); p != nil {
		return p, nil
	}
	return n.look(ctx)
}

// worker returns the connections to a server of the cluster: those for statements that name shards, which have
// plans as on a single server, or those for statements that Citus plans.
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
	there.RuntimeParams["citus.multi_task_query_log_level"] = "error" // for other shards would answer that they have nothing
	if settled := config.AfterConnect; named {
		config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			if err := settled(ctx, conn); err != nil {
				return err
			}
			_, err := conn.Exec(ctx, "SET plan_cache_mode = "+there.RuntimeParams["plan_cache_mode"])
			return err
		}
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, err
	}
	n.workers[key] = pool
	return pool, nil
}

// share returns how many connections of a kind a worker gets of those that are allowed: most of them for statements that name shards.
func share(most int32, named bool) int32 {
	planned := max(1, most/4)
	if named {
		return max(1, most-planned)
	}
	return planned
}

// each calls do with all connections there are.
func (n *nodes) each(do func(*pgxpool.Pool)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	do(n.pool)
	for _, pool := range n.workers {
		do(pool)
	}
}

// look reads which shard is where. Who asks meanwhile gets the same answer.
func (n *nodes) look(ctx context.Context) (*places, error) {
	found, err, _ := n.reads.Do("", func() (any, error) {
		p, err := readPlaces(context.WithoutCancel(ctx), n.pool)
		if err == nil {
			n.places.Store(p)
		}
		return p, err
	})
	if err != nil {
		return nil, err
	}
	return found.(*places), nil
}

// again calls do, and once more for a site that has moved meanwhile.
func (n *nodes) again(ctx context.Context, do func() error) error {
	err := do()
	for range 3 {
		if !moved(err) {
			break
		}
		if _, err := n.look(ctx); err != nil {
			return err
		}
		err = do()
	}
	return err
}
