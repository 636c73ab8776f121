package server_test

import (
	"strings"
	"testing"
)

func (k *kit) with(method, path, as string, body any, headers ...string) answer {
	k.t.Helper()
	r := request{Method: method, Path: path, As: as, JSON: body, Headers: map[string]string{}}
	for i := 0; i < len(headers); i += 2 {
		r.Headers[headers[i]] = headers[i+1]
	}
	return k.send(r)
}

// TestETags: every GET has a strong one, and what is known needn't be sent
// (rule 4.5).
func TestETags(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.event(object{"venue": object{"venue": "V"}, "organizer": object{"organizer": "O"}, "categories": "c", "tags": "t"})
	for _, path := range []string{"/", "/doc", "/events", item("events", id), "/events/by-slug/event", "/venues", "/venues/by-slug/v",
		"/organizers", "/organizers/by-slug/o", "/categories", "/categories/1", "/tags", "/tags/2", "/events?_fields=total"} {
		for _, as := range []string{"", "editor"} {
			first := k.get(path, as).want(t, 200, "")
			tag := first.Header.Get("ETag")
			if !strings.HasPrefix(tag, `"`) || len(tag) < 10 {
				t.Errorf("%s: ETag %s", path, tag)
			}
			for _, sent := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
				a := k.with("GET", path, as, nil, "If-None-Match", sent)
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
			k.with("GET", path, as, nil, "If-None-Match", `"other"`).want(t, 200, "")
			if got := k.with("HEAD", path, as, nil, "If-None-Match", tag); got.Status != 304 {
				t.Errorf("HEAD %s: %s", path, got)
			}
		}
	}
	one, list := k.get(item("events", id), "").Header.Get("ETag"), k.get("/events", "").Header.Get("ETag")
	k.patch("/venues/by-slug/v", "editor", object{"venue": "W"}).want(t, 200, "")
	for path, tag := range map[string]string{item("events", id): one, "/events": list} {
		if a := k.with("GET", path, "", nil, "If-None-Match", tag); a.Status != 200 || !strings.Contains(string(a.Raw), `"W"`) {
			t.Errorf("%s is old: %s", path, a)
		}
	}
}

// TestIfMatch: a write that comes too late changes nothing.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.event(object{"venue": object{"venue": "V"}, "organizer": object{"organizer": "O"}, "categories": "c", "tags": "t"})
	for path, name := range map[string]string{item("events", id): "title", "/events/by-slug/event": "title", "/venues/by-slug/v": "venue",
		"/organizers/by-slug/o": "organizer", "/categories/1": "name", "/tags/2": "name"} {
		old := k.get(path, "editor").Header.Get("ETag")
		anonymous := k.get(path, "").Header.Get("ETag")
		changed := k.with("PATCH", path, "editor", object{name: "One"}, "If-Match", old).want(t, 200, "")
		state := k.state()
		for _, tag := range []string{old, anonymous, `"x"`, "W/" + changed.Header.Get("ETag"), `""`, "nonsense"} {
			for _, method := range []string{"PATCH", "PUT", "POST"} {
				k.with(method, path, "editor", object{name: "Two"}, "If-Match", tag).want(t, 412, "rest_precondition_failed")
			}
			k.with("DELETE", path, "editor", nil, "If-Match", tag).want(t, 412, "rest_precondition_failed")
			k.with("DELETE", path+"?force=true", "editor", nil, "If-Match", tag).want(t, 412, "rest_precondition_failed")
		}
		if now := k.state(); now != state {
			t.Errorf("%s: %s, was %s", path, now, state)
		}
		k.get(path, "editor").has(t, name, "One")
		k.with("PATCH", path, "editor", object{name: "Three"}, "If-Match", `"x", `+changed.Header.Get("ETag")).want(t, 200, "")
		k.with("PATCH", path, "editor", object{name: "Four"}, "If-Match", "*").want(t, 200, "")
	}
	k.with("PATCH", "/events/999999", "editor", object{"title": "x"}, "If-Match", `"x"`).want(t, 404, "rest-event-not-found")
}

// TestCacheHeaders: who may keep an answer, and by what it differs.
func TestCacheHeaders(t *testing.T) {
	t.Parallel()
	k := standing(t)
	const public, private = "public, max-age=0, must-revalidate", "private, no-store"
	id := k.event(nil)
	for _, c := range []struct {
		r     request
		cache string
	}{
		{request{Method: "GET", Path: "/events"}, public},
		{request{Method: "HEAD", Path: item("events", id)}, public},
		{request{Method: "GET", Path: "/events", As: "subscriber"}, private},
		{request{Method: "GET", Path: "/events/999"}, private},
		{request{Method: "POST", Path: "/events", As: "editor", JSON: times(nil)}, private},
		{request{Method: "DELETE", Path: item("events", id), As: "editor"}, private},
	} {
		a := k.send(c.r)
		if got := a.Header.Get("Cache-Control"); got != c.cache {
			t.Errorf("%s %s: Cache-Control %s", c.r.Method, c.r.Path, got)
		}
		if a.Header.Get("Content-Type") != "application/json; charset=UTF-8" {
			t.Errorf("%s %s: Content-Type %s", c.r.Method, c.r.Path, a.Header.Get("Content-Type"))
		}
	}
}
