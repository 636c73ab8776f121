package server_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/metrics"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
)

// places returns how many places of a server are taken, and how many wait.
func places(t testing.TB, m *metrics.Metrics) (taken, waiting int) {
	t.Helper()
	got := scrape(t, m)
	return int(value(got, "kalends_gate_taken")), int(value(got, "kalends_gate_waiting"))
}

// Somebody floods one site while people read another: these are answered all
// the while, and so is the flood, in its turn. A slow machine may send either
// away, and says when to come again.
func TestFloodOfOneSiteStarvesNobody(t *testing.T) {
	t.Parallel()
	m := metrics.New(metrics.Sources{})
	k := newKit(t, func(c *server.Config) { c.Metrics, c.Places = m, 4 })
	k.site("other")
	ctx, stop := context.WithCancel(t.Context())
	var answered atomic.Int64
	ask := func(r request) bool {
		a := k.send(r)
		if a.Status != 200 && a.want(t, 503, "rest_service_unavailable").Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		return a.Status == 200
	}
	neighbour := func() bool { return ask(request{Method: "GET", Path: "/events", Site: "other"}) }
	var flood sync.WaitGroup
	for range 24 {
		flood.Go(func() {
			for ctx.Err() == nil {
				if ask(request{Method: "GET", Path: "/events"}) {
					answered.Add(1)
				}
			}
		})
	}
	for range 40 {
		storagetest.Until(t, "an answer to the neighbour", neighbour)
	}
	before := answered.Load()
	storagetest.Until(t, "the flood goes on", func() bool {
		return neighbour() && answered.Load() > before+24
	})
	stop()
	flood.Wait()
	if taken, waiting := places(t, m); taken != 0 || waiting != 0 {
		t.Errorf("afterwards %d places are taken, %d wait", taken, waiting)
	}
}

// Who can't be let in is told so and when to come again, and neighbours don't
// notice.
func TestLongLineOfOneSiteIsRefused(t *testing.T) {
	t.Parallel()
	m := metrics.New(metrics.Sources{})
	k := newKit(t, func(c *server.Config) { c.Metrics, c.Places = m, 2 })
	k.site("other")
	held, err := k.db.Across("a test holds a row").Begin(t.Context())
	k.must(err)
	_, err = held.Exec(t.Context(), `SELECT FROM sites WHERE id = $1 FOR UPDATE`, k.sites["demo"].ID)
	k.must(err)
	var all sync.WaitGroup
	all.Go(func() { k.post("/events", "editor", newEvent("First")).want(t, 201, "") })
	storagetest.Until(t, "the first is inside", func() bool { taken, _ := places(t, m); return taken == 1 })
	var refused atomic.Int64
	for range 257 { // one more than may stand in line
		all.Go(func() {
			a := k.get("/events", "")
			if a.Status == 200 {
				return
			}
			a.want(t, 503, "rest_service_unavailable")
			if a.Header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			refused.Add(1)
		})
	}
	storagetest.Until(t, "one is refused", func() bool { return refused.Load() > 0 })
	for range 10 {
		k.send(request{Method: "GET", Path: "/events", Site: "other"}).want(t, 200, "")
	}
	k.must(held.Rollback(context.Background()))
	all.Wait()
	if taken, waiting := places(t, m); taken != 0 || waiting != 0 {
		t.Errorf("afterwards %d places are taken, %d wait", taken, waiting)
	}
	k.get("/events", "").want(t, 200, "")
}

// However a request ends, its place is free again.
func TestPlacesAreGivenBack(t *testing.T) {
	t.Parallel()
	few := func(m *metrics.Metrics) func(*server.Config) {
		return func(c *server.Config) { c.Metrics, c.Places = m, 2 }
	}
	again := func(k *kit, m *metrics.Metrics, status int) {
		for range 3 { // more than there are places
			if a := k.get("/events", ""); a.Status != status {
				k.t.Errorf("status %d, want %d: %s", a.Status, status, a)
			}
		}
		if taken, waiting := places(k.t, m); taken != 0 || waiting != 0 {
			k.t.Errorf("afterwards %d places are taken, %d wait", taken, waiting)
		}
	}
	t.Run("panic", func(t *testing.T) {
		t.Parallel()
		m := metrics.New(metrics.Sources{})
		k := newKit(t, few(m))
		*k.calendar = calendar.Calendar{} // without any service
		again(k, m, 500)
	})
	t.Run("timeout", func(t *testing.T) {
		t.Parallel()
		m := metrics.New(metrics.Sources{})
		k := newKit(t, few(m), func(c *server.Config) { c.Timeout = 500 * time.Millisecond })
		held, err := k.db.Across("a test holds a row").Begin(t.Context())
		k.must(err)
		_, err = held.Exec(t.Context(), `RESET ROLE`)
		k.must(err)
		_, err = held.Exec(t.Context(), `LOCK TABLE events`)
		k.must(err)
		again(k, m, 503)
		k.must(held.Rollback(context.Background()))
		storagetest.Until(t, "an answer after it", func() bool { return k.get("/events", "").Status == 200 })
	})
}
