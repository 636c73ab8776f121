package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/kit"
)

// wire is a connection of a follower.
type wire struct {
	t    *testing.T
	conn net.Conn
	r    *bufio.Reader
}

func dial(t *testing.T, addr string) *wire {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
	return &wire{t, conn, bufio.NewReader(conn)}
}

// lastToken returns the token of who has been told everything.
func lastToken(k *kit.Kit, as string) string {
	k.T.Helper()
	return k.Get("/changes?per_page=500", as).Want(k.T, 200, "").Body["next"].(string)
}

// ask sends requests at once, without waiting for answers.
func (w *wire) ask(lines ...string) {
	w.t.Helper()
	text := ""
	for _, line := range lines {
		method, path, _ := strings.Cut(line, " ")
		text += method + " /calendar/events/v1" + path + " HTTP/1.1\r\nHost: demo.localhost\r\n\r\n"
	}
	if _, err := w.conn.Write([]byte(text)); err != nil {
		w.t.Error(err)
	}
}

// told reads an answer: its status, the ids of changed objects, and whether the connection ends.
func (w *wire) told(method string) (status int, ids []int64, header http.Header, ends bool) {
	w.t.Helper()
	res, err := http.ReadResponse(w.r, &http.Request{Method: method})
	if err != nil {
		w.t.Error(err)
		return 0, nil, http.Header{}, true
	}
	defer func() { _ = res.Body.Close() }()
	var page struct{ Changes []struct{ ID int64 } }
	if err := json.NewDecoder(res.Body).Decode(&page); err != nil && method == http.MethodGet {
		w.t.Errorf("%s: %v", res.Status, err)
	}
	for _, c := range page.Changes {
		ids = append(ids, c.ID)
	}
	return res.StatusCode, ids, res.Header, res.Close
}

// TestManyFollowersWait: more followers than a site may have requests wait on few slots, and all are told of a change. Each request counts
// once in the log and in the limit of the plan.
func TestManyFollowersWait(t *testing.T) {
	t.Parallel()
	var log buffer
	now := time.Now()
	_, k := kit.CachedKit(t, func(c *server.Config) {
		c.Places, c.Logger = 2, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.Buckets = cache.NewBuckets(nil, func() time.Time { return now })
		go c.Versions.Run(t.Context())
	})
	k.Event(nil)
	k.Limit(map[string]any{"requests_per_minute": 5000})
	next := lastToken(k, "")
	addr := k.Listen()
	const followers = 400
	var all []*wire
	for range followers {
		w := dial(t, addr)
		w.ask("GET /changes?wait=25&since=" + next)
		all = append(all, w)
	}
	quick := dial(t, addr) // whose time is up first; what follows on the connection is not lost
	quick.ask("GET /changes?wait=1&since="+next, "GET /changes?since="+next, "HEAD /changes?wait=1&since="+next, "GET /events/999")
	for i, want := range []struct {
		method string
		status int
	}{{"GET", 200}, {"GET", 200}, {"HEAD", 200}, {"GET", 404}} {
		if status, ids, _, ends := quick.told(want.method); status != want.status || len(ids) > 0 || ends {
			t.Errorf("%d: %d %v, ends %v", i, status, ids, ends)
		}
	}
	made := k.Event(nil)
	for i, w := range all {
		if status, ids, _, ends := w.told("GET"); status != 200 || len(ids) != 1 || ids[0] != made || ends {
			t.Errorf("%d: %d %v, ends %v", i, status, ids, ends)
		}
	}
	last := dial(t, addr)
	last.ask("GET /changes?since=" + next)
	_, _, header, _ := last.told("GET")
	if got := header.Get("RateLimit"); !strings.Contains(got, fmt.Sprintf(";r=%d;", 5000-followers-4-3)) { // the token, the event, and this
		t.Errorf("left are %q", got)
	}
	if n := bytes.Count(log.bytes(), []byte("path=/calendar/events/v1/changes ")); n != followers+3+2 {
		t.Errorf("%d requests in the log, want %d", n, followers+3+2)
	}
}

