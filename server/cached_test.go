package server_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// keeps reports whether a request is served from the cache.
func keeps(k *kit.Kit, r kit.Request) bool {
	k.T.Helper()
	r.Method = "GET"
	k.ChangeUnnoticed("demo", "Made first")
	k.Send(r)
	k.ChangeUnnoticed("demo", "Made later")
	a := k.Send(r)
	first, later := bytes.Contains(a.Raw, []byte("Made first")), bytes.Contains(a.Raw, []byte("Made later"))
	if first == later {
		k.T.Errorf("%s: neither or both: %s", r.Path, a)
	}
	return first
}

// whole fills a site and returns addresses of all kinds of reads.
func whole(k *kit.Kit) []string {
	k.T.Helper()
	id := k.Event(map[string]any{"title": "Concert", "slug": "concert", "categories": []any{"Music"}, "tags": []any{"Loud"},
		"venue": kit.Object{"venue": "Hall", "slug": "hall"}, "organizer": kit.Object{"organizer": "Club"}, "cost": "5"})
	a := k.Get(kit.Item("events", id), "").Want(k.T, 200, "")
	term := func(list string) string {
		first := a.Body[list].([]any)[0].(map[string]any)
		return kit.Item(list, int64(first["id"].(float64)))
	}
	for i := range 12 {
		k.Event(map[string]any{"title": fmt.Sprintf("More %d", i)})
	}
	return []string{"", "/", "/doc", "/events", "/events/", "/events?page=2&per_page=5", "/events?per_page=3&search=more", "/events?start_date=2029-01-01&end_date=2031-01-01",
		kit.Item("events", id), "/events/by-slug/concert", "/venues", "/venues/" + a.Links("venue"), "/venues/by-slug/hall", "/organizers",
		"/organizers/" + a.Links("organizer"), "/categories", term("categories"), "/tags", term("tags"), "/events?categories=music&_fields=events",
		"//de/calendar/events/v1/events", "//wp-json/tribe/events/v1/events", "//fr/wp-json/tribe/events/v1/events"}
}

// Responses are the same without cache, on a miss and on a hit.
func TestCachedSame(t *testing.T) {
	t.Parallel()
	plain, kept := kit.CachedKit(t)
	for _, path := range whole(plain) {
		tag := plain.Send(kit.Request{Method: "GET", Path: path}).Want(t, 200, "").Header.Get("ETag")
		for _, method := range []string{"GET", "HEAD"} {
			for _, none := range []string{"", `"other"`, "*", "tag", "W/tag", "list"} {
				r := kit.Request{Method: method, Path: path, Headers: map[string]string{}}
				switch none {
				case "tag":
					none = tag
				case "W/tag":
					none = "W/" + tag
				case "list":
					none = `"a", ` + tag + `, "b"`
				}
				if none != "" {
					r.Headers["If-None-Match"] = none
				}
				want := plain.Send(r)
				for range 2 {
					alike(t, r, kept.Send(r), want)
				}
			}
		}
	}
}

// alike compares two responses except for what differs between requests.
func alike(t *testing.T, r kit.Request, got, want kit.Answer) {
	t.Helper()
	for _, own := range []string{"Date", "X-Request-Id", "X-Kalends-Version"} { // only a node that keeps answers says the version
		got.Header.Del(own)
		want.Header.Del(own)
	}
	if got.Status != want.Status || !bytes.Equal(got.Raw, want.Raw) {
		t.Errorf("%s %s %v: %s\nwant %s", r.Method, r.Path, r.Headers, got, want)
	}
	if g, w := fmt.Sprint(got.Header), fmt.Sprint(want.Header); g != w {
		t.Errorf("%s %s %v:\n%s\nwant %s", r.Method, r.Path, r.Headers, g, w)
	}
}

