package server_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Requests that would be much more expensive to parse than their size are rejected before parsing and authentication.
func TestCrowdedRequests(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const form = "application/x-www-form-urlencoded"
	fields := func(n int) string { return strings.TrimSuffix(strings.Repeat("a[][][][][][]=&", n), "&") }
	list := func(n int) string { return `{"a":[` + strings.TrimSuffix(strings.Repeat("[],", n), ",") + "]}" }
	for about, c := range map[string]struct {
		kind, body string
		status     int
		code       string
	}{
		"a form":             {form, fields(1000), 400, "rest_missing_callback_param"},
		"a crowded form":     {form, fields(1001), 413, "rest_content_too_large"},
		"separators alone":   {form, strings.Repeat("&", 1000), 413, "rest_content_too_large"},
		"with a charset":     {form + "; charset=UTF-8", fields(70_000), 413, "rest_content_too_large"},
		"a list":             {"application/json", list(4000), 400, "rest_missing_callback_param"},
		"a crowded list":     {"application/json", list(6000), 413, "rest_content_too_large"},
		"marks within texts": {"application/json", `{"title":"` + strings.Repeat(`,[\"`, 20_000) + `"}`, 400, "rest_missing_callback_param"},
		"a deep list":        {"application/json", `{"a":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + "}", 400, "rest_invalid_json"},
	} {
		a := k.Send(kit.Request{Method: "POST", Path: "/events", Body: c.body, Headers: map[string]string{"Content-Type": c.kind}})
		t.Log(about)
		a.Want(t, c.status, c.code)
	}
	k.Get("/events?"+strings.TrimSuffix(strings.Repeat("a&", 1000), "&"), "").Want(t, 200, "")
	k.Get("/events?"+strings.TrimSuffix(strings.Repeat("a&", 1001), "&"), "").Want(t, 414, "rest_bad_request")
	b := k.Browser()
	many := url.Values{"login": make([]string, 1001)}
	if p := b.Post("/admin/login", many); p.Status != 413 {
		t.Errorf("a page: %d", p.Status)
	}
	if p := b.Get("/events/?" + strings.Repeat("a&", 1001)); p.Status != 414 {
		t.Errorf("the address of a page: %d", p.Status)
	}
}
