package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// A site with The Events Calendar is a source: read with its password, and again on time, also after it failed in the middle.
func TestSourceOfTECSite(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	site := newTECSite(t)
	k.ImportsFrom(site.host(), func(time.Duration) {})
	k.Sources.Imports = k.Imports
	hall := map[string]any{"id": 5, "venue": "Hall", "status": "publish", "slug": "hall"}
	site.things["venues"] = []map[string]any{hall, {"id": 6, "venue": "Unused", "status": "publish", "slug": "unused"}}
	site.add(101, "Concert", "2030-01-05 19:00:00", 2, map[string]any{"venue": []any{hall}})
	site.add(102, "Reading", "2030-01-06 19:00:00", 2, nil)
	source := k.Source(kit.Object{"kind": "tec", "url": site.URL})
	k.ReadSources()
	if got := titles(k); got != "Concert, Reading" {
		t.Fatalf("%s", got)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM events WHERE id IN (101, 102) AND source_id = `+k.Peek("demo", `SELECT id::text FROM sources`)); n != "2" {
		t.Errorf("%s with the ids of there", n)
	}
	imports := k.Peek("demo", `SELECT count(*)::text FROM imports`)
	k.ReadSource(source)
	if got := k.Peek("demo", `SELECT count(*)::text FROM imports`); got != imports {
		t.Errorf("nothing is new: %s imports, were %s", got, imports)
	}
	k.Patch("/events/101", "editor", kit.Object{"title": "Our concert", "venue": kit.Object{"venue": "Elsewhere"}}).Want(t, 200, "").Has(t, "source.kept.1", "venue")
	site.mu.Lock()
	site.events[0]["title"] = "Late concert"
	site.mu.Unlock()
	site.add(103, "Choir", "2030-01-07 19:00:00", 2, nil)
	site.faults = func(w http.ResponseWriter, r *http.Request) bool {
		if first := len(site.asked) == 0; strings.HasSuffix(r.URL.Path, "/events") && !first {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		return false
	}
	if of := k.ReadSource(source); of.At("problem.code") != "import-not-fetched" || titles(k) != "Our concert, Reading" {
		t.Errorf("away: %s", of.Raw)
	}
	site.faults = nil
	if of := k.ReadSource(source); of.Body["problem"] != nil || titles(k) != "Choir, Our concert, Reading" {
		t.Errorf("there again: %s", of.Raw)
	}
	k.Patch("/events/101", "editor", kit.Object{"source": kit.Object{"kept": []string{}}}).Want(t, 200, "").
		Has(t, "title", "Late concert", "venue.venue", "Hall", "venue.id", 5)
	site.password = "S3CRET"
	k.ReadSource(source)
	k.Patch(at("sources", source), "administrator", kit.Object{"user": "ann", "password": "wrong"}).Want(t, 200, "")
	if of := k.ReadSource(source); of.At("problem.code") != "import-login" {
		t.Errorf("a wrong password: %s", of.Raw)
	}
}

// A filter of a site with The Events Calendar is asked for there; what only others use does not come along.
func TestSourceOfTECSiteWithFilter(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	site := newTECSite(t)
	k.ImportsFrom(site.host(), func(time.Duration) {})
	k.Sources.Imports = k.Imports
	site.things["venues"] = []map[string]any{{"id": 6, "venue": "Unused", "status": "publish", "slug": "unused"}}
	music := map[string]any{"id": 9, "name": "Music", "slug": "music"}
	site.add(101, "Concert", "2030-01-05 19:00:00", 2, map[string]any{"categories": []any{music}})
	source := k.Source(kit.Object{"kind": "tec", "url": site.URL, "filter": "categories=music&search=con"})
	k.ReadSources()
	if got := titles(k); got != "Concert" {
		t.Errorf("%s", got)
	}
	if n := k.Peek("demo", `SELECT count(*)::text FROM venues`); n != "0" {
		t.Errorf("%s venues", n)
	}
	site.mu.Lock()
	asked := strings.Join(site.asked, "\n")
	site.mu.Unlock()
	if !strings.Contains(asked, "categories=music") || !strings.Contains(asked, "search=con") || strings.Contains(asked, "/venues") {
		t.Errorf("asked for\n%s", asked)
	}
	for _, wrong := range []any{"city=Bonn", kit.Object{"start_date": "2030-01-01"}, kit.Object{"featured": "maybe"}} {
		k.Patch(at("sources", source), "administrator", kit.Object{"filter": wrong}).Want(t, 400, "rest_invalid_param")
	}
	k.Post("/sources", "administrator", kit.Object{"name": "Club", "kind": "ics", "url": "https://example.org/a.ics", "filter": "search=con"}).
		Want(t, 400, "rest_invalid_param")
	k.Patch(at("sources", source), "administrator", kit.Object{"filter": ""}).Want(t, 200, "").Has(t, "filter", "-")
}
