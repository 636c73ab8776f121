package pg

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// channel is the channel on which nodes announce raised versions.
const channel = "kalends_versions"

// Versions returns the committed versions of sites, without sites that don't exist.
func (db *DB) Versions(ctx context.Context, sites []int64) (map[int64]int64, error) {
	p, err := db.nodes.shards(ctx)
	if err != nil {
		return nil, db.failure(err)
	}
	if p.alone {
		found, err := versionsIn(ctx, db.pool, sites)
		return found, db.failure(err)
	}
	found, err := db.versionsOf(ctx, p, sites)
	return found, db.failure(err)
}

// versionsOf queries all servers of a cluster simultaneously, with one statement for each shard. If a server is
// down, only the versions of its sites are missing: versionsOf returns the others together with the error.
func (db *DB) versionsOf(ctx context.Context, p *spread, sites []int64) (map[int64]int64, error) {
	found := make(map[int64]int64, len(sites))
	var mu sync.Mutex
	var all sync.WaitGroup
	var problem error
	for address, shards := range p.sorted(sites) {
		all.Go(func() {
			var some map[int64]int64
			pool, err := db.nodes.worker(address, true)
			if err == nil {
				some, err = versionsAt(ctx, pool, shards)
			}
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(found, some)
			problem = errors.Join(problem, err)
		})
	}
	all.Wait()
	return found, problem
}

// versionsAt queries one server, shard by shard.
func versionsAt(ctx context.Context, pool *pgxpool.Pool, shards map[*shard][]int64) (map[int64]int64, error) {
	found := map[int64]int64{}
	b := &pgx.Batch{}
	for one, sites := range shards {
		b.Queue(one.names.In(versionsQuery), sites).Query(func(rows pgx.Rows) error { return readVersions(rows, found) })
	}
	return found, pool.SendBatch(ctx, b).Close()
}

// versionsIn is DB.Versions on one server.
func versionsIn(ctx context.Context, pool *pgxpool.Pool, sites []int64) (map[int64]int64, error) {
	found := make(map[int64]int64, len(sites))
	rows, err := pool.Query(ctx, versionsQuery, sites)
	if err != nil {
		return nil, err
	}
	return found, readVersions(rows, found)
}

const versionsQuery = `
	SELECT id,
	       version
	FROM sites
	WHERE id = ANY($1)`

func readVersions(rows pgx.Rows, into map[int64]int64) error {
	var id, version int64
	_, err := pgx.ForEachRow(rows, []any{&id, &version}, func() error {
		into[id] = version
		return nil
	})
	return err
}

// Moment identifies what has been committed so far: if two results are equal, nothing was committed in between. It
// returns "" on a standby, whose snapshots do not show running transactions, and on a cluster, where workers commit
// independently of this database. It includes the position of the last checkpoint: after a crash, a database may
// reuse transaction numbers that were not flushed, but its checkpoint differs.
func (db *DB) Moment(ctx context.Context) (moment string, err error) {
	const query = `
		SELECT CASE WHEN NOT pg_is_in_recovery() AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
		            THEN pg_current_snapshot()::text || (SELECT ' ' || checkpoint_lsn FROM pg_control_checkpoint())
		            ELSE '' END`
	err = db.pool.QueryRow(ctx, query).Scan(&moment)
	return moment, db.failure(err)
}

// Announce tells the other nodes about raised versions, in a separate transaction: a notification within the
// transaction of the write would make all writes of all sites commit one after another.
func (db *DB) Announce(ctx context.Context, raised map[int64]int64) error {
	const most = 7000 // in bytes; Postgres limits a notification to 8000
	var b strings.Builder
	send := func() error {
		if b.Len() == 0 {
			return nil
		}
		batch := &pgx.Batch{} // the pipeline is one transaction, whose flush to disk nobody waits for
		batch.Queue("SELECT set_config('synchronous_commit', 'off', true)")
		batch.Queue("SELECT pg_notify($1, $2)", channel, b.String())
		b.Reset()
		return db.failure(db.pool.SendBatch(ctx, batch).Close())
	}
	for site, version := range raised {
		b.WriteString(strconv.FormatInt(site, 10) + ":" + strconv.FormatInt(version, 10) + " ")
		if b.Len() > most {
			if err := send(); err != nil {
				return err
			}
		}
	}
	return send()
}

// heartbeat is after how long a silent connection is checked, and how long it may take to answer.
const heartbeat = 5 * time.Second

// Listen calls heard for versions that any node announces, until the context or the connection ends, and returns why. It calls
// begun when it starts.
func (db *DB) Listen(ctx context.Context, begun func(), heard func(site, version int64)) error {
	return db.failure(listen(ctx, db.pool.Config().ConnConfig, heartbeat, begun, heard))
}

func listen(ctx context.Context, config *pgx.ConnConfig, beat time.Duration, begun func(), heard func(site, version int64)) error {
	config.RuntimeParams["application_name"] = "kalends listener"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing)
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	begun()
	for {
		note, err := hear(ctx, conn, beat)
		if err != nil {
			return err
		}
		for pair := range strings.FieldsSeq(note.Payload) {
			id, version, _ := strings.Cut(pair, ":")
			s, errS := strconv.ParseInt(id, 10, 64)
			n, errN := strconv.ParseInt(version, 10, 64)
			if errS == nil && errN == nil {
				heard(s, n)
			}
		}
	}
}

// hear returns the next notification, or an error if there can be none. It checks silent connections, because a
// connection may break without an error.
func hear(ctx context.Context, conn *pgx.Conn, beat time.Duration) (*pgconn.Notification, error) {
	within := func(do func(context.Context) error) error {
		ctx, cancel := context.WithTimeout(ctx, beat)
		defer cancel()
		return do(ctx)
	}
	for {
		var note *pgconn.Notification
		err := within(func(ctx context.Context) (err error) {
			note, err = conn.WaitForNotification(ctx)
			return err
		})
		if err == nil || ctx.Err() != nil || !pgconn.Timeout(err) {
			return note, err
		}
		if err := within(conn.Ping); err != nil {
			return nil, err
		}
	}
}
