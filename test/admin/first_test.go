package admin

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// A site without events says what to do first, and makes categories in its language, once.
func TestFirstSteps(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Provider("PATCH", "/sites/demo", map[string]any{"language": "de"}).Want(t, 200, "")
	b := k.Person("editor")
	for _, path := range []string{"/admin/desk", "/admin/events"} {
		if p := b.Get(path); !p.Shows("Erste Schritte") || !p.Shows("Ausstellungen") || !p.Shows(`value="starter"`) {
			t.Errorf("%s: %d, it doesn't say what to do first", path, p.Status)
		}
	}
	if p := b.Get("/admin?view=month"); !p.Shows("Erste Schritte") {
		t.Errorf("the calendar: %d", p.Status)
	}
	k.Post("/categories", "administrator", kit.Object{"name": "musik"}).Want(t, 201, "")
	version, undo := k.Version("demo"), ""
	for range 2 {
		b.Get("/admin/categories")
		if p := b.Post("/admin/categories", url.Values{"do": {"starter"}}); p.Status != 303 {
			t.Fatalf("%d", p.Status)
		}
		if p := b.Follow(); undo == "" {
			undo = p.Hidden("writes")
		}
		if now := k.Version("demo"); now != version+1 {
			t.Errorf("%d writes", now-version)
		}
		if n := k.Peek("demo", "SELECT count(*)::text FROM terms WHERE site_id = $1", k.Sites["demo"].ID); n != "8" {
			t.Errorf("%s categories", n)
		}
	}
	if p := b.Get("/admin/desk"); !p.Shows(`id="first"`) || p.Shows(`value="starter"`) {
		t.Errorf("%d, there are categories already", p.Status)
	}
	used := k.Peek("demo", "SELECT id::text FROM terms WHERE site_id = $1 AND name = 'Ausstellungen'", k.Sites["demo"].ID)
	show := k.Event(kit.Object{"title": "Show", "categories": used})
	for range 2 { // the second one finds nothing
		b.Post("/admin/events/undo", url.Values{"writes": {undo}, "to": {"/admin/categories"}})
		if left := k.Peek("demo", "SELECT string_agg(name, ' ' ORDER BY name) FROM terms WHERE site_id = $1", k.Sites["demo"].ID); undo == "" || left != "Ausstellungen musik" {
			t.Errorf("%q: after Undo there are %s", undo, left)
		}
	}
	k.Remove(fmt.Sprintf("/events/%d", show))
	if p := k.Person("author").Post("/admin/tags", url.Values{"do": {"starter"}, "name": {""}}); p.Status == 303 {
		t.Errorf("tags to begin with: %d", p.Status)
	}
	k.Event(kit.Object{"title": "First"})
	for _, path := range []string{"/admin/desk", "/admin/events", "/admin?view=month"} {
		if p := b.Get(path); p.Status != 200 || p.Shows("Erste Schritte") {
			t.Errorf("%s of a site with an event: %d", path, p.Status)
		}
	}
}
