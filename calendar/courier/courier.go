// Package courier sends the messages of webhooks over HTTP.
package courier

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/internal/outbound"
)

// Courier implements webhooks.Courier and webhooks.Door.
type Courier struct {
	guard  *outbound.Guard
	client *http.Client
}

// Limits of a response. Only the beginning of a slow body is read, because the status is sufficient.
const (
	mostHeader = 16 << 10
	mostBody   = 1000 // bytes
	bodyTime   = 2 * time.Second
)

// New returns a courier that connects only to addresses that guard allows. The guard must demand https. The courier uses no
// proxy, keeps no cookies and follows no redirects.
func New(guard *outbound.Guard) *Courier {
	return &Courier{guard, &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:            guard.Dial,
			DisableCompression:     true,
			MaxResponseHeaderBytes: mostHeader,
			MaxIdleConns:           100,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        30 * time.Second,
		},
	}}
}

// Check returns an error for an address that must not receive messages. http and private addresses are allowed only for hosts
// that the guard lists.
func (c *Courier) Check(u *url.URL) error { return c.guard.Check(u) }

// Send implements webhooks.Courier.
func (c *Courier) Send(ctx context.Context, address string, headers map[string]string, body []byte) webhooks.Answer {
	ctx, cancel := context.WithTimeout(ctx, webhooks.Patience)
	defer cancel()
	u, err := url.Parse(address)
	if err != nil || c.Check(u) != nil {
		return webhooks.Answer{Problem: webhooks.ProblemAddress}
	}
	u.Fragment = ""
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return webhooks.Answer{Problem: webhooks.ProblemAddress}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Kalends")
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	res, err := c.client.Do(req)
	if err != nil {
		return webhooks.Answer{Problem: problemOf(err)}
	}
	defer func() { _ = res.Body.Close() }()
	stop := time.AfterFunc(bodyTime, cancel)
	defer stop.Stop()
	text, _ := io.ReadAll(io.LimitReader(res.Body, mostBody)) // the part that arrives in time
	return webhooks.Answer{Status: res.StatusCode, Wait: retryAfter(res.Header.Get("Retry-After"), time.Now()), Body: readable(text)}
}

// retryAfter reads the Retry-After header: a number of seconds, or a date.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(strings.TrimSpace(header), 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}

// readable returns a body or header as text that can be stored and shown: valid UTF-8 without NUL.
func readable(b []byte) string {
	return strings.ToValidUTF8(strings.ReplaceAll(string(b), "\x00", ""), "�")
}

// problemOf returns the webhooks.Problem constant that explains why there is no response.
func problemOf(err error) string {
	var timeout net.Error
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, outbound.ErrRefusedAddress):
		return webhooks.ProblemAddress
	case errors.As(err, &name) && !name.IsTimeout:
		return webhooks.ProblemName
	case errors.As(err, &certificate), errors.As(err, &record):
		return webhooks.ProblemTLS
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return webhooks.ProblemTimeout
	}
	return webhooks.ProblemConnect
}
