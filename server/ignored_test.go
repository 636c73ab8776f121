package server_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestIgnored sends arguments that routes don't know: they are named in the answer,
// and refused where that is wanted.
func TestIgnored(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := k.event(nil)
	ticket := map[string]any{"name": "Seat", "prize": 5}
	for _, one := range []struct {
		about string
		request
		names  string
		params []string
	}{
		{"query of a list", request{Method: "GET", Path: "/events?titel=x&per_page=5&_fields=total"}, "titel", []string{"titel"}},
		{"brackets", request{Method: "GET", Path: "/events?a[b]=1&a[c]=2"}, "a", []string{"a"}},
		{"one thing", request{Method: "GET", Path: item("events", id) + "?fields=id"}, "fields", []string{"fields"}},
		{"JSON", request{Method: "PATCH", Path: item("events", id), As: "editor", JSON: object{"titel": "x", "title": "New", "id": 3}}, "titel", []string{"titel"}},
		{"a form", request{Method: "POST", Path: "/tags", As: "editor", Form: url.Values{"name": {"n"}, "colour": {"red"}, "b,c": {"1"}}},
			"b%2Cc, colour", []string{"b,c", "colour"}},
		{"within objects", request{Method: "PATCH", Path: item("events", id), As: "editor", JSON: object{"tickets": []any{ticket},
			"organizer": object{"organizer": "O", "mail": "o@example.org"}, "venue": object{"id": nil, "venue": "V"}}},
			"organizer.mail, tickets.prize", []string{"organizer.mail", "tickets.prize"}},
		{"the provider's", request{Method: "GET", Path: "//platform/v1/sites?status=active", As: "Bearer " + providerToken}, "status", []string{"status"}},
		{"nothing", request{Method: "GET", Path: "/events?rest_route=&strict=0&_fields=total&page=1"}, "", nil},
	} {
		strict := one.request
		separator := "?"
		if strings.Contains(strict.Path, "?") {
			separator = "&"
		}
		strict.Path += separator + "strict=true"
		if a := k.send(strict); one.params != nil {
			a.want(t, http.StatusBadRequest, "rest_invalid_param")
			for _, name := range one.params {
				if a.params()[name] == nil {
					t.Errorf("%s: %s isn't refused: %s", one.about, name, a)
				}
			}
			if len(a.params()) != len(one.params) {
				t.Errorf("%s: %s", one.about, a)
			}
		} else if a.Status != http.StatusOK {
			t.Errorf("%s, strict: %s", one.about, a)
		}
		a := k.send(one.request)
		if got := a.Header.Get("X-Kalends-Ignored"); a.Status >= 300 || got != one.names {
			t.Errorf("%s: ignored %q, want %q\n%s", one.about, got, one.names, a)
		}
	}
	exposed := k.get("/events", "").Header.Get("Access-Control-Expose-Headers")
	for _, name := range []string{"X-Kalends-Ignored", "X-Request-Id"} {
		if !strings.Contains(exposed, name) {
			t.Errorf("scripts can't read %s: %s", name, exposed)
		}
	}
}

// TestIgnoredIsKept answers from the cache with what was ignored, too, and each
// answer with an id of its own.
func TestIgnoredIsKept(t *testing.T) {
	t.Parallel()
	_, k := cachedKit(t)
	first, second := k.get("/events?titel=x", ""), k.get("/events?titel=x", "")
	if second.Header.Get("X-Kalends-Ignored") != "titel" {
		t.Errorf("%v", second.Header)
	}
	if a, b := first.Header.Get("X-Request-Id"), second.Header.Get("X-Request-Id"); a == b || a == "" {
		t.Errorf("%q, %q", a, b)
	}
	same := k.send(request{Method: "GET", Path: "/events?titel=x", Headers: map[string]string{"If-None-Match": first.Header.Get("ETag"), "X-Request-Id": "mine"}})
	if same.Status != http.StatusNotModified || same.Header.Get("X-Request-Id") != "mine" {
		t.Errorf("%d %v", same.Status, same.Header)
	}
}
