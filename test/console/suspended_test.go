package console

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Editors of a suspended site are told so, rather than that they lack permission, and their input is kept until the
// site is resumed.
func TestSuspendedSiteSaysWhy(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	b := k.Person("administrator")
	b.Get("/admin/categories")
	k.Provider("PATCH", "/sites/demo", map[string]any{"state": "read_only"}).Want(t, 200, "")
	p := b.Post("/admin/categories", url.Values{"name": {"Chamber music"}})
	if p.Status != http.StatusForbidden || !p.Shows("is read-only") || p.Shows("not allowed") {
		t.Fatalf("read-only: %d %s", p.Status, p.Body)
	}
	kept := kit.FormAt(p, `<form class="stack narrow late"`)
	if kept.Get("name") != "Chamber music" {
		t.Errorf("kept: %v", kept)
	}
	k.Provider("PATCH", "/sites/demo", map[string]any{"state": "closed"}).Want(t, 200, "")
	if p := b.Get("/admin/categories"); p.Status != http.StatusForbidden || !p.Shows("This calendar is closed") || p.Shows("not allowed") {
		t.Errorf("closed: %d %s", p.Status, p.Body)
	}
	if p := b.Post("/admin/categories", kept); p.Status != http.StatusForbidden || !p.Shows("This calendar is closed") {
		t.Errorf("closed while a form is sent: %d %s", p.Status, p.Body)
	}
	k.Provider("PATCH", "/sites/demo", map[string]any{"state": "active"}).Want(t, 200, "")
	if p := b.Post("/admin/categories", kept); p.Status != http.StatusSeeOther {
		t.Errorf("sent again: %d %s", p.Status, p.Body)
	}
	if p := b.Get("/admin/categories"); !p.Shows("Chamber music") {
		t.Errorf("sent again, and not there: %s", p.Body)
	}
}

// The console tells parts of a megabyte.
func TestConsoleTellsSmallPictures(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Upload("demo", "administrator", "a.png", kit.Picture(20, 20)).Want(t, 201, "")
	k.Limit(map[string]any{"media_bytes": 150_000})
	if p := k.Console().Get("/admin/provider/sites/demo"); !p.Shows("0.01 of 0.15") {
		t.Errorf("%s", p.Body)
	}
}
