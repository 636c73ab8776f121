package server_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/internal/metrics"
	"github.com/kalends/kalends/server"
)

// TestMethods sends every method to every kind of path: unsupported ones get 405 with the others in Allow (rule 4.6).
// OPTIONS lists what the public may do.
func TestMethods(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(nil)
	list, one, index := "GET, POST", "GET, POST, PUT, PATCH, DELETE", "GET"
	for path, allow := range map[string]string{
		"/": index, "/doc": index, "/events": list, "/venues": list, "/organizers": list, "/categories": list, "/tags": list,
		kit.Item("events", id): one, "/events/by-slug/event": one, "/venues/1": one, "/venues/by-slug/x": one,
		"/organizers/1": one, "/organizers/by-slug/x": one, "/categories/1": one, "/tags/1": one,
	} {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"} {
			a := k.Send(kit.Request{Method: method, Path: path})
			if has := strings.Contains(", "+allow+",", ", "+method+","); has != (a.Status != http.StatusMethodNotAllowed) {
				t.Errorf("%s %s: %s", method, path, a)
			} else if !has {
				a.Want(t, 405, "rest_method_not_allowed")
				if got := sorted(a.Header.Get("Allow")); got != sorted(allow) {
					t.Errorf("%s %s: Allow %s, want %s", method, path, got, allow)
				}
			}
		}
		a := k.Send(kit.Request{Method: "OPTIONS", Path: path}).Want(t, 200, "")
		if a.Header.Get("Allow") != index || a.At("endpoints.0.methods.0") != "GET" || a.At("namespace") == "-" {
			t.Errorf("OPTIONS %s: Allow %s, %s", path, a.Header.Get("Allow"), a)
		}
	}
}

func sorted(list string) string {
	names := map[string]any{}
	for name := range strings.SplitSeq(list, ",") {
		names[strings.TrimSpace(name)] = nil
	}
	return strings.Join(kit.Keys(names, nil), " ")
}

func TestHead(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(nil)
	for _, path := range []string{"/", "/doc", "/events", kit.Item("events", id), "/events/by-slug/event", "/tags", "/events/999"} {
		get, head := k.Get(path, ""), k.Send(kit.Request{Method: "HEAD", Path: path})
		if head.Status != get.Status || len(head.Raw) != 0 {
			t.Errorf("HEAD %s: %s, GET says %d", path, head, get.Status)
		}
		for _, name := range []string{"Etag", "X-Tec-Total", "Content-Type", "Cache-Control", "Content-Language", "Link"} {
			if get.Header.Get(name) != head.Header.Get(name) {
				t.Errorf("HEAD %s: %s %q, GET says %q", path, name, head.Header.Get(name), get.Header.Get(name))
			}
		}
	}
}

func TestMethodOverride(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(nil)
	as := func(method, override, path string, body any) kit.Answer {
		return k.Send(kit.Request{Method: method, Path: path, As: "editor", JSON: body, Headers: map[string]string{"X-HTTP-Method-Override": override}})
	}
	as("POST", "patch", kit.Item("events", id), kit.Object{"title": "New"}).Want(t, 200, "").Has(t, "title", "New")
	as("POST", "GET", kit.Item("events", id), nil).Want(t, 200, "").Has(t, "json_ld.@type", "Event")
	as("GET", "DELETE", kit.Item("events", id), nil).Want(t, 200, "").Has(t, "status", "publish")
	as("POST", "DELETE", kit.Item("events", id), nil).Want(t, 200, "").Has(t, "status", "trash")
	as("POST", "DELETE", "/events", nil).Want(t, 405, "rest_method_not_allowed")
	k.Get(kit.Query(kit.Item("events", id), "_method", "DELETE"), "").Want(t, 403, "event-no-longer-available")
}

