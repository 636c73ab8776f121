package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/migrations"
)

// The targets of hosting.
const (
	slowestCreate  = 100 * time.Millisecond // for creating a site, p99
	evenest        = 0.80                   // latency of lists of 10 sites relative to all sites
	mostDisturbed  = 1.5                    // p99 next to a noisy site relative to without
	eventsOfEach   = 20
	eventsWritten  = 2000 // through the API, to measure the size of one
	eventsOfBig    = 200_000
	requestsMinute = 600 // in the plan of the noisy site
	providerSecret = "kalp_provider_of_the_bench"
)

// hosting is one run of `bench hosting`: many sites on one node.
type hosting struct {
	*bench
	url                   string
	data                  *dataset
	creates               []time.Duration
	creating              time.Duration // for all sites
	emptySite, eventBytes float64       // size in the database, including indexes
	filledEvent           float64
	lists                 []listing
	big                   *site // the site with very many events, once they are loaded
	filling               time.Duration
	neighbour             map[string][]time.Duration
	noise                 map[string]*noise
}

// listing is the result for lists of some sites.
type listing struct {
	listForm
	first, few, all figures
	resident        int // bytes, after listing every site
}

// listForm is the configuration of a node for the list measurements.
type listForm struct {
	name         string
	settings     []string
	list         func(s *site) request
	even         bool // whether lists of all sites must be as fast as those of a few
	mostResident int  // bytes; 0: no target
}

// roomy has memory for the lists of all sites, packed for compressed ones.
var (
	roomy  = []string{fmt.Sprint("KALENDS_CACHE_BYTES=", 1<<30)}
	packed = []string{fmt.Sprint("KALENDS_CACHE_BYTES=", 128<<20)}
)

var listForms = []listForm{
	{"lists without the cache", []string{"KALENDS_CACHE_BYTES=0"}, firstPage, true, 0},
	{"lists with the cache on", nil, firstPage, false, mostResident},
	{"gzipped lists with the cache on", nil, packedList, false, mostResident},
	{"lists with a cache large enough for all sites", roomy, firstPage, true, 0},
	{"gzipped lists with a cache large enough for all sites", packed, packedList, true, 0},
}

func firstPage(s *site) request { return listOf(s, 1) }

// runHosting runs the whole measurement.
func runHosting(ctx context.Context, o options) (err error) {
	h := &hosting{bench: &bench{options: o, out: os.Stdout}, neighbour: map[string][]time.Duration{}, noise: map[string]*noise{}}
	defer func() { h.close() }()
	if h.today, err = time.Parse(time.DateOnly, o.date); err != nil {
		return err
	}
	wanted, err := regexp.Compile(o.only)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{h.begin, h.createSites, h.fillSites} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name string
		run  func(context.Context) error
	}{{"writes", h.writeEvents}, {"lists", h.serveEvenly}, {"neighbours", h.disturb},
		{"many", h.disturbByMany}} {
		if !wanted.MatchString(part.name) {
			continue
		}
		if err := part.run(ctx); err != nil {
			return err
		}
	}
	report := h.table()
	fmt.Fprint(h.out, "\n"+report)
	if o.only == "" {
		err = os.WriteFile(o.results, []byte(report), 0o600)
	}
	if o.keep {
		fmt.Fprintln(h.out, h.url)
		<-ctx.Done()
	}
	return err
}

// begin creates an empty installation.
func (h *hosting) begin(ctx context.Context) error {
	if err := h.start(ctx); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, h.server)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, "SHOW server_version").Scan(&h.version); err != nil {
		return err
	}
	name := fmt.Sprintf("bench_hosting_%d", os.Getpid())
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return err
	}
	h.made = append(h.made, name)
	if h.url, err = withDatabase(h.server, name); err != nil {
		return err
	}
	return migrations.Up(ctx, h.url)
}

// node starts Kalends on the installation.
func (h *hosting) node(ctx context.Context, name string, more ...string) (*process, error) {
	return h.kalends(ctx, name, h.url, append(more, "KALENDS_PROVIDER_TOKEN="+providerSecret)...)
}

func provider(method, path, body string, status int) request {
	return request{method: method, host: domain, path: "/platform/v1" + path, body: body, status: status,
		header: http.Header{"Authorization": {"Bearer " + providerSecret}, "Content-Type": {"application/json"}}}
}

