package pg

import (
	"context"
	"fmt"
	"math/bits"
	"net"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// places says which server has which shard of sites.
type places struct {
	alone  bool // the only server has all
	shards []place
}

// place is a shard: sites whose ids have these hashes.
type place struct {
	from, to        int32
	address         string
	sites, schedule int64 // the numbers that these tables have there
}

func readPlaces(ctx context.Context, pool *pgxpool.Pool) (*places, error) {
	const query = `
		SELECT s.shardminvalue::integer,
		       s.shardmaxvalue::integer,
		       n.nodename,
		       n.nodeport,
		       s.shardid,
		       d.shardid
		FROM pg_dist_shard s
		JOIN pg_dist_shard d ON d.logicalrelid = 'schedule'::regclass AND d.shardminvalue = s.shardminvalue
		JOIN pg_dist_placement p ON p.shardid = s.shardid
		JOIN pg_dist_node n USING (groupid)
		WHERE s.logicalrelid = 'sites'::regclass
		  AND n.noderole = 'primary'
		ORDER BY 1`
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	if !onCluster(conn.Conn()) {
		return &places{alone: true}, nil
	}
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	p := &places{}
	p.shards, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (one place, err error) {
		var host string
		var port int
		err = row.Scan(&one.from, &one.to, &host, &port, &one.sites, &one.schedule)
		one.address = net.JoinHostPort(host, strconv.Itoa(port))
		return one, err
	})
	if err == nil && len(p.shards) == 0 {
		err = fmt.Errorf("the cluster has no shards of sites: %w", pgx.ErrNoRows)
	}
	return p, err
}

// shard returns the number of the shard that has a site, counted from 0.
func (p *places) shard(site int64) (int, bool) {
	hash := hashOf(site)
	i, found := slices.BinarySearchFunc(p.shards, hash, func(one place, hash int32) int {
		switch {
		case one.to < hash:
			return -1
		case one.from > hash:
			return 1
		}
		return 0
	})
	return i, found
}

// of returns the address of the server that has a site.
func (p *places) of(site int64) (string, bool) {
	i, found := p.shard(site)
	if !found {
		return "", false
	}
	return p.shards[i].address, true
}

// sorted sorts sites by their server, and there by their shard.
func (p *places) sorted(sites []int64) map[string]map[int][]int64 {
	of := map[string]map[int][]int64{}
	for _, site := range sites {
		i, found := p.shard(site)
		if !found {
			continue
		}
		address := p.shards[i].address
		if of[address] == nil {
			of[address] = map[int][]int64{}
		}
		of[address][i] = append(of[address][i], site)
	}
	return of
}

// hashOf is hashint8 of Postgres, by which Citus spreads rows.
func hashOf(n int64) int32 {
	low, high := uint32(n), uint32(n>>32)
	if n < 0 {
		high = ^high
	}
	low ^= high
	const start = 0x9e3779b9 + 4 + 3923095
	a, b, c := start+low, uint32(start), uint32(start)
	c ^= b
	c -= bits.RotateLeft32(b, 14)
	a ^= c
	a -= bits.RotateLeft32(c, 11)
	b ^= a
	b -= bits.RotateLeft32(a, 25)
	c ^= b
	c -= bits.RotateLeft32(b, 16)
	a ^= c
	a -= bits.RotateLeft32(c, 4)
	b ^= a
	b -= bits.RotateLeft32(a, 14)
	c ^= b
	c -= bits.RotateLeft32(b, 24)
	return int32(c)
}
