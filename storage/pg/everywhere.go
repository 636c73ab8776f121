package pg

import (
	"context"
	"errors"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Available is Everywhere for pages that can show incomplete results. If at least one server of a cluster answers,
// it logs the errors of the others and returns nil.
func (db *DB) Available(ctx context.Context, why reason, query string, arguments []any, read func(pgx.Rows) error) error {
	answered := false
	err := db.Everywhere(ctx, why, query, arguments, func(rows pgx.Rows) error {
		err := read(rows)
		answered = answered || err == nil
		return err
	})
	if err != nil && answered {
		db.Logger().WarnContext(ctx, "only some servers answer", "asked", string(why), "error", err)
		return nil
	}
	return err
}

// Everywhere runs a query on all sites, over tables without a row-level policy. On a cluster it queries all servers
// simultaneously, each for its own shards. If a server is down, only its sites are missing: Everywhere reads the
// results of the others and returns an error. It never calls read concurrently.
func (db *DB) Everywhere(ctx context.Context, why reason, query string, arguments []any, read func(pgx.Rows) error) error {
	ctx = db.Across(why).in(ctx)
	p, err := db.nodes.readShards(ctx)
	if err != nil {
		if p = db.nodes.spread.Load(); p == nil || p.alone {
			return db.failure(err)
		}
	}
	var mu sync.Mutex
	one := func(pool *pgxpool.Pool, sql string) error {
		rows, err := pool.Query(ctx, sql, arguments...)
		if err != nil {
			return err
		}
		defer rows.Close()
		mu.Lock()
		defer mu.Unlock()
		if err := read(rows); err != nil {
			return err
		}
		return rows.Err()
	}
	if p.alone {
		return db.failure(one(db.pool, query))
	}
	var all sync.WaitGroup
	servers := p.servers()
	problems := make(chan error, len(p.shards))
	for address, shards := range servers {
		all.Go(func() {
			pool, err := db.nodes.worker(address, true)
			for _, shard := range shards {
				if err == nil {
					err = one(pool, shard.names.In(query))
				}
			}
			problems <- err
		})
	}
	all.Wait()
	close(problems)
	for problem := range problems {
		err = errors.Join(err, problem)
	}
	return db.failure(err)
}

// servers groups the shards by the address of their server.
func (p *spread) servers() map[string][]*shard {
	of := map[string][]*shard{}
	for _, one := range p.shards {
		of[one.address] = append(of[one.address], one)
	}
	return of
}
