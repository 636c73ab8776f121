package courier

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/internal/outbound"
)

// receiver answers in ways that nobody should wait for, and counts what came by a redirect.
func receiver(t *testing.T) (base string, c *Courier) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/well", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(r.Header.Get("webhook-id") + " " + r.Header.Get("Content-Type") + " \x00\xff"))
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/well", http.StatusPermanentRedirect)
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/dripping", func(w http.ResponseWriter, r *http.Request) { // a status, and then a body that never ends
		_, _ = w.Write([]byte("a"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) { // a response whose head never ends
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close() }()
		text := "HTTP/1.1 200 OK\r\nX-Slow: "
		for i := 0; ; i++ {
			if _, err := conn.Write([]byte{(text + "a")[min(i, len(text))]}); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
	mux.HandleFunc("/boasting", func(w http.ResponseWriter, _ *http.Request) { // more head than anybody needs
		w.Header().Set("X-Long", strings.Repeat("a", 1<<20))
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, r *http.Request) { // 2 GB, as announced
		w.Header().Set("Content-Length", "2000000000")
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, New(outbound.NewGuard([]string{server.Listener.Addr().String()}, true))
}

func TestSend(t *testing.T) {
	t.Parallel()
	base, c := receiver(t)
	send := func(ctx context.Context, path string) webhooks.Answer {
		return c.Send(ctx, base+path, map[string]string{"webhook-id": "msg_1"}, []byte("{}"))
	}
	if got := send(t.Context(), "/well"); got.Status != 200 || got.Body != "msg_1 application/json �" {
		t.Errorf("%+v", got)
	}
	if got := send(t.Context(), "/away"); got.Status != 308 {
		t.Errorf("a redirect is followed: %+v", got)
	}
	if got := send(t.Context(), "/endless"); got.Status != 200 || len(got.Body) > mostBody {
		t.Errorf("%d bytes of %d", len(got.Body), got.Status)
	}
	if got := send(t.Context(), "/large"); got.Status != 200 || len(got.Body) > mostBody {
		t.Errorf("%d bytes of %d", len(got.Body), got.Status)
	}
	if got := send(t.Context(), "/boasting"); got.Status != 0 || got.Problem != webhooks.ProblemConnect {
		t.Errorf("%+v", got)
	}
	soon, stop := context.WithTimeout(t.Context(), 300*time.Millisecond) // as the patience with a receiver ends
	defer stop()
	if got := send(soon, "/slow"); got.Status != 0 || got.Problem != webhooks.ProblemTimeout {
		t.Errorf("%+v", got)
	}
	if got := send(t.Context(), "/dripping"); got.Status != 200 || got.Body != "a" {
		t.Errorf("%+v", got)
	}
	if got := send(t.Context(), "/busy"); got.Status != 429 || got.Wait.Seconds() != 120 {
		t.Errorf("%+v", got)
	}
	ended, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	if got := send(ended, "/silent"); got.Status != 0 || got.Problem != webhooks.ProblemTimeout {
		t.Errorf("%+v", got)
	}
	closed, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := closed.Addr().String()
	_ = closed.Close()
	for target, problem := range map[string]string{
		"http://" + address:          webhooks.ProblemAddress,
		"https://127.0.0.1/":         webhooks.ProblemAddress,
		"https://localhost/":         webhooks.ProblemAddress,
		"http://example.org/":        webhooks.ProblemAddress,
		"https://[::ffff:10.0.0.1]/": webhooks.ProblemAddress,
		strings.Replace(base, "http://", "http://user:p@", 1) + "/": webhooks.ProblemAddress,
	} {
		if got := c.Send(t.Context(), target, nil, nil); got.Status != 0 || got.Problem != problem {
			t.Errorf("%s: %+v, want %s", target, got, problem)
		}
	}
	if got := New(outbound.NewGuard([]string{address}, true)).Send(t.Context(), "http://"+address, nil, nil); got.Problem != webhooks.ProblemConnect {
		t.Errorf("%+v", got)
	}
	u, err := url.Parse("http://example.org/")
	if err != nil || c.Check(u) == nil {
		t.Errorf("http is allowed: %v", err)
	}
}
