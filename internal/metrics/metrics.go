// Package metrics collects the metrics of an installation for Prometheus. Other packages feed it through small
// functions and provide sources that are read on each scrape. It knows nothing about sites or events. No label names
// a site or an address, because their number is unbounded.
package metrics

import (
	"maps"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the metrics of one process. A nil *Metrics counts nothing.
type Metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.HistogramVec
	bytes     *prometheus.CounterVec
	refused   *prometheus.CounterVec
	published prometheus.Counter
	failed    prometheus.Counter
	lag       prometheus.Histogram
	swept     swept
	mail      *prometheus.CounterVec
	signIns   *prometheus.CounterVec
	webhooks  *prometheus.HistogramVec
	postgres  prometheus.Histogram
	redis     prometheus.Histogram

	mu     sync.Mutex
	series atomic.Pointer[map[request]*series] // copied on write, because every request reads it
}

// swept counts the results of removing unreferenced files.
type swept struct{ files, bytes, failures prometheus.Counter }

// request is the set of labels of a request.
type request struct {
	route, method string
	class         int
}

type series struct {
	duration prometheus.Observer
	bytes    prometheus.Counter
}

// buckets are the histogram bounds in seconds: a cached response takes a fraction of a millisecond, a slow write a
// second.
var buckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// New returns the metrics of a process, including those of the sources.
func New(s Sources) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "kalends_http_request_duration_seconds",
			Help: "Requests by pattern of their route, and how long each took.", Buckets: buckets}, []string{"route", "method", "status"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "kalends_http_response_bytes_total",
			Help: "Bytes of the bodies that were sent."}, []string{"route", "method", "status"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "kalends_requests_refused_total",
			Help: "Requests that were sent away: busy, because too many waited for the database (503), or over a limit (429)."},
			[]string{"reason"}),
		published: prometheus.NewCounter(prometheus.CounterOpts{Name: "kalends_schedule_published_total",
			Help: "Events, venues and organizers that were published at their time."}),
		failed: prometheus.NewCounter(prometheus.CounterOpts{Name: "kalends_schedule_failures_total",
			Help: "Rounds of scheduled publishing that came to nothing."}),
		lag: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "kalends_schedule_round_seconds",
			Help: "How long a round of scheduled publishing took, from when it was due.", Buckets: buckets}),
	}
	m.mail = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "kalends_mail_total",
		Help: "E-mails that the mail server accepted (sent) or that could not be sent (failed)."}, []string{"result"})
	m.signIns = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "kalends_sign_in_failures_total",
		Help: "Sign-ins that were refused, by how: a form, or basic and bearer in the Authorization header."}, []string{"how"})
	m.webhooks = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "kalends_webhook_duration_seconds",
		Help: "Messages of webhooks that receivers took (sent) or did not take (failed), and how long each try took.", Buckets: buckets},
		[]string{"result"})
	m.postgres = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "kalends_db_round_trip_seconds",
		Help: "How long each round trip to Postgres took, with all statements in it.", Buckets: buckets})
	m.redis = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "kalends_redis_command_seconds",
		Help: "How long each command or pipeline of Redis took.", Buckets: buckets})
	for _, result := range []string{"sent", "failed"} {
		m.mail.WithLabelValues(result)
		m.webhooks.WithLabelValues(result)
	}
	for _, how := range []string{"form", "basic", "bearer"} {
		m.signIns.WithLabelValues(how)
	}
	m.swept = swept{
		files: prometheus.NewCounter(prometheus.CounterOpts{Name: "kalends_media_swept_files_total",
			Help: "Files that were removed because nothing named them."}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{Name: "kalends_media_swept_bytes_total",
			Help: "Bytes of the files that were removed because nothing named them."}),
		failures: prometheus.NewCounter(prometheus.CounterOpts{Name: "kalends_media_sweep_failures_total",
			Help: "Rounds of removing files that came to nothing."}),
	}
	m.series.Store(&map[request]*series{})
	for _, reason := range []string{"busy", "limit"} {
		m.refused.WithLabelValues(reason) // export zero values, too
	}
	m.registry.MustRegister(m.mail, m.webhooks, m.signIns, m.postgres, m.requests, m.bytes, m.refused, m.published, m.failed, m.lag,
		m.swept.files, m.swept.bytes, m.swept.failures, build(s.Version),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if s.Redis != nil {
		m.registry.MustRegister(m.redis)
	}
	m.sources(s)
	return m
}

// Handler serves scrapes.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 3, Timeout: 10 * time.Second})
}

// Request counts a response: the pattern of its route, which must come from the route table, its method, status, body
// size in bytes, and duration. It does not allocate for combinations seen before.
func (m *Metrics) Request(route, method string, status, bytes int, took time.Duration) {
	if m == nil {
		return
	}
	key := request{route, known(method), status / 100}
	s := (*m.series.Load())[key]
	if s == nil {
		s = m.add(key)
	}
	s.duration.Observe(took.Seconds())
	s.bytes.Add(float64(bytes))
}

