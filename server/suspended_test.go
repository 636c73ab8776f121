package server_test

import (
	"net/http"
	"net/url"
	"testing"
)

// Who works on a site that is suspended is told that, not that they had no right to
// what they did yesterday, and keeps what they typed for when it is resumed.
func TestSuspendedSiteSaysWhy(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	b := k.person("administrator")
	b.get("/admin/categories")
	k.provider("PATCH", "/sites/demo", map[string]any{"state": "read_only"}).want(t, 200, "")
	p := b.post("/admin/categories", url.Values{"name": {"Chamber music"}})
	if p.Status != http.StatusForbidden || !p.shows("accepts no changes") || p.shows("not allowed") {
		t.Fatalf("read-only: %d %s", p.Status, p.Body)
	}
	kept := formAt(p, `<form class="stack narrow late"`)
	if kept.Get("name") != "Chamber music" {
		t.Errorf("kept: %v", kept)
	}
	k.provider("PATCH", "/sites/demo", map[string]any{"state": "closed"}).want(t, 200, "")
	if p := b.get("/admin/categories"); p.Status != http.StatusForbidden || !p.shows("This calendar is closed") || p.shows("not allowed") {
		t.Errorf("closed: %d %s", p.Status, p.Body)
	}
	if p := b.post("/admin/categories", kept); p.Status != http.StatusForbidden || !p.shows("This calendar is closed") {
		t.Errorf("closed while a form is sent: %d %s", p.Status, p.Body)
	}
	k.provider("PATCH", "/sites/demo", map[string]any{"state": "active"}).want(t, 200, "")
	if p := b.post("/admin/categories", kept); p.Status != http.StatusSeeOther {
		t.Errorf("sent again: %d %s", p.Status, p.Body)
	}
	if p := b.get("/admin/categories"); !p.shows("Chamber music") {
		t.Errorf("sent again, and not there: %s", p.Body)
	}
}

// The console tells parts of a megabyte.
func TestConsoleTellsSmallPictures(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.upload("demo", "administrator", "a.png", picture(20, 20)).want(t, 201, "")
	k.limit(map[string]any{"media_bytes": 150_000})
	if p := k.console().get("/admin/provider/sites/demo"); !p.shows("0.01 of 0.15") {
		t.Errorf("%s", p.Body)
	}
}
