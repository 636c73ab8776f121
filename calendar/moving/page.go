package moving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// errEnd is returned for a page after the last.
var errEnd = errors.New("the list has no such page")

// errAnswer is returned for an answer that is not a page of a list.
var errAnswer = errors.New("no page of a list")

// page is a page of a list.
type page struct {
	Total int `json:"total"`
	Pages int `json:"total_pages"`
	items []json.RawMessage
}

// page returns a page of a list. It makes up to most attempts, because some errors are temporary.
func (c *copying) page(ctx context.Context, address, list string, most int) (*page, error) {
	waits, pause := 0, firstPause
	for try := 1; ; try++ {
		status, header, body, err := c.Door.Ask(ctx, address, c.User, c.Password)
		if err == nil {
			p, failed := c.read(status, body, list)
			if failed == nil || errors.Is(failed, errEnd) || errors.Is(failed, ErrLogin) {
				return p, failed
			}
			err = failed
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if asked := retryAfter(status, header); asked > 0 && waits < mostWaits {
			waits++
			try--
			if err := c.wait(ctx, asked); err != nil {
				return nil, err
			}
			continue
		}
		if try >= most || status == http.StatusNotFound && list != "events" {
			return nil, err
		}
		if err := c.wait(ctx, pause); err != nil {
			return nil, err
		}
		pause *= 4
	}
}

// read reads the answer to a request for a page.
func (c *copying) read(status int, body []byte, list string) (*page, error) {
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("%w: status %d, no JSON", errAnswer, status)
	}
	var code string
	_ = json.Unmarshal(answer["code"], &code) // "" if it is none
	switch {
	case c.User != "" && (status == http.StatusUnauthorized || status == http.StatusForbidden):
		return nil, ErrLogin
	case status == http.StatusNotFound && strings.HasSuffix(code, "archive-page-not-found"):
		return nil, errEnd
	case status != http.StatusOK:
		return nil, fmt.Errorf("%w: status %d", errAnswer, status)
	}
	p := &page{}
	if answer["total"] == nil || json.Unmarshal(answer[list], &p.items) != nil || json.Unmarshal(body, p) != nil {
		return nil, fmt.Errorf("%w: JSON of something else", errAnswer)
	}
	return p, nil
}

// retryAfter returns how long an overloaded server asks clients to wait, or 0.
func retryAfter(status int, header http.Header) time.Duration {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return 0
	}
	text := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return min(time.Duration(seconds)*time.Second, longestWait)
	}
	at, err := http.ParseTime(text)
	sent, failed := http.ParseTime(header.Get("Date"))
	if err == nil && failed == nil && at.After(sent) {
		return min(at.Sub(sent), longestWait)
	}
	return 0
}

// wait waits for the duration, or until the context ends.
func (r *Reader) wait(ctx context.Context, d time.Duration) error {
	if r.Wait != nil {
		return r.Wait(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
