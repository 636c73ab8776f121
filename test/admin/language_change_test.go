package admin

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Whoever changes the language of a site is told what becomes of the texts, and asked.
func TestChangeOfLanguageIsConfirmed(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Harvest", "translations": kit.Object{"de": kit.Object{"title": "Ernte"}}})).Want(t, 201, "")
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Plain"})).Want(t, 201, "")
	b := k.Person("administrator")
	form := b.Fill("/admin/settings", `<form class="settings"`, url.Values{"language": {"de"}, "do": {"save"}})
	asked := b.Post("/admin/settings", form)
	if asked.Status != 422 || !asked.Shows(`name="language_confirmed"`) || !asked.Shows("Entries with texts in German: 1.") || !asked.Shows("Entries without texts in German: 1.") {
		t.Fatalf("not asked: %d", asked.Status)
	}
	k.Get("/events?search=harvest", "").Has(t, "total", 1, "events.0.title", "Harvest")
	form.Set("language_confirmed", "de")
	if p := b.Post("/admin/settings", form); p.Status != 303 {
		t.Fatalf("confirmed: %d", p.Status)
	}
	k.Get("/events?search=ernte", "").Has(t, "total", 1, "events.0.title", "Ernte", "events.0.content_language", "de")
	plain := k.Get("/events?search=plain", "").Has(t, "events.0.title", "Plain", "events.0.content_language", "en")
	page := b.Get(fmt.Sprint("/admin/events/", plain.At("events.0.id")))
	if !page.Shows(`name="translations.en.title"`) || !page.Shows("Einiges hiervon ist auf Englisch.") {
		t.Errorf("the form doesn't say which language the title is in: %v %v", page.Status, page.Shows(`name="translations.en.title"`))
	}
	if p := b.Get("/admin/texts"); !p.Shows("/admin/events?texts=de") {
		t.Error("nothing says what lacks a text in the new language")
	}
	if p := b.Get("/admin/events?texts=de"); !p.Shows("Plain") || p.Shows("Ernte") {
		t.Error("the list of what lacks a text is another one")
	}
}
