package storage

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// roundTrips gives each site half of the connections and no more, so that the
// others never wait for it alone, and lets its small reads share them: those that
// come while the site has all it gets wait, and then go together in the first
// round trip that is free. Where many ask at once, most of what a small read
// costs is the way, not the reading (ADR 26).
//
// A read is sent after it came, so it shows all that was committed until then. No
// round trip has reads of two sites. When a shared one fails its reads are made
// again, each alone, so none fails for the sake of another.
type roundTrips struct {
	pool *pgxpool.Pool
	*convoys[queueReads]
}

// queueReads queues the queries of a read on a site. It may be called twice, so
// it begins by clearing what they read into.
type queueReads func(site int64, b *pgx.Batch)

// mostTogether is how many reads share a round trip: the first answer leaves
// when the last one is read.
const mostTogether = 8

func newRoundTrips(pool *pgxpool.Pool) *roundTrips {
	return &roundTrips{pool, newConvoys(max(1, int(pool.Config().MaxConns)/2), atMost[queueReads](mostTogether))}
}

// read sends queued queries as a round trip of their own.
func (r *roundTrips) read(ctx context.Context, site int64, queue queueReads) error {
	return r.alone(ctx, site, func() error { return r.send(ctx, site, queue) })
}

// share makes a read in a round trip that other reads of the site may share. It
// is for reads of a few rows: the others wait for the slowest.
func (r *roundTrips) share(ctx context.Context, site int64, queue queueReads) error {
	return r.convoys.share(ctx, site, queue, func() error { return r.send(ctx, site, queue) }, func(all []*rider[queueReads]) error {
		return r.send(ctx, site, func(site int64, b *pgx.Batch) {
			for _, one := range all {
				one.of(site, b)
			}
		})
	})
}

// send makes one round trip. The pipeline is one transaction.
func (r *roundTrips) send(ctx context.Context, site int64, queue queueReads) error {
	b := &pgx.Batch{}
	b.Queue(enterSite, strconv.FormatInt(site, 10))
	queue(site, b)
	return r.pool.SendBatch(ctx, b).Close()
}
