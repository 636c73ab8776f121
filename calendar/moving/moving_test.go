package moving

import (
	"net/http"
	"slices"
	"testing"
	"time"
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
