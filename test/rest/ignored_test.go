package rest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestIgnored sends arguments that routes don't know: they are named in the answer,
// and refused where that is wanted.
func TestIgnored(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(nil)
	ticket := map[string]any{"name": "Seat", "prize": 5}
	for _, one := range []struct {
		about string
		kit.Request
		names  string
		params []string
	}{
		{"query of a list", kit.Request{Method: "GET", Path: "/events?titel=x&per_page=5&_fields=total"}, "titel", []string{"titel"}},
		{"brackets", kit.Request{Method: "GET", Path: "/events?a[b]=1&a[c]=2"}, "a", []string{"a"}},
		{"one thing", kit.Request{Method: "GET", Path: kit.Item("events", id) + "?fields=id"}, "fields", []string{"fields"}},
		{"JSON", kit.Request{Method: "PATCH", Path: kit.Item("events", id), As: "editor", JSON: kit.Object{"titel": "x", "title": "New", "id": 3}}, "titel", []string{"titel"}},
		{"a form", kit.Request{Method: "POST", Path: "/tags", As: "editor", Form: url.Values{"name": {"n"}, "colour": {"red"}, "b,c": {"1"}}},
			"b%2Cc, colour", []string{"b,c", "colour"}},
		{"within objects", kit.Request{Method: "PATCH", Path: kit.Item("events", id), As: "editor", JSON: kit.Object{"tickets": []any{ticket},
			"organizer": kit.Object{"organizer": "O", "mail": "o@example.org"}, "venue": kit.Object{"id": nil, "venue": "V"}}},
			"organizer.mail, tickets.prize", []string{"organizer.mail", "tickets.prize"}},
		{"the provider's", kit.Request{Method: "GET", Path: "//platform/v1/sites?status=active", As: "Bearer " + kit.ProviderToken}, "status", []string{"status"}},
		{"a site of the provider's", kit.Request{Method: "PATCH", Path: "//platform/v1/sites/demo", As: "Bearer " + kit.ProviderToken,
			JSON: kit.Object{"nme": "x", "per_page": 3, "settings": kit.Object{"per_page": 7, "perpage": 3}}}, "nme, per_page, settings.perpage", []string{"nme", "per_page", "settings.perpage"}},
		{"a user of the provider's", kit.Request{Method: "PATCH", Path: "//platform/v1/sites/demo/users/3", As: "Bearer " + kit.ProviderToken, JSON: kit.Object{"nam": "x"}}, "nam", []string{"nam"}},
		{"a plan", kit.Request{Method: "PUT", Path: "//platform/v1/plans/small", As: "Bearer " + kit.ProviderToken, JSON: kit.Object{"limits": kit.Object{"events": 5}, "price": 3}},
			"price", []string{"price"}},
		{"keys", kit.Request{Method: "GET", Path: "/events?titel=x&_fields=total,events.id,events.titel,%20id"}, "titel, _fields.events.titel, _fields.id",
			[]string{"titel", "_fields"}},
		{"keys of one thing", kit.Request{Method: "GET", Path: kit.Item("events", id) + "?_fields=id,venue.town,image.sizes.thumbnail.url,json_ld.name"},
			"_fields.venue.town", []string{"_fields"}},
		{"nothing", kit.Request{Method: "GET", Path: "/events?rest_route=&strict=0&_fields=total&page=1"}, "", nil},
	} {
		strict := one.Request
		separator := "?"
		if strings.Contains(strict.Path, "?") {
			separator = "&"
		}
		strict.Path += separator + "strict=true"
		if a := k.Send(strict); one.params != nil {
			a.Want(t, http.StatusBadRequest, "rest_invalid_param")
			for _, name := range one.params {
				if a.Params()[name] == nil {
					t.Errorf("%s: %s isn't refused: %s", one.about, name, a)
				}
			}
			if len(a.Params()) != len(one.params) {
				t.Errorf("%s: %s", one.about, a)
			}
		} else if a.Status != http.StatusOK {
			t.Errorf("%s, strict: %s", one.about, a)
		}
		a := k.Send(one.Request)
		if got := a.Header.Get("X-Kalends-Ignored"); a.Status >= 300 || got != one.names {
			t.Errorf("%s: ignored %q, want %q\n%s", one.about, got, one.names, a)
		}
	}
	exposed := k.Get("/events", "").Header.Get("Access-Control-Expose-Headers")
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
	_, k := kit.CachedKit(t)
	first, second := k.Get("/events?titel=x", ""), k.Get("/events?titel=x", "")
	if second.Header.Get("X-Kalends-Ignored") != "titel" {
		t.Errorf("%v", second.Header)
	}
	if a, b := first.Header.Get("X-Request-Id"), second.Header.Get("X-Request-Id"); a == b || a == "" {
		t.Errorf("%q, %q", a, b)
	}
	same := k.Send(kit.Request{Method: "GET", Path: "/events?titel=x", Headers: map[string]string{"If-None-Match": first.Header.Get("ETag"), "X-Request-Id": "mine"}})
	if same.Status != http.StatusNotModified || same.Header.Get("X-Request-Id") != "mine" {
		t.Errorf("%d %v", same.Status, same.Header)
	}
}
