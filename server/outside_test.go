package server_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/internal/metrics"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
)

// TestPicturesKeepNobodyWaiting: while pictures of a site are fetched, as many as it may have requests, its other requests and those of
// other sites are answered.
func TestPicturesKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	begun, end := make(chan struct{}, 8), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		begun <- struct{}{}
		<-end
		w.WriteHeader(http.StatusNotFound)
	}))
	defer slow.Close()
	m := metrics.New(metrics.Sources{})
	k := kit.New(t, func(c *server.Config) {
		c.Metrics, c.Places, c.Pictures = m, 4, kit.Pictures(t, t.TempDir(), strings.TrimPrefix(slow.URL, "http://"))
	})
	var all sync.WaitGroup
	for range 2 { // a site has half of the places
		all.Go(func() {
			k.Post("/events", "editor", kit.Times(kit.Object{"title": "Seen", "image": slow.URL + "/a.png"})).Want(t, 400, "rest_invalid_param")
		})
		<-begun
	}
	if taken, _ := places(t, m); taken != 0 {
		t.Errorf("%d places are taken", taken)
	}
	storagetest.Until(t, "another request of the site is answered", func() bool { return k.Get("/events", "").Status == 200 })
	close(end)
	all.Wait()
	if taken, waiting := places(t, m); taken != 0 || waiting != 0 {
		t.Errorf("afterwards %d places are taken, %d wait", taken, waiting)
	}
}
