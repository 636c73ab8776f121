package moving

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar/reading"
)

func TestRoots(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][]string{
		"https://site.example": {"https://site.example/wp-json/tribe/events/v1", "https://site.example/?rest_route=/tribe/events/v1"},
		"https://site.example/wp-json/tribe/events/v1/events?page=2": {"https://site.example/wp-json/tribe/events/v1", "https://site.example/?rest_route=/tribe/events/v1"},
		" https://site.example/blog/events/#x": {"https://site.example/blog/events/wp-json/tribe/events/v1", "https://site.example/blog/wp-json/tribe/events/v1",
			"https://site.example/wp-json/tribe/events/v1", "https://site.example/?rest_route=/tribe/events/v1"},
	} {
		if got, err := roots(address); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v %v", address, got, err)
		}
	}
	if got := at("https://site.example/?rest_route=/tribe/events/v1", "tags", nil, 2, 50); got != "https://site.example/?rest_route=/tribe/events/v1/tags&page=2&per_page=50" {
		t.Error(got)
	}
	if _, err := roots("site.example"); err == nil {
		t.Error("an address without a scheme")
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		header http.Header
		want   time.Duration
	}{
		{429, http.Header{"Retry-After": {"5"}}, 5 * time.Second},
		{503, http.Header{"Retry-After": {"86400"}}, longestWait},
		{429, http.Header{"Retry-After": {"Sat, 28 Nov 2026 10:00:30 GMT"}, "Date": {"Sat, 28 Nov 2026 10:00:00 GMT"}}, 30 * time.Second},
		{429, http.Header{}, 0}, {429, http.Header{"Retry-After": {"-1"}}, 0}, {500, http.Header{"Retry-After": {"5"}}, 0},
	} {
		if got := retryAfter(c.status, c.header); got != c.want {
			t.Errorf("%d %v: %s, want %s", c.status, c.header, got, c.want)
		}
	}
}

// endless is a site that has more pages after each page.
type endless struct{ asked int }

// Ask implements Door.
func (e *endless) Ask(_ context.Context, address, _, _ string) (int, http.Header, []byte, error) {
	if e.asked++; e.asked > 10*mostPages {
		return 0, nil, nil, errors.New("it never ends")
	}
	if strings.Contains(address, "/wp/v2/") {
		return http.StatusOK, http.Header{"X-Wp-Totalpages": {"1000000000"}}, []byte("[]"), nil
	}
	return http.StatusOK, nil, []byte(`{"events": [], "venues": [], "total": 1, "total_pages": ` + e.pages(address) + `}`), nil
}

func (e *endless) pages(address string) string {
	if strings.Contains(address, "/venues?") {
		return strconv.Itoa(e.asked + 1)
	}
	return "1"
}

// A site whose lists never end is not read forever.
func TestEndlessSite(t *testing.T) {
	t.Parallel()
	site := &endless{}
	if _, err := (&Reader{Door: site}).Copy(t.Context(), "https://site.example"); !errors.Is(err, reading.ErrMany) || site.asked > 2*mostPages {
		t.Errorf("%v after %d requests", err, site.asked)
	}
	c := &copying{Reader: &Reader{Door: site}, root: "https://site.example/wp-json/tribe/events/v1"}
	site.asked = 0
	if err := c.unlisted(t.Context()); !errors.Is(err, reading.ErrMany) || site.asked > 2*mostPages {
		t.Errorf("%v after %d requests", err, site.asked)
	}
}
