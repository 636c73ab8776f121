package metrics_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/metrics"
)

// scraped returns the lines about Kalends of a scrape, without comments.
func scraped(t *testing.T, m *metrics.Metrics) []string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	var list []string
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "kalends_") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// Each scrape tells how things are at that moment.
func TestSources(t *testing.T) {
	t.Parallel()
	yes, no := func() bool { return true }, func() bool { return false }
	scrapes := 0
	m := metrics.New(metrics.Sources{
		Version: "1.2.3",
		Pool: func() metrics.Pool {
			return metrics.Pool{Max: 8, Acquired: 2, Idle: 5, Acquires: 100, Waits: 3, Waited: 1500 * time.Millisecond}
		},
		Cache: func() metrics.Cache {
			return metrics.Cache{Bytes: 10, Capacity: 20, Hits: 1, Misses: 2, RedisHits: 3, Evictions: 4}
		},
		Redis: yes, Listening: no,
		Database: func(ctx context.Context) (metrics.Database, error) {
			if _, limited := ctx.Deadline(); !limited {
				t.Error("a scrape waits for ever")
			}
			scrapes++
			return metrics.Database{Sites: map[string]int{"active": scrapes, "closed": 0}, Overdue: 90 * time.Second,
				Jobs: map[metrics.Job]int{{Kind: "export", State: "done"}: 2}}, nil
		},
	})
	m.Gate(func() metrics.Gate { return metrics.Gate{Places: 8, Taken: 3, Waiting: 1} })
	m.Published(4, 2*time.Second, errors.New("failed"))
	m.Swept(5, 600, nil)
	m.Swept(0, 0, errors.New("failed"))
	m.Refused("limit")
	scraped(t, m)
	lines := scraped(t, m)
	for _, want := range []string{
		"kalends_db_connections_max 8", "kalends_db_connections_acquired 2", "kalends_db_connections_idle 5", "kalends_db_acquires_total 100",
		"kalends_db_acquire_waits_total 3", "kalends_db_acquire_seconds_total 1.5", "kalends_cache_hits_total 1", "kalends_cache_misses_total 2",
		"kalends_cache_redis_hits_total 3", "kalends_cache_evictions_total 4", "kalends_cache_bytes 10", "kalends_cache_capacity_bytes 20", "kalends_redis_open 1",
		"kalends_versions_listening 0",
		"kalends_database_up 1", `kalends_sites{state="active"} 2`, `kalends_sites{state="closed"} 0`, `kalends_jobs{kind="export",state="done"} 2`,
		"kalends_schedule_overdue_seconds 90", "kalends_gate_places 8", "kalends_gate_taken 3", "kalends_gate_waiting 1", "kalends_schedule_published_total 4",
		"kalends_schedule_failures_total 1", "kalends_media_swept_files_total 5", "kalends_media_swept_bytes_total 600", "kalends_media_sweep_failures_total 1",
		`kalends_requests_refused_total{reason="busy"} 0`, `kalends_requests_refused_total{reason="limit"} 1`,
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no %s in %s", want, strings.Join(lines, "\n"))
		}
	}
	if i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "kalends_build_info{") }); i < 0 || !strings.Contains(lines[i], `version="1.2.3"`) {
		t.Error("nothing says which program this is")
	}
}

// A database that doesn't answer is told, and so is everything else. What there is not is not told at all.
func TestSourcesAway(t *testing.T) {
	t.Parallel()
	m := metrics.New(metrics.Sources{
		Pool: func() metrics.Pool { return metrics.Pool{Max: 8} },
		Database: func(context.Context) (metrics.Database, error) {
			return metrics.Database{Sites: map[string]int{"active": 1}}, errors.New("away")
		},
	})
	lines := scraped(t, m)
	if !slices.Contains(lines, "kalends_database_up 0") || !slices.Contains(lines, "kalends_db_connections_max 8") {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	for _, line := range lines {
		for _, not := range []string{"kalends_sites", "kalends_jobs", "kalends_schedule_overdue", "kalends_redis", "kalends_cache", "kalends_gate", "kalends_versions"} {
			if strings.HasPrefix(line, not) {
				t.Errorf("%s, which nobody knows", line)
			}
		}
	}
}

// Requests are counted by the pattern of their route, whatever methods clients invent. Where nothing is counted nothing fails.
func TestRequestLabels(t *testing.T) {
	t.Parallel()
	m := metrics.New(metrics.Sources{})
	for _, c := range []struct {
		method string
		status int
	}{{"GET", 200}, {"GET", 204}, {"GET", 304}, {"BREW", 405}, {"get", 404}, {"POST", 503}} {
		m.Request("/events/{id}", c.method, c.status, 10, time.Millisecond)
	}
	lines := scraped(t, m)
	for labels, n := range map[string]string{`method="GET",route="/events/{id}",status="2xx"`: "20", `method="GET",route="/events/{id}",status="3xx"`: "10",
		`method="other",route="/events/{id}",status="4xx"`: "20", `method="POST",route="/events/{id}",status="5xx"`: "10"} {
		if !slices.Contains(lines, "kalends_http_response_bytes_total{"+labels+"} "+n) {
			t.Errorf("no %s %s in %s", labels, n, strings.Join(lines, "\n"))
		}
	}
	var none *metrics.Metrics
	none.Request("/", "GET", 200, 1, time.Second)
	none.Refused("busy")
	none.Gate(nil)
	none.Published(1, time.Second, nil)
	none.Swept(1, 1, nil)
}
