package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/embedded"
)

// bench is one run with its processes and results.
type bench struct {
	options
	out   io.Writer
	today time.Time
	dir   string // for temporary files

	postgres *embedded.Server // nil with TEST_DATABASE_URL
	server   string           // address of the database server
	version  string           // of Postgres
	made     []string         // databases to drop
	redis    string           // address; "" without Redis
	binary   string           // path of kalends

	main, skewed       *dataset
	mainURL, skewedURL string

	processes                                 []*process
	ending                                    []*process // processes of the current work only
	hot, cold, shared, coldSkewed             *process   // kalends: cached, uncached, cached in Redis, uncached on the skewed data
	rawPeer, plainPeer, memoryPeer, redisPeer *process

	tag           string // of the list of the small site
	listBytes     int
	results       []result
	residentBytes int
	starts        []time.Duration
	limits        []limit
	before        string // load average
}

// limit is a result about the resources of one process.
type limit struct {
	name, measured, bar string
	met                 bool
}

// start builds kalends and starts a Postgres.
func (b *bench) start(ctx context.Context) error {
	var err error
	if b.dir, err = os.MkdirTemp("", "kalends-bench-"); err != nil {
		return err
	}
	b.binary = filepath.Join(b.dir, "kalends")
	build := exec.CommandContext(ctx, "go", "build", "-C", "..", "-trimpath", "-o", b.binary, "./cmd/kalends")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build kalends: %w\n%s", err, out)
	}
	if b.server = os.Getenv("TEST_DATABASE_URL"); b.server == "" {
		b.postgres, err = embedded.Start(ctx, embedded.Config{Dir: filepath.Join(b.dir, "db"), Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		b.server = b.postgres.URL()
	}
	return nil
}

// prepare creates databases and data, and builds kalends.
func (b *bench) prepare(ctx context.Context) error {
	err := b.start(ctx)
	if err != nil {
		return err
	}
	if err := b.redisServer(ctx); err != nil {
		return err
	}
	b.main, b.skewed = b.datasets()
	if b.mainURL, err = b.database(ctx, "main", b.main, true); err != nil {
		return err
	}
	b.skewedURL, err = b.database(ctx, "skewed", b.skewed, false)
	return err
}

// datasets returns the data to load: sites of several sizes and sites to write to, and separately data of which one
// site holds nine tenths.
func (b *bench) datasets() (even, skewed *dataset) {
	even, skewed = newDataset(b.today), newDataset(b.today)
	even.add("small", 500)
	even.add("large", 10_000)
	even.add("mixed", 500)
	even.add(bilingual, 500)
	for n := range writers {
		even.add(writer(n), 500)
	}
	even.repeat("half", 260, 10, 25)
	even.repeat("brief", 500, 500, 4)
	even.repeat("long", 550, 550, b.longest())
	for n := range b.sites {
		even.add(fmt.Sprintf("s%04d", n), 1000)
	}
	for n := range b.neighbours {
		skewed.add(fmt.Sprintf("s%04d", n), 1000)
	}
	skewed.add("giant", 9*1000*b.neighbours)
	return even, skewed
}

// database creates and fills a database.
func (b *bench) database(ctx context.Context, name string, d *dataset, peers bool) (url string, err error) {
	began := time.Now()
	conn, err := pgx.Connect(ctx, b.server)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, "SHOW server_version").Scan(&b.version); err != nil {
		return "", err
	}
	name = fmt.Sprintf("bench_%s_%d", name, os.Getpid())
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	b.made = append(b.made, name)
	if url, err = withDatabase(b.server, name); err != nil {
		return "", err
	}
	err = d.fill(ctx, url, peers)
	events := d.events()
	b.say("loaded %d sites with %d events in %s", len(d.sites), events, time.Since(began).Round(time.Second))
	return url, err
}

// startAll starts Kalends in its configurations and the peers.
func (b *bench) startAll(ctx context.Context) error {
	var err error
	start := func(into **process, name, url string, more ...string) {
		if err == nil {
			*into, err = b.kalends(ctx, name, url, more...)
		}
	}
	start(&b.hot, "hot", b.mainURL)
	start(&b.cold, "cold", b.mainURL, "KALENDS_CACHE_BYTES=0")
	start(&b.coldSkewed, "cold-skewed", b.skewedURL, "KALENDS_CACHE_BYTES=0")
	if b.redis != "" {
		start(&b.shared, "shared", b.mainURL, "REDIS_URL="+b.redis)
	}
	if err == nil {
		err = b.startPeers(ctx)
	}
	return err
}

func (b *bench) kalends(ctx context.Context, name, url string, more ...string) (*process, error) {
	environment := append([]string{"DATABASE_URL=" + url, "KALENDS_DATA_DIR=" + filepath.Join(b.dir, "data"),
		"KALENDS_PLATFORM_DOMAIN=" + domain, "KALENDS_LOG_LEVEL=warn"}, more...)
	return b.launch(ctx, name, "KALENDS_ADDR", environment, b.binary, "serve", "--no-migrate")
}

// close stops everything that was started.
func (b *bench) close() {
	for _, p := range slices.Backward(b.processes) {
		p.stop()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if b.postgres == nil && len(b.made) > 0 {
		if conn, err := pgx.Connect(ctx, b.server); err == nil {
			for _, name := range b.made {
				_, _ = conn.Exec(ctx, "DROP DATABASE "+name) // the next run uses another name
			}
			_ = conn.Close(ctx)
		}
	}
	if b.postgres != nil {
		_ = b.postgres.Stop(ctx) // the results remain valid
	}
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}

func (b *bench) say(format string, a ...any) { fmt.Fprintf(b.out, format+"\n", a...) }

// printed returns the latest output of the processes.
func (b *bench) printed() string {
	var text strings.Builder
	for _, p := range b.processes {
		if last := p.printed(); last != "" {
			fmt.Fprintf(&text, "%s printed:\n%s\n", p.name, last)
		}
	}
	return text.String()
}

// addresses lists the addresses of all processes for manual inspection.
func (b *bench) addresses() string {
	lines := []string{b.mainURL, b.skewedURL, b.dir}
	for _, p := range b.processes {
		lines = append(lines, p.name+" "+p.addr)
	}
	return strings.Join(lines, "\n")
}
