package server_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/kalends/kalends/migrations"
	"github.com/kalends/kalends/storage/storagetest"
)

// TestDatabaseKilled kills Postgres under the server: requests answer 503 at
// once, and after its return the server works on by itself.
func TestDatabaseKilled(t *testing.T) {
	t.Parallel()
	cluster := storagetest.Cluster(t)
	if err := migrations.Up(t.Context(), cluster.URL()); err != nil {
		t.Fatal(err)
	}
	k := newKitOn(t, cluster.URL())
	id := k.event(map[string]any{"title": "Before"})
	item := "/events/" + strconv.FormatInt(id, 10)
	k.get(item, "").want(t, 200, "")
	for round := range 2 {
		cluster.Kill9()
		for n := range 10 {
			for _, r := range []request{{Method: "GET", Path: "/events"}, {Method: "GET", Path: item, As: "editor"},
				{Method: "POST", Path: "/events", As: "administrator", JSON: valid("event")},
				{Method: "PATCH", Path: item, As: "administrator", JSON: map[string]any{"title": "Lost"}},
				{Method: "DELETE", Path: item, As: "administrator"}, {Method: "GET", Path: "/tags?hide_empty=0"}} {
				begun := time.Now()
				a := k.send(r).want(t, 503, "rest_service_unavailable")
				if a.Header.Get("Retry-After") == "" {
					t.Errorf("%s %s: no Retry-After", r.Method, r.Path)
				}
				if took := time.Since(begun); took > time.Minute { // half of what a request may take in tests
					t.Errorf("%s %s took %s", r.Method, r.Path, took)
				}
				k.isError(fmt.Sprintf("%d %s %s", n, r.Method, r.Path), a)
			}
			k.get("//healthz", "").want(t, 200, "")
			k.get("//readyz", "").want(t, 503, "")
		}
		cluster.Restart()
		storagetest.Until(t, "reads after the return", func() bool { return k.get(item, "").Status == 200 })
		storagetest.Until(t, "writes after the return", func() bool {
			return k.patch(item, "administrator", map[string]any{"title": fmt.Sprintf("After %d", round)}).Status == 200
		})
		k.get("//readyz", "").want(t, 200, "")
		if a := k.get(item, ""); a.text("title") != fmt.Sprintf("After %d", round) {
			t.Errorf("after the return: %s", a)
		}
	}
	if a := k.get("/events?start_date=2029-01-01&end_date=2031-01-01", ""); a.text("total") != "1" {
		t.Errorf("refused writes left events: %s", a)
	}
}

// TestConnectionsCut ends every connection of the server in the middle of its
// life, as a failover does.
func TestConnectionsCut(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := k.event(nil)
	item := "/events/" + strconv.FormatInt(id, 10)
	for range 5 {
		k.exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'kalends'`)
		a := k.patch(item, "administrator", map[string]any{"title": "Cut"})
		if a.Status != 200 && (a.Status != 503 || a.code() != "rest_service_unavailable") {
			t.Errorf("after the cut: %s", a)
		}
		storagetest.Until(t, "writes after the cut", func() bool {
			return k.patch(item, "administrator", map[string]any{"title": "Again"}).Status == 200
		})
	}
}
