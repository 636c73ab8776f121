package pg

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// How often the replica is looked at, and how often it is asked, while sites are
// passed over, whether it has caught up.
const (
	lookEvery  = time.Second
	catchEvery = 25 * time.Millisecond
)

// lineage is which history of changes a server has: a replica's is worth nothing
// unless it is that of the primary.
type lineage struct {
	system   int64  // Postgres' identifier of the cluster
	timeline int    // raised by every promotion
	database int64  // Postgres' identifier of it within the cluster
	role     string // sessions work as
}

// silent is why a replica that can't be asked is not read from.
const silent = "it doesn't answer"

// standing is where a replica is.
type standing struct {
	replayed int64         // bytes of the log
	idle     time.Duration // since the last transaction it replayed was committed
	lag      time.Duration // behind the primary, 0 when it has everything
}

// unfitError says why a server is not read from.
type unfitError string

func (e unfitError) Error() string { return string(e) }

// FollowReplica keeps an eye on the replica until the context ends. Without it,
// and before it has looked, nothing is read there.
func (db *DB) FollowReplica(ctx context.Context) {
	r := db.replica
	if r == nil {
		return
	}
	look, catch := time.NewTicker(lookEvery), time.NewTicker(catchEvery)
	defer look.Stop()
	defer catch.Stop()
	db.LookAtReplica(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			db.LookAtReplica(ctx)
		case <-catch.C:
			r.catchUp(ctx)
		}
	}
}

// LookAtReplica compares the replica with the primary, and lets in the sites that it has
// caught up with. FollowReplica does so by itself. A primary that doesn't
// answer says nothing about it: without known versions nobody reads there anyway.
func (db *DB) LookAtReplica(ctx context.Context) {
	const query = `
		SELECT (SELECT c.system_identifier FROM pg_control_system() c),
		       ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
		       (SELECT d.oid::bigint FROM pg_database d WHERE d.datname = current_database()),
		       current_user::text,
		       (pg_current_wal_lsn() - '0/0')::bigint`
	ctx, cancel := context.WithTimeout(ctx, lookEvery)
	defer cancel()
	var primary lineage
	var written int64
	err := db.pool.QueryRow(ctx, query).Scan(&primary.system, &primary.timeline, &primary.database, &primary.role, &written)
	if err != nil {
		db.replica.logger.DebugContext(ctx, "check the primary", "error", err)
		return
	}
	db.replica.look(ctx, primary, written)
	db.replica.catchUp(ctx)
}

// look finds out whether the replica is one of the primary that has written so
// much, and opens it or closes it to reads.
func (r *replica) look(ctx context.Context, primary lineage, written int64) {
	if was := r.of.Swap(&primary); was == nil || *was != primary {
		r.seen.Store(nil)
		r.pool.Reset() // its connections were compared with something else
	}
	if before := r.seen.Load(); before != nil && before.replayed > written {
		r.close("it has changes that the primary does not have")
		r.seen.Store(nil)
		return
	}
	conn, err := r.pool.Acquire(ctx)
	if err == nil {
		defer conn.Release()
		var s *standing
		if s, err = r.examine(ctx, conn.Conn()); err == nil {
			if s.replayed < written {
				s.lag = s.idle
			}
			r.seen.Store(s)
			r.open()
			return
		}
		_ = conn.Conn().Close(ctx) // it is another server than it was
	}
	var unfit unfitError
	if ctx.Err() == nil && errors.As(err, &unfit) {
		r.close(unfit.Error())
		return
	}
	r.logger.DebugContext(ctx, "check the replica", "error", err)
	r.close(silent)
}

// open lets reads in.
func (r *replica) open() {
	failed := r.failed.Load()
	if failed >= replicaStrikes {
		r.failed.CompareAndSwap(failed, 0)
	}
	if r.unfit.Swap(nil) != nil || failed >= replicaStrikes {
		r.logger.Info("the replica is used")
	}
}

// examine looks which server is at the other end of a connection, and how far it
// is. It returns an unfitError when that is no replica of the primary. A replica
// notes its timeline when it writes down how far it is, so after a promotion
// elsewhere it is passed over for a few minutes.
func (r *replica) examine(ctx context.Context, conn *pgx.Conn) (*standing, error) {
	const query = `
		SELECT pg_is_in_recovery(),
		       (SELECT c.system_identifier FROM pg_control_system() c),
		       (SELECT c.timeline_id FROM pg_control_checkpoint() c),
		       (SELECT c.min_recovery_end_timeline FROM pg_control_recovery() c),
		       (SELECT d.oid::bigint FROM pg_database d WHERE d.datname = current_database()),
		       current_user::text,
		       COALESCE(pg_last_wal_replay_lsn() - '0/0', 0)::bigint,
		       extract(epoch FROM clock_timestamp() - COALESCE(pg_last_xact_replay_timestamp(), pg_postmaster_start_time()))::float8`
	var follows bool
	var is lineage
	var reached int
	var idle float64
	s := &standing{}
	err := conn.QueryRow(ctx, query).Scan(&follows, &is.system, &is.timeline, &reached, &is.database, &is.role, &s.replayed, &idle)
	if err != nil {
		return nil, err
	}
	s.idle = max(0, time.Duration(idle*float64(time.Second)))
	of := r.of.Load()
	switch {
	case of == nil:
		return nil, unfitError("the primary has not been checked yet")
	case !follows:
		return nil, unfitError(errPromoted.Error())
	case is.system != of.system || is.database != of.database:
		return nil, unfitError("it is a copy of another database")
	case is.timeline != of.timeline || reached != 0 && reached != of.timeline:
		return nil, unfitError(fmt.Sprintf("it is on timeline %d and the primary on %d", max(is.timeline, reached), of.timeline))
	case is.role != of.role:
		return nil, unfitError("its sessions use another role than those of the primary")
	}
	return s, nil
}

// catchUp lets in the sites that the replica has caught up with, and those that
// it doesn't know: the next read finds out.
func (r *replica) catchUp(ctx context.Context) {
	r.mu.Lock()
	behind := maps.Clone(r.behind)
	r.mu.Unlock()
	if len(behind) == 0 || r.unfit.Load() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, replicaTimeout)
	defer cancel()
	found, err := versionsIn(ctx, r.pool, slices.Collect(maps.Keys(behind)))
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for site, wanted := range behind {
		version, there := found[site]
		if r.behind[site] == wanted && (!there || version >= wanted) {
			delete(r.behind, site)
		}
	}
}

// ReplicaStats is what became of public reads since the start, and how the
// replica is.
type ReplicaStats struct {
	Open                   bool          // it is read from
	Reads                  int64         // answered by it
	Behind, Failed, Closed int64         // sent to the primary: it was older, failed, was not read from
	Other                  int64         // as well: the request was before, or wanted what isn't there
	Lag                    time.Duration // when it was last looked at
	Sites                  int           // that are passed over
}

// Replica returns how the replica is, and why it is not read from, in words
// that anybody may read. There is none without an address: ok is false.
func (db *DB) Replica() (s ReplicaStats, why string, ok bool) {
	r := db.replica
	if r == nil {
		return s, "", false
	}
	if unfit := r.unfit.Load(); unfit != nil {
		why = *unfit
	} else if r.failed.Load() >= replicaStrikes {
		why = silent
	}
	s = ReplicaStats{Open: why == "", Reads: r.reads.Load(), Behind: r.late.Load(), Failed: r.failures.Load(), Closed: r.closed.Load(),
		Other: r.other.Load()}
	if seen := r.seen.Load(); seen != nil {
		s.Lag = seen.lag
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Sites = len(r.behind)
	return s, why, true
}
