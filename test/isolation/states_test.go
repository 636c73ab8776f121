package isolation

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/mcp"
	platformapi "github.com/kalends/kalends/api/platform"
	"github.com/kalends/kalends/api/wordpress"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/media"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web"
	"github.com/kalends/kalends/web/forms/frame"
)

// TestStates requests every GET route of the API, the pages, the administration and the provider's interface as every
// caller, on three sites: one that nobody has written to, whose version is 0, one with an entry of each kind, and one
// with thousands of events. Nothing may fail: no status of 500 or more, and no error in the log. Callers other than visitors
// and the administrator send a part of the requests; see kit.Walks.
func TestStates(t *testing.T) {
	if testing.Short() {
		t.Skip("walks a few thousand requests")
	}
	t.Parallel()
	plain := kit.New(t)
	said := &loud{}
	w := &states{one: oneOfEach(plain), many: manyEvents(plain)}
	for _, site := range []string{"demo", "two", "many"} {
		for _, role := range tenancy.Roles() {
			plain.PasswordOn(site, string(role))
		}
		plain.As(site, "reader") // makes the key, which is a write
	}
	untouch(plain)
	w.Kit = plain.WithCache(func(c *server.Config) { c.Logger, c.Jobs = slog.New(said), plain.Jobs })
	w.Clock, w.said = time.Now(), said
	w.nowhere = &kit.Sample{IDs: map[string]int64{}, Slugs: map[string]string{}}
	for resource := range w.one.IDs {
		w.nowhere.IDs[resource], w.nowhere.Slugs[resource] = 77777, "nowhere"
	}
	for _, language := range i18n.Languages() { // before anything else is known of the site
		for _, path := range []string{"/", "/events/", "/events/list/", "/events/map/", "/events/photo/", "/events/found/", "/events/?search=a"} {
			w.open("demo", "", "/"+language+path)
			w.open("demo", "", "/"+language+path)
		}
	}
	for _, on := range []struct {
		site   string
		sample *kit.Sample
	}{{"demo", w.nowhere}, {"two", w.one}, {"many", w.many}} {
		w.walkAPI(on.site, on.sample)
		w.walkPages(on.site, on.sample)
		w.walkPlatform(on.site, on.sample)
	}
	covers(w.Kit, w.walked)
	if left := w.Peek("demo", `SELECT version || ' ' || (SELECT count(*) FROM events) FROM sites WHERE id = $1`, w.Sites["demo"].ID); left != "0 0" {
		t.Errorf("the site that nobody had written to was written to: %s", left)
	}
	if w.asked < 3000 {
		t.Errorf("only %d requests", w.asked)
	}
	t.Logf("%d requests", w.asked)
}

// states is a walk over all routes on sites in several states.
type states struct {
	*kit.Kit
	one, many, nowhere *kit.Sample
	said               *loud
	browsers           map[string]*kit.Browser
	asked              int
	walked             []string // paths of routes
}

// found notes an answer, and reports one that failed.
func (w *states) found(site, caller, path string, status int, body string) {
	w.asked++
	if errors := w.said.take(); status >= http.StatusInternalServerError || len(errors) > 0 {
		w.T.Errorf("GET %s on %s as %q: %d %.200s\n%s", path, site, caller, status, body, strings.Join(errors, "\n"))
	}
}

// open shows a page in the browser of a caller, who signs in first.
func (w *states) open(site, caller, path string) int {
	b := w.browsers[site+" "+caller]
	if b == nil {
		if w.browsers == nil {
			w.browsers = map[string]*kit.Browser{}
		}
		b = w.Browser()
		if site != "demo" {
			b.Host = site + ".localhost"
		}
		if caller != "" {
			if p := b.SignIn(caller, kit.AdminPassword); p.Status != http.StatusSeeOther {
				w.T.Fatalf("sign in as %s on %s: %d %s", caller, site, p.Status, p.Body)
			}
		}
		w.browsers[site+" "+caller] = b
	}
	p := b.Get(path)
	w.found(site, caller, path, p.Status, p.Body)
	return p.Status
}

// walkAPI reads the API, and the parts of WordPress' API.
func (w *states) walkAPI(site string, s *kit.Sample) {
	list := api.New(nil).Routes()
	for i := range list {
		w.walked = append(w.walked, api.Namespace+list[i].Path)
	}
	for _, r := range wordpress.New(api.New(nil), nil).Routes() {
		collection, _, _ := strings.Cut(strings.Trim(r.Path, "/"), "/{id}")
		r.Resource, r.Path = wordPressItems[collection], "/"+api.WordPress+r.Path
		w.walked = append(w.walked, r.Path[1:])
		list = append(list, r)
	}
	list = append(list, api.Route{Path: "/" + api.Index + "/", Methods: []string{http.MethodGet}})
	for _, r := range list {
		if !slices.Contains(r.Methods, http.MethodGet) {
			continue
		}
		for _, caller := range kit.Callers() {
			path := strings.NewReplacer("{id}", strconv.FormatInt(s.IDs[r.Resource], 10), "{slug}", s.Slugs[r.Resource], "{key}", s.Slugs[r.Resource], "{delivery}", "1").Replace(r.Path)
			if caller != "administrator" && caller != "" && !kit.Walks(site, path, caller) {
				continue
			}
			for _, query := range []string{"", "?search=a&page=1&per_page=50&hide_empty=false"} {
				if query != "" && strings.HasSuffix(path, ".ics") {
					continue // it has everything again
				}
				a := w.Send(kit.Request{Method: http.MethodGet, Path: path + query, Site: at(site), As: w.As(site, caller)})
				w.found(site, caller, path+query, a.Status, string(a.Raw))
				w.IsError(path, a)
			}
		}
	}
}