// TestFollowersOfANodeThatStops: who waits is answered at once, and the connection ends, so that another node is asked.
func TestFollowersOfANodeThatStops(t *testing.T) {
	t.Parallel()
	stopping := make(chan struct{})
	_, k := kit.CachedKit(t, func(c *server.Config) {
		c.Stopping = stopping
		go c.Versions.Run(t.Context())
	})
	k.Event(nil)
	next := lastToken(k, "")
	addr, begun := k.Listen(), time.Now()
	var all []*wire
	for range 40 {
		w := dial(t, addr)
		w.ask("GET /changes?wait=25&since=" + next)
		all = append(all, w)
	}
	gone := dial(t, addr) // a client that leaves while it waits
	gone.ask("GET /changes?wait=25&since=" + next)
	_ = gone.conn.Close()
	close(stopping)
	for i, w := range all {
		if status, ids, _, ends := w.told("GET"); status != 200 || len(ids) > 0 || !ends {
			t.Errorf("%d: %d %v, ends %v", i, status, ids, ends)
		}
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("answered after %v", took)
	}
}

// TestFollowersLoseTheirKey: who has no right any more when something changes is told nothing of it.
func TestFollowersLoseTheirKey(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t, func(c *server.Config) { go c.Versions.Run(t.Context()) })
	k.Event(nil)
	key, id := k.Key(1, true)
	next := lastToken(k, key)
	kept, lost := dial(t, k.Listen()), dial(t, k.Listen())
	kept.ask("GET /changes?wait=25&since=" + lastToken(k, ""))
	_, err := fmt.Fprintf(lost.conn, "GET /calendar/events/v1/changes?wait=3&since=%s HTTP/1.1\r\nHost: demo.localhost\r\nAuthorization: %s\r\n\r\n", next, key)
	k.Must(err)
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.Sites["demo"])
	k.Must(err)
	k.Must(k.Platform.Keys.Revoke(ctx, 1, id))
	made := k.Event(nil)
	if status, ids, _, _ := kept.told("GET"); status != 200 || len(ids) != 1 || ids[0] != made {
		t.Errorf("%d %v", status, ids)
	}
	storagetest.Until(t, "the key opens nothing", func() bool { return k.Get("/changes?since="+next, key).Status == http.StatusUnauthorized })
	if status, ids, _, _ := lost.told("GET"); status != http.StatusUnauthorized || len(ids) > 0 {
		t.Errorf("%d %v", status, ids)
	}
}