// createSites creates the sites through the provider's interface, four at a time.
func (h *hosting) createSites(ctx context.Context) error {
	node, err := h.node(ctx, "maker")
	if err != nil {
		return err
	}
	before, err := h.size(ctx)
	if err != nil {
		return err
	}
	var next atomic.Int64
	began := time.Now()
	h.creates, err = timed(ctx, node.addr, 4, func(int) (request, bool) {
		n := int(next.Add(1)) - 1
		return provider(http.MethodPost, "/sites", fmt.Sprintf(`{"slug":%q,"name":"Calendar %d","timezone":%q,"language":"en"}`,
			slugOf(n), n, zone), http.StatusCreated), n <= h.sites
	})
	if err != nil {
		return err
	}
	h.creating = time.Since(began)
	node.stop()
	after, err := h.size(ctx)
	h.emptySite = float64(after-before) / float64(len(h.creates))
	h.say("created %d sites in %s", len(h.creates), h.creating.Round(time.Millisecond))
	return err
}

func slugOf(n int) string { return fmt.Sprintf("h%06d", n) }

// size returns the size of all tables including indexes.
func (h *hosting) size(ctx context.Context) (bytes int64, err error) {
	const query = `
		SELECT sum(pg_total_relation_size(oid))
		FROM pg_class
		WHERE relnamespace = 'public'::regnamespace
		  AND relkind = 'r'`
	conn, err := pgx.Connect(ctx, h.url)
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, query).Scan(&bytes)
	return bytes, err
}

// fillSites loads events into all sites with COPY.
func (h *hosting) fillSites(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, h.url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "SELECT id, slug FROM sites WHERE slug LIKE 'h______' ORDER BY id")
	if err != nil {
		return err
	}
	h.data = newDataset(h.today)
	var id int64
	var slug string
	if _, err := pgx.ForEachRow(rows, []any{&id, &slug}, func() error {
		if len(h.data.sites) == h.sites { // the last one stays empty for now
			h.big = &site{id: id, slug: slug, events: h.many()}
			return nil
		}
		h.data.add(slug, eventsOfEach)
		h.data.bySlug[slug].id = id
		return nil
	}); err != nil {
		return err
	}
	before, err := h.size(ctx)
	if err != nil {
		return err
	}
	if err := h.load(ctx, conn, h.data); err != nil {
		return err
	}
	after, err := h.size(ctx)
	h.filledEvent = float64(after-before) / float64(len(h.data.sites)*eventsOfEach)
	return err
}

// load copies events and their links into existing sites.
func (h *hosting) load(ctx context.Context, conn *pgx.Conn, d *dataset) error {
	restore, err := strip(ctx, conn)
	if err != nil {
		return err
	}
	for _, t := range tables[1:] { // the sites exist
		if err := d.copy(ctx, conn, t); err != nil {
			return fmt.Errorf("copy %s: %w", t.name, err)
		}
	}
	first, last := d.sites[0], d.sites[len(d.sites)-1]
	restore = append(restore, fmt.Sprintf(`UPDATE sites SET version = 2, links_version = 2, last_post_id = %d, last_term_id = %d, last_user_id = 1,
		used_events = %d, used_users = 1 WHERE id BETWEEN %d AND %d`, first.lastPost(), categories+tags, first.events, first.id, last.id))
	if _, err := conn.Exec(ctx, strings.Join(restore, ";\n")); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "VACUUM (ANALYZE)")
	return err
}

// writeEvents creates events through the API to measure their size including history.
func (h *hosting) writeEvents(ctx context.Context) error {
	node, err := h.node(ctx, "writer")
	if err != nil {
		return err
	}
	defer node.stop()
	before, err := h.size(ctx)
	if err != nil {
		return err
	}
	total := eventsWritten
	if h.quick {
		total /= 2
	}
	s := h.data.sites[0]
	var next atomic.Int64
	_, err = timed(ctx, node.addr, 4, func(int) (request, bool) {
		n := int(next.Add(1)) - 1
		title, about := s.text(eventsOfEach + n)
		return request{method: http.MethodPost, host: s.host(), path: events, status: http.StatusCreated,
			header: http.Header{"Authorization": {"Bearer " + s.key()}, "Content-Type": {"application/json"}},
			body: fmt.Sprintf(`{"title":%q,"description":%q,"start_date":"2031-01-01 10:00:00","end_date":"2031-01-01 12:00:00","venue":%d,"organizer":%d,"categories":[1,2]}`,
				title, about, s.venue(n%s.places()), s.organizer(n%s.places()))}, n < total
	})
	if err != nil {
		return err
	}
	after, err := h.size(ctx)
	h.eventBytes = float64(after-before) / float64(total)
	return err
}