// A compressed form has its own ETag, which is recognized, and a Vary header.
func TestCachedCompressed(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	whole(k)
	plain := k.Get("/events", "")
	for _, c := range []struct{ accept, want string }{{"gzip", "gzip"}, {"br", "br"}, {"gzip, deflate, br", "br"}, {"GZIP;q=0.5", "gzip"},
		{"br;q=0, gzip", "gzip"}, {"identity", ""}, {"gzip;q=0", ""}, {"deflate", ""}} {
		r := kit.Request{Method: "GET", Path: "/events", Headers: map[string]string{"Accept-Encoding": c.accept}}
		a := k.Send(r)
		if got := a.Header.Get("Content-Encoding"); got != c.want || !strings.Contains(a.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: %q, Vary %q", c.accept, got, a.Header.Get("Vary"))
		}
		tag := a.Header.Get("ETag")
		if (tag == plain.Header.Get("ETag")) != (c.want == "") || strings.HasPrefix(tag, "W/") {
			t.Errorf("%s: tag %s, plain %s", c.accept, tag, plain.Header.Get("ETag"))
		}
		if c.want == "gzip" {
			reader, err := gzip.NewReader(bytes.NewReader(a.Raw))
			k.Must(err)
			if b, err := io.ReadAll(reader); err != nil || !bytes.Equal(b, plain.Raw) {
				t.Errorf("gzip holds %d bytes, %v", len(b), err)
			}
		}
		r.Headers["If-None-Match"] = tag
		if again := k.Send(r); again.Status != http.StatusNotModified || again.Header.Get("ETag") != tag || len(again.Raw) != 0 {
			t.Errorf("%s: %d %v", c.accept, again.Status, again.Header)
		}
	}
}

// What is cached and what never is.
func TestCachedKeeps(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	id := k.Event(map[string]any{"slug": "one", "venue": kit.Object{"venue": "Hall"}})
	long := "&x=" + strings.Repeat("y", 2000)
	for path, want := range map[string]bool{
		"/events": true, kit.Item("events", id): true, "/events/by-slug/one": true, "/events?start_date=2029-01-01&end_date=2031-01-01": true,
		"/events?start_date=now&end_date=2031-01-01": false, "/events?start_date=tomorrow": false,
		"/events?ends_after=now": false, "/events?a=b": true, "/events?a=b" + long: false,
	} {
		if got := keeps(k, kit.Request{Path: path}); got != want {
			t.Errorf("%.60s is kept: %v, want %v", path, got, want)
		}
	}
	if !keeps(k, kit.Request{Path: "/events?c=d", Headers: map[string]string{"Cache-Control": "no-cache"}}) {
		t.Error("no-cache makes anew what the database's version names")
	}
	if keeps(k, kit.Request{Path: "/events", As: "editor"}) || keeps(k, kit.Request{Path: "/events?e=f", As: "subscriber"}) {
		t.Error("who has logged in is answered from the cache")
	}
	k.ChangeUnnoticed("demo", "Secret")
	a := k.Get("/events?g=h", "administrator")
	k.ChangeUnnoticed("demo", "Public")
	if b := k.Get("/events?g=h", ""); a.Header.Get("Cache-Control") != "private, no-store" || bytes.Contains(b.Raw, []byte("Secret")) {
		t.Errorf("an answer of somebody's own is kept: %v", a.Header)
	}
	r := kit.Request{Method: "GET", Path: "/events?start_date=now", Headers: map[string]string{}}
	r.Headers["If-None-Match"] = k.Send(r).Header.Get("ETag")
	if a := k.Send(r); a.Status != http.StatusNotModified {
		t.Errorf("what isn't kept, when it is known: %d", a.Status)
	}
}

// A node sees its own writes; with no-cache it sees those of other nodes; errors are not cached.
func TestCachedFresh(t *testing.T) {
	t.Parallel()
	other, k := kit.CachedKit(t)
	k.Get("/events/by-slug/late", "").Want(t, 404, "rest-event-not-found")
	id := k.Event(map[string]any{"slug": "late", "title": "First", "venue": kit.Object{"venue": "Hall"}})
	venue := "/venues/" + k.Get("/events/by-slug/late", "").Want(t, 200, "").Links("venue")
	shows := func(text string, headers map[string]string) {
		t.Helper()
		for _, path := range []string{"/events", kit.Item("events", id)} {
			if a := k.Send(kit.Request{Method: "GET", Path: path, Headers: headers}); !bytes.Contains(a.Raw, []byte(text)) {
				t.Errorf("%s doesn't show %s: %s", path, text, a)
			}
		}
	}
	shows("First", nil)
	k.Patch(kit.Item("events", id), "editor", kit.Object{"title": "Second"}).Want(t, 200, "")
	shows("Second", nil)
	k.Patch(venue, "editor", kit.Object{"venue": "Arena"}).Want(t, 200, "")
	shows("Arena", nil)
	other.Patch(kit.Item("events", id), "editor", kit.Object{"title": "Elsewhere"}).Want(t, 200, "")
	shows("Elsewhere", map[string]string{"Cache-Control": "max-age=0, No-Cache"})
	k.Del(kit.Item("events", id), "editor").Want(t, 200, "")
	k.Get(kit.Item("events", id), "").Want(t, 403, "event-no-longer-available")
}

