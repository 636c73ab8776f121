// Package metrics counts what an installation does, for Prometheus. The house
// feeds it through small functions and hands it what can be read at each scrape;
// nothing here knows what a site or an event is. No number names a site or an
// address: they would have no end.
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

// Metrics is the set of numbers of one process. Nil counts nothing.
type Metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.HistogramVec
	bytes     *prometheus.CounterVec
	refused   *prometheus.CounterVec
	published prometheus.Counter
	failed    prometheus.Counter
	lag       prometheus.Histogram
	swept     swept

	mu     sync.Mutex
	series atomic.Pointer[map[request]*series] // copied when one is added, for it is read by every request
}

// swept is what became of files that nothing names.
type swept struct{ files, bytes, failures prometheus.Counter }

// request is what a request is counted under.
type request struct {
	route, method string
	class         int
}

type series struct {
	duration prometheus.Observer
	bytes    prometheus.Counter
}

// buckets are the bounds of durations, in seconds: a kept answer takes a
// fraction of a millisecond, a slow write a second.
var buckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// New returns the numbers of a process, with those that the sources know.
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
		m.refused.WithLabelValues(reason) // 0 is a number too
	}
	m.registry.MustRegister(m.requests, m.bytes, m.refused, m.published, m.failed, m.lag,
		m.swept.files, m.swept.bytes, m.swept.failures, newReader(s), build(s.Version),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler answers scrapes.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 3, Timeout: 10 * time.Second})
}

// Request counts an answer: the pattern of its route, which must come from the
// table of routes, its method, its status, the bytes of its body, and how long it
// took. It allocates nothing for what was seen before.
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

// add makes the series of a kind of request that is seen for the first time.
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

// known returns a method that is one, so that clients can't invent labels. The
// text is a constant: that of a request is gone with the request.
func known(method string) string {
	for _, m := range [...]string{"GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		if m == method {
			return m
		}
	}
	return "other"
}

// Refused counts a request that was sent away, and why: "busy" or "limit"; or
// "connections", when the system gave none.
func (m *Metrics) Refused(reason string) {
	if m != nil {
		m.refused.WithLabelValues(reason).Inc()
	}
}

// Gate has the places of requests read at each scrape.
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
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: part.help},
			func() float64 { return float64(part.of(read())) }))
	}
}

// Published counts a round of scheduled publishing: how many items, how long
// after it was due it ended, and what went wrong.
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

// Swept counts a round of removing files that nothing names.
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

// build names the program.
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
