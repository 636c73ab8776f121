package server_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	attributes "go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/kalends/kalends/internal/metrics"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/kit"
)

// scrape parses the metrics as Prometheus does.
func scrape(t testing.TB, m *metrics.Metrics) map[string]*dto.MetricFamily {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(w.Body)
	if err != nil || w.Code != 200 {
		t.Fatalf("%d, %v", w.Code, err)
	}
	return families
}

// value returns a value of a metric family, or 0; for a histogram it is the count.
func value(families map[string]*dto.MetricFamily, name string, labels ...string) float64 {
	for _, m := range families[name].GetMetric() {
		have := map[string]string{}
		for _, l := range m.GetLabel() {
			have[l.GetName()] = l.GetValue()
		}
		fits := true
		for i := 0; i < len(labels); i += 2 {
			fits = fits && have[labels[i]] == labels[i+1]
		}
		if fits {
			return m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return 0
}

func TestRequestsAreCountedByRoute(t *testing.T) {
	t.Parallel()
	m := metrics.New(metrics.Sources{})
	_, k := kit.CachedKit(t, func(c *server.Config) { c.Metrics = m })
	id := k.Event(nil)
	for range 3 {
		k.Get("/events?per_page=2", "").Want(t, 200, "")
	}
	k.Get("/events", "editor").Want(t, 200, "")
	k.Get(fmt.Sprint("/events/", id), "").Want(t, 200, "")
	k.Get("/events/999999", "").Want(t, 404, "rest-event-not-found")
	k.Get("/events/999998", "").Want(t, 404, "rest-event-not-found")
	k.Get("//nothing/here", "").Want(t, 404, "rest_no_route")
	k.Get("/events", "Basic !").Want(t, 401, "rest_invalid_credentials")
	k.Send(kit.Request{Method: "BREW", Path: "/events"})
	const name = "kalends_http_request_duration_seconds"
	got := scrape(t, m)
	root := "/calendar/events/v1"
	for _, c := range []struct {
		route, method, status string
		want                  float64
	}{
		{root + "/events", "GET", "2xx", 4}, // of which two were kept
		{root + "/events", "POST", "2xx", 1},
		{root + "/events/{id}", "GET", "2xx", 1},
		{root + "/events/{id}", "GET", "4xx", 2},
		{"none", "GET", "4xx", 2},
	} {
		if n := value(got, name, "route", c.route, "method", c.method, "status", c.status); n != c.want {
			t.Errorf("%s %s %s: %v, want %v", c.method, c.route, c.status, n, c.want)
		}
	}
	for _, series := range got[name].GetMetric() {
		for _, label := range series.GetLabel() {
			if strings.Contains(label.GetValue(), "9999") || strings.Contains(label.GetValue(), "nothing") || strings.Contains(label.GetValue(), "BREW") {
				t.Errorf("an address or a client's word is a label: %s", label)
			}
		}
	}
	if n := value(got, "kalends_http_response_bytes_total", "route", root+"/events/{id}", "status", "2xx"); n < 100 {
		t.Errorf("%v bytes were sent", n)
	}
	if n := value(got, "kalends_gate_places"); n != 16 {
		t.Errorf("%v places", n)
	}
}

// logLines parses a JSON log.
func logLines(t testing.TB, b *buffer) (lines []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(b.bytes()) {
		var fields map[string]any
		if err := json.Unmarshal(line, &fields); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		lines = append(lines, fields)
	}
	return lines
}

// buffer is safe for concurrent use.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) bytes() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.b.Bytes())
}

func TestRequestsAreLogged(t *testing.T) {
	t.Parallel()
	var out buffer
	_, k := kit.CachedKit(t, func(c *server.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	id := k.Event(nil)
	made := k.Get("/events?s=hidden_words", "").Want(t, 200, "").Header.Get("X-Request-Id")
	kept := k.Get("/events?s=hidden_words", "")
	if own := kept.Header.Get("X-Request-Id"); len(own) != 16 || own == made {
		t.Errorf("an answer that was kept has the id %q, the one it was made for %q", own, made)
	}
	k.Send(kit.Request{Method: "GET", Path: fmt.Sprint("/events/", id), As: "editor", Headers: map[string]string{"X-Request-Id": "from-the-proxy.1"}})
	wrong := k.Send(kit.Request{Method: "GET", Path: "/events/999999", Headers: map[string]string{"X-Request-Id": "bad id\"\n"}})
	right := k.Send(kit.Request{Method: "GET", Path: "/events/999999", Headers: map[string]string{"X-Request-Id": "good_id"}})
	if own := wrong.Header.Get("X-Request-Id"); len(own) != 16 || right.Header.Get("X-Request-Id") != "good_id" {
		t.Errorf("answered with ids %q and %q", own, right.Header.Get("X-Request-Id"))
	}
	k.Send(kit.Request{Method: "GET", Path: "/events", As: "Bearer " + kit.ProviderToken + "x"})
	lines := logLines(t, &out)
	lines = lines[len(lines)-6:]
	for i, want := range []map[string]any{
		{"level": "INFO", "route": "/calendar/events/v1/events", "site": "demo", "user": "", "status": 200.0},
		{"level": "DEBUG", "route": "/calendar/events/v1/events", "site": "demo", "user": "", "status": 200.0, "bytes": float64(len(kept.Raw))},
		{"route": "/calendar/events/v1/events/{id}", "site": "demo", "user": "editor", "status": 200.0, "id": "from-the-proxy.1"},
		{"level": "INFO", "status": 404.0, "id": wrong.Header.Get("X-Request-Id")},
		{"status": 404.0, "id": "good_id", "bytes": float64(len(right.Raw))},
		{"status": 401.0, "route": "none"},
	} {
		want["msg"], want["method"] = "request", "GET"
		for name, value := range want {
			if lines[i][name] != value {
				t.Errorf("line %d has %s %v, want %v", i, name, lines[i][name], value)
			}
		}
		if took, _ := lines[i]["duration"].(float64); took <= 0 || lines[i]["id"] == "" {
			t.Errorf("line %d: %v", i, lines[i])
		}
	}
	for _, secret := range []string{k.Secrets["demo/editor"], kit.ProviderToken, "hidden_words", "Basic ", "Bearer "} {
		if bytes.Contains(out.bytes(), []byte(secret)) {
			t.Errorf("the log has %q", secret)
		}
	}
}

// TestTraces checks the spans of requests: one per request with the database round trips below it, and no arguments.
func TestTraces(t *testing.T) {
	t.Parallel()
	exporter := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	tracer := provider.Tracer("test")
	var out buffer
	k := kit.NewNodeWith(t, storagetest.Database(t), storage.Options{MaxConns: 4, Tracer: tracer}, func(c *server.Config) {
		c.Tracer, c.Proxies = tracer, []string{"0.0.0.0"}
		c.Logger = slog.New(slog.NewJSONHandler(&out, nil))
	})
	k.Site("demo")
	k.Event(map[string]any{"title": "A Title Nobody Else Reads"})
	exporter.Reset()
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	k.Send(kit.Request{Method: "POST", Path: "/events", As: "editor", Headers: map[string]string{"traceparent": parent},
		JSON: map[string]any{"title": "Words Of A Site", "start_date": "2030-03-01", "end_date": "2030-03-02", "venue": map[string]any{"venue": "Hall"}}}).Want(t, 201, "")
	var top *tracetest.SpanStub
	spans := exporter.GetSpans()
	batches := 0
	for i := range spans {
		s := &spans[i]
		if s.SpanContext.TraceID().String() != "0af7651916cd43dd8448eb211c80319c" {
			t.Errorf("%s is of trace %s", s.Name, s.SpanContext.TraceID())
		}
		if strings.HasPrefix(s.Name, "POST") {
			top = s
		}
		if s.Name == "postgres batch" {
			batches++
		}
		for _, a := range s.Attributes {
			if text := a.Value.String(); strings.Contains(text, "Words") || strings.Contains(text, k.Secrets["demo/editor"]) || strings.Contains(text, "Hall") {
				t.Errorf("%s has %s", s.Name, text)
			}
		}
	}
	if top == nil || top.Name != "POST /calendar/events/v1/events" || batches < 2 {
		t.Fatalf("%d batches, %v", batches, spans)
	}
	want := attributes.NewSet(attributes.String("http.request.method", "POST"), attributes.String("http.route", "/calendar/events/v1/events"),
		attributes.Int("http.response.status_code", 201), attributes.String("kalends.site", "demo"))
	if got := attributes.NewSet(top.Attributes...); !got.Equals(&want) {
		t.Errorf("attributes %v", top.Attributes)
	}
	lines := logLines(t, &out)
	if last := lines[len(lines)-1]; last["trace"] != "0af7651916cd43dd8448eb211c80319c" {
		t.Errorf("line %v", last)
	}
	exporter.Reset()
	if _, _, err := platform.Totals(context.Background(), k.DB.Engine()); err != nil || len(exporter.GetSpans()) != 0 {
		t.Errorf("%v, %v: what no request asked for is traced", exporter.GetSpans(), err)
	}
}

// TestReadyTells checks what a node reports as missing.
func TestReadyTells(t *testing.T) {
	t.Parallel()
	stopping := make(chan struct{})
	why := map[string]string{}
	check := func(name string, vital bool) server.Check {
		return server.Check{Name: name, Vital: vital, Probe: func(context.Context) string { return why[name] }}
	}
	k := kit.New(t, func(c *server.Config) {
		c.Stopping, c.Checks = stopping, []server.Check{check("database", true), check("disk", false)}
	})
	ask := func(status int, text string) {
		t.Helper()
		a := k.Get("//readyz", "")
		if a.Status != status || string(a.Raw) != text || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%d %q, want %d %q", a.Status, a.Raw, status, text)
		}
	}
	ask(200, "ok\ndatabase: ok\ndisk: ok\n")
	why["disk"] = "12 MiB are left"
	ask(200, "ok\ndatabase: ok\ndisk: warning, 12 MiB are left\n")
	why["database"] = "it doesn't answer"
	ask(503, "not ready\ndatabase: failing, it doesn't answer\ndisk: warning, 12 MiB are left\n")
	a := k.Send(kit.Request{Method: "GET", Path: "//readyz", Headers: map[string]string{"Accept": "application/json"}})
	const want = `{"ready":false,"checks":[{"name":"database","state":"failing","why":"it doesn't answer"},{"name":"disk","state":"warning","why":"12 MiB are left"}]}`
	if string(a.Raw) != want || a.Header.Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("%s", a.Raw)
	}
	clear(why)
	if a := k.Get("/events", ""); a.Close {
		t.Error("a connection was closed")
	}
	close(stopping)
	ask(503, "not ready\ndatabase: ok\ndisk: ok\nrunning: failing, this node is about to stop\n")
	if a := k.Get("/events", ""); a.Status != 200 || !a.Close {
		t.Errorf("%d, closed %v", a.Status, a.Close)
	}
}

// A sign-in that fails is logged with who tried and from where, and counted. What may be a password is not logged, and probes are no news.
func TestRefusedSignInsAreLogged(t *testing.T) {
	t.Parallel()
	var out buffer
	m := metrics.New(metrics.Sources{})
	_, k := kit.CachedKit(t, func(c *server.Config) {
		c.Logger, c.Metrics = slog.New(slog.NewJSONHandler(&out, nil)), m
	})
	basic := func(text string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(text)) }
	k.Get("/events", basic("editor:wrong")).Want(t, 401, "rest_invalid_credentials")
	k.Get("/events", basic("my s3cret!§$:x")).Want(t, 401, "rest_invalid_credentials")
	k.Get("/events", "Bearer nothing").Want(t, 401, "rest_invalid_credentials")
	k.Get("/events?fresh", "editor").Want(t, 200, "")
	k.Get("//readyz", "")
	lines := logLines(t, &out)
	want := []map[string]any{{"tried": "editor", "status": 401.0}, {"tried": "…", "status": 401.0}, {"tried": "", "status": 401.0}, {"tried": nil, "status": 200.0}}
	if len(lines) != len(want) {
		t.Fatalf("%d lines: %s", len(lines), out.bytes())
	}
	for i, fields := range want {
		for name, value := range fields {
			if lines[i][name] != value {
				t.Errorf("line %d has %s %v, want %v", i, name, lines[i][name], value)
			}
		}
		if client, _ := lines[i]["client"].(string); client == "" {
			t.Errorf("line %d names no client", i)
		}
	}
	got := scrape(t, m)
	for how, n := range map[string]float64{"basic": 2, "bearer": 1, "form": 0} {
		if value := value(got, "kalends_sign_in_failures_total", "how", how); value != n {
			t.Errorf("%v by %s, want %v", value, how, n)
		}
	}
	if n := value(got, "kalends_bodies_bytes", "kind", "limit"); n < 1<<20 {
		t.Errorf("bodies may take %v", n)
	}
}
