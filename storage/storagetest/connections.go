package storagetest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// connections are those to databases that no test uses at the moment, by what they have in common.
type connections struct {
	mu   sync.Mutex
	idle map[string][]*pgxpool.Pool
}

// kept are the connections of this test program.
var kept = connections{idle: map[string][]*pgxpool.Pool{}}

// Connect returns what connects to databases for a test, in place of pgxpool.NewWithConfig. Nobody has to close the connections: the
// next test that gets the same database gets them too, so Postgres has already read its catalogs and planned statements for them.
// Connections with a tracer and those to a cluster are closed at the end of the test.
func Connect(t testing.TB) func(ctx context.Context, config *pgxpool.Config) (*pgxpool.Pool, error) {
	return func(ctx context.Context, config *pgxpool.Config) (*pgxpool.Pool, error) {
		key := ""
		if config.ConnConfig.Tracer == nil && !OnCluster() {
			key = keyOf(config)
		}
		pool := kept.take(ctx, key)
		if pool == nil {
			var err error
			if pool, err = pgxpool.NewWithConfig(context.WithoutCancel(ctx), config); err != nil {
				return nil, err
			}
		}
		t.Cleanup(func() { kept.put(key, pool) })
		return pool, nil
	}
}

// keyOf describes the connections that can stand in for each other.
func keyOf(config *pgxpool.Config) string {
	to, parameters := config.ConnConfig, config.ConnConfig.RuntimeParams
	return fmt.Sprintln(to.Database, to.User, to.Host, to.Port, config.MaxConns, parameters) // maps are printed in order
}

// take returns idle connections that work, or nil.
func (c *connections) take(ctx context.Context, key string) *pgxpool.Pool {
	for {
		c.mu.Lock()
		list := c.idle[key]
		if len(list) == 0 {
			c.mu.Unlock()
			return nil
		}
		pool := list[len(list)-1]
		c.idle[key] = list[:len(list)-1]
		c.mu.Unlock()
		if fit(ctx, pool) {
			return pool
		}
		pool.Close()
	}
}

// fit reports whether connections work and a test has not closed them. It resets what the test has set in them.
func fit(ctx context.Context, pool *pgxpool.Pool) bool {
	first, err := pool.Acquire(ctx)
	if err != nil {
		return false
	}
	good := true
	for _, conn := range append(pool.AcquireAllIdle(ctx), first) {
		if good {
			_, err := conn.Conn().PgConn().Exec(ctx, "RESET ALL; UNLISTEN *; SELECT pg_advisory_unlock_all()").ReadAll()
			good = err == nil
		}
		conn.Release()
	}
	return good
}

// put keeps connections for the next test, unless some are in use.
func (c *connections) put(key string, pool *pgxpool.Pool) {
	if key == "" || pool.Stat().AcquiredConns() > 0 {
		pool.Close()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle[key] = append(c.idle[key], pool)
}

// close closes the idle connections to a database.
func (c *connections) close(database string) {
	var found []*pgxpool.Pool
	c.mu.Lock()
	for key, list := range c.idle {
		if len(list) > 0 && list[0].Config().ConnConfig.Database == database {
			found = append(found, list...)
			delete(c.idle, key)
		}
	}
	c.mu.Unlock()
	for _, pool := range found {
		pool.Close()
	}
}
