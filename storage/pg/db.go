// Package pg is the engine below storage: connections, round trips and transactions. Each works on one site, which
// it takes from the context's Scope. pg knows nothing of the stored data except the row of a site with its version,
// and the history.
//
// The connections themselves are not exported. Statements about one site go through Read, WriteUnversioned, Write and their
// variants. Statements about no site or about all go through Across, which requires a reason.
package pg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/singleflight"

	"github.com/kalends/kalends/tenancy"
)

// ServiceRole is the database role that the service uses; the migrations create it.
const ServiceRole = "kalends_service"

// Options are what Open needs beyond the address.
type Options struct {
	MaxConns  int32               // 0: 8
	Clock     func() time.Time    // returns the time of this machine and the time to store; nil: time.Now and the database's clock
	Kinds     map[string]Kind     // kinds of changes by name; all others are changes of the site itself
	Finish    Do                  // called at the end of a transaction, before the commit; may be nil
	Committed func(*Tx)           // called after each transaction that raised a version, before the response to the write; must not block
	Failure   func(error) error   // turns errors of Postgres into errors that callers know
	Tracer    trace.Tracer        // of round trips; nil: none
	Took      func(time.Duration) // called with the duration of each round trip; nil: no calls
	Logger    *slog.Logger        // for panics outside requests; nil: the default logger

	Connect Connect // for tests, which use connections one after another; nil: pgxpool.NewWithConfig

	// Strict is for tests: Postgres refuses writes in Read, which makes reads slower, and statements may take as long as
	// on a busy machine.
	Strict bool
}

// Connect makes connections to a database.
type Connect func(ctx context.Context, config *pgxpool.Config) (*pgxpool.Pool, error)

// Kind says how a change of an item affects the row of its site.
type Kind struct {
	Content bool          // only content changes, not the site itself
	Linked  bool          // events nest it
	Use     tenancy.Usage // usage of one such item
}

// DB holds the connections to a database of sites.
type DB struct {
	pool      *pgxpool.Pool    // for statements outside of sites
	nodes     *nodes           // for statements on a site
	clock     func() time.Time // the clock that all nodes share; tests set their own
	machine   func() time.Time // of this machine
	reading   atomic.Pointer[reading]
	kinds     map[string]Kind
	finish    Do
	committed func(*Tx)
	failure   func(error) error
	trips     *roundTrips
	changes   *Turns[*change]
	looks     singleflight.Group // State calls in progress
	logger    *slog.Logger
}

// Open prepares connections to the database behind url, each with a role that is subject to row-level security. It
// does not wait for the database; see State.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	config.MaxConns = 8
	if o.MaxConns > 0 {
		config.MaxConns = o.MaxConns
	}
	tune(config)
	if o.Strict {
		config.ConnConfig.RuntimeParams["statement_timeout"] = "120000"
	}
	if o.Tracer != nil {
		config.ConnConfig.Tracer = tracer{o.Tracer}
	}
	if o.Took != nil {
		t := timer{told: o.Took}
		if o.Tracer != nil {
			t.next = &tracer{o.Tracer}
		}
		config.ConnConfig.Tracer = t
	}
	if o.Connect == nil {
		o.Connect = pgxpool.NewWithConfig
	}
	pool, err := o.Connect(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	servers := &nodes{pool: pool, connect: o.Connect, workers: map[server]*pgxpool.Pool{}}
	if o.Finish == nil {
		o.Finish = func(context.Context, *Tx) error { return nil }
	}
	db := &DB{pool: pool, nodes: servers, clock: o.Clock, kinds: o.Kinds, finish: o.Finish, committed: o.Committed, failure: o.Failure,
		trips: newRoundTrips(servers, o.Strict, o.Logger), changes: NewTurns(1, differ, o.Logger), logger: o.Logger}
	if db.machine = o.Clock; o.Clock == nil {
		db.machine, db.clock = time.Now, db.Now
	}
	return db, nil
}

// tune sets the parameters of every connection of the service: plans that do not depend on values, no parallel
// workers, a limit on each statement, and the plain role. Every statement reaches its site's rows by index. With
// seqscan on, lists of all sites would scan whole tables as soon as one site has most of the rows.
func tune(config *pgxpool.Config) {
	p := config.ConnConfig.RuntimeParams
	p["application_name"] = "kalends"
	p["plan_cache_mode"] = "force_generic_plan"
	p["max_parallel_workers_per_gather"] = "0"
	p["statement_timeout"] = "15000"
	p["idle_in_transaction_session_timeout"] = "30000"
	p["timezone"] = "UTC"
	p["jit"] = "off"
	p["enable_seqscan"] = "off"
	p["random_page_cost"] = "1.1"
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if err := becomePlain(ctx, conn); err != nil {
			return err
		}
		return prepareForCluster(ctx, conn)
	}
}

// becomePlain makes sure that a connection cannot bypass row-level security: it switches to the service's role, or
// keeps a role that cannot bypass it either. Otherwise it returns an error.
func becomePlain(ctx context.Context, conn *pgx.Conn) error {
	const bypass = `SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user`
	_, err := conn.Exec(ctx, "SET ROLE "+ServiceRole)
	if _, refused := errors.AsType[*pgconn.PgError](err); !refused {
		return err
	}
	var bypasses bool
	if err := conn.QueryRow(ctx, bypass).Scan(&bypasses); err != nil {
		return fmt.Errorf("read roles: %w", err)
	}
	if bypasses {
		return errors.New("the database role bypasses row-level security and is not a member of " + ServiceRole +
			": run `kalends migrate` with a role that may create roles, or connect with a plain one")
	}
	return nil
}

// Logger returns the logger for errors outside requests.
func (db *DB) Logger() *slog.Logger { return db.logger }

// Time returns the time by the clock that all nodes share. Tests have a clock of their own.
func (db *DB) Time() time.Time { return db.clock() }

// Second returns the present second in UTC, for times that are stored.
func (db *DB) Second() time.Time { return db.clock().UTC().Truncate(time.Second) }

// Failure turns an error of Postgres into one that callers know. Read, WriteUnversioned, Write and their variants do so by themselves.
func (db *DB) Failure(err error) error { return db.failure(err) }

// Close ends all connections.
func (db *DB) Close() {
	db.nodes.each((*pgxpool.Pool).Close)
}

// Reset replaces all connections. A connection in use is closed when it is released.
func (db *DB) Reset() { db.nodes.each((*pgxpool.Pool).Reset) }

// Connections is the state of the connections to the database.
type Connections struct {
	Max, Acquired, Idle int
	Acquires, Waits     int64         // since the start: number of acquired connections, and of acquisitions that had to wait
	Waited              time.Duration // total waiting time
}

// Connections returns the state of the connections.
func (db *DB) Connections() Connections {
	s := db.pool.Stat()
	return Connections{Max: int(s.MaxConns()), Acquired: int(s.AcquiredConns()), Idle: int(s.IdleConns()),
		Acquires: s.AcquireCount(), Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime()}
}

// Site returns the id of the scope's site. The site is never taken from anywhere else.
func Site(ctx context.Context) (int64, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return 0, err
	}
	return scope.Site.ID, nil
}
