package public

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestSearchTexts: an event says to search engines and previews of links what was written
// for them, in the language of the page; else the usual. Nobody finds it by that.
func TestSearchTexts(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	body := kit.Times(kit.Object{"title": "Choir", "slug": "choir", "description": "Bring a friend.", "seo_title": " Sing in <Bonn>\n& more ",
		"seo_description": "Every week.", "translations": kit.Object{
			"de": kit.Object{"title": "Chor", "slug": "chor", "seo_title": "Singen in Bonn"},
			"fr": kit.Object{"title": "Chorale", "slug": "chorale", "excerpt": "Venez"}}})
	made := k.Post("/events", "editor", body).Want(t, 201, "").Has(t, "seo_title", "Sing in <Bonn> & more", "seo_description", "Every week.")
	path := kit.Item("events", made.ID())
	k.Get(path+"?content_language=de&translations=full", "").Has(t, "seo_title", "Singen in Bonn", "seo_description", "Every week.",
		"translations.en.seo_title", "Sing in <Bonn> & more", "translations.de.seo_title", "Singen in Bonn", "translations.fr.seo_title", "-")
	heads := func(page string, wants ...string) {
		t.Helper()
		a := k.Get(page, "").Want(t, 200, "")
		for _, want := range wants {
			if !strings.Contains(string(a.Raw), want) {
				t.Errorf("%s has no %s", page, want)
			}
		}
	}
	heads("//event/choir/", "<title>Sing in &lt;Bonn&gt; &amp; more – demo</title>", `name="description" content="Every week."`,
		`og:title" content="Sing in &lt;Bonn&gt; &amp; more"`, `og:description" content="Every week."`, ">Choir</")
	heads("//de/event/chor/", "<title>Singen in Bonn – demo</title>", `og:title" content="Singen in Bonn"`, `name="description" content="Every week."`, ">Chor</")
	heads("//fr/event/chorale/", "<title>Chorale – demo</title>", ` · Chorale"><meta property="og:type"`, `name="description" content="Venez"`)
	for _, words := range []string{"week", "bonn"} {
		k.Get("/events?search="+words, "").Has(t, "total", float64(0))
	}
	k.Patch(path, "editor", kit.Object{"seo_title": "Singers"}).Want(t, 200, "")
	k.Get(path+"?translations=full", "").Has(t, "translations.de.outdated", true)
	k.Patch(path, "editor", kit.Object{"seo_title": "", "seo_description": nil, "event_status": "cancelled"}).Want(t, 200, "").Has(t, "seo_title", "-", "seo_description", "-")
	heads("//event/choir/", "Choir – demo</title>", `name="description" content="Bring a friend."`)
	heads("//de/event/chor/", "Singen in Bonn – demo</title>", "Abgesagt")
	k.Patch(path, "editor", kit.Object{"seo_title": kit.Letters(201), "translations": kit.Object{"de": kit.Object{"seo_description": kit.Letters(501)}}}).
		Want(t, 400, "rest_invalid_param")
	k.Patch(path, "editor", kit.Object{"seo_title": "Whispered", "seo_description": "Whispered", "post_password": "pw"}).Want(t, 200, "")
	for _, page := range []string{path, "//event/choir/", "//de/event/chor/", "/events", "//event/choir.ics", "//events.json"} {
		if a := k.Get(page, ""); strings.Contains(string(a.Raw), "Whispered") || strings.Contains(string(a.Raw), "Singen in") {
			t.Errorf("%s shows what is behind a password", page)
		}
	}
}
