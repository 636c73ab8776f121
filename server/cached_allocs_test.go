package server_test

import (
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
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

// BenchmarkCounted serves a list and the page of an event with and without numbers, by turns of a few milliseconds, and says how much of the
// speed is left.
func BenchmarkCounted(b *testing.B) {
	for name, path := range map[string]string{"list": listPath, "page": "/en/event/event/"} {
		b.Run(name, func(b *testing.B) {
			var serve [2]func()
			var took [2][]time.Duration
			for i, bare := range []bool{false, true} {
				var status *int
				if serve[i], status = serverOf(b, path, bare); *status != 200 {
					b.Fatal(*status)
				}
			}
			for b.Loop() {
				for i := range serve {
					began := time.Now()
					for range 200 {
						serve[i]()
					}
					took[i] = append(took[i], time.Since(began))
				}
			}
			slices.Sort(took[0])
			slices.Sort(took[1])
			quarter := len(took[0]) / 4 // of an idle machine
			b.ReportMetric(float64(took[1][quarter])/float64(took[0][quarter]), "of-the-speed")
		})
	}
}

const listPath = "/calendar/events/v1/events"

// listServer returns a function that serves a list without network, and where it puts the status.
func listServer(t testing.TB) (serve func(), status *int) {
	t.Helper()
	return serverOf(t, listPath, false)
}

// serverOf is listServer for any path; bare: of a site that counts nothing.
func serverOf(t testing.TB, path string, bare bool) (serve func(), status *int) {
	t.Helper()
	plain, k := kit.CachedKit(t, func(c *server.Config) { go c.Versions.Run(t.Context()) })
	for range 10 {
		k.Event(nil)
	}
	if bare {
		plain.Configure(&platform.ConfigFields{Numbers: args.Some(false)})
	}
	handle := k.App.Handler()
	c, list := blank(handle), blank(handle)
	list.Request.SetRequestURI(path)
	list.Request.Header.SetHost("localhost")
	list.Request.Header.SetUserAgent("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
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