// at is a site as requests name it.
func at(site string) string {
	if site == "demo" {
		return ""
	}
	return site
}

// walkPages opens the pages: the administrator and a visitor with each entry that may fit the address, the others with
// those that one of the two found.
func (w *states) walkPages(site string, s *kit.Sample) {
	console, tour := w.Console(), &tour{}
	for _, p := range web.New(web.Config{Calendar: w.Calendar, Platform: w.Platform}).Pages() {
		w.walked = append(w.walked, p.Path)
		if p.Method != http.MethodGet {
			continue
		}
		if frame.Console(p.Path) {
			path := slot.ReplaceAllString(p.Path, site)
			if strings.Contains(path, "/plans/") {
				path = slot.ReplaceAllString(p.Path, "unlimited")
			}
			shown := console.Get(path)
			w.found(site, "provider", path, shown.Status, shown.Body)
		}
		addresses := map[string]bool{}
		for _, path := range tour.addresses(p.Path, s) {
			administrator, visitor := w.open(site, "administrator", path), w.open(site, "", path)
			if administrator != http.StatusNotFound || visitor != http.StatusNotFound {
				addresses[path] = true
			}
			if visitor == http.StatusOK && !strings.HasSuffix(path, ".ics") {
				w.open(site, "", path+"?search=a&page=2&from=2026-01-01")
			}
		}
		for path := range addresses {
			for i, role := range tenancy.Roles() {
				large := site == "many" && strings.HasSuffix(path, ".ics") // of a calendar of thousands, one role more each
				if role != tenancy.Administrator && kit.Walks(site, path, string(role)) && (!large || i == 1+w.asked%(len(tenancy.Roles())-1)) {
					w.open(site, string(role), path)
				}
			}
		}
	}
}

// walkPlatform reads the provider's interface.
func (w *states) walkPlatform(site string, s *kit.Sample) {
	paths := []string{"/healthz", "/readyz", api.PlatformNamespace + "/domains/ask", media.Path + "nosuchkey/a.png", mcp.Path}
	w.walked = append(append(w.walked, paths...), media.Path+":key/:file", api.Index)
	for _, r := range platformapi.New(w.Platform, nil, "localhost", func(string) bool { return true }).Routes() {
		w.walked = append(w.walked, api.PlatformNamespace+r.Path)
		if slices.Contains(r.Methods, http.MethodGet) {
			path := strings.NewReplacer("{slug}", site, "{id}", strconv.FormatInt(s.IDs["user"], 10), "{domain}", "zwilling.example.net",
				"{name}", "unlimited").Replace(r.Path)
			paths = append(paths, api.PlatformNamespace+slot.ReplaceAllString(path, "x"))
		}
	}
	for _, path := range paths {
		for _, as := range append(kit.Callers(), "Bearer "+kit.ProviderToken) {
			if tenancy.Role(as).Valid() && as != "administrator" && !kit.Walks(site, path, as) {
				continue
			}
			a := w.Send(kit.Request{Method: http.MethodGet, Path: "/" + path, Site: at(site), As: w.As(site, as)})
			w.found(site, as, path, a.Status, string(a.Raw))
		}
	}
}

// oneOfEach makes the site "two", which has one entry of each kind, and something in each table.
func oneOfEach(k *kit.Kit) *kit.Sample {
	w := &tour{k: k, two: k.SecondSite(), nowhere: &kit.Sample{IDs: map[string]int64{}, Slugs: map[string]string{}}}
	w.fillTwo()
	create := func(path string, body map[string]any) kit.Answer {
		return k.Send(kit.Request{Method: http.MethodPost, Path: path, Site: "two", As: "administrator", JSON: body}).Want(k.T, 201, "")
	}
	event := func(more map[string]any) int64 {
		body := map[string]any{"title": "One", "start_date": "tomorrow 10:00", "end_date": "tomorrow 11:00"}
		maps.Copy(body, more)
		return create("/events", body).ID()
	}
	w.two.IDs["series"] = event(map[string]any{"title": "Series", "recurrence": map[string]any{"rrule": "FREQ=DAILY;COUNT=30"}})
	w.two.Slugs["series"] = "series"
	k.Send(kit.Request{Method: http.MethodDelete, Path: fmt.Sprintf("/events/%d", event(nil)), Site: "two", As: "administrator"}).Want(k.T, 200, "")
	for _, status := range []string{"draft", "pending", "private"} {
		event(map[string]any{"status": status})
	}
	event(map[string]any{"status": "future", "date": "tomorrow 09:00"})
	event(map[string]any{"password": "secret"})
	event(map[string]any{"cost": "12 €", "event_status": "cancelled", "all_day": true, "hide_from_listings": true, "sticky": true, "featured": true})
	for _, path := range []string{"/venues", "/organizers"} {
		body := map[string]any{"venue": "Draft", "organizer": "Draft", "status": "draft"}
		create(path, body)
		body["status"] = "publish"
		id := create(path, body).ID()
		k.Send(kit.Request{Method: http.MethodDelete, Path: fmt.Sprintf("%s/%d", path, id), Site: "two", As: "administrator"}).Want(k.T, 200, "")
	}
	return w.two
}

