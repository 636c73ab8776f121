package server_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage/storagetest"
)

// rationed returns a kit in which the clock of rate limits stands still.
func rationed(t *testing.T, perCredential int) *kit.Kit {
	now := time.Now()
	return kit.New(t, func(c *server.Config) {
		c.Buckets, c.PerCredential = cache.NewBuckets(nil, func() time.Time { return now }), perCredential
	})
}

func TestSiteHasItsRequestsAMinute(t *testing.T) {
	t.Parallel()
	k := rationed(t, 0)
	k.Site("other")
	if a := k.Get("/events", ""); a.Header.Get("RateLimit") != "" {
		t.Errorf("a site without a limit says %q", a.Header.Get("RateLimit"))
	}
	k.Limit(map[string]any{"requests_per_minute": 3})
	for left := 2; left >= 0; left-- {
		a := k.Get("/events", "").Want(t, 200, "")
		policy, rest := a.Header.Get("RateLimit-Policy"), a.Header.Get("RateLimit")
		if policy != `"site";q=3;w=60` || rest != `"site";r=`+strconv.Itoa(left)+`;t=`+strconv.Itoa(20*(3-left)) {
			t.Errorf("%d left: %q, %q", left, policy, rest)
		}
	}
	for _, path := range []string{"/events", "/events/1", "/venues", "/doc"} {
		a := k.Get(path, "").Want(t, 429, "rest_too_many_requests")
		if a.Header.Get("Retry-After") != "20" {
			t.Errorf("%s: Retry-After %q, want 20", path, a.Header.Get("Retry-After"))
		}
	}
	german := k.Send(kit.Request{Method: "GET", Path: "//de/calendar/events/v1/events"}).Want(t, 429, "rest_too_many_requests")
	if german.Body["message"] == k.Get("/events", "").Body["message"] {
		t.Errorf("not in German: %s", german)
	}
	k.Send(kit.Request{Method: "GET", Path: "/events", Site: "other"}).Want(t, 200, "")
	k.Provider("GET", "/sites/demo", nil).Want(t, 200, "")
	k.Limit(map[string]any{"requests_per_minute": nil})
	k.Get("/events", "").Want(t, 200, "")
}

func TestCredentialHasItsRequestsAMinute(t *testing.T) {
	t.Parallel()
	k := rationed(t, 2)
	k.Get("/events", "editor").Want(t, 200, "")
	k.Get("/events", "editor").Want(t, 200, "")
	a := k.Post("/events", "editor", kit.NewEvent("Third")).Want(t, 429, "rest_too_many_requests")
	if a.Header.Get("RateLimit") != `"credential";r=0;t=60` || a.Header.Get("Retry-After") != "30" {
		t.Errorf("%q, Retry-After %q", a.Header.Get("RateLimit"), a.Header.Get("Retry-After"))
	}
	k.Get("/events", "author").Want(t, 200, "")
	k.Get("/events", "").Want(t, 200, "")
	if page := k.Get("/events?start_date=2030-01-01&end_date=2031-01-01", ""); page.Body["total"] != 0.0 {
		t.Errorf("written all the same: %s", page)
	}
}

// While one site has all the slots it may have, another gets responses.
func TestBusySiteDoesNotStopAnother(t *testing.T) {
	t.Parallel()
	k := kit.New(t, func(c *server.Config) { c.Places = 2 })
	k.Site("other")
	held, err := k.DB.Across("a test holds a row").Begin(t.Context())
	k.Must(err)
	_, err = held.Exec(t.Context(), `SELECT FROM sites WHERE id = $1 FOR UPDATE`, k.Sites["demo"].ID)
	k.Must(err)
	var all sync.WaitGroup
	for n := range 5 { // the first waits for the row, the others for the first; who has waited too long is sent away, and comes again
		all.Go(func() {
			storagetest.Until(t, "an event is made", func() bool {
				a := k.Post("/events", "editor", kit.NewEvent("Event "+strconv.Itoa(n)))
				if a.Status == 503 {
					return false
				}
				a.Want(t, 201, "")
				return true
			})
		})
	}
	for range 20 {
		k.Send(kit.Request{Method: "GET", Path: "/events", Site: "other"}).Want(t, 200, "")
	}
	k.Must(held.Rollback(context.Background()))
	all.Wait()
	if a := k.Get("/events?start_date=2030-01-01&end_date=2031-01-01", ""); a.Body["total"] != 5.0 {
		t.Errorf("%v events, want 5", a.Body["total"])
	}
}

// Scripts of other origins can read rejections, too: without the API's headers a browser would hide the status and
// Retry-After.
func TestRefusalsAreReadableAcrossOrigins(t *testing.T) {
	t.Parallel()
	k := rationed(t, 0)
	k.Limit(map[string]any{"requests_per_minute": 1})
	readable := func(a kit.Answer) {
		t.Helper()
		if a.Header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(a.Header.Get("Access-Control-Expose-Headers"), "Retry-After") {
			t.Errorf("%d without the headers of the API: %v", a.Status, a.Header)
		}
	}
	readable(k.Get("/events", "").Want(t, 200, ""))
	readable(k.Get("/events", "").Want(t, 429, "rest_too_many_requests"))
	k.Provider("PATCH", "/sites/demo", map[string]any{"state": "closed", "limits": nil}).Want(t, 200, "")
	readable(k.Get("/events", "").Want(t, 403, "site-closed"))
	readable(k.Send(kit.Request{Method: "GET", Path: "/events", Site: "nowhere"}).Want(t, 404, "site-not-found"))
}

// The plan of the default site does not limit the operator's requests on the same host.
func TestPlanOfTheDefaultSiteKeepsNobodyFromTheInstallation(t *testing.T) {
	t.Parallel()
	k := rationed(t, 0)
	k.Limit(map[string]any{"requests_per_minute": 1})
	b := k.Browser()
	b.Host = "localhost"
	if p := b.Get("/"); p.Status != 200 {
		t.Fatalf("the site: %d", p.Status)
	}
	if p := b.Get("/"); p.Status != 429 {
		t.Fatalf("the site again: %d", p.Status)
	}
	for _, path := range []string{"/healthz", "/readyz", "/admin/provider/login", "/admin/sites"} {
		p := b.Get(path)
		if p.Status == 429 || p.Header.Get("RateLimit") != "" {
			t.Errorf("%s: %d, %q", path, p.Status, p.Header.Get("RateLimit"))
		}
	}
	b.Host = "demo.localhost"
	if p := b.Get("/admin/provider/login"); p.Status != 429 {
		t.Errorf("at the site's own host: %d", p.Status)
	}
}
