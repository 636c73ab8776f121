package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Sources are read on each scrape. Nil functions are skipped.
type Sources struct {
	Version   string // of the program
	Pool      func() Pool
	Cache     func() Cache
	Redis     func() bool // whether requests use Redis
	Listening func() bool // whether version notifications arrive
	Database  func(ctx context.Context) (Database, error)
}

// Pool is the state of the database connection pool.
type Pool struct {
	Max, Acquired, Idle int
	Acquires, Waits     int64         // since the start: all acquisitions, and those that had to wait
	Waited              time.Duration // total waiting time
}

// Cache is the state of the response cache. Hits were found in this process, RedisHits in Redis.
type Cache struct {
	Bytes, Capacity                    int
	Hits, Misses, RedisHits, Evictions int64
}

// Gate is the state of the slots for requests that need the database.
type Gate struct {
	Places, Taken, Waiting int
}

// Database holds the metrics that only the database knows.
type Database struct {
	Sites   map[string]int // by state
	Overdue time.Duration  // how long the oldest due item has been waiting to be published
	Jobs    map[Job]int    // by kind and state
	Letters int            // sites with e-mails or deadlines of submissions that are due
	Hooks   int            // sites with messages of webhooks that are due
	Backup  time.Time      // when the last backup of the whole installation ended; zero: never
	Schema  int64          // version
}

// Job is the set of labels of jobs.
type Job struct{ Kind, State string }

// reader makes metrics of what only the database knows. It asks once a scrape.
type reader struct {
	read    func(ctx context.Context) (Database, error)
	sites   *prometheus.Desc
	overdue *prometheus.Desc
	jobs    *prometheus.Desc
	letters *prometheus.Desc
	hooks   *prometheus.Desc
	backup  *prometheus.Desc
	schema  *prometheus.Desc
	up      *prometheus.Desc
}

// scrapeTimeout is how long a scrape waits for the database.
const scrapeTimeout = 2 * time.Second

func newReader(read func(ctx context.Context) (Database, error)) *reader {
	return &reader{read: read,
		sites: prometheus.NewDesc("kalends_sites", "Sites by state.", []string{"state"}, nil),
		overdue: prometheus.NewDesc("kalends_schedule_overdue_seconds",
			"For how long the oldest of what is due waits to be published.", nil, nil),
		jobs: prometheus.NewDesc("kalends_jobs",
			"Exports and imports by kind and state; those that ended are counted for a day.", []string{"kind", "state"}, nil),
		letters: prometheus.NewDesc("kalends_mail_waiting_sites",
			"Sites of which something that visitors sent is due: an e-mail to be sent, or a deadline.", nil, nil),
		hooks: prometheus.NewDesc("kalends_webhook_waiting_sites",
			"Sites of which messages of webhooks have been due for more than a few seconds.", nil, nil),
		backup: prometheus.NewDesc("kalends_last_backup_timestamp_seconds",
			"When the last kalends backup of the whole installation ended, in seconds since 1970; 0 if there was none.", nil, nil),
		schema: prometheus.NewDesc("kalends_schema_version", "Version of the database's schema.", nil, nil),
		up:     prometheus.NewDesc("kalends_database_up", "Whether the database answered this scrape.", nil, nil)}
}

// sources registers the sources. What the database knows is read together.
func (m *Metrics) sources(s Sources) {
	if s.Pool != nil {
		m.pool(s.Pool)
	}
	if s.Cache != nil {
		m.cache(s.Cache)
	}
	if s.Redis != nil {
		m.gauge("kalends_redis_open", "Whether requests ask Redis; 0 while it doesn't answer.", func() float64 { return truth(s.Redis()) })
	}
	if s.Listening != nil {
		m.gauge("kalends_versions_listening", "Whether notifications of other nodes' writes arrive; 0 while they are polled for.",
			func() float64 { return truth(s.Listening()) })
	}
	if s.Database != nil {
		m.registry.MustRegister(newReader(s.Database))
	}
}

func (m *Metrics) pool(read func() Pool) {
	m.gauge("kalends_db_connections_max", "Most connections to the database.", func() float64 { return float64(read().Max) })
	m.gauge("kalends_db_connections_acquired", "Connections in use.", func() float64 { return float64(read().Acquired) })
	m.gauge("kalends_db_connections_idle", "Connections that wait for work.", func() float64 { return float64(read().Idle) })
	m.counter("kalends_db_acquires_total", "How often a connection was taken.", func() float64 { return float64(read().Acquires) })
	m.counter("kalends_db_acquire_waits_total", "How often a connection had to be waited for.",
		func() float64 { return float64(read().Waits) })
	m.counter("kalends_db_acquire_seconds_total", "How long connections were waited for.",
		func() float64 { return read().Waited.Seconds() })
}

func (m *Metrics) cache(read func() Cache) {
	m.counter("kalends_cache_hits_total", "Answers found in this process.", func() float64 { return float64(read().Hits) })
	m.counter("kalends_cache_redis_hits_total", "Answers found in Redis.", func() float64 { return float64(read().RedisHits) })
	m.counter("kalends_cache_misses_total", "Answers that had to be made.", func() float64 { return float64(read().Misses) })
	m.counter("kalends_cache_evictions_total", "Answers given up for want of room.", func() float64 { return float64(read().Evictions) })
	m.gauge("kalends_cache_bytes", "Bytes that the answers in this process take.", func() float64 { return float64(read().Bytes) })
	m.gauge("kalends_cache_capacity_bytes", "Bytes that they may take.", func() float64 { return float64(read().Capacity) })
}

func (m *Metrics) gauge(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
}

func (m *Metrics) counter(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, read))
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Describe implements prometheus.Collector.
func (r *reader) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{r.sites, r.overdue, r.jobs, r.letters, r.hooks, r.backup, r.schema, r.up} {
		out <- desc
	}
}

// Collect implements prometheus.Collector. If the database does not answer, only its own metrics are missing.
func (r *reader) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	d, err := r.read(ctx)
	out <- prometheus.MustNewConstMetric(r.up, prometheus.GaugeValue, truth(err == nil))
	if err != nil {
		return
	}
	for state, n := range d.Sites {
		out <- prometheus.MustNewConstMetric(r.sites, prometheus.GaugeValue, float64(n), state)
	}
	for job, n := range d.Jobs {
		out <- prometheus.MustNewConstMetric(r.jobs, prometheus.GaugeValue, float64(n), job.Kind, job.State)
	}
	out <- prometheus.MustNewConstMetric(r.letters, prometheus.GaugeValue, float64(d.Letters))
	out <- prometheus.MustNewConstMetric(r.hooks, prometheus.GaugeValue, float64(d.Hooks))
	backup := float64(0)
	if !d.Backup.IsZero() {
		backup = float64(d.Backup.Unix())
	}
	out <- prometheus.MustNewConstMetric(r.backup, prometheus.GaugeValue, backup)
	out <- prometheus.MustNewConstMetric(r.schema, prometheus.GaugeValue, float64(d.Schema))
	out <- prometheus.MustNewConstMetric(r.overdue, prometheus.GaugeValue, d.Overdue.Seconds())
}