// Answers are separate for each host, scheme, language and site.
func TestCachedApart(t *testing.T) {
	t.Parallel()
	plain, k := kit.CachedKit(t)
	plain.Site("two")
	k.Event(map[string]any{"title": "Of demo"})
	k.Send(kit.Request{Method: "POST", Path: "/events", Site: "two", As: "administrator",
		JSON: kit.Times(kit.Object{"title": "Of two"})}).Want(t, 201, "")
	seen := map[string]string{}
	for name, r := range map[string]kit.Request{
		"default": {}, "by name": {Site: "demo"}, "two": {Site: "two"}, "namespace": {Path: "//wp-json/tribe/events/v1/events"},
		"segment": {Path: "//de/calendar/events/v1/events"}, "accept": {Headers: map[string]string{"Accept-Language": "fr"}},
	} {
		if r.Method = "GET"; r.Path == "" {
			r.Path = "/events"
		}
		want := plain.Send(r)
		for range 2 {
			alike(t, r, k.Send(r), want)
		}
		key := string(want.Raw) + want.Header.Get("Content-Language")
		if before, ok := seen[key]; ok {
			t.Errorf("%s and %s have the same answer", before, name)
		}
		seen[key] = name
		if bytes.Contains(want.Raw, []byte("Of two")) != (name == "two") {
			t.Errorf("%s shows another site's events", name)
		}
	}
}

// The default list changes at midnight at the site, and only then.
func TestCachedMidnight(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	k.Clock = time.Date(2030, 2, 28, 20, 0, 0, 0, time.UTC)
	k.Event(map[string]any{"title": "Last of February", "start_date": "2030-02-28 10:00:00", "end_date": "2030-02-28 11:00:00"})
	for at, want := range map[string]float64{"22:00": 1, "22:59": 1} {
		clock, err := time.Parse("15:04", at)
		k.Must(err)
		k.Clock = time.Date(2030, 2, 28, clock.Hour(), clock.Minute(), 59, 0, time.UTC)
		if a := k.Get("/events", ""); a.Body["total"] != want {
			t.Errorf("at %s: %v", at, a.Body["total"])
		}
	}
	k.Clock = time.Date(2030, 2, 28, 23, 0, 0, 0, time.UTC) // midnight in Berlin
	if a := k.Get("/events", ""); a.Body["total"] != float64(0) {
		t.Errorf("on the next day: %v", a.Body["total"])
	}
}

// Changed settings and scheduled publications are visible immediately.
func TestCachedSettings(t *testing.T) {
	t.Parallel()
	other, k := kit.CachedKit(t)
	for range 3 {
		k.Event(nil)
	}
	if a := k.Get("/events", ""); a.Body["total_pages"] != float64(1) {
		t.Fatal(a)
	}
	set := func(on *kit.Kit, n int) {
		on.Send(kit.Request{Method: "PATCH", Path: "//platform/v1/sites/demo", As: "Bearer " + kit.ProviderToken,
			JSON: kit.Object{"settings": kit.Object{"per_page": n}}}).Want(t, 200, "")
	}
	set(k, 1)
	if a := k.Get("/events", ""); a.Body["total_pages"] != float64(3) {
		t.Errorf("the setting doesn't show: %v", a.Body["total_pages"])
	}
	set(other, 2) // the site is remembered, and is as new as its version all the same
	r := kit.Request{Method: "GET", Path: "/events", Headers: map[string]string{"Cache-Control": "no-cache"}}
	if a := k.Send(r); a.Body["total_pages"] != float64(2) {
		t.Errorf("another node's setting doesn't show: %v", a.Body["total_pages"])
	}
	k.Event(map[string]any{"title": "Planned", "status": "publish", "date": "2030-02-20 18:00:00"})
	before := k.Get("/events", "").Body["total"]
	k.Clock = k.Clock.Add(10 * time.Hour)
	if _, err := k.DB.PublishDue(t.Context(), k.Clock); err != nil {
		t.Fatal(err)
	}
	if after := k.Get("/events", "").Body["total"]; before != float64(3) || after != float64(4) {
		t.Errorf("published by time: %v, then %v", before, after)
	}
}
