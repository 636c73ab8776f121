package rest

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestETags: every GET has a strong one, and what is known needn't be sent
// (rule 4.5).
func TestETags(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"venue": kit.Object{"venue": "V"}, "organizer": kit.Object{"organizer": "O"}, "categories": "c", "tags": "t"})
	for _, path := range []string{"/", "/doc", "/events", kit.Item("events", id), "/events/by-slug/event", "/venues", "/venues/by-slug/v",
		"/organizers", "/organizers/by-slug/o", "/categories", "/categories/1", "/tags", "/tags/2", "/events?_fields=total"} {
		for _, as := range []string{"", "editor"} {
			first := k.Get(path, as).Want(t, 200, "")
			tag := first.Header.Get("ETag")
			if !strings.HasPrefix(tag, `"`) || len(tag) < 10 {
				t.Errorf("%s: ETag %s", path, tag)
			}
			for _, sent := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
				a := k.With("GET", path, as, nil, "If-None-Match", sent)
				if a.Status != 304 || len(a.Raw) != 0 || a.Header.Get("ETag") != tag {
					t.Errorf("%s If-None-Match %s: %s", path, sent, a)
				}
				if a.Header.Get("Cache-Control") != first.Header.Get("Cache-Control") || a.Header.Get("Vary") != first.Header.Get("Vary") {
					t.Errorf("%s: headers of 304 %v", path, a.Header)
				}
				if a.Header.Get("Content-Language") != "" || a.Header.Get("Access-Control-Allow-Origin") != "*" {
					t.Errorf("%s: headers of 304 %v", path, a.Header)
				}
			}
			k.With("GET", path, as, nil, "If-None-Match", `"other"`).Want(t, 200, "")
			if got := k.With("HEAD", path, as, nil, "If-None-Match", tag); got.Status != 304 {
				t.Errorf("HEAD %s: %s", path, got)
			}
		}
	}
	one, list := k.Get(kit.Item("events", id), "").Header.Get("ETag"), k.Get("/events", "").Header.Get("ETag")
	k.Patch("/venues/by-slug/v", "editor", kit.Object{"venue": "W"}).Want(t, 200, "")
	for path, tag := range map[string]string{kit.Item("events", id): one, "/events": list} {
		if a := k.With("GET", path, "", nil, "If-None-Match", tag); a.Status != 200 || !strings.Contains(string(a.Raw), `"W"`) {
			t.Errorf("%s is old: %s", path, a)
		}
	}
}

// TestIfMatch: a write that comes too late changes nothing.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"venue": kit.Object{"venue": "V"}, "organizer": kit.Object{"organizer": "O"}, "categories": "c", "tags": "t"})
	for path, name := range map[string]string{kit.Item("events", id): "title", "/events/by-slug/event": "title", "/venues/by-slug/v": "venue",
		"/organizers/by-slug/o": "organizer", "/categories/1": "name", "/tags/2": "name"} {
		old := k.Get(path, "editor").Header.Get("ETag")
		anonymous := k.Get(path, "").Header.Get("ETag")
		changed := k.With("PATCH", path, "editor", kit.Object{name: "One"}, "If-Match", old).Want(t, 200, "")
		state := k.State()
		for _, tag := range []string{old, anonymous, `"x"`, "W/" + changed.Header.Get("ETag"), `""`, "nonsense"} {
			for _, method := range []string{"PATCH", "PUT", "POST"} {
				k.With(method, path, "editor", kit.Object{name: "Two"}, "If-Match", tag).Want(t, 412, "rest_precondition_failed")
			}
			k.With("DELETE", path, "editor", nil, "If-Match", tag).Want(t, 412, "rest_precondition_failed")
			k.With("DELETE", path+"?force=true", "editor", nil, "If-Match", tag).Want(t, 412, "rest_precondition_failed")
		}
		if now := k.State(); now != state {
			t.Errorf("%s: %s, was %s", path, now, state)
		}
		k.Get(path, "editor").Has(t, name, "One")
		k.With("PATCH", path, "editor", kit.Object{name: "Three"}, "If-Match", `"x", `+changed.Header.Get("ETag")).Want(t, 200, "")
		k.With("PATCH", path, "editor", kit.Object{name: "Four"}, "If-Match", "*").Want(t, 200, "")
	}
	k.With("PATCH", "/events/999999", "editor", kit.Object{"title": "x"}, "If-Match", `"x"`).Want(t, 404, "rest-event-not-found")
}

// TestCacheHeaders: who may keep an answer, and by what it differs.
func TestCacheHeaders(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	const public, private = "public, max-age=0, must-revalidate", "private, no-store"
	id := k.Event(nil)
	for _, c := range []struct {
		r     kit.Request
		cache string
	}{
		{kit.Request{Method: "GET", Path: "/events"}, public},
		{kit.Request{Method: "HEAD", Path: kit.Item("events", id)}, public},
		{kit.Request{Method: "GET", Path: "/events", As: "subscriber"}, private},
		{kit.Request{Method: "GET", Path: "/events/999"}, private},
		{kit.Request{Method: "POST", Path: "/events", As: "editor", JSON: kit.Times(nil)}, private},
		{kit.Request{Method: "DELETE", Path: kit.Item("events", id), As: "editor"}, private},
	} {
		a := k.Send(c.r)
		if got := a.Header.Get("Cache-Control"); got != c.cache {
			t.Errorf("%s %s: Cache-Control %s", c.r.Method, c.r.Path, got)
		}
		if a.Header.Get("Content-Type") != "application/json; charset=UTF-8" {
			t.Errorf("%s %s: Content-Type %s", c.r.Method, c.r.Path, a.Header.Get("Content-Type"))
		}
	}
}
