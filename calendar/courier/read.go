package courier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/internal/outbound"
)

// Reader implements sources.Web.
type Reader struct {
	guard    *outbound.Guard
	client   *http.Client
	accept   string
	patience time.Duration
	most     int64
}

// errLong is returned for a response that is longer than Reader.most bytes.
var errLong = errors.New("the answer is too large")

// mostRedirects is the maximum number of redirects followed.
const mostRedirects = 3

// NewReader returns a reader that connects only to addresses that guard allows, also at every redirect. The guard
// must demand https. Responses must arrive within patience and have at most the number of bytes in most.
func NewReader(guard *outbound.Guard, accept string, patience time.Duration, most int64) *Reader {
	r := &Reader{guard: guard, accept: accept, patience: patience, most: most}
	r.client = &http.Client{
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) > mostRedirects {
				return errors.New("too many redirects")
			}
			req.Header.Del("Referer") // would disclose the original address
			if first := via[0].URL; req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
				req.Header.Del("Authorization")
			}
			return guard.Check(req.URL)
		},
		Transport: &http.Transport{
			DialContext:            guard.Dial,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: 64 << 10,
		},
	}
	return r
}

// Read implements sources.Web.
func (r *Reader) Read(ctx context.Context, q *sources.Request) (*sources.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	u, err := url.Parse(q.URL)
	if err != nil {
		return nil, err
	}
	if err := r.guard.Check(u); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", r.accept)
	req.Header.Set("User-Agent", "Kalends")
	if q.ETag != "" {
		req.Header.Set("If-None-Match", q.ETag)
	}
	if q.Modified != "" {
		req.Header.Set("If-Modified-Since", q.Modified)
	}
	if q.User != "" || q.Password != "" {
		req.SetBasicAuth(q.User, q.Password)
	}
	res, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	answer := &sources.Response{
		Status:   res.StatusCode,
		ETag:     known(res.Header.Get("ETag")),
		Modified: known(res.Header.Get("Last-Modified")),
		After:    retryAfter(res.Header.Get("Retry-After"), time.Now()),
	}
	if res.StatusCode != http.StatusOK {
		return answer, nil
	}
	if answer.Data, err = io.ReadAll(io.LimitReader(res.Body, r.most+1)); err != nil {
		return nil, fmt.Errorf("read what is there: %w", err)
	}
	if int64(len(answer.Data)) > r.most {
		return nil, errLong
	}
	return answer, nil
}

// known returns the value of a header that the next request sends back, or "" if it is too long to store.
func known(value string) string {
	if len(value) > 1000 {
		return ""
	}
	return readable([]byte(value))
}
