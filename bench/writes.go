package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// writers is the number of sites to write to.
const writers = 8

func writer(n int) string { return fmt.Sprintf("write%d", n) }

// serial makes every written event unique across rounds.
var serial atomic.Int64

// authorized returns the headers of a write.
func authorized(s *site) http.Header {
	return http.Header{"Authorization": {"Bearer " + s.key()}, "Content-Type": {"application/json"}}
}

// creation requests a new event with a venue, organizers and terms.
func creation(d *dataset, s *site) request {
	n := int(serial.Add(1)) + 1_000_000
	title, about := s.text(n)
	at, length := d.starts(s, n)
	l := s.links(n)
	var categoryIDs, tagIDs []int64
	for _, t := range l.terms {
		if t <= categories {
			categoryIDs = append(categoryIDs, t)
		} else {
			tagIDs = append(tagIDs, t)
		}
	}
	body, _ := json.Marshal(map[string]any{"title": title, "description": "<p>" + about + "</p>", "start_date": at.Format(stamp),
		"end_date": at.Add(length).Format(stamp), "cost": fmt.Sprint(5 + n%20), "website": "https://tickets.example/" + fmt.Sprint(n),
		"show_map": true, "show_map_link": true, "venue": l.venue, "organizer": l.organizers, "categories": categoryIDs, "tags": tagIDs})
	return request{method: http.MethodPost, host: s.host(), path: events, body: string(body), header: authorized(s),
		status: http.StatusCreated}
}

// alteration changes the title of one of a site's events.
func alteration(s *site) request {
	n := int(serial.Add(1))
	title, _ := s.text(n)
	body, _ := json.Marshal(map[string]any{"title": title})
	return request{method: http.MethodPost, host: s.host(), path: fmt.Sprint(events, "/", s.event(n%s.events)), body: string(body),
		header: authorized(s)}
}

// driven returns a side whose requests are generated while sending.
func (b *bench) driven(p *process, name string, workers int, next func(worker, n int) request) side {
	return side{name, func(ctx context.Context, d time.Duration) (float64, error) {
		return drive(ctx, p.addr, workers, d, next)
	}}
}

// writeWorks compare writes with the bare transaction of the same rows, and a site that is read and written at the
// same time with and without cache.
func (b *bench) writeWorks() []work {
	site := func(n int) *site { return b.main.bySlug[writer(n)] }
	create := func(w, _ int) request { return creation(b.main, site(w)) }
	update := func(w, _ int) request { return alteration(site(w)) }
	var list []work
	for _, n := range []int{1, 8} {
		where := fmt.Sprintf(", %d connection%s, one site each", n, map[bool]string{true: "s"}[n > 1])
		list = append(list,
			work{"create" + where, b.driven(b.hot, "kalends", n, create), b.bare(n, insertOwn, "bare insert"), 0.60},
			work{
				"create" + where + ", against tables without keys",
				b.driven(b.hot, "kalends", n, create), b.bare(n, insertBare, "no keys"), 0,
			},
			work{"update" + where, b.driven(b.hot, "kalends", n, update), b.bare(n, updateBare, "bare update"), 0.60},
			work{"update" + where + ", against the row with its indexes", b.driven(b.hot, "kalends", n, update),
				b.bare(n, updateOwn, "bare, indexed"), 0},
			work{"update" + where + ", against the row with its indexes, version and history", b.driven(b.hot, "kalends", n, update),
				b.bare(n, updatePromised, "bare, promised"), 0})
	}
	one := func(int, int) request { return creation(b.main, site(0)) }
	for _, n := range []int{1, 8} {
		list = append(list, work{at("create on one site", n), b.driven(b.hot, "kalends", n, one), b.driven(b.plainPeer, "bare program", n, one), 0.70})
	}
	list = append(list, work{
		"create, 8 connections, all on one site",
		b.driven(b.hot, "one site", 8, one), b.driven(b.hot, "one site each", 8, create), 0,
	})
	mixed := b.main.bySlug["mixed"]
	lists := of(20, func(int) request { return listOf(mixed, 1) })
	blend := of(40*mixed.events, func(n int) request { // each event alternates between two titles
		if n%20 == 19 {
			return alteration(mixed)
		}
		return listOf(mixed, 1)
	})
	return append(list,
		work{"95 % lists, 5 % writes on one site, 32 connections", b.load(b.hot, "cache on", 32, blend...),
			b.load(b.cold, "cache off", 32, blend...), 0},
		work{"lists of that site and no writes: what it can come to", b.load(b.hot, "cache on", 32, lists...),
			b.load(b.cold, "cache off", 32, lists...), 0})
}
