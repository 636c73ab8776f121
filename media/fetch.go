package media

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// FetchConfig configures a Fetcher. Zero values mean the defaults.
type FetchConfig struct {
	Timeout      time.Duration // for the whole fetch including redirects; default 10 s
	MaxBytes     int64         // default DefaultMaxBytes
	MaxRedirects int           // default 3; negative for none
	Accept       string        // requested media types; default image/*
	AllowHosts   []string      // host or host:port that may be private or use another port
	Secure       bool          // only https, except for AllowHosts
}

// Fetcher downloads images, or the types in Accept, from user-supplied addresses, but only from public servers (rule
// 6.2). It checks the address in the URL, at every redirect, after name resolution, and when connecting.
type Fetcher struct {
	config FetchConfig
	rules  addressRules
	allow  map[string]bool
	client *http.Client
	lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// NewFetcher returns a Fetcher. It uses no proxy and keeps no cookies.
func NewFetcher(config FetchConfig) *Fetcher {
	if config.Timeout <= 0 {
		config.Timeout = 10 * time.Second
	}
	if config.MaxRedirects == 0 {
		config.MaxRedirects = 3
	}
	if config.Accept == "" {
		config.Accept = "image/*"
	}
	config.MaxBytes = orDefault(config.MaxBytes, DefaultMaxBytes)
	f := &Fetcher{config: config, rules: newAddressRules(), allow: map[string]bool{},
		lookup: net.DefaultResolver.LookupNetIP}
	for _, host := range config.AllowHosts {
		f.allow[strings.ToLower(host)] = true
	}
	f.client = &http.Client{
		CheckRedirect: f.checkRedirect,
		Transport: &http.Transport{
			DialContext:            f.dial,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: 64 << 10,
		},
	}
	return f
}

// Fetch returns the body at an http or https URL, the content type claimed by the server (Decode determines the real
// one), and the URL after redirects. Every error matches ErrFetch; where applicable it also matches
// ErrRefusedAddress, ErrTooLarge, fs.ErrNotExist if the server reports that the page does not exist, or the context's
// error.
func (f *Fetcher) Fetch(ctx context.Context, rawURL string) (data []byte, contentType, finalURL string, err error) {
	ctx, cancel := context.WithTimeout(ctx, f.config.Timeout)
	defer cancel()
	data, contentType, finalURL, err = f.fetch(ctx, rawURL)
	if err != nil {
		return nil, "", "", fmt.Errorf("%w: %w", ErrFetch, err)
	}
	return data, contentType, finalURL, nil
}

func (f *Fetcher) fetch(ctx context.Context, rawURL string) (data []byte, contentType, finalURL string, err error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, "", "", err
	}
	if err := f.checkURL(u); err != nil {
		return nil, "", "", err
	}
	u.Fragment = ""
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, "", "", err
	}
	req.Header.Set("Accept", f.config.Accept)
	req.Header.Set("User-Agent", "Kalends")
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, "", "", err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusGone:
		return nil, "", "", fmt.Errorf("status %d: %w", resp.StatusCode, fs.ErrNotExist)
	default:
		return nil, "", "", fmt.Errorf("status %d", resp.StatusCode)
	}
	if resp.ContentLength > f.config.MaxBytes {
		return nil, "", "", ErrTooLarge
	}
	data, err = readUpTo(resp.Body, f.config.MaxBytes)
	return data, resp.Header.Get("Content-Type"), resp.Request.URL.String(), err
}

// checkURL returns ErrRefusedAddress for a URL that must not be requested.
func (f *Fetcher) checkURL(u *url.URL) error {
	host, port := hostPort(u)
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.User != nil:
		return fmt.Errorf("%w: %s", ErrRefusedAddress, u.Redacted())
	case f.allowed(host, port):
		return nil
	case f.config.Secure && u.Scheme != "https":
		return fmt.Errorf("%w: %s", ErrRefusedAddress, u.Redacted())
	case port != "80" && port != "443":
		return fmt.Errorf("%w: port %s", ErrRefusedAddress, port)
	}
	return f.rules.checkHost(host)
}

func (f *Fetcher) checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > f.config.MaxRedirects {
		return errors.New("too many redirects")
	}
	req.Header.Del("Referer") // would disclose the original URL
	return f.checkURL(req.URL)
}

// allowed reports whether the configuration lists the host with this port or, for the standard ports, without a port.
func (f *Fetcher) allowed(host, port string) bool {
	return f.allow[net.JoinHostPort(host, port)] || (port == "80" || port == "443") && f.allow[host]
}

// dial connects to addr, the host:port of the URL. All addresses of the name must be public, and so must the address
// actually connected to, in case the name resolves differently by then.
func (f *Fetcher) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	var dialer net.Dialer
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if f.allowed(host, port) {
		return dialer.DialContext(ctx, network, addr)
	}
	ips, err := f.lookup(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for _, ip := range ips {
		if err := f.rules.check(ip.Unmap()); err != nil {
			return nil, err
		}
	}
	dialer.Control = f.control
	return dialer.DialContext(ctx, network, addr)
}

// control rejects a connection based on the address about to be used.
func (f *Fetcher) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %q", ErrRefusedAddress, address)
	}
	return f.rules.check(to.Addr().Unmap())
}
