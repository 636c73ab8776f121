package metrics_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/metrics"
)

// Counting does not slow down cached responses.
func TestRequestAllocatesNothing(t *testing.T) {
	m := metrics.New(metrics.Sources{})
	m.Request("/events", "GET", 200, 1000, time.Millisecond)
	if n := testing.AllocsPerRun(1000, func() { m.Request("/events", "GET", 200, 1000, time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// New kinds of requests are counted concurrently.
func TestRequestsAtOnce(t *testing.T) {
	t.Parallel()
	m := metrics.New(metrics.Sources{})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for n := range 200 {
				m.Request(fmt.Sprint("/", n%20), "GET", 200, 1, time.Millisecond)
			}
		})
	}
	all.Wait()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for n := range 20 {
		line := fmt.Sprintf(`kalends_http_request_duration_seconds_count{method="GET",route="/%d",status="2xx"} 80`, n)
		if !strings.Contains(w.Body.String(), line+"\n") {
			t.Errorf("no %s", line)
		}
	}
}
