package media

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"time"

	"github.com/kalends/kalends/internal/outbound"
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
	*outbound.Guard

	config FetchConfig
	client *http.Client
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
	f := &Fetcher{Guard: outbound.NewGuard(config.AllowHosts, config.Secure), config: config}
	f.client = &http.Client{
		CheckRedirect: f.checkRedirect,
		Transport: &http.Transport{
			DialContext:            f.Dial,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: 64 << 10,
		},
	}
	return f
}

// Fetch returns the body at an http or https URL, the content type claimed by the server (Decode determines the real
// one), and the URL after redirects. Every error matches ErrFetch; where applicable it also matches
// [outbound.ErrRefusedAddress], ErrTooLarge, fs.ErrNotExist if the server reports that the page does not exist, or the context's
// error.
func (f *Fetcher) Fetch(ctx context.Context, rawURL string) (data []byte, contentType, finalURL string, err error) {
	return f.fetchWithin(ctx, rawURL, func(int64) error { return nil })
}

// fetchWithin is Fetch that calls take with the maximum size of the body before it reads it, and returns the errors
// of take unchanged.
func (f *Fetcher) fetchWithin(ctx context.Context, rawURL string, take func(bytes int64) error) (
	data []byte, contentType, finalURL string, err error) {
	ctx, cancel := context.WithTimeout(ctx, f.config.Timeout)
	defer cancel()
	var refused error
	data, contentType, finalURL, err = f.fetch(ctx, rawURL, func(bytes int64) error {
		refused = take(bytes)
		return refused
	})
	switch {
	case refused != nil:
		return nil, "", "", refused
	case err != nil:
		return nil, "", "", fmt.Errorf("%w: %w", ErrFetch, err)
	}
	return data, contentType, finalURL, nil
}

func (f *Fetcher) fetch(ctx context.Context, rawURL string, take func(bytes int64) error) (
	data []byte, contentType, finalURL string, err error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, "", "", err
	}
	if err := f.Check(u); err != nil {
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
	most := f.config.MaxBytes
	if resp.ContentLength >= 0 {
		most = resp.ContentLength
	}
	if err := take(most); err != nil {
		return nil, "", "", err
	}
	data, err = readUpTo(resp.Body, f.config.MaxBytes)
	return data, resp.Header.Get("Content-Type"), resp.Request.URL.String(), err
}

func (f *Fetcher) checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > f.config.MaxRedirects {
		return errors.New("too many redirects")
	}
	req.Header.Del("Referer") // would disclose the original URL
	return f.Check(req.URL)
}
