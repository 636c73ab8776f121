package admin

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// The front page beside the settings follows what is chosen before it is saved. Nobody else is shown it, and nothing in it can act.
func TestSettingsShowTheFrontPage(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Event(map[string]any{"title": "Choir", "slug": "choir", "start_date": "2030-03-01 10:00:00"})
	k.Event(map[string]any{"title": "Hidden draft", "status": "draft", "start_date": "2030-03-01 10:00:00"})
	b := k.Person("administrator")
	if p := b.Get("/admin/settings"); !p.Shows(`src="/admin/settings/look?accent=`) || !strings.Contains(p.Header.Get("Content-Security-Policy"), "frame-src 'self'") {
		t.Fatalf("no frame: %s", p.Header.Get("Content-Security-Policy"))
	}
	if p := b.Post("/admin/settings", url.Values{"theme": {"night"}, "name": {"New name"}, "do": {"show"}}); !p.Shows("theme=night") {
		t.Errorf("the frame does not follow: %d", p.Status)
	}
	const chosen = "/admin/settings/look?theme=night&accent=%23aa0033&corners=round&font=slab&name=New+name"
	p := b.Get(chosen)
	for _, want := range []string{`data-look="night"`, `data-corners="round"`, `data-font="slab"`, "New name", "Choir", "accent-aa0033", `lang="en"`} {
		if !p.Shows(want) {
			t.Errorf("the front page lacks %s", want)
		}
	}
	if p.Status != 200 || p.Shows("Hidden draft") || p.Shows("public.js") || p.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("%d, cached as %q", p.Status, p.Header.Get("Cache-Control"))
	}
	for _, want := range []string{"default-src 'none'", "form-action 'none'", "frame-ancestors 'self'", "; sandbox allow-same-origin"} {
		if policy := p.Header.Get("Content-Security-Policy"); !strings.Contains(policy, want) || strings.Contains(policy, "script-src") {
			t.Errorf("it may do too much: %s", policy)
		}
	}
	for _, path := range []string{"/en/", "/en/events/"} {
		if p := k.Browser().Get(path); !p.Shows(`data-look="plain"`) || p.Shows("New name") {
			t.Errorf("visitors of %s see what is not saved", path)
		}
	}
	if p := b.Get("/admin/settings/look?theme=none&name=Other"); p.Status != 200 || !p.Shows(`data-look="plain"`) || p.Shows("Other") {
		t.Errorf("what cannot be saved is shown: %d", p.Status)
	}
	if p := k.Person("editor").Get(chosen); p.Status != 403 {
		t.Errorf("an editor: %d", p.Status)
	}
	if p := k.Browser().Get(chosen); p.Status == 200 {
		t.Error("shown to anybody")
	}
	k.Change("demo", "UPDATE sites SET language = 'de'")
	k.Platform.Resolver.Forget(k.Sites["demo"].ID)
	if p := b.Get(chosen); !p.Shows("Kommende Veranstaltungen") || !p.Shows(`lang="de"`) {
		t.Error("the front page is not in the language of the site")
	}
}
