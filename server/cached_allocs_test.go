package server_test

import (
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/server"
)

// blank returns an empty request for a handler.
func blank[C any](func(*C)) *C { return new(C) }

// TestCachedAllocates limits the allocations of serving a cached list.
func TestCachedAllocates(t *testing.T) {
	serve, status := listServer(t)
	if n := testing.AllocsPerRun(200, serve); n > 20 || *status != 200 {
		t.Errorf("%v allocations, status %d", n, *status)
	}
}

func BenchmarkCachedList(b *testing.B) {
	serve, status := listServer(b)
	b.ReportAllocs()
	for b.Loop() {
		if serve(); *status != 200 {
			b.Fatal(*status)
		}
	}
}

// listServer returns a function that serves a list without network, and where it puts the status.
func listServer(t testing.TB) (serve func(), status *int) {
	t.Helper()
	_, k := kit.CachedKit(t, func(c *server.Config) { go c.Versions.Run(t.Context()) })
	for range 10 {
		k.Event(nil)
	}
	handle := k.App.Handler()
	c, list := blank(handle), blank(handle)
	list.Request.SetRequestURI("/calendar/events/v1/events")
	list.Request.Header.SetHost("localhost")
	c.Init(&list.Request, nil, nil)
	status = new(int)
	serve = func() {
		c.ResetUserValues()
		c.Response.Reset()
		handle(c)
		*status = c.Response.StatusCode()
	}
	serve()
	return serve, status
}
