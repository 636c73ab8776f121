package pg

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// InEach is In for many sites. Sites on the same server share a round trip, in which they are entered one after the
// other.
func (db *DB) InEach(ctx context.Context, why reason, sites []int64, queue Queue) error {
	ctx = db.Across(why).in(ctx)
	return db.failure(db.nodes.retryIfMoved(ctx, func() error {
		groups, err := db.nodes.byServer(ctx, sites)
		if err != nil {
			return err
		}
		for pool, some := range groups {
			if err := db.sendEach(ctx, pool, some, queue); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (db *DB) sendEach(ctx context.Context, pool *pgxpool.Pool, sites []int64, queue Queue) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	b := &pgx.Batch{}
	for _, site := range sites {
		at, err := db.nodes.homeOf(ctx, site)
		if err != nil {
			return err
		}
		if at.pool != pool {
			return &pgconn.PgError{Code: errMoved, Message: "a site was moved meanwhile"}
		}
		first := b.Len()
		at.queueLock(b, site)
		enter(b, site)
		queue(site, b)
		at.nameFrom(b, first)
	}
	return conn.SendBatch(ctx, b).Close()
}

// byServer groups sites by the server that has them, each group sorted by id.
func (n *nodes) byServer(ctx context.Context, sites []int64) (map[*pgxpool.Pool][]int64, error) {
	groups := map[*pgxpool.Pool][]int64{}
	for _, site := range slices.Sorted(slices.Values(sites)) {
		at, err := n.homeOf(ctx, site)
		if err != nil {
			return nil, err
		}
		groups[at.pool] = append(groups[at.pool], site)
	}
	return groups, nil
}
