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
	"net/netip"
	"strings"
	"testing"
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
		"/to?url=http://10.0.0.1/":         ErrRefusedAddress,
		"/to?url=http://169.254.169.254/x": ErrRefusedAddress,
		"/to?url=http://localhost/":        ErrRefusedAddress,
		"/to?url=http://[::1]/":            ErrRefusedAddress,
		"/to?url=file:///etc/passwd":       ErrRefusedAddress,
		"/to?url=http://u:p@" + addr + "/": ErrRefusedAddress,
		"/to?url=http://127.0.0.1:1/":      ErrRefusedAddress,
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
		if !errors.Is(err, ErrRefusedAddress) || !errors.Is(err, ErrFetch) {
			t.Errorf("%q: %v", u, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error tells the password", u)
		}
	}
}

// TestNamesOfPrivateAddresses uses a fake name server.
func TestNamesOfPrivateAddresses(t *testing.T) {
	t.Parallel()
	for _, ips := range []string{"127.0.0.1", "93.184.216.34 10.0.0.1", "::ffff:192.168.0.1", "2606:2800::1 fd00::1", "64:ff9b::a00:1"} {
		f := NewFetcher(FetchConfig{})
		f.lookup = func(context.Context, string, string) (found []netip.Addr, err error) {
			for ip := range strings.FieldsSeq(ips) {
				found = append(found, netip.MustParseAddr(ip))
			}
			return found, nil
		}
		if _, _, _, err := f.Fetch(context.Background(), "http://pictures.example.org/x.png"); !errors.Is(err, ErrRefusedAddress) {
			t.Errorf("%s: %v", ips, err)
		}
	}
}

// TestRebinding uses a name that resolves to a public address at first, and to the loopback address when connecting.
func TestRebinding(t *testing.T) {
	t.Parallel()
	addr := site(t)
	f := NewFetcher(FetchConfig{})
	f.lookup = func(context.Context, string, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
	}
	conn, err := f.Dial(context.Background(), "tcp", addr)
	if conn != nil || !errors.Is(err, ErrRefusedAddress) {
		t.Errorf("got %v", err)
	}
	if err := f.control("tcp", "93.184.216.34:443", nil); err != nil {
		t.Errorf("public: %v", err)
	}
}

func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	rules := newAddressRules()
	for _, ip := range []string{"8.8.8.8", "1.1.1.1", "93.184.216.34", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"} {
		if err := rules.check(netip.MustParseAddr(ip)); err != nil {
			t.Error(err)
		}
	}
	for _, host := range []string{"example.org", "1.example", "xn--bcher-kva.example", "8.8.8.8", "0xdata.example"} {
		if err := rules.checkHost(host); err != nil {
			t.Error(err)
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