// add creates the series of a new combination of labels.
func (m *Metrics) add(key request) *series {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := *m.series.Load()
	if s := old[key]; s != nil {
		return s
	}
	class := strconv.Itoa(key.class) + "xx"
	s := &series{m.requests.WithLabelValues(key.route, key.method, class), m.bytes.WithLabelValues(key.route, key.method, class)}
	fresh := make(map[request]*series, len(old)+1)
	maps.Copy(fresh, old)
	fresh[key] = s
	m.series.Store(&fresh)
	return s
}

// known returns a valid method, so that clients cannot invent labels. It returns a constant, because a request's text
// does not outlive the request.
func known(method string) string {
	for _, m := range [...]string{"GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		if m == method {
			return m
		}
	}
	return "other"
}

// Refused counts a rejected request by reason: "busy" or "limit", or "connections" if the system had none left.
func (m *Metrics) Refused(reason string) {
	if m != nil {
		m.refused.WithLabelValues(reason).Inc()
	}
}

// Mailed counts an e-mail by its outcome.
func (m *Metrics) Mailed(err error) {
	switch {
	case m == nil:
	case err == nil:
		m.mail.WithLabelValues("sent").Inc()
	default:
		m.mail.WithLabelValues("failed").Inc()
	}
}

// Webhook counts a try to send a message of a webhook, and measures it.
func (m *Metrics) Webhook(sent bool, took time.Duration) {
	switch {
	case m == nil:
	case sent:
		m.webhooks.WithLabelValues("sent").Observe(took.Seconds())
	default:
		m.webhooks.WithLabelValues("failed").Observe(took.Seconds())
	}
}

// SignInRefused counts a sign-in that failed: by "form", "basic" or "bearer".
func (m *Metrics) SignInRefused(how string) {
	if m != nil {
		m.signIns.WithLabelValues(how).Inc()
	}
}

// Postgres measures a round trip.
func (m *Metrics) Postgres(took time.Duration) {
	if m != nil {
		m.postgres.Observe(took.Seconds())
	}
}

// Redis measures a command or a pipeline.
func (m *Metrics) Redis(took time.Duration) {
	if m != nil {
		m.redis.Observe(took.Seconds())
	}
}

// Bodies registers a function that returns the bytes of request bodies that are held, and their limit.
func (m *Metrics) Bodies(held func() int64, most int64) {
	m.budget("kalends_bodies_bytes", "Bytes of incoming bodies that are counted now, and may be.", held, most)
}

// Pictures registers a function that returns the bytes with which pictures are being decoded, and their limit.
func (m *Metrics) Pictures(held func() int64, most int64) {
	m.budget("kalends_pictures_bytes", "Bytes with which pictures are being decoded now, and may be.", held, most)
}

func (m *Metrics) budget(name, help string, held func() int64, most int64) {
	if m == nil {
		return
	}
	for kind, read := range map[string]func() float64{
		"held": func() float64 { return float64(held()) }, "limit": func() float64 { return float64(most) }} {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help,
			ConstLabels: prometheus.Labels{"kind": kind}}, read))
	}
}

// Gate registers a function that returns the state of the gate on each scrape.
func (m *Metrics) Gate(read func() Gate) {
	if m == nil {
		return
	}
	for name, part := range map[string]struct {
		help string
		of   func(Gate) int
	}{
		"kalends_gate_places":  {"Requests that may use the database at once.", func(g Gate) int { return g.Places }},
		"kalends_gate_taken":   {"Requests that do.", func(g Gate) int { return g.Taken }},
		"kalends_gate_waiting": {"Requests that wait for their turn.", func(g Gate) int { return g.Waiting }},
	} {
		m.gauge(name, part.help, func() float64 { return float64(part.of(read())) })
	}
}

// Published counts one run of scheduled publishing: the number of items, the delay after they were due, and the
// error.
func (m *Metrics) Published(items int, took time.Duration, err error) {
	if m == nil {
		return
	}
	m.published.Add(float64(items))
	m.lag.Observe(took.Seconds())
	if err != nil {
		m.failed.Inc()
	}
}

// Swept counts one run of removing unreferenced files.
func (m *Metrics) Swept(files, bytes int64, err error) {
	if m == nil {
		return
	}
	m.swept.files.Add(float64(files))
	m.swept.bytes.Add(float64(bytes))
	if err != nil {
		m.swept.failures.Inc()
	}
}

// build describes the program.
func build(version string) prometheus.Collector {
	labels := prometheus.Labels{"version": version, "revision": "unknown", "go": "unknown"}
	if info, ok := debug.ReadBuildInfo(); ok {
		labels["go"] = info.GoVersion
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				labels["revision"] = s.Value
			}
		}
	}
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "kalends_build_info",
		Help: "Which program this is; always 1.", ConstLabels: labels}, func() float64 { return 1 })
}
