package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/internal/metrics"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/storagetest"
	traffic "github.com/kalends/kalends/tenancy/platform"
)

// TestSiteTop adds up what two nodes have noted.
func TestSiteTop(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var list []topSite
	if s.must(&list, "site", "top"); len(list) != 0 {
		t.Errorf("before there is a node: %v", list)
	}
	db, err := storage.Open(t.Context(), s.env["DATABASE_URL"], storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for node, busy := range map[string]string{
		"a": `[{"site":"club","requests":20,"errors":1,"busy":5000000000},{"site":"town","requests":100,"errors":0,"busy":6000000000}]`,
		"b": `[{"site":"club","requests":10,"errors":0,"busy":5000000000}]`} {
		if err := platform.NoteNode(t.Context(), db.Engine(), node, []byte(busy)); err != nil {
			t.Fatal(err)
		}
	}
	s.must(&list, "site", "top")
	if len(list) != 2 || list[0] != (topSite{"club", 3, 0.1, 1}) || list[1] != (topSite{"town", 10, 0, 0.6}) {
		t.Errorf("%v", list)
	}
}

// TestServiceTellsItsLife: a service logs that it started, that it stops and that it has stopped, and its metrics have the schema, round trips
// to Postgres and the last backup.
func TestServiceTellsItsLife(t *testing.T) {
	t.Parallel()
	env := []string{"DATABASE_URL=" + storagetest.Database(t), "KALENDS_METRICS_ADDR=" + storagetest.Address(t), "KALENDS_DRAIN=10ms", "KALENDS_LOG_LEVEL=info"}
	service := launchProgram(t, storagetest.Program(t), dataDir(t), env).started()
	var text []byte
	for range 2 { // the first one makes round trips, the second one has them
		res, err := http.Get("http://" + strings.TrimPrefix(env[1], "KALENDS_METRICS_ADDR=") + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, _ = io.ReadAll(res.Body)
		_ = res.Body.Close()
	}
	for _, name := range []string{"kalends_schema_version 3", "kalends_db_round_trip_seconds_count", "kalends_last_backup_timestamp_seconds 0",
		"kalends_mail_total", "kalends_pictures_bytes", "kalends_bodies_bytes", "kalends_mail_waiting_sites 0"} {
		if !strings.Contains(string(text), name) {
			t.Errorf("no %s", name)
		}
	}
	if strings.Contains(string(text), "kalends_db_round_trip_seconds_count 0\n") {
		t.Error("no round trip was measured")
	}
	service.signal(syscall.SIGTERM)
	if err := service.wait(); err != nil {
		t.Error(err)
	}
	for _, line := range []string{`"started"`, `"version"`, `stopping`, `"stopped"`} {
		if !strings.Contains(service.errs.String(), line) {
			t.Errorf("the log lacks %s:\n%s", line, service.errs.String())
		}
	}
}

// TestMailIsCounted counts what the server took and what it refused.
func TestMailIsCounted(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	c := Config{SMTPURL: server.URL, MailFrom: "a@example.org"}
	post, err := c.post()
	if err != nil {
		t.Fatal(err)
	}
	m := metrics.New(metrics.Sources{})
	counted := &countedMail{post, m}
	sent, refused := counted.Send(t.Context(), "b@example.org", "x", "x"), counted.Send(t.Context(), "refused@example.org", "x", "x")
	if sent != nil || refused == nil || errors.Is(refused, io.EOF) {
		t.Errorf("%v, %v", sent, refused)
	}
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if text := w.Body.String(); !strings.Contains(text, `kalends_mail_total{result="sent"} 1`) || !strings.Contains(text, `kalends_mail_total{result="failed"} 1`) {
		t.Errorf("%s", text)
	}
}

// A provider reads by command how many requests sites got, and who came in as support.
func TestSiteRequestsAndSupport(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var made map[string]any
	s.must(&made, "site", "create", "club", "--name=The Club")
	s.must(&made, "site", "create", "town", "--name=The Town")
	var list []map[string]any
	if s.must(&list, "site", "requests"); len(list) != 0 {
		t.Errorf("before there is a request: %v", list)
	}
	db, err := storage.Open(t.Context(), s.env["DATABASE_URL"], storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := platform.AddTraffic(t.Context(), db.Engine(), map[string]traffic.Traffic{"club": {Requests: 9, Errors: 2}, "town": {Requests: 4}}); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"site requests club", "site requests --span=whole club --from=2020-01-01", "site requests --span hour club"} {
		if s.must(&list, strings.Fields(line)...); len(list) != 1 || list[0]["site"] != "club" || list[0]["requests"] != 9.0 || list[0]["errors"] != 2.0 {
			t.Errorf("%s: %v", line, list)
		}
	}
	if s.must(&list, "site", "requests"); len(list) != 2 {
		t.Errorf("of all sites: %v", list)
	}
	if s.must(&list, "site", "requests", "--to=2020-01-01"); len(list) != 0 {
		t.Errorf("of the past: %v", list)
	}
	s.fails("--span: ", "site", "requests", "--span=week")
	s.fails("--from: ", "site", "requests", "--from=never")
	s.fails("--to: ", "site", "requests", "--from=2030-01-02", "--to=2030-01-01")
	s.fails("site", "site", "requests", "nobody")

	note := func(site string, id float64) {
		t.Helper()
		if _, err := db.Across("a test notes a sign-in").Exec(t.Context(), `
			INSERT INTO provider_changes (at, kind, action, object, name, who, via, address, after)
			VALUES (now(), 'site', 'sign_in', $1, $2, 'anna@example.org', 'provider', '192.0.2.7', '{"role": "editor", "reason": "Ticket 7"}')`, int64(id), site); err != nil {
			t.Fatal(err)
		}
	}
	note("town", made["id"].(float64)) //nolint:forcetypeassert // an id is a number
	var one map[string]any
	for _, line := range []string{"site support", "site support town --from=2020-01-01"} {
		if s.must(&one, strings.Fields(line)...); one["site"] != "town" || one["role"] != "editor" || one["reason"] != "Ticket 7" || one["who"] != "anna@example.org" ||
			one["address"] != "192.0.2.7" {
			t.Errorf("%s: %v", line, one)
		}
	}
	if out, err := s.run("site", "support", "club"); err != nil || out != "" {
		t.Errorf("a site where nobody was: %v %s", err, out)
	}
	s.fails("site", "site", "support", "nobody")
	s.fails("--from: ", "site", "support", "--from=never")
}