// TestFollowersAskTheSameAgain: who is told of nothing and sends the same request again waits again without being served, gets what a
// server would answer, counts in the limit of the plan, and is served as soon as anything is different.
func TestFollowersAskTheSameAgain(t *testing.T) {
	t.Parallel()
	var log buffer
	now := time.Now()
	_, k := kit.CachedKit(t, func(c *server.Config) {
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.Buckets = cache.NewBuckets(nil, func() time.Time { return now })
		go c.Versions.Run(t.Context())
	})
	k.Event(nil)
	next := lastToken(k, "")
	k.Limit(map[string]any{"requests_per_minute": 8})
	addr := k.Listen()
	plain := dial(t, addr)
	plain.ask("GET /changes?since=" + next)
	status, _, served, _ := plain.told("GET") // 7 are left
	storagetest.Until(t, "the limit holds", func() bool {
		if status != 200 || served.Get("RateLimit") == "" {
			plain.ask("GET /changes?since=" + next)
			status, _, served, _ = plain.told("GET")
			return false
		}
		return true
	})
	left := func(h http.Header) (n int) {
		_, _ = fmt.Sscanf(h.Get("RateLimit"), `"site";r=%d;`, &n)
		return n
	}
	w, again, ids := dial(t, addr), "GET /changes?wait=1&since="+next, map[string]bool{}
	for i := range 3 {
		w.ask(again)
		status, _, header, ends := w.told("GET")
		if want := left(served) - i - 1; status != 200 || ends || left(header) != want {
			t.Errorf("%d: %d %v, ends %v, want %d left", i, status, header, ends, want)
		}
		ids[header.Get("X-Request-Id")] = true
		for name := range served {
			if got := header.Get(name); got == "" || got != served.Get(name) && name != "Date" && name != "X-Request-Id" && name != "Ratelimit" {
				t.Errorf("%d: %s is %q, want %q", i, name, got, served.Get(name))
			}
		}
	}
	if len(ids) != 3 || ids[""] {
		t.Errorf("ids of requests are %v", ids)
	}
	w.ask(again, "GET /changes?since="+next) // the second comes before the first is answered
	for i := range 2 {
		if status, _, _, ends := w.told("GET"); status != 200 || ends {
			t.Errorf("%d: %d, ends %v", i, status, ends)
		}
	}
	w.ask(again)
	made := k.Event(nil) // by the administrator: takes one
	if status, ids, _, _ := w.told("GET"); status != 200 || len(ids) != 1 || ids[0] != made {
		t.Errorf("%d %v, want %d", status, ids, made)
	}
	for status, tries := 200, 0; status != http.StatusTooManyRequests; tries++ {
		if w.ask("GET /changes?wait=1&since=" + next); tries > 8 {
			t.Fatal("no limit")
		}
		status, _, _, _ = w.told("GET")
	}
	k.Limit(map[string]any{"requests_per_minute": nil})
	next = lastToken(k, "")
	again = "GET /changes?wait=1&since=" + next
	quick := dial(t, addr)
	storagetest.Until(t, "an answer without being served", func() bool {
		quick.ask(again)
		_, _, _, ends := quick.told("GET")
		return ends || bytes.Contains(log.bytes(), []byte("level=DEBUG msg=request"))
	})
}

// TestFollowersOfASiteThatCloses: who waits is told of nothing, and does not wait again.
func TestFollowersOfASiteThatCloses(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t, func(c *server.Config) { go c.Versions.Run(t.Context()) })
	k.Event(nil)
	again := "GET /changes?wait=1&since=" + lastToken(k, "")
	w := dial(t, k.Listen())
	for range 2 {
		w.ask(again)
		if status, ids, _, _ := w.told("GET"); status != 200 || len(ids) > 0 {
			t.Errorf("%d %v", status, ids)
		}
	}
	w.ask(again)
	k.Provider("PATCH", "/sites/demo", map[string]any{"state": "closed"}).Want(t, 200, "")
	if status, ids, _, _ := w.told("GET"); len(ids) > 0 {
		t.Errorf("%d %v", status, ids)
	}
	storagetest.Until(t, "the site is closed", func() bool {
		w.ask(again)
		status, _, _, _ := w.told("GET")
		return status != 200
	})
}

// TestFollowerAsksInPieces: a request that arrives in pieces after an answer is served as any other.
func TestFollowerAsksInPieces(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t, func(c *server.Config) { go c.Versions.Run(t.Context()) })
	k.Event(nil)
	w, next := dial(t, k.Listen()), lastToken(k, "")
	request := "GET /calendar/events/v1/changes?wait=1&since=" + next + " HTTP/1.1\r\nHost: demo.localhost\r\n\r\n"
	for i, at := range []int{len(request), 5, len(request) - 1, len(request)} {
		for _, part := range []string{request[:at], request[at:]} {
			_, err := w.conn.Write([]byte(part))
			k.Must(err)
			time.Sleep(20 * time.Millisecond)
		}
		if status, ids, _, ends := w.told("GET"); status != 200 || len(ids) > 0 || ends {
			t.Errorf("%d: %d %v, ends %v", i, status, ids, ends)
		}
	}
}
