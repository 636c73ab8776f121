package pg

import (
	"context"
	"errors"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Available is Everywhere for people, who are shown what there is: if one server of a cluster answers, the log says what the others
// were asked, and there is no error.
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

// Everywhere asks all sites, with a statement over tables that no policy guards. On a cluster each
// server is asked for its own shards, all at once, so that one that is down hides its own sites
// and no others: what the rest answers is read, and the error says that something is missing.
// Calls of read follow one another.
func (db *DB) Everywhere(ctx context.Context, why reason, query string, arguments []any, read func(pgx.Rows) error) error {
	ctx = db.Across(why).in(ctx)
	p, err := db.nodes.look(ctx)
	if err != nil {
		if p = db.nodes.places.Load(); p == nil || p.alone {
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

// servers are the shards of each server.
func (p *places) servers() map[string][]*place {
	of := map[string][]*place{}
	for _, one := range p.shards {
		of[one.address] = append(of[one.address], one)
	}
	return of
}
