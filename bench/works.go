package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// side is one of the two sides compared.
type side struct {
	name string
	run  func(ctx context.Context, d time.Duration) (float64, error)
}

// work is one row: side a relative to side b.
type work struct {
	name string
	a, b side
	bar  float64 // 0: none
}

// load returns a side loaded by wrk. Because wrk does not distinguish 200 from 304, some requests are sent and
// checked beforehand.
func (b *bench) load(p *process, name string, connections int, requests ...request) side {
	asked := false
	return side{name, func(ctx context.Context, d time.Duration) (float64, error) {
		for i := range requests[:min(len(requests), 20)] {
			if asked {
				break
			}
			if _, err := fetch(ctx, p, requests[i]); err != nil {
				return 0, err
			}
		}
		asked = true
		return b.wrk(ctx, p.addr, connections, d, requests)
	}}
}

// works returns all rows of the table.
func (b *bench) works() []work {
	var list []work
	for _, connections := range []int{32, 8, 1} {
		list = append(list, b.hotWorks(connections)...)
	}
	for _, connections := range []int{32, 1} {
		list = append(list, b.coldWorks(connections)...)
	}
	list = append(list, b.languageWork())
	list = append(append(list, b.scaleWorks()...), b.seriesWorks()...)
	return append(append(list, b.poolWorks()...), b.writeWorks()...)
}

// barAt returns a target that is defined only for 32 connections.
func barAt(connections int, bar float64) float64 {
	if connections == 32 {
		return bar
	}
	return 0
}

func at(name string, connections int) string {
	return fmt.Sprintf("%s, %d connection%s", name, connections, strings.Repeat("s", min(connections-1, 1)))
}

// hotWorks compare cached responses with the same bytes from memory.
func (b *bench) hotWorks(n int) []work {
	s := b.main.bySlug["small"]
	unchanged := listOf(s, 1)
	unchanged.header, unchanged.status = http.Header{"If-None-Match": {b.tag}}, http.StatusNotModified
	rawUnchanged := unchanged
	rawUnchanged.path = "/unchanged"
	rawPacked := packedList(s)
	rawPacked.path = "/packed"
	raw := func(r request) side { return b.load(b.rawPeer, "raw Fiber", n, r) }
	hot := func(r request) side { return b.load(b.hot, "kalends", n, r) }
	list := []work{
		{at("hot list", n), hot(listOf(s, 1)), raw(request{host: s.host(), path: "/list"}), map[bool]float64{true: 0.90}[n > 1]},
		{at("hot list, stored gzip", n), hot(packedList(s)), raw(rawPacked), barAt(n, 0.80)},
		{at("hot list, 304", n), hot(unchanged), raw(rawUnchanged), barAt(n, 0.70)},
		{at("hot single event", n), hot(eventOf(s, 7)), raw(request{host: s.host(), path: "/single"}), barAt(n, 0.80)},
	}
	if b.redisPeer != nil {
		list = append(list, work{at("hot list with Redis behind", n), b.load(b.shared, "kalends", n, listOf(s, 1)),
			b.load(b.redisPeer, "Redis GET", n, request{host: s.host(), path: "/list"}), 0})
	}
	return list
}

// coldWorks compare computed responses with the hand-written program.
func (b *bench) coldWorks(n int) []work {
	small, large := b.main.bySlug["small"], b.main.bySlug["large"]
	versus := func(name string, bar float64, requests ...request) work {
		return work{at(name, n), b.load(b.cold, "kalends", n, requests...), b.load(b.plainPeer, "plain pgx", n, requests...), barAt(n, bar)}
	}
	fresh := func(int, int) request { return unasked(b.main, small, int(serial.Add(1))) }
	return []work{
		{at("list never asked for before, 500", n), b.driven(b.hot, "kalends", n, fresh), b.driven(b.plainPeer, "plain pgx", n, fresh),
			barAt(n, 1.3)},
		{at("list never asked for before, 500, small things in memory", n), b.driven(b.hot, "kalends", n, fresh),
			b.driven(b.memoryPeer, "in memory", n, fresh), 0},
		versus("cold list, site of 500", 1.3, listOf(small, 1)),
		versus("cold list, site of 10,000", 0, listOf(large, 1)),
		versus("cold list, any of many sites", 0, anywhere(b.many(), 2000, 10)...),
		versus("cold list by category and search, 500", 0, of(48, func(i int) request { return found(small, i) })...),
		versus("cold list by category and search, 10,000", 0, of(48, func(i int) request { return found(large, i) })...),
		versus("cold page 20, site of 10,000", 0, listOf(large, 20)),
		versus("cold single event", 1.2, anyEvent(large, 2000)...),
	}
}

// many returns the sites with 1,000 events.
func (b *bench) many() []*site {
	var list []*site
	for _, s := range b.main.sites {
		if strings.HasPrefix(s.slug, "s0") || strings.HasPrefix(s.slug, "s1") {
			list = append(list, s)
		}
	}
	return list
}

// poolSizes are numbers of Postgres connections other than the default.
var poolSizes = []int{2, 4, 16, 32}

// poolWorks compare different numbers of Postgres connections. Each size has a process that runs only for its work,
// because every process is notified of every write.
func (b *bench) poolWorks() []work {
	var list []work
	requests := anywhere(b.many(), 2000, 1)
	for _, size := range poolSizes {
		var p *process
		var loaded side
		name := fmt.Sprintf("%d connections", size)
		sized := func(ctx context.Context, d time.Duration) (rate float64, err error) {
			if p == nil {
				if p, err = b.kalends(ctx, name, b.mainURL, "KALENDS_CACHE_BYTES=0",
					fmt.Sprint("KALENDS_DATABASE_CONNECTIONS=", size)); err != nil {
					return 0, err
				}
				b.ending = append(b.ending, p)
				loaded = b.load(p, name, 32, requests...)
			}
			return loaded.run(ctx, d)
		}
		list = append(list, work{fmt.Sprintf("cold list: %s to Postgres against the default", name), side{name, sized},
			b.load(b.cold, "default", 32, requests...), 0})
	}
	return list
}

// scaleWorks measure what more data costs.
func (b *bench) scaleWorks() []work {
	const n = 32
	small, large, many := b.main.bySlug["small"], b.main.bySlug["large"], b.many()
	beside := b.skewed.sites[:b.neighbours]
	among := many[:min(b.neighbours, len(many))]
	cold := func(name string, requests ...request) side { return b.load(b.cold, name, n, requests...) }
	return []work{
		{"cold list: page 20 against page 1", cold("page 20", listOf(large, 20)), cold("page 1", listOf(large, 1)), 0.80},
		{"cold list: 10,000 events against 500", cold("10,000", listOf(large, 1)), cold("500", listOf(small, 1)), 0.90},
		{fmt.Sprintf("cold list: %d sites, random, against one", len(many)), cold("many", anywhere(many, 4000, 1)...),
			cold("one", listOf(many[0], 1)), 0.75},
		{"cold list: beside a site with 90 % of all rows", b.load(b.coldSkewed, "beside it", n, anywhere(beside, 2000, 1)...),
			cold("without it", anywhere(among, 2000, 1)...), 0.95},
	}
}
