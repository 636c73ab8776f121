package main

import (
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestWrongSettings sets what can't be meant: the service doesn't start, and the
// doctor says the same of it.
func TestWrongSettings(t *testing.T) {
	t.Parallel()
	for _, c := range [][]string{
		{"KALENDS_ADDR", "8080", "host:8080:90", "127.0.0.1:99999"},
		{"KALENDS_METRICS_ADDR", "9090"},
		{"KALENDS_TRUSTED_PROXIES", "caddy", "10.0.0.0/33", "127.0.0.1,10.0.0.0-10.0.0.9", "127.0.0.1:8080"},
		{"KALENDS_PLATFORM_DOMAIN", "https://calendars.example.org", "calendars.example.org:8080", "*.example.org"},
		{"KALENDS_DATABASE_CONNECTIONS", "0", "-3"},
		{"KALENDS_CACHE_BYTES", "-1"},
		{"KALENDS_REQUESTS_PER_KEY", "-1"},
		{"KALENDS_IMPORT_BYTES", "0"},
		{"KALENDS_DRAIN", "-5s"},
		{"KALENDS_HISTORY_DAYS", "29", "-1"},
		{"DATABASE_URL", "nonsense", "postgres://kalends:pass/phrase@db/kalends"},
		{"REDIS_URL", "127.0.0.1:6379", "redis://:pass/phrase@redis:6379/0"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "127.0.0.1:4318", "grpc://collector:4317", "http://"},
	} {
		for _, value := range c[1:] {
			s := newTerminal(t, "postgres://nobody@127.0.0.1:1/none")
			s.env[c[0]] = value
			s.fails(c[0], "serve")
			if states, text, err := s.diagnosis(); err == nil || states["settings"] != "fail" || !strings.Contains(text, c[0]) {
				t.Errorf("the doctor of %s=%s: %v\n%s", c[0], value, err, text)
			}
			if _, err := s.run("serve"); strings.Contains(err.Error(), "phrase") || exitCode(err) != exitUsage {
				t.Errorf("a password is told, or it ends with %d: %v", exitCode(err), err)
			}
		}
	}
}

// TestRightSettings sets what looks odd and is meant.
func TestRightSettings(t *testing.T) {
	t.Parallel()
	c := Config{Addr: ":8080", MetricsAddr: ":9090", PlatformDomain: "localhost", Connections: 1, ImportBytes: 1, HistoryDays: 30,
		Proxies: trimmed([]string{"127.0.0.1", " 10.0.0.0/8", " ::1", ""}), Traces: "https://collector.example.org/otlp"}
	if wrong := c.wrong(); wrong != nil {
		t.Errorf("%v", wrong)
	}
	if want := []string{"127.0.0.1", "10.0.0.0/8", "::1"}; !slices.Equal(c.Proxies, want) {
		t.Errorf("proxies %q", c.Proxies)
	}
}

// TestDoctorWaitsForEach: a database that takes connections and says nothing makes
// nobody else look ill.
func TestDoctorWaitsForEach(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	p := &program{config: &Config{DatabaseURL: "postgres://nobody@" + silent.Addr().String() + "/none?sslmode=disable", DataDir: t.TempDir(),
		RedisURL: storagetest.RedisProcess(t).URL()}}
	for _, f := range p.examine(t.Context(), 500*time.Millisecond) {
		switch {
		case f.Check == "database" && f.State != "fail":
			t.Errorf("the database is said to be well: %s", f.Detail)
		case f.Check == "redis" && !strings.Contains(f.Detail, "no memory limit") && !strings.Contains(f.Detail, "accepts nothing more"):
			t.Errorf("redis: %s", f.Detail)
		}
	}
}

// TestReadyAsksWhereItListens: a service that listens on one address answers there
// alone.
func TestReadyAsksWhereItListens(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("this machine has no second address of its own")
	}
	service := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("ok\n"))
	})}
	defer func() { _ = service.Close() }()
	go func() { _ = service.Serve(listener) }()
	s := newTerminal(t, "")
	s.env["KALENDS_ADDR"] = listener.Addr().String()
	if out, err := s.run("ready"); err != nil || out != "ok\n" {
		t.Errorf("%q, %v", out, err)
	}
}
