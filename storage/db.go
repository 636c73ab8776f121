// Package storage keeps a site's data in Postgres. Every statement names the
// site of the context's Scope, and forced row-level security holds the same
// line in the database: two walls, each enough alone.
package storage

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

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// ServiceRole is the role the service works as, made by the migrations.
const ServiceRole = "kalends_service"

// Options are what Open needs beyond the address.
type Options struct {
	MaxConns  int32            // 0: 8
	LinkBytes int              // 0: LinkBytes
	Clock     func() time.Time // of this machine, and what is stored goes by it; nil: time.Now, and the database's
	// OnVersion is told each site's new version after its commit and before
	// the write's answer, and whether only content changed: then the site
	// itself is as it was. It must not block. Nil is fine.
	OnVersion func(site, version int64, content bool)
	Tracer    trace.Tracer // of round trips; nil: none
	Replica   string       // address of one, for public reads; "": none
	Logger    *slog.Logger // told how the replica is; nil: nobody is
}

// DB is the store of every site; it implements calendar.Store.
type DB struct {
	pool      *pgxpool.Pool
	clock     func() time.Time // that all nodes share; of tests, their own
	machine   func() time.Time // of this machine
	reading   atomic.Pointer[reading]
	onVersion func(site, version int64, content bool)
	links     *linkMemory
	events    *eventMemory
	totals    counted[total]
	statuses  counted[byStatus]
	meanings  counted[*meanings] // of searches
	replica   *replica           // nil: there is none
	trips     *roundTrips
	changes   *convoys[*eventChange]
	creations *convoys[*creation]
	looks     singleflight.Group // at the database's state
}

// Open prepares connections to the database behind url, each as a role that
// row-level security binds. It doesn't wait for the database: see State.
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
	if o.Tracer != nil {
		config.ConnConfig.Tracer = tracer{o.Tracer}
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if o.LinkBytes == 0 {
		o.LinkBytes = LinkBytes
	}
	db := &DB{pool: pool, links: newLinkMemory(o.LinkBytes), events: newEventMemory(),
		clock: o.Clock, onVersion: o.OnVersion, trips: newRoundTrips(pool),
		changes: newConvoys(1, differ), creations: newConvoys(1, atMost[*creation](mostWrites))}
	if o.Replica != "" {
		if db.replica, err = openReplica(ctx, o.Replica, config, o.Logger); err != nil {
			pool.Close()
			return nil, err
		}
	}
	if db.machine = o.Clock; o.Clock == nil {
		db.machine, db.clock = time.Now, db.Now
	}
	if db.onVersion == nil {
		db.onVersion = func(int64, int64, bool) {}
	}
	return db, nil
}

// tune sets what every connection of the service has: plans that don't depend
// on values, no parallel workers, a limit on each statement, and the plain role.
// Every statement reaches its site's rows by index; without seqscan off the plan
// of a list would turn into scans of whole tables for all sites once one site
// has most of the rows.
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
	config.AfterConnect = becomePlain
}

// becomePlain leaves a connection without rights over row-level security: as the
// service's role, or as one of its own that never had them.
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
		return errors.New("the database role bypasses row-level security and is no member of " + ServiceRole +
			": run `kalends migrate` with a role that may create roles, or connect with a plain one")
	}
	return nil
}

// now returns the present second, in UTC.
func (db *DB) now() time.Time { return db.clock().UTC().Truncate(time.Second) }

// Close ends all connections.
func (db *DB) Close() {
	db.pool.Close()
	if db.replica != nil {
		db.replica.pool.Close()
	}
}

// Pool returns the connections, for tests and benchmarks of this package's
// promises; nothing else goes past the two walls.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// Events implements calendar.Store.
func (db *DB) Events() calendar.EventStore { return events{db} }

// Venues implements calendar.Store.
func (db *DB) Venues() calendar.PlaceStore[calendar.Venue] {
	return placeStore[calendar.Venue]{db, venueKind}
}

// Organizers implements calendar.Store.
func (db *DB) Organizers() calendar.PlaceStore[calendar.Organizer] {
	return placeStore[calendar.Organizer]{db, organizerKind}
}

// Terms implements calendar.Store.
func (db *DB) Terms(t calendar.Taxonomy) calendar.TermStore { return terms{db, t} }

// Images implements calendar.Store.
func (db *DB) Images() calendar.ImageStore { return images{db} }

// site returns the id of the scope's site: the only place it comes from.
func site(ctx context.Context) (int64, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return 0, err
	}
	return scope.Site.ID, nil
}
