package pg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kalends/kalends/tenancy"
)

// The bounds of what a replica may cost a request.
const (
	replicaTimeout = 500 * time.Millisecond // longest read
	replicaStrikes = 3                      // failures in a row until nobody waits for it
	replicaLife    = time.Minute            // of a connection; then it is looked at anew which server that is
	mostBehind     = 10_000                 // sites that are passed over; beyond it all are
)

// replica answers public reads in place of the primary, and is never the cause
// of a stale one: what it reads counts only when the replica has the version that
// the request has to show, and is a replica still when everything was read. In
// all other cases, an item that isn't there among them, the primary is asked.
// Nil is no replica.
type replica struct {
	pool   *pgxpool.Pool
	logger *slog.Logger
	failed atomic.Int32            // reads in a row
	of     atomic.Pointer[lineage] // what it has to be a copy of; nil: not known yet
	unfit  atomic.Pointer[string]  // why nobody reads from it; nil: it may be read from
	seen   atomic.Pointer[standing]

	mu     sync.Mutex
	behind map[int64]int64 // sites that are passed over, until it has this version of them

	reads, late, failures, closed, other atomic.Int64
}

// openReplica prepares connections to a replica. It is read from once follow has
// found it fit.
func openReplica(ctx context.Context, url string, primary *pgxpool.Config, logger *slog.Logger) (*replica, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("open replica: %w", err)
	}
	r := &replica{logger: logger, behind: map[int64]int64{}}
	if r.logger == nil {
		r.logger = slog.New(slog.DiscardHandler)
	}
	config.MaxConns = primary.MaxConns + 1 // for looking at it
	config.MaxConnLifetime = replicaLife
	tune(config)
	p := config.ConnConfig.RuntimeParams
	p["default_transaction_read_only"] = "on"
	p["statement_timeout"] = strconv.FormatInt(replicaTimeout.Milliseconds(), 10)
	config.ConnConfig.ConnectTimeout = time.Second
	config.ConnConfig.Tracer = primary.ConnConfig.Tracer
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if err := becomePlain(ctx, conn); err != nil {
			return err
		}
		_, err := r.examine(ctx, conn)
		return err
	}
	if r.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("open replica: %w", err)
	}
	unseen := "it wasn't looked at yet"
	r.unfit.Store(&unseen)
	return r, nil
}

// read is DB.Read from the replica, and reports whether it came to something.
func (r *replica) read(ctx context.Context, queue Queue) bool {
	floor, scope := tenancy.FloorOf(ctx), tenancy.Current(ctx)
	if r == nil || floor == nil || scope.Site == nil || !scope.Principal.Anonymous() {
		return false
	}
	site := scope.Site.ID
	least, ok := floor.Version()
	switch {
	case !ok: // the request went to the primary before
		r.other.Add(1)
	case r.unfit.Load() != nil || r.failed.Load() >= replicaStrikes:
		r.closed.Add(1)
	case r.passes(site):
		r.late.Add(1)
	default:
		version, err := r.try(ctx, site, least, queue)
		if err == nil {
			r.failed.Store(0)
			r.reads.Add(1)
			floor.Raise(version)
			return true
		}
		r.fail(ctx, site, least, err)
	}
	floor.Drop()
	return false
}

var (
	errBehind   = errors.New("it does not have this version yet")
	errPromoted = errors.New("it accepts writes, so it is no longer a replica")
)

// enterReplica enters the site and reads its version. A replica makes
// transactions visible in the order of the primary, so the statements after this
// one show that version or a later one.
const enterReplica = `
	SELECT set_config('kalends.site', $1, true),
	       s.version
	FROM sites s
	WHERE s.id = $2`

// try reads in one round trip, and returns the version of the site before
// everything else was read. No server becomes a replica while it runs, so one
// that still is one has been one all the time.
func (r *replica) try(ctx context.Context, site, least int64, queue Queue) (version int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, replicaTimeout)
	defer cancel()
	b := &pgx.Batch{}
	b.Queue(enterReplica, strconv.FormatInt(site, 10), site).QueryRow(func(row pgx.Row) error {
		err := row.Scan(nil, &version)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && version < least {
			return errBehind
		}
		return err
	})
	queue(site, b)
	b.Queue("SELECT pg_is_in_recovery()").QueryRow(func(row pgx.Row) error {
		var follows bool
		if err := row.Scan(&follows); err != nil || follows {
			return err
		}
		return errPromoted
	})
	return version, r.pool.SendBatch(ctx, b).Close()
}

// fail takes note of why a read came to nothing. What the primary would answer
// as well is no failure: it is asked, and says it.
func (r *replica) fail(ctx context.Context, site, least int64, err error) {
	var pg *pgconn.PgError
	var unfit unfitError
	switch {
	case errors.Is(err, errBehind):
		r.late.Add(1)
		r.passOver(site, least)
	case errors.Is(err, errPromoted):
		r.failures.Add(1)
		r.close(err.Error())
	case ctx.Err() != nil: // the request itself is over
		r.other.Add(1)
	case errors.As(err, &pg), errors.As(err, &unfit), errors.Is(err, context.DeadlineExceeded),
		Unreachable(err):
		r.failures.Add(1)
		if r.failed.Add(1) == replicaStrikes {
			r.logger.Warn("the replica does not answer, continuing without it", "error", err)
		}
	default:
		r.other.Add(1)
	}
}

// close has nobody read from the replica until follow finds it fit.
func (r *replica) close(why string) {
	if had := r.unfit.Swap(&why); had == nil || *had != why {
		r.logger.Warn("the replica is not used", "why", why)
	}
}

// passes reports whether reads of a site go past the replica.
func (r *replica) passes(site int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, passed := r.behind[site]
	return passed || len(r.behind) >= mostBehind
}

// passOver has reads of a site go past the replica until it has a version.
func (r *replica) passOver(site, version int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.behind[site] = max(r.behind[site], version)
}
