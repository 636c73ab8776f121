package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/outbound"
)

// site serves an image and several traps on the loopback address, which is refused unless allowed.
func site(t *testing.T) (addr string) {
	mux := http.NewServeMux()
	mux.HandleFunc("/picture.png", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		w.Header().Set("Content-Type", mimePNG)
		_, _ = w.Write(bytes.Repeat([]byte("p"), 1000))
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<10)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/empty", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "track", Value: "me", Path: "/"})
		http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusFound)
	})
	mux.HandleFunc("/hops/{n}", func(w http.ResponseWriter, r *http.Request) {
		var n int
		_, _ = fmt.Sscan(r.PathValue("n"), &n)
		if n == 0 {
			http.Redirect(w, r, "/picture.png", http.StatusMovedPermanently)
			return
		}
		http.Redirect(w, r, fmt.Sprintf("/hops/%d", n-1), http.StatusFound)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func TestFetch(t *testing.T) {
	t.Parallel()
	addr := site(t)
	f := NewFetcher(FetchConfig{AllowHosts: []string{addr}})
	for _, path := range []string{"/picture.png", "/picture.png#top", "/to?url=/picture.png", "/hops/2"} {
		data, mime, final, err := f.Fetch(context.Background(), "http://"+addr+path)
		if err != nil || len(data) != 1000 || mime != mimePNG || final != "http://"+addr+"/picture.png" {
			t.Errorf("%s: %d bytes, %s, %s, %v", path, len(data), mime, final, err)
		}
	}
}

func TestFetchFails(t *testing.T) {
	t.Parallel()
	addr := site(t)
	f := NewFetcher(FetchConfig{AllowHosts: []string{addr}, MaxBytes: 999})
	for path, want := range map[string]error{
		"/nothing": ErrFetch, "/empty": ErrFetch, "/hops/3": ErrFetch, "/picture.png": ErrTooLarge, "/endless": ErrTooLarge,
		"/to?url=http://10.0.0.1/":         outbound.ErrRefusedAddress,
		"/to?url=http://169.254.169.254/x": outbound.ErrRefusedAddress,
		"/to?url=http://localhost/":        outbound.ErrRefusedAddress,
		"/to?url=http://[::1]/":            outbound.ErrRefusedAddress,
		"/to?url=file:///etc/passwd":       outbound.ErrRefusedAddress,
		"/to?url=http://u:p@" + addr + "/": outbound.ErrRefusedAddress,
		"/to?url=http://127.0.0.1:1/":      outbound.ErrRefusedAddress,
	} {
		data, _, _, err := f.Fetch(context.Background(), "http://"+addr+path)
		if data != nil || !errors.Is(err, want) || !errors.Is(err, ErrFetch) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}

func TestFetchStops(t *testing.T) {
	t.Parallel()
	addr := site(t)
	f := NewFetcher(FetchConfig{AllowHosts: []string{addr}, Timeout: 1})
	if _, _, _, err := f.Fetch(context.Background(), "http://"+addr+"/silent"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("timeout: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f = NewFetcher(FetchConfig{AllowHosts: []string{addr}})
	if _, _, _, err := f.Fetch(ctx, "http://"+addr+"/silent"); !errors.Is(err, context.Canceled) || !errors.Is(err, ErrFetch) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestRefusedURLs(t *testing.T) {
	t.Parallel()
	addr := site(t)
	_, port, _ := net.SplitHostPort(addr)
	f := NewFetcher(FetchConfig{AllowHosts: []string{"example.org:8080"}})
	for _, u := range []string{
		"http://" + addr + "/picture.png", "http://localhost:" + port + "/picture.png",
		"http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/",
		"http://0177.0.0.1/", "http://017700000001/", "http://0/", "http://127.0.0.1./", "http://[::1]/", "http://[::]/",
		"http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "https://localhost/",
		"http://10.1.2.3/", "http://172.31.0.1/", "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data/",
		"http://100.64.0.1/", "http://0.0.0.0/", "http://224.0.0.1/", "http://255.255.255.255/", "http://198.51.100.7/",
		"http://[::ffff:127.0.0.1]/", "http://[::ffff:8.8.8.8]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/",
		"http://[fe80::1%25eth0]/", "http://[fd00::1]/", "http://[2001:db8::1]/", "http://[ff02::1]/",
		"http://example.org:22/", "http://example.org:8081/", "http://example.com:8080/", "http://example.org:080/",
		"ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "data:image/png;base64,AA==", "javascript:1",
		"http://user@example.org/", "https://user:secret@example.org/", "http:///x", "//example.org/", "example.org/x.png", "",
		"http:example.org", "http://@example.org/", "http://1.2.3.4.5/", "http://256.1.1.1/",
	} {
		_, _, _, err := f.Fetch(context.Background(), u)
		if !errors.Is(err, outbound.ErrRefusedAddress) || !errors.Is(err, ErrFetch) {
			t.Errorf("%q: %v", u, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error tells the password", u)
		}
	}
}

// Missing resources are distinguished from other failures.
func TestFetchOfNothing(t *testing.T) {
	t.Parallel()
	addr := site(t)
	f := NewFetcher(FetchConfig{AllowHosts: []string{addr}})
	for path, absent := range map[string]bool{"/none": true, "/empty": false} {
		if _, _, _, err := f.Fetch(t.Context(), "http://"+addr+path); !errors.Is(err, ErrFetch) || errors.Is(err, fs.ErrNotExist) != absent {
			t.Errorf("%s: %v", path, err)
		}
	}
}
