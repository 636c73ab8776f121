package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/cache"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
)

// cachedKit is a node that keeps answers, on the database of a kit that keeps
// none. Both stand at the same time.
func cachedKit(t testing.TB, options ...func(*server.Config)) (plain, kept *kit) {
	t.Helper()
	plain = newKitOn(t, storagetest.Database(t))
	return plain, plain.keeping("", options...)
}

// keeping returns a node that keeps answers, on the kit's database and its
// replica, if there is one. Both stand at the same time.
func (k *kit) keeping(replica string, options ...func(*server.Config)) *kit {
	t := k.t
	t.Helper()
	k.clock = time.Date(2030, 2, 20, 12, 0, 0, 0, time.UTC)
	copied := *k
	kept := &copied
	clock := func() time.Time { return kept.clock }
	var versions *cache.Versions
	var err error
	kept.db, err = storage.Open(t.Context(), k.url, storage.Options{MaxConns: 4, Clock: clock, Replica: replica,
		OnVersion: func(site, version int64, content bool) {
			if content {
				kept.platform.Resolver.Unchanged(site, version)
			}
			versions.Raise(site, version)
		}})
	k.must(err)
	t.Cleanup(kept.db.Close)
	versions = cache.NewVersions(kept.db, slog.New(slog.DiscardHandler))
	kept.platform = tenancy.NewPlatform(kept.db, tenancy.Options{Languages: i18n.Languages(), ProviderToken: providerToken,
		HashCost: cheap, DefaultSite: func() string { return "demo" }, Versions: versions})
	photos := pictures(t, t.TempDir())
	config := server.Config{Platform: kept.platform, Domain: "localhost", Pictures: photos, Checks: []server.Check{answers(kept.db)},
		Calendar: calendar.New(kept.db, photos, clock), Logger: slog.New(slog.DiscardHandler),
		Answers: cache.New(cache.Options{Clock: clock}), Versions: versions}
	for _, option := range options {
		option(&config)
	}
	kept.app = server.New(config)
	return kept
}

// behind changes the titles of a site's events without anybody knowing: who
// shows the old ones has kept them.
// Its start moves with it by a second, for entries of lists are kept by their start, too.
func (k *kit) behind(site, title string) {
	k.t.Helper()
	ctx := context.Background()
	k.must(pgx.BeginFunc(ctx, k.owner(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT set_config('kalends.site', $1, true)", fmt.Sprint(k.sites[site].ID)); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE events SET title = $1, start_utc = start_utc + interval '1 second' WHERE site_id = $2", title, k.sites[site].ID)
		return err
	}))
}

// keeps reports whether a request is answered with what was made before.
func (k *kit) keeps(r request) bool {
	k.t.Helper()
	r.Method = "GET"
	k.behind("demo", "Made first")
	k.send(r)
	k.behind("demo", "Made later")
	a := k.send(r)
	first, later := bytes.Contains(a.Raw, []byte("Made first")), bytes.Contains(a.Raw, []byte("Made later"))
	if first == later {
		k.t.Errorf("%s: neither or both: %s", r.Path, a)
	}
	return first
}

// whole fills a site and returns addresses of every kind of read.
func (k *kit) whole() []string {
	k.t.Helper()
	id := k.event(map[string]any{"title": "Concert", "slug": "concert", "categories": []any{"Music"}, "tags": []any{"Loud"},
		"venue": object{"venue": "Hall", "slug": "hall"}, "organizer": object{"organizer": "Club"}, "cost": "5"})
	a := k.get(item("events", id), "").want(k.t, 200, "")
	term := func(list string) string {
		first := a.Body[list].([]any)[0].(map[string]any)
		return item(list, int64(first["id"].(float64)))
	}
	for i := range 12 {
		k.event(map[string]any{"title": fmt.Sprintf("More %d", i)})
	}
	return []string{"", "/", "/doc", "/events", "/events/", "/events?page=2&per_page=5", "/events?per_page=3&search=more", "/events?start_date=2029-01-01&end_date=2031-01-01",
		item("events", id), "/events/by-slug/concert", "/venues", "/venues/" + a.links("venue"), "/venues/by-slug/hall", "/organizers",
		"/organizers/" + a.links("organizer"), "/categories", term("categories"), "/tags", term("tags"), "/events?categories=music&_fields=events",
		"//de/calendar/events/v1/events", "//wp-json/tribe/events/v1/events", "//fr/wp-json/tribe/events/v1/events"}
}

