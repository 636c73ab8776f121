package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

// TestReleasesDontShareAnswers: a program that differs from another of the same version
// takes none of its answers from Redis.
func TestReleasesDontShareAnswers(t *testing.T) {
	t.Parallel()
	program, err := os.ReadFile(storagetest.Program(t))
	if err != nil {
		t.Fatal(err)
	}
	next := filepath.Join(t.TempDir(), "kalends")
	if err := os.WriteFile(next, append(program, "of the next release"...), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"DATABASE_URL=" + storagetest.Database(t), "REDIS_URL=" + storagetest.Redis(t)}
	first := launchRelease(t, storagetest.Program(t), env)
	until(t, "a node to find its own answers in Redis", func() bool { return first.ask() && first.hits() >= lists })
	same := launchRelease(t, storagetest.Program(t), env)
	until(t, "another node of the same program to find them", func() bool { return same.ask() && same.hits() > 0 })
	other := launchRelease(t, next, env)
	other.ask() // each list once: what it has put into Redis itself it can't find yet
	if n := other.hits(); n != 0 {
		t.Errorf("another program takes %d of %d answers", n, lists)
	}
}

// lists is how many lists a release asks for.
const lists = 10

// release is a node of some program with its figures. It keeps no answer itself, so that each one asked for is looked
// for in Redis.
type release struct {
	t       *testing.T
	service *service
	metrics string
}

func launchRelease(t *testing.T, program string, env []string) *release {
	t.Helper()
	r := &release{t: t, metrics: storagetest.Address(t)}
	env = append(slices.Clip(env), "KALENDS_METRICS_ADDR="+r.metrics, "KALENDS_CACHE_BYTES=1")
	r.service = launchProgram(t, program, dataDir(t), env).started()
	return r
}

func (r *release) get(url string) string {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, url, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	req.Host = "demo.localhost" // is in the answer, and so in its key
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != http.StatusOK {
		r.t.Fatalf("%v, %v", res, err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// ask gets each of the lists once.
func (r *release) ask() bool {
	for n := range lists {
		r.get(fmt.Sprintf("http://%s/calendar/events/v1/events?per_page=%d", r.service.addr, n+1))
	}
	return true
}

// hits is how many answers were found in Redis.
func (r *release) hits() (n int) {
	_, after, _ := strings.Cut(r.get("http://"+r.metrics+"/metrics"), "\nkalends_cache_redis_hits_total ")
	if _, err := fmt.Sscan(after, &n); err != nil {
		r.t.Fatalf("no figure of hits: %v", err)
	}
	return n
}