// manyEvents makes the site "many" with six thousand events over two years, more than lists count or show at once, each with a
// venue, an organizer, a category and a tag.
func manyEvents(k *kit.Kit) *kit.Sample {
	k.Site("many")
	s := &kit.Sample{IDs: map[string]int64{"user": 1}, Slugs: map[string]string{}}
	create := func(resource, path string, body map[string]any) {
		a := k.Send(kit.Request{Method: http.MethodPost, Path: path, Site: "many", As: "administrator", JSON: body}).Want(k.T, 201, "")
		s.IDs[resource] = a.ID()
		s.Slugs[resource], _ = a.Body["slug"].(string)
	}
	create("venue", "/venues", map[string]any{"venue": "Hall", "city": "Bonn"})
	create("organizer", "/organizers", map[string]any{"organizer": "Society"})
	create("category", "/categories", map[string]any{"name": "Music"})
	create("tag", "/tags", map[string]any{"name": "Evening"})
	create("event", "/events", map[string]any{"title": "Concert", "start_date": "today 10:00", "end_date": "today 11:00",
		"venue": s.IDs["venue"], "organizer": s.IDs["organizer"], "categories": []int64{s.IDs["category"]}, "tags": []int64{s.IDs["tag"]}})
	k.Change("many", `
		INSERT INTO events
		SELECT (jsonb_populate_record(e, jsonb_build_object('id', 100000 + n, 'slug', e.slug || '-' || n, 'title', e.title || ' ' || n,
			'start_local', e.start_local + gone, 'end_local', e.end_local + gone, 'start_utc', e.start_utc + gone, 'end_utc', e.end_utc + gone))).*
		FROM events e, (SELECT n, (n % 730 - 100) * interval '1 day' AS gone FROM generate_series(2, 6000) n) AS made
		WHERE e.site_id = $1`, k.Sites["many"].ID)
	for _, sql := range []string{
		`INSERT INTO occurrences (site_id, event_id, n, start_local, end_local, start_utc, end_utc, listed)
			SELECT site_id, id, 0, start_local, end_local, start_utc, end_utc, true FROM events WHERE site_id = $1 AND id > 100000`,
		`INSERT INTO event_venues (site_id, event_id, venue_id, position)
			SELECT site_id, id, venue_ids[1], 0 FROM events WHERE site_id = $1 AND id > 100000`,
		`INSERT INTO event_organizers (site_id, event_id, organizer_id, position)
			SELECT site_id, id, organizer_ids[1], 0 FROM events WHERE site_id = $1 AND id > 100000`,
		`INSERT INTO event_terms (site_id, event_id, term_id)
			SELECT site_id, id, unnest(term_ids) FROM events WHERE site_id = $1 AND id > 100000`,
		`UPDATE terms SET count = 6000 WHERE site_id = $1`,
		`UPDATE sites SET last_post_id = 200000, used_events = 6000 WHERE id = $1`,
	} {
		k.Change("many", sql, k.Sites["many"].ID)
	}
	k.Exec("ANALYZE") // as it happens by itself within seconds wherever people run it
	return s
}

// untouch takes the site "demo" back to how the provider made it: nothing was written to it, its version is 0. It keeps
// the users, as a site does that was made with them.
func untouch(k *kit.Kit) {
	k.Change("demo", `DELETE FROM changes WHERE site_id = $1`, k.Sites["demo"].ID)
	k.Exec(`UPDATE sites SET version = 0, links_version = 0, last_post_id = 0, last_term_id = 0 WHERE slug = 'demo'`)
}

// loud is a log that keeps its errors.
type loud struct {
	mu     sync.Mutex
	errors []string
}

// Enabled implements slog.Handler.
func (l *loud) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

// Handle implements slog.Handler.
func (l *loud) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += " " + a.String()
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errors = append(l.errors, text)
	return nil
}

// WithAttrs implements slog.Handler.
func (l *loud) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements slog.Handler.
func (l *loud) WithGroup(string) slog.Handler { return l }

// take returns what was logged since it was last called.
func (l *loud) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	errors := l.errors
	l.errors = nil
	return errors
}
