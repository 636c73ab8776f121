package pg

import (
	"context"
	"log/slog"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// roundTrips gives each site at most half of the connections, so that one site alone never makes the others wait.
// Small reads of a site share round trips: reads that arrive while the site uses all its connections wait, and then
// go together in the next round trip. Under load, the round trip of a small read costs more than the read itself
// (ADR 26).
//
// A read is sent after it arrives, so it shows everything committed until then. No round trip has reads of two
// sites. If a shared one fails, its reads are repeated alone, so none fails because of another.
type roundTrips struct {
	nodes *nodes
	*Turns[Queue]

	enterToRead string // statement that enters a site for reading
}

// Queue queues the statements of a round trip on a site. It may be called twice, so it must first clear the variables
// into which the statements read.
type Queue func(site int64, b *pgx.Batch)

// mostReads is how many reads share a round trip. The first result is available only after the last one has been
// read.
const mostReads = 8

func newRoundTrips(nodes *nodes, strict bool, logger *slog.Logger) *roundTrips {
	r := &roundTrips{nodes, NewTurns(max(1, int(nodes.pool.Config().MaxConns)/2), AtMost[Queue](mostReads), logger), enterSite}
	if strict {
		r.enterToRead = enterToRead
	}
	return r
}

// read sends queued queries in a separate round trip.
func (r *roundTrips) read(ctx context.Context, site int64, queue Queue) error {
	return r.Alone(ctx, site, func() error { return r.send(ctx, site, r.enterToRead, queue) })
}

// write sends queued statements in a separate round trip.
func (r *roundTrips) write(ctx context.Context, site int64, queue Queue) error {
	return r.Alone(ctx, site, func() error { return r.send(ctx, site, enterSite, queue) })
}

// share makes a read in a round trip that other reads of the site may share. It is for reads of a few rows, because
// all of them wait for the slowest.
func (r *roundTrips) share(ctx context.Context, site int64, queue Queue) error {
	return r.Share(ctx, site, queue, func() error { return r.send(ctx, site, r.enterToRead, queue) }, func(all []*Member[Queue]) error {
		return r.send(ctx, site, r.enterToRead, func(site int64, b *pgx.Batch) {
			for _, one := range all {
				one.Of(site, b)
			}
		})
	})
}

// send makes one round trip. The pipeline is one transaction.
func (r *roundTrips) send(ctx context.Context, site int64, enter string, queue Queue) error {
	return r.nodes.retryIfMoved(ctx, func() error {
		at, err := r.nodes.homeOf(ctx, site)
		if err != nil {
			return err
		}
		conn, err := at.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		b := &pgx.Batch{}
		at.queueLock(b, site)
		b.Queue(enter, strconv.FormatInt(site, 10))
		queue(site, b)
		at.nameFrom(b, 0)
		return conn.SendBatch(ctx, b).Close()
	})
}
