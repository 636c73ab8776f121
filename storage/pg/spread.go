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

	"github.com/kalends/kalends/storage/shards"
)

// spread holds which server has which shard of sites.
type spread struct {
	alone  bool // there is a single server, with all sites
	shards []*shard
}

// shard is a part of the table sites: the rows whose ids have hashes in a range.
type shard struct {
	from, to int32
	address  string
	names    *shards.Names
}

// number is the number that Citus gave to the shard of the table sites.
func (p *shard) number() int64 { return p.names.Number["sites"] }

func readSpread(ctx context.Context, pool *pgxpool.Pool) (*spread, error) {
	const single = `
		SELECT p.logicalrelid::text,
		       p.repmodel = 't',
		       s.shardid
		FROM pg_dist_partition p
		JOIN pg_dist_shard s USING (logicalrelid)
		WHERE p.partmethod = 'n'`
	const query = `
		SELECT s.shardminvalue::integer,
		       s.shardmaxvalue::integer,
		       n.nodename,
		       n.nodeport,
		       (SELECT jsonb_object_agg(d.logicalrelid::text, d.shardid)
		        FROM pg_dist_shard d
		        JOIN pg_dist_partition t USING (logicalrelid)
		        WHERE t.partmethod = 'h'
		          AND d.shardminvalue = s.shardminvalue)
		FROM pg_dist_shard s
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
		return &spread{alone: true}, nil
	}
	rows, err := conn.Query(ctx, single)
	if err != nil {
		return nil, err
	}
	copies, kept := map[string]int64{}, map[string]bool{}
	var table string
	var copied bool
	var number int64
	_, err = pgx.ForEachRow(rows, []any{&table, &copied, &number}, func() error {
		if copied {
			copies[table] = number
		} else {
			kept[table] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if rows, err = conn.Query(ctx, query); err != nil {
		return nil, err
	}
	p := &spread{}
	p.shards, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (one *shard, err error) {
		one = &shard{names: &shards.Names{Copies: copies, Kept: kept}}
		var host string
		var port int
		err = row.Scan(&one.from, &one.to, &host, &port, &one.names.Number)
		one.address = net.JoinHostPort(host, strconv.Itoa(port))
		return one, err
	})
	if err == nil && len(p.shards) == 0 {
		err = fmt.Errorf("the cluster has no shards of sites: %w", pgx.ErrNoRows)
	}
	return p, err
}

// shard returns the number of the shard that has a site, counted from 0.
func (p *spread) shard(site int64) (int, bool) {
	hash := hashOf(site)
	i, found := slices.BinarySearchFunc(p.shards, hash, func(one *shard, hash int32) int {
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

// of returns the shard that has a site, or nil if there is none.
func (p *spread) of(site int64) *shard {
	if i, found := p.shard(site); found {
		return p.shards[i]
	}
	return nil
}

// sorted groups sites by their server, and then by their shard.
func (p *spread) sorted(sites []int64) map[string]map[*shard][]int64 {
	of := map[string]map[*shard][]int64{}
	for _, site := range sites {
		one := p.of(site)
		if one == nil {
			continue
		}
		if of[one.address] == nil {
			of[one.address] = map[*shard][]int64{}
		}
		of[one.address][one] = append(of[one.address][one], site)
	}
	return of
}

// hashOf is hashint8 of Postgres, which Citus uses to distribute rows.
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
