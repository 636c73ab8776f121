package server_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

// TestDatabaseKilled kills Postgres while the server runs: requests get 503 immediately, and the server recovers when
// Postgres returns.
func TestDatabaseKilled(t *testing.T) {
	t.Parallel()
	cluster := storagetest.Cluster(t)
	if err := migrations.Up(t.Context(), cluster.URL()); err != nil {
		t.Fatal(err)
	}
	k := kit.NewOn(t, cluster.URL())
	id := k.Event(map[string]any{"title": "Before"})
	item := "/events/" + strconv.FormatInt(id, 10)
	k.Get(item, "").Want(t, 200, "")
	for round := range 2 {
		cluster.Kill9()
		for n := range 10 {
			for _, r := range []kit.Request{{Method: "GET", Path: "/events"}, {Method: "GET", Path: item, As: "editor"},
				{Method: "POST", Path: "/events", As: "administrator", JSON: kit.Valid("event")},
				{Method: "PATCH", Path: item, As: "administrator", JSON: map[string]any{"title": "Lost"}},
				{Method: "DELETE", Path: item, As: "administrator"}, {Method: "GET", Path: "/tags?hide_empty=0"}} {
				begun := time.Now()
				a := k.Send(r).Want(t, 503, "rest_service_unavailable")
				if a.Header.Get("Retry-After") == "" {
					t.Errorf("%s %s: no Retry-After", r.Method, r.Path)
				}
				if took := time.Since(begun); took > time.Minute { // half of what a request may take in tests
					t.Errorf("%s %s took %s", r.Method, r.Path, took)
				}
				k.IsError(fmt.Sprintf("%d %s %s", n, r.Method, r.Path), a)
			}
			k.Get("//healthz", "").Want(t, 200, "")
			k.Get("//readyz", "").Want(t, 503, "")
		}
		cluster.Restart()
		storagetest.Until(t, "reads after the return", func() bool { return k.Get(item, "").Status == 200 })
		storagetest.Until(t, "writes after the return", func() bool {
			return k.Patch(item, "administrator", map[string]any{"title": fmt.Sprintf("After %d", round)}).Status == 200
		})
		k.Get("//readyz", "").Want(t, 200, "")
		if a := k.Get(item, ""); a.Text("title") != fmt.Sprintf("After %d", round) {
			t.Errorf("after the return: %s", a)
		}
	}
	if a := k.Get("/events?start_date=2029-01-01&end_date=2031-01-01", ""); a.Text("total") != "1" {
		t.Errorf("refused writes left events: %s", a)
	}
}

// TestConnectionsCut terminates all connections of the server, as a failover does.
func TestConnectionsCut(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(nil)
	item := "/events/" + strconv.FormatInt(id, 10)
	for range 5 {
		k.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'kalends'`)
		a := k.Patch(item, "administrator", map[string]any{"title": "Cut"})
		if a.Status != 200 && (a.Status != 503 || a.Code() != "rest_service_unavailable") {
			t.Errorf("after the cut: %s", a)
		}
		storagetest.Until(t, "writes after the cut", func() bool {
			return k.Patch(item, "administrator", map[string]any{"title": "Again"}).Status == 200
		})
	}
}