// TestCachedSame: made anew, made to be kept and kept, an answer is the same.
func TestCachedSame(t *testing.T) {
	t.Parallel()
	plain, kept := cachedKit(t)
	for _, path := range plain.whole() {
		for _, method := range []string{"GET", "HEAD"} {
			for _, none := range []string{"", `"other"`, "*", "tag", "W/tag", "list"} {
				r := request{Method: method, Path: path, Headers: map[string]string{}}
				tag := plain.send(request{Method: "GET", Path: path}).want(t, 200, "").Header.Get("ETag")
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
				want := plain.send(r)
				for range 2 {
					alike(t, r, kept.send(r), want)
				}
			}
		}
	}
}

// alike compares two answers, what each request has of its own aside.
func alike(t *testing.T, r request, got, want answer) {
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

// TestCachedCompressed: a compressed form has a tag of its own, which is known
// again, and says what it depends on.
func TestCachedCompressed(t *testing.T) {
	t.Parallel()
	_, k := cachedKit(t)
	k.whole()
	plain := k.get("/events", "")
	for _, c := range []struct{ accept, want string }{{"gzip", "gzip"}, {"br", "br"}, {"gzip, deflate, br", "br"}, {"GZIP;q=0.5", "gzip"},
		{"br;q=0, gzip", "gzip"}, {"identity", ""}, {"gzip;q=0", ""}, {"deflate", ""}} {
		r := request{Method: "GET", Path: "/events", Headers: map[string]string{"Accept-Encoding": c.accept}}
		a := k.send(r)
		if got := a.Header.Get("Content-Encoding"); got != c.want || !strings.Contains(a.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: %q, Vary %q", c.accept, got, a.Header.Get("Vary"))
		}
		tag := a.Header.Get("ETag")
		if (tag == plain.Header.Get("ETag")) != (c.want == "") || strings.HasPrefix(tag, "W/") {
			t.Errorf("%s: tag %s, plain %s", c.accept, tag, plain.Header.Get("ETag"))
		}
		if c.want == "gzip" {
			reader, err := gzip.NewReader(bytes.NewReader(a.Raw))
			k.must(err)
			if b, err := io.ReadAll(reader); err != nil || !bytes.Equal(b, plain.Raw) {
				t.Errorf("gzip holds %d bytes, %v", len(b), err)
			}
		}
		r.Headers["If-None-Match"] = tag
		if again := k.send(r); again.Status != http.StatusNotModified || again.Header.Get("ETag") != tag || len(again.Raw) != 0 {
			t.Errorf("%s: %d %v", c.accept, again.Status, again.Header)
		}
	}
}

// TestCachedKeeps: what is kept, and what never.
func TestCachedKeeps(t *testing.T) {
	t.Parallel()
	_, k := cachedKit(t)
	id := k.event(map[string]any{"slug": "one", "venue": object{"venue": "Hall"}})
	long := "&x=" + strings.Repeat("y", 2000)
	for path, want := range map[string]bool{
		"/events": true, item("events", id): true, "/events/by-slug/one": true, "/events?start_date=2029-01-01&end_date=2031-01-01": true,
		"/events?start_date=now&end_date=2031-01-01": false, "/events?start_date=tomorrow": false,
		"/events?ends_after=now": false, "/events?a=b": true, "/events?a=b" + long: false,
	} {
		if got := k.keeps(request{Path: path}); got != want {
			t.Errorf("%.60s is kept: %v, want %v", path, got, want)
		}
	}
	if !k.keeps(request{Path: "/events?c=d", Headers: map[string]string{"Cache-Control": "no-cache"}}) {
		t.Error("no-cache makes anew what the database's version names")
	}
	if k.keeps(request{Path: "/events", As: "editor"}) || k.keeps(request{Path: "/events?e=f", As: "subscriber"}) {
		t.Error("who has logged in is answered from the cache")
	}
	k.behind("demo", "Secret")
	a := k.get("/events?g=h", "administrator")
	k.behind("demo", "Public")
	if b := k.get("/events?g=h", ""); a.Header.Get("Cache-Control") != "private, no-store" || bytes.Contains(b.Raw, []byte("Secret")) {
		t.Errorf("an answer of somebody's own is kept: %v", a.Header)
	}
	r := request{Method: "GET", Path: "/events?start_date=now", Headers: map[string]string{}}
	r.Headers["If-None-Match"] = k.send(r).Header.Get("ETag")
	if a := k.send(r); a.Status != http.StatusNotModified {
		t.Errorf("what isn't kept, when it is known: %d", a.Status)
	}
}

// TestCachedFresh: what one wrote one reads; what another node wrote one reads
// with no-cache; errors are true for their moment only.
func TestCachedFresh(t *testing.T) {
	t.Parallel()
	other, k := cachedKit(t)
	k.get("/events/by-slug/late", "").want(t, 404, "rest-event-not-found")
	id := k.event(map[string]any{"slug": "late", "title": "First", "venue": object{"venue": "Hall"}})
	venue := "/venues/" + k.get("/events/by-slug/late", "").want(t, 200, "").links("venue")
	shows := func(text string, headers map[string]string) {
		t.Helper()
		for _, path := range []string{"/events", item("events", id)} {
			if a := k.send(request{Method: "GET", Path: path, Headers: headers}); !bytes.Contains(a.Raw, []byte(text)) {
				t.Errorf("%s doesn't show %s: %s", path, text, a)
			}
		}
	}
	shows("First", nil)
	k.patch(item("events", id), "editor", object{"title": "Second"}).want(t, 200, "")
	shows("Second", nil)
	k.patch(venue, "editor", object{"venue": "Arena"}).want(t, 200, "")
	shows("Arena", nil)
	other.patch(item("events", id), "editor", object{"title": "Elsewhere"}).want(t, 200, "")
	shows("Elsewhere", map[string]string{"Cache-Control": "max-age=0, No-Cache"})
	k.del(item("events", id), "editor").want(t, 200, "")
	k.get(item("events", id), "").want(t, 403, "event-no-longer-available")
}

// TestCachedApart: one answer for each host, scheme of address, language and
// site.
func TestCachedApart(t *testing.T) {
	t.Parallel()
	plain, k := cachedKit(t)
	plain.site("two")
	k.event(map[string]any{"title": "Of demo"})
	k.send(request{Method: "POST", Path: "/events", Site: "two", As: "administrator",
		JSON: times(object{"title": "Of two"})}).want(t, 201, "")
	seen := map[string]string{}
	for name, r := range map[string]request{
		"default": {}, "by name": {Site: "demo"}, "two": {Site: "two"}, "namespace": {Path: "//wp-json/tribe/events/v1/events"},
		"segment": {Path: "//de/calendar/events/v1/events"}, "accept": {Headers: map[string]string{"Accept-Language": "fr"}},
	} {
		if r.Method = "GET"; r.Path == "" {
			r.Path = "/events"
		}
		want := plain.send(r)
		for range 2 {
			alike(t, r, k.send(r), want)
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

// TestCachedMidnight: the default list is another one on the next day of the
// site, and only then.
func TestCachedMidnight(t *testing.T) {
	t.Parallel()
	_, k := cachedKit(t)
	k.clock = time.Date(2030, 2, 28, 20, 0, 0, 0, time.UTC)
	k.event(map[string]any{"title": "Last of February", "start_date": "2030-02-28 10:00:00", "end_date": "2030-02-28 11:00:00"})
	for at, want := range map[string]float64{"22:00": 1, "22:59": 1} {
		clock, err := time.Parse("15:04", at)
		k.must(err)
		k.clock = time.Date(2030, 2, 28, clock.Hour(), clock.Minute(), 59, 0, time.UTC)
		if a := k.get("/events", ""); a.Body["total"] != want {
			t.Errorf("at %s: %v", at, a.Body["total"])
		}
	}
	k.clock = time.Date(2030, 2, 28, 23, 0, 0, 0, time.UTC) // midnight in Berlin
	if a := k.get("/events", ""); a.Body["total"] != float64(0) {
		t.Errorf("on the next day: %v", a.Body["total"])
	}
}

// TestCachedSettings: a site's settings and what is published by time show at
// once.
func TestCachedSettings(t *testing.T) {
	t.Parallel()
	other, k := cachedKit(t)
	for range 3 {
		k.event(nil)
	}
	if a := k.get("/events", ""); a.Body["total_pages"] != float64(1) {
		t.Fatal(a)
	}
	set := func(on *kit, n int) {
		on.send(request{Method: "PATCH", Path: "//platform/v1/sites/demo", As: "Bearer " + providerToken,
			JSON: object{"settings": object{"per_page": n}}}).want(t, 200, "")
	}
	set(k, 1)
	if a := k.get("/events", ""); a.Body["total_pages"] != float64(3) {
		t.Errorf("the setting doesn't show: %v", a.Body["total_pages"])
	}
	set(other, 2) // the site is remembered, and is as new as its version all the same
	r := request{Method: "GET", Path: "/events", Headers: map[string]string{"Cache-Control": "no-cache"}}
	if a := k.send(r); a.Body["total_pages"] != float64(2) {
		t.Errorf("another node's setting doesn't show: %v", a.Body["total_pages"])
	}
	k.event(map[string]any{"title": "Planned", "status": "publish", "date": "2030-02-20 18:00:00"})
	before := k.get("/events", "").Body["total"]
	k.clock = k.clock.Add(10 * time.Hour)
	if _, err := k.db.PublishDue(t.Context(), k.clock); err != nil {
		t.Fatal(err)
	}
	if after := k.get("/events", "").Body["total"]; before != float64(3) || after != float64(4) {
		t.Errorf("published by time: %v, then %v", before, after)
	}
}
