package admin

import (
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Alternative texts are translatable: pages use the best language available and mark other languages. Translations
// become outdated if the original changes without them.
func TestAlternativeTexts(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	b := k.Person("editor")
	page := kit.InLibrary(k, b)
	id := strings.TrimPrefix(page, "/admin/media/")
	event := k.Post("/events", "editor", kit.Times(kit.Object{"title": "Fair", "slug": "fair", "image": id, "venue": kit.Object{"venue": "Hall", "slug": "hall", "image": id}})).Want(t, 201, "")
	save := func(status int, pairs ...string) kit.Page {
		t.Helper()
		form := kit.FormAt(b.Get(page), `<form class="stack narrow after"`)
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		p := b.Post(page, form)
		if p.Status != status {
			t.Fatalf("%d %s", p.Status, p.Body)
		}
		return p
	}
	save(303, "alt", "A fair", "translations.de.alt", " Ein Markt & mehr ")
	version := k.Get(kit.Item("events", event.ID()), "").Header.Get("ETag")
	for path, want := range map[string]string{"//en/event/fair/": `alt="A fair" decoding`, "//de/event/fair/": `alt="Ein Markt &amp; mehr" decoding`,
		"//fr/event/fair/": `alt="A fair" lang="en"`, "//de/venue/hall/": `alt="Ein Markt &amp; mehr"`} {
		if a := k.Get(path, ""); !strings.Contains(string(a.Raw), want) {
			t.Errorf("%s: no %s", path, want)
		}
	}
	if a := k.Get("//de/event/fair/", ""); !strings.Contains(string(a.Raw), `· Ein Markt &amp; mehr"><meta name="twitter:card"`) {
		t.Error("what is shared is in another language")
	}
	if p := b.Get("/admin/media?search=markt"); !p.Shows(page) {
		t.Error("not found by its German text")
	}
	save(303, "alt", "The fair")
	if p := b.Get(page); strings.Count(p.Body, ">outdated<") != 1 || !p.Shows("Ein Markt & mehr") {
		t.Error("not outdated")
	}
	save(303, "translations.de.current", "1")
	if p := b.Get(page); p.Shows(">outdated<") {
		t.Error("what is confirmed stays outdated")
	}
	if p := save(422, "translations.de.alt", kit.Letters(1001)); !p.Shows("(German)") {
		t.Error("what is wrong isn't said")
	}
	if p := b.Post(page, url.Values{"alt": {"x"}, "translations.es.alt": {"Feria"}, "do": {"save"}}); p.Status != 422 {
		t.Errorf("a language of others: %d", p.Status)
	}
	if p := k.Person("author").Post(page, url.Values{"alt": {"x"}, "translations.de.alt": {"y"}, "do": {"save"}}); p.Status != 403 {
		t.Errorf("an author: %d", p.Status)
	}
	save(303, "translations.de.alt", "")
	if a := k.Get("//de/event/fair/", ""); !strings.Contains(string(a.Raw), `alt="The fair" lang="en"`) || version == "" {
		t.Error("nothing stands in")
	}
}
