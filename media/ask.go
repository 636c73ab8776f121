package media

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// Ask requests an address and returns any response of the server, unlike Fetch. With a user it authenticates by
// HTTP Basic, and follows no redirect to another host. Every error matches ErrFetch.
func (f *Fetcher) Ask(ctx context.Context, address, user, password string) (status int, header http.Header, body []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, f.config.Timeout)
	defer cancel()
	status, header, body, err = f.ask(ctx, address, user, password)
	if err != nil {
		return 0, nil, nil, fmt.Errorf("%w: %w", ErrFetch, err)
	}
	return status, header, body, nil
}

func (f *Fetcher) ask(ctx context.Context, address, user, password string) (status int, header http.Header, body []byte, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, nil, nil, errors.New("no address") // the error would show it
	}
	if err := f.Check(u); err != nil {
		return 0, nil, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return 0, nil, nil, err
	}
	req.Header.Set("Accept", f.config.Accept)
	req.Header.Set("User-Agent", "Kalends")
	client := *f.client
	if user != "" {
		req.SetBasicAuth(user, password)
		client.CheckRedirect = func(to *http.Request, via []*http.Request) error {
			if to.URL.Host != u.Host || to.URL.Scheme != u.Scheme {
				return errors.New("a redirect to another host")
			}
			return f.checkRedirect(to, via)
		}
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer resp.Body.Close()
	if resp.ContentLength > f.config.MaxBytes {
		return 0, nil, nil, ErrTooLarge
	}
	body, err = readUpTo(resp.Body, f.config.MaxBytes)
	return resp.StatusCode, resp.Header, body, err
}
