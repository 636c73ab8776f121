package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestReleasesDontShareAnswers: a program that differs from another of the same version
// takes none of its answers from Redis.
func TestReleasesDontShareAnswers(t *testing.T) {
	t.Parallel()
	program, err := os.ReadFile(binary(t))
	if err != nil {
		t.Fatal(err)
	}
	next := filepath.Join(t.TempDir(), "kalends")
	if err := os.WriteFile(next, append(program, "of the next release"...), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"DATABASE_URL=" + storagetest.Database(t), "REDIS_URL=" + storagetest.Redis(t)}
	hits := func(program string, wanted string) bool {
		metrics := freeAddr(t)
		s := launchProgram(t, program, dataDir(t), append(env, "KALENDS_METRICS_ADDR="+metrics)).started()
		ask := func(url string) string {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = "demo.localhost" // is in the answer, and so in its key
			res, err := http.DefaultClient.Do(req)
			if err != nil || res.StatusCode != http.StatusOK {
				t.Fatalf("%v, %v", res, err)
			}
			defer func() { _ = res.Body.Close() }()
			text, _ := io.ReadAll(res.Body)
			return string(text)
		}
		ask("http://" + s.addr + "/calendar/events/v1/events")
		text := ask("http://" + metrics + "/metrics")
		return strings.Contains(text, "\nkalends_cache_redis_hits_total "+wanted+"\n")
	}
	if !hits(binary(t), "0") || !hits(binary(t), "1") {
		t.Error("a second node of the same program doesn't take the first one's answer")
	}
	if !hits(next, "0") {
		t.Error("another program takes it")
	}
}
