package server_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/internal/metrics"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
)

// places returns how many slots of a server are taken and how many requests wait.
func places(t testing.TB, m *metrics.Metrics) (taken, waiting int) {
	t.Helper()
	got := scrape(t, m)
	return int(value(got, "kalends_gate_taken")), int(value(got, "kalends_gate_waiting"))
}

// While one site is flooded, readers of another get responses, and so does the flood in turn. A slow machine may
// reject either, with Retry-After.
func TestFloodOfOneSiteStarvesNobody(t *testing.T) {
	t.Parallel()
	m := metrics.New(metrics.Sources{})
	k := kit.New(t, func(c *server.Config) { c.Metrics, c.Places = m, 4 })
	k.Site("other")
	ctx, stop := context.WithCancel(t.Context())
	var answered atomic.Int64
	ask := func(r kit.Request) bool {
		a := k.Send(r)
		if a.Status != 200 && a.Want(t, 503, "rest_service_unavailable").Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		return a.Status == 200
	}
	neighbour := func() bool { return ask(kit.Request{Method: "GET", Path: "/events", Site: "other"}) }
	var flood sync.WaitGroup
	for range 24 {
		flood.Go(func() {
			for ctx.Err() == nil {
				if ask(kit.Request{Method: "GET", Path: "/events"}) {
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

// A request that cannot be admitted is rejected with Retry-After, without affecting other sites.
func TestLongLineOfOneSiteIsRefused(t *testing.T) {
	t.Parallel()
	m := metrics.New(metrics.Sources{})
	k := kit.New(t, func(c *server.Config) { c.Metrics, c.Places = m, 2 })
	k.Site("other")
	held, err := k.DB.Across("a test holds a row").Begin(t.Context())
	k.Must(err)
	_, err = held.Exec(t.Context(), `SELECT FROM sites WHERE id = $1 FOR UPDATE`, k.Sites["demo"].ID)
	k.Must(err)
	var all sync.WaitGroup
	all.Go(func() { k.Post("/events", "editor", kit.NewEvent("First")).Want(t, 201, "") })
	storagetest.Until(t, "the first is inside", func() bool { taken, _ := places(t, m); return taken == 1 })
	var refused atomic.Int64
	for range 257 { // one more than may stand in line
		all.Go(func() {
			a := k.Get("/events", "")
			if a.Status == 200 {
				return
			}
			a.Want(t, 503, "rest_service_unavailable")
			if a.Header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			refused.Add(1)
		})
	}
	storagetest.Until(t, "one is refused", func() bool { return refused.Load() > 0 })
	for range 10 {
		k.Send(kit.Request{Method: "GET", Path: "/events", Site: "other"}).Want(t, 200, "")
	}
	k.Must(held.Rollback(context.Background()))
	all.Wait()
	if taken, waiting := places(t, m); taken != 0 || waiting != 0 {
		t.Errorf("afterwards %d places are taken, %d wait", taken, waiting)
	}
	// On a busy machine the site has used more than its share, and is refused until that is forgotten.
	storagetest.Until(t, "an answer to the site", func() bool { return k.Get("/events", "").Status == 200 })
}

// However a request ends, its slot is released.
func TestPlacesAreGivenBack(t *testing.T) {
	t.Parallel()
	few := func(m *metrics.Metrics) func(*server.Config) {
		return func(c *server.Config) { c.Metrics, c.Places = m, 2 }
	}
	again := func(k *kit.Kit, m *metrics.Metrics, status int) {
		for range 3 { // more than there are places
			if a := k.Get("/events", ""); a.Status != status {
				k.T.Errorf("status %d, want %d: %s", a.Status, status, a)
			}
		}
		if taken, waiting := places(k.T, m); taken != 0 || waiting != 0 {
			k.T.Errorf("afterwards %d places are taken, %d wait", taken, waiting)
		}
	}
	t.Run("panic", func(t *testing.T) {
		t.Parallel()
		m := metrics.New(metrics.Sources{})
		k := kit.New(t, few(m))
		*k.Calendar = services.Calendar{} // without any service
		again(k, m, 500)
	})
	t.Run("timeout", func(t *testing.T) {
		t.Parallel()
		m := metrics.New(metrics.Sources{})
		k := kit.New(t, few(m), func(c *server.Config) { c.Timeout = 500 * time.Millisecond })
		held, err := k.DB.Across("a test holds a row").Begin(t.Context())
		k.Must(err)
		_, err = held.Exec(t.Context(), `RESET ROLE`)
		k.Must(err)
		_, err = held.Exec(t.Context(), `LOCK TABLE events`)
		k.Must(err)
		again(k, m, 503)
		k.Must(held.Rollback(context.Background()))
		storagetest.Until(t, "an answer after it", func() bool { return k.Get("/events", "").Status == 200 })
	})
}