func TestCORS(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Event(nil)
	origin := map[string]string{"Origin": "https://other.example", "Access-Control-Request-Method": "PATCH"}
	for _, r := range []kit.Request{{Method: "GET", Path: "/events"}, {Method: "GET", Path: "/events/999"}, {Method: "OPTIONS", Path: "/events/1"}} {
		r.Headers = origin
		a := k.Send(r)
		if at := a.Header.Get("Access-Control-Allow-Origin"); at != "*" && at != origin["Origin"] {
			t.Errorf("%s %s: Allow-Origin %q", r.Method, r.Path, at)
		}
		for _, name := range []string{"X-TEC-Total", "X-TEC-TotalPages", "Link", "ETag"} {
			if !strings.Contains(a.Header.Get("Access-Control-Expose-Headers"), name) {
				t.Errorf("%s %s: %s is not exposed", r.Method, r.Path, name)
			}
		}
		if r.Method == http.MethodOptions && (!strings.Contains(a.Header.Get("Access-Control-Allow-Methods"), "PATCH") ||
			!strings.Contains(a.Header.Get("Access-Control-Allow-Headers"), "Authorization")) {
			t.Errorf("preflight: %v", a.Header)
		}
		if r.Method == http.MethodOptions {
			r.Headers = map[string]string{"Origin": "https://other.example", "Access-Control-Request-Headers": "if-modified-since, traceparent,x y"}
			if got := k.Send(r).Header.Get("Access-Control-Allow-Headers"); got != "if-modified-since, traceparent" {
				t.Errorf("preflight allows %q", got)
			}
		}
		if a.Header.Get("X-Robots-Tag") != "noindex" || a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", r.Path, a.Header)
		}
	}
}

// TestNoErrorIsSniffed: browsers take every JSON error for what it says it is, also where no route begins.
func TestNoErrorIsSniffed(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for _, path := range []string{"/nowhere", "/nowhere.ico", "/media/x/y.png", "/platform/v1/nowhere", "/calendar/events/v1/nowhere"} {
		a := k.Ask(kit.Request{Method: "GET", Path: path})
		if a.Status < 400 || a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", path, a.Status, a.Header)
		}
	}
}

func TestRootTellsDefaults(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	a := k.Get("/", "").Want(t, 200, "")
	routes, _ := a.At("routes").(map[string]any)
	if len(routes) < 15 || routes["/calendar/events/v1/events"] == nil {
		t.Errorf("routes %v", kit.Keys(routes, nil))
	}
	events, _ := routes["/calendar/events/v1/events"].(map[string]any)
	if got := fmt.Sprint(events["methods"]); got != "[GET POST]" {
		t.Errorf("methods of /events: %s", got)
	}
}

// Unknown methods get a regular response, and are counted and logged under a single name.
func TestUnknownMethods(t *testing.T) {
	t.Parallel()
	m := metrics.New(metrics.Sources{})
	var out buffer
	_, k := kit.CachedKit(t, func(c *server.Config) {
		c.Metrics, c.Logger = m, slog.New(slog.NewJSONHandler(&out, nil))
	})
	for _, r := range []kit.Request{{Method: "BREW", Path: "/events"}, {Method: "get", Path: "/"}, {Method: "PROPFIND", Path: "//platform/v1/sites"},
		{Method: "BREW", Path: "/events", As: "editor", JSON: kit.Valid("event")}} {
		a := k.Send(r).Want(t, 501, "rest_method_not_allowed")
		k.IsError(r.Method, a)
		lines := logLines(t, &out)
		if last := lines[len(lines)-1]; last["id"] != a.Header.Get("X-Request-Id") || last["method"] != "OTHER" || last["status"] != 501.0 ||
			last["level"] != "INFO" {
			t.Errorf("%s is logged as %v", r.Method, last)
		}
	}
	if n := value(scrape(t, m), "kalends_http_request_duration_seconds", "route", "none", "method", "other", "status", "5xx"); n != 4 {
		t.Errorf("%v are counted", n)
	}
	if log := out.bytes(); bytes.Contains(log, []byte("BREW")) || bytes.Contains(log, []byte("request failed")) {
		t.Errorf("%s", log)
	}
	if p := k.Browser().Do("BREW", "/events/", nil, nil); p.Status != 501 || !strings.Contains(p.Body, "<h1") {
		t.Errorf("a page: %d %s", p.Status, p.Body)
	}
}
