package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/kalends/kalends/internal/args"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/platform"
)

// received are the spans a collector was sent, by name.
type received struct {
	sync.Mutex
	names map[string]int
}

func (r *received) handler(t *testing.T) http.HandlerFunc {
	return func(_ http.ResponseWriter, sent *http.Request) {
		body, err := io.ReadAll(sent.Body)
		var request collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &request)
		}
		if err != nil || sent.URL.Path != "/v1/traces" {
			t.Errorf("%s: %v", sent.URL.Path, err)
		}
		r.Lock()
		defer r.Unlock()
		for _, resource := range request.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				for _, span := range scope.GetSpans() {
					r.names[span.GetName()]++
				}
			}
		}
	}
}

// TestObserved runs the program with metrics, traces and a log of JSON, and reads
// all three as others would.
func TestObserved(t *testing.T) {
	t.Parallel()
	spans := &received{names: map[string]int{}}
	receiver := httptest.NewServer(spans.handler(t))
	defer receiver.Close()
	metrics := storagetest.Address(t)
	s := launchWith(t, dataDir(t), []string{"DATABASE_URL=" + storagetest.Database(t), "KALENDS_METRICS_ADDR=:" + metrics[strings.LastIndex(metrics, ":")+1:],
		"KALENDS_LOG_LEVEL=info", "OTEL_EXPORTER_OTLP_ENDPOINT=" + receiver.URL}).started()
	password := s.password()
	for range 2 {
		res, err := http.Get("http://" + s.addr + "/calendar/events/v1/events")
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%v, %v", res, err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
	}
	s.must(201, "POST", "/events", password, event("Seen"))
	var text []byte
	until(t, "listens for versions", func() bool { // a node is ready before it does
		res, err := http.Get("http://" + metrics + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, _ = io.ReadAll(res.Body)
		_ = res.Body.Close()
		return strings.Contains(string(text), "\nkalends_versions_listening 1")
	})
	for _, line := range []string{`kalends_http_request_duration_seconds_count{method="GET",route="/calendar/events/v1/events",status="2xx"} 2`,
		`kalends_http_request_duration_seconds_count{method="POST",route="/calendar/events/v1/events",status="2xx"} 1`,
		"kalends_cache_hits_total 1", "kalends_cache_misses_total 1", `kalends_sites{state="active"} 1`, `kalends_sites{state="deleted"} 0`, "kalends_database_up 1",
		`kalends_jobs{kind="export",state="queued"} 0`, `kalends_jobs{kind="import",state="failed"} 0`,
		"kalends_schedule_overdue_seconds 0", "kalends_db_connections_max 8", "kalends_gate_places 64",
		`kalends_requests_refused_total{reason="limit"} 0`, "kalends_build_info{", "kalends_media_swept_files_total 0", "go_goroutines ", "kalends_schedule_failures_total 0"} {
		if !strings.Contains(string(text), "\n"+line) {
			t.Errorf("no %s", line)
		}
	}
	s.signal(syscall.SIGTERM)
	if err := s.wait(); err != nil {
		t.Error(err)
	}
	spans.Lock()
	defer spans.Unlock()
	if n := spans.names; n["GET /calendar/events/v1/events"] != 2 || n["POST /calendar/events/v1/events"] != 1 || n["postgres batch"] == 0 {
		t.Errorf("spans %v", n)
	}
	requests := 0 // the cache answered one, and that has no line at info
	for line := range strings.Lines(s.errs.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		if fields["msg"] == "request" && fields["trace"] != "" && fields["trace"] != nil {
			requests++
		}
	}
	if requests != 2 || strings.Contains(s.errs.String(), password) {
		t.Errorf("%d requests in the log\n%s", requests, s.errs)
	}
}

// TestSitesByState: a site that is deleted and could be had back counts as deleted.
func TestSitesByState(t *testing.T) {
	t.Parallel()
	in := astray(t, storagetest.Database(t), 0)
	for _, slug := range []string{"one", "two", "three"} {
		site := &platform.SiteFields{Slug: args.Some(slug)}
		site.Name = args.Some(slug)
		if _, err := in.platform.Sites.Create(provider(t.Context()), site); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := in.platform.Sites.Delete(provider(t.Context()), "two", &platform.DeletionFields{}); err != nil {
		t.Fatal(err)
	}
	sites, _, err := platformstore.Totals(t.Context(), in.db.Engine())
	if want := map[string]int{"active": 2, "read_only": 0, "closed": 0, "deleted": 1}; err != nil || !maps.Equal(sites, want) {
		t.Errorf("%v, want %v, %v", sites, want, err)
	}
}

// TestTracesAreLost: a collector that is away is a line of the log like any other, and
// one a minute.
func TestTracesAreLost(t *testing.T) {
	t.Parallel()
	s := launchWith(t, dataDir(t), []string{"DATABASE_URL=" + storagetest.Database(t), "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1"}).started()
	s.must(200, "GET", "/events", "", nil)
	s.signal(syscall.SIGTERM)
	if err := s.wait(); err != nil {
		t.Error(err)
	}
	lost := 0
	for line := range strings.Lines(s.errs.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		if fields["msg"] == "traces are lost" {
			lost++
		}
	}
	if lost != 1 {
		t.Errorf("told %d times\n%s", lost, s.errs)
	}
	var log bytes.Buffer
	now := time.Now()
	told := &complaints{logger: slog.New(slog.NewJSONHandler(&log, nil)), clock: func() time.Time { return now }}
	for _, pause := range []time.Duration{0, time.Second, 58 * time.Second, time.Second} {
		now = now.Add(pause)
		told.Handle(io.EOF)
	}
	if n := strings.Count(log.String(), "\n"); n != 2 {
		t.Errorf("told %d times within a minute and at its end", n)
	}
}
