package server_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/cache"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
)

// rationed returns a kit whose clock of requests stands still.
func rationed(t *testing.T, perCredential int) *kit {
	now := time.Now()
	return newKit(t, func(c *server.Config) {
		c.Buckets, c.PerCredential = cache.NewBuckets(nil, func() time.Time { return now }), perCredential
	})
}

func TestSiteHasItsRequestsAMinute(t *testing.T) {
	t.Parallel()
	k := rationed(t, 0)
	k.site("other")
	if a := k.get("/events", ""); a.Header.Get("RateLimit") != "" {
		t.Errorf("a site without a limit says %q", a.Header.Get("RateLimit"))
	}
	k.limit(map[string]any{"requests_per_minute": 3})
	for left := 2; left >= 0; left-- {
		a := k.get("/events", "").want(t, 200, "")
		policy, rest := a.Header.Get("RateLimit-Policy"), a.Header.Get("RateLimit")
		if policy != `"site";q=3;w=60` || rest != `"site";r=`+strconv.Itoa(left)+`;t=`+strconv.Itoa(20*(3-left)) {
			t.Errorf("%d left: %q, %q", left, policy, rest)
		}
	}
	for _, path := range []string{"/events", "/events/1", "/venues", "/doc"} {
		a := k.get(path, "").want(t, 429, "rest_too_many_requests")
		if a.Header.Get("Retry-After") != "20" {
			t.Errorf("%s: Retry-After %q, want 20", path, a.Header.Get("Retry-After"))
		}
	}
	german := k.send(request{Method: "GET", Path: "//de/calendar/events/v1/events"}).want(t, 429, "rest_too_many_requests")
	if german.Body["message"] == k.get("/events", "").Body["message"] {
		t.Errorf("not in German: %s", german)
	}
	k.send(request{Method: "GET", Path: "/events", Site: "other"}).want(t, 200, "")
	k.provider("GET", "/sites/demo", nil).want(t, 200, "")
	k.limit(map[string]any{"requests_per_minute": nil})
	k.get("/events", "").want(t, 200, "")
}

func TestCredentialHasItsRequestsAMinute(t *testing.T) {
	t.Parallel()
	k := rationed(t, 2)
	k.get("/events", "editor").want(t, 200, "")
	k.get("/events", "editor").want(t, 200, "")
	a := k.post("/events", "editor", newEvent("Third")).want(t, 429, "rest_too_many_requests")
	if a.Header.Get("RateLimit") != `"credential";r=0;t=60` || a.Header.Get("Retry-After") != "30" {
		t.Errorf("%q, Retry-After %q", a.Header.Get("RateLimit"), a.Header.Get("Retry-After"))
	}
	k.get("/events", "author").want(t, 200, "")
	k.get("/events", "").want(t, 200, "")
	if page := k.get("/events?start_date=2030-01-01&end_date=2031-01-01", ""); page.Body["total"] != 0.0 {
		t.Errorf("written all the same: %s", page)
	}
}

// While one site has every place it may have taken, another is answered.
func TestBusySiteDoesNotStopAnother(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *server.Config) { c.Places = 2 })
	k.site("other")
	held, err := k.db.Across("a test holds a row").Begin(t.Context())
	k.must(err)
	_, err = held.Exec(t.Context(), `SELECT FROM sites WHERE id = $1 FOR UPDATE`, k.sites["demo"].ID)
	k.must(err)
	var all sync.WaitGroup
	for n := range 5 { // the first waits for the row, the others for the first; who has waited too long is sent away, and comes again
		all.Go(func() {
			storagetest.Until(t, "an event is made", func() bool {
				a := k.post("/events", "editor", newEvent("Event "+strconv.Itoa(n)))
				if a.Status == 503 {
					return false
				}
				a.want(t, 201, "")
				return true
			})
		})
	}
	for range 20 {
		k.send(request{Method: "GET", Path: "/events", Site: "other"}).want(t, 200, "")
	}
	k.must(held.Rollback(context.Background()))
	all.Wait()
	if a := k.get("/events?start_date=2030-01-01&end_date=2031-01-01", ""); a.Body["total"] != 5.0 {
		t.Errorf("%v events, want 5", a.Body["total"])
	}
}

// Scripts of other origins read what refuses them, too: without the headers of the
// API a browser would hide the status, and when to come again.
func TestRefusalsAreReadableAcrossOrigins(t *testing.T) {
	t.Parallel()
	k := rationed(t, 0)
	k.limit(map[string]any{"requests_per_minute": 1})
	readable := func(a answer) {
		t.Helper()
		if a.Header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(a.Header.Get("Access-Control-Expose-Headers"), "Retry-After") {
			t.Errorf("%d without the headers of the API: %v", a.Status, a.Header)
		}
	}
	readable(k.get("/events", "").want(t, 200, ""))
	readable(k.get("/events", "").want(t, 429, "rest_too_many_requests"))
	k.provider("PATCH", "/sites/demo", map[string]any{"state": "closed", "limits": nil}).want(t, 200, "")
	readable(k.get("/events", "").want(t, 403, "site-closed"))
	readable(k.send(request{Method: "GET", Path: "/events", Site: "nowhere"}).want(t, 404, "site-not-found"))
}

// The default site's plan holds for the site alone: who looks after the
// installation at the same host isn't held to it.
func TestPlanOfTheDefaultSiteKeepsNobodyFromTheInstallation(t *testing.T) {
	t.Parallel()
	k := rationed(t, 0)
	k.limit(map[string]any{"requests_per_minute": 1})
	b := k.browser()
	b.host = "localhost"
	if p := b.get("/"); p.Status != 200 {
		t.Fatalf("the site: %d", p.Status)
	}
	if p := b.get("/"); p.Status != 429 {
		t.Fatalf("the site again: %d", p.Status)
	}
	for _, path := range []string{"/healthz", "/readyz", "/admin/provider/login", "/admin/sites"} {
		p := b.get(path)
		if p.Status == 429 || p.Header.Get("RateLimit") != "" {
			t.Errorf("%s: %d, %q", path, p.Status, p.Header.Get("RateLimit"))
		}
	}
	b.host = "demo.localhost"
	if p := b.get("/admin/provider/login"); p.Status != 429 {
		t.Errorf("at the site's own host: %d", p.Status)
	}
}
