package pg

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Limits on looking for servers that answer.
const (
	reaching = 2 * time.Second
	draws    = 64 // how many ids are tried for a new site
)

// Draw calls next for ids until it gets one whose site would be on a server that answers. On a single server it
// returns the first id. If no server answers, it returns the error of the last one.
func (db *DB) Draw(ctx context.Context, next func() (int64, error)) (int64, error) {
	down := map[string]error{}
	var last error
	for range draws {
		id, err := next()
		if err != nil {
			return 0, err
		}
		at, err := db.nodes.homeOf(ctx, id)
		if err != nil {
			return 0, db.failure(err)
		}
		if at.at == nil {
			return id, nil
		}
		err, known := down[at.at.address]
		if !known {
			err = reach(ctx, at.pool)
			down[at.at.address] = err
		}
		if err == nil {
			return id, nil
		}
		last = err
	}
	return 0, db.failure(fmt.Errorf("no server for a new site answers: %w", last))
}

// Servers returns how many servers of a cluster have sites, and which of them do not answer. Without a cluster it returns
// none.
func (db *DB) Servers(ctx context.Context) (all int, down []string, err error) {
	p, err := db.nodes.shards(ctx)
	if err != nil || p.alone {
		return 0, nil, db.failure(err)
	}
	var mu sync.Mutex
	var asked sync.WaitGroup
	servers := p.servers()
	for address := range servers {
		asked.Go(func() {
			pool, err := db.nodes.worker(address, true)
			if err == nil {
				err = reach(ctx, pool)
			}
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				down = append(down, address)
			}
		})
	}
	asked.Wait()
	slices.Sort(down)
	return len(servers), down, nil
}

// reach checks whether a server answers.
func reach(ctx context.Context, pool *pgxpool.Pool) error {
	ctx, cancel := context.WithTimeout(ctx, reaching)
	defer cancel()
	return pool.Ping(ctx)
}
