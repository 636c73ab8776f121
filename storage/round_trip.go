package storage

import (
	"context"
	"slices"
	"strconv"
	"sync"

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
	most int // of one site at once

	mu    sync.Mutex
	sites map[int64]*siteTrips
}

// siteTrips are those of one site.
type siteTrips struct {
	running int
	waiting []*traveller
}

// traveller is who waits for a round trip.
type traveller struct {
	queue  queueReads        // nil: something else than a read, which goes alone
	called chan []*traveller // told who goes with it, itself the first; nil when another took it along
	failed bool              // the shared round trip
}

// queueReads queues the queries of a read on a site. It may be called twice, so
// it begins by clearing what they read into.
type queueReads func(site int64, b *pgx.Batch)

// mostTogether is how many reads share a round trip: the first answer leaves
// when the last one is read.
const mostTogether = 8

func newRoundTrips(pool *pgxpool.Pool) *roundTrips {
	return &roundTrips{pool: pool, most: max(1, int(pool.Config().MaxConns)/2), sites: map[int64]*siteTrips{}}
}

// alone runs do, which takes one connection, as one of the site's round trips.
func (r *roundTrips) alone(ctx context.Context, site int64, do func() error) error {
	if _, err := r.begin(ctx, site, &traveller{}); err != nil {
		return err
	}
	defer r.end(site)
	return do()
}

// read sends queued queries as a round trip of their own.
func (r *roundTrips) read(ctx context.Context, site int64, queue queueReads) error {
	return r.alone(ctx, site, func() error { return r.send(ctx, site, queue) })
}

// share makes a read in a round trip that other reads of the site may share. It
// is for reads of a few rows: the others wait for the slowest.
func (r *roundTrips) share(ctx context.Context, site int64, queue queueReads) error {
	one := &traveller{queue: queue}
	all, err := r.begin(ctx, site, one)
	switch {
	case err != nil:
		return err
	case len(all) == 1:
		defer r.end(site)
		return r.send(ctx, site, queue)
	case len(all) > 1:
		r.lead(ctx, site, all)
	}
	if one.failed {
		return r.read(ctx, site, queue)
	}
	return nil
}

// lead makes the reads of all in one round trip and tells them. A read that
// panics does so again when it is made alone.
func (r *roundTrips) lead(ctx context.Context, site int64, all []*traveller) {
	failed := true
	defer func() {
		_ = recover()
		r.end(site)
		for i, one := range all {
			one.failed = failed
			if i > 0 {
				one.called <- nil
			}
		}
	}()
	failed = r.send(ctx, site, func(site int64, b *pgx.Batch) {
		for _, one := range all {
			one.queue(site, b)
		}
	}) != nil
}

// send makes one round trip. The pipeline is one transaction.
func (r *roundTrips) send(ctx context.Context, site int64, queue queueReads) error {
	b := &pgx.Batch{}
	b.Queue(enterSite, strconv.FormatInt(site, 10))
	queue(site, b)
	return r.pool.SendBatch(ctx, b).Close()
}

// begin waits until a traveller may go and returns who goes with it, itself the
// first: then the caller calls end. It returns nil after another took it along.
func (r *roundTrips) begin(ctx context.Context, site int64, one *traveller) ([]*traveller, error) {
	if r.free(site, one) {
		return []*traveller{one}, nil
	}
	select {
	case all := <-one.called:
		return all, nil
	case <-ctx.Done():
	}
	if r.quit(site, one) {
		return nil, ctx.Err()
	}
	return <-one.called, nil // the turn came at the same moment
}

// free takes one of the site's round trips, or has the traveller wait.
func (r *roundTrips) free(site int64, one *traveller) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sites[site]
	if s == nil {
		s = &siteTrips{}
		r.sites[site] = s
	}
	if s.running < r.most {
		s.running++
		return true
	}
	one.called = make(chan []*traveller, 1)
	s.waiting = append(s.waiting, one)
	return false
}

// quit takes a traveller from those who wait and reports whether it was there.
func (r *roundTrips) quit(site int64, one *traveller) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sites[site]
	if s == nil {
		return false
	}
	i := slices.Index(s.waiting, one)
	if i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
	return i >= 0
}

// end hands a round trip on to whoever waits longest, with the reads that may
// come along.
func (r *roundTrips) end(site int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sites[site]
	if len(s.waiting) == 0 {
		if s.running--; s.running == 0 {
			delete(r.sites, site)
		}
		return
	}
	first := s.waiting[0]
	all := []*traveller{first}
	s.waiting = slices.DeleteFunc(s.waiting[1:], func(next *traveller) bool {
		along := first.queue != nil && next.queue != nil && len(all) < mostTogether
		if along {
			all = append(all, next)
		}
		return along
	})
	first.called <- all
}
