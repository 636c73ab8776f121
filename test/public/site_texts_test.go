package public

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// named has the site demo say everything in its own language, most of it in German, and
// only its name in French.
func named(k *kit.Kit) {
	k.T.Helper()
	k.Configure(&platform.ConfigFields{Name: args.Some("Lake house"), Submissions: args.Some(true), SubmissionTerms: args.Some("Be kind."),
		FaceFields:     platform.FaceFields{Links: args.Some("Home | https://example.org/en"), Footer: args.Some("Imprint | /imprint")},
		SettingsFields: platform.SettingsFields{Tagline: args.Some("By the lake")},
		Texts: args.Some(args.Named[platform.SiteTexts]{
			"de": {NameTexts: platform.NameTexts{Name: args.Some(" Haus <am> See "), Tagline: args.Some("Am Wasser")},
				Links: args.Some("Start | https://example.org/de"), Terms: args.Some("Seien Sie nett.")},
			"fr": {NameTexts: platform.NameTexts{Name: args.Some("Maison du lac")}}})})
}

// saying checks what a page says, of HTML as text, and what it doesn't.
func saying(k *kit.Kit, path string, wants ...string) {
	k.T.Helper()
	body := string(k.Get(path, "").Raw)
	for _, want := range wants {
		without, is := strings.CutPrefix(want, "!")
		if strings.Contains(body, without) == is {
			k.T.Errorf("%s: %q", path, want)
		}
	}
}

// TestSiteTextsOfPages: pages, feeds and frames say the texts of a site in their
// language, each in the best there is, and mark those of another.
func TestSiteTextsOfPages(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	named(k)
	k.Post("/events", "editor", kit.Times(kit.Object{"title": "Choir", "slug": "choir", "translations": kit.Object{"de": kit.Object{"title": "Chor"}}})).Want(t, 201, "")
	const name = "Haus &lt;am&gt; See"
	saying(k, "//de/events/", "<bdi>"+name+"</bdi>", "– "+name+"</title>", `og:site_name" content="`+name, "<bdi>Am Wasser</bdi>",
		`href="https://example.org/de" rel="noopener"><bdi>Start</bdi>`, `<bdi lang="en">Imprint</bdi>`, "!Lake house", "!By the lake", "!example.org/en")
	saying(k, "//fr/events/", "<bdi>Maison du lac</bdi>", `<bdi lang="en">By the lake</bdi>`, `<bdi lang="en">Home</bdi>`, "!Haus")
	saying(k, "//es/events/", `<bdi lang="en">Lake house</bdi>`, "!Haus", "!Maison")
	saying(k, "//en/events/", "<bdi>Lake house</bdi>", "<bdi>By the lake</bdi>", "!Haus")
	saying(k, "//de/submit/", "Seien Sie nett.", "!Be kind.")
	saying(k, "//fr/submit/", `dir="auto" lang="en"`, "Be kind.")
	saying(k, "//de/events.rss", "Haus &lt;am&gt; See")
	saying(k, "//de/events.atom", "Haus &lt;am&gt; See")
	saying(k, "//de/events.ics", "Haus <am> See")
	saying(k, "//events.ics", "Lake house")
	saying(k, "//de/embed/list/", name)
	saying(k, "//oembed?url=http://localhost/de/events/", `"provider_name":"Haus`)
	saying(k, "//oembed?url=http://localhost/fr/event/choir/", `"provider_name":"Maison du lac"`)
	saying(k, "//oembed?url=http://localhost/de/event/chor/", `"title":"Chor"`)
	saying(k, "//oembed?url=http://localhost/events/", `"provider_name":"Lake house"`)
}

// TestSiteTextsStandIn: what is missing is taken in the order of the site's languages.
func TestSiteTextsStandIn(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	named(k)
	k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{ContentLanguages: args.Some(args.Texts{"de", "en", "fr"})}})
	saying(k, "//fr/events/", "<bdi>Maison du lac</bdi>", `<bdi lang="de">Am Wasser</bdi>`, `<bdi lang="de">Start</bdi>`, `<bdi lang="en">Imprint</bdi>`)
	k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{ContentLanguages: args.Some(args.Texts{})}})
	saying(k, "//de/events/", "<bdi>Lake house</bdi>", "!Haus")
	k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{ContentLanguages: args.Some(args.Texts{"en", "de"})}})
	saying(k, "//de/events/", "Am Wasser") // kept meanwhile
}

// asJSON says that a body is JSON.
func asJSON(r *http.Request) { r.Header.Set("Content-Type", "application/json") }

// TestSiteTextsOfTheProvider: the provider reads and writes what a site is called.
func TestSiteTextsOfTheProvider(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	provider := func(status int, body kit.Object) kit.Answer {
		t.Helper()
		raw, err := json.Marshal(body)
		k.Must(err)
		a := k.ProviderRequest("PATCH", "/sites/demo", kit.Sending(raw), asJSON)
		return a.Want(t, status, "")
	}
	made := provider(200, kit.Object{"name": "Lake house", "settings": kit.Object{"tagline": "By the lake"},
		"translations": kit.Object{"de": kit.Object{"name": "Seehaus", "tagline": "Am See"}, "fr": kit.Object{"name": "Maison"}}})
	made.Has(t, "settings.tagline", "By the lake", "translations.de.name", "Seehaus", "translations.de.outdated", false, "translations.fr.tagline", "-",
		"translations.de.made_from", made.At("version"))
	provider(200, kit.Object{"translations": kit.Object{"fr": kit.Object{"tagline": "Au bord du lac"}}}).Has(t, "translations.fr.name", "Maison",
		"translations.de.made_from", made.At("version"))
	provider(200, kit.Object{"name": "House", "translations": kit.Object{"fr": kit.Object{"name": "La maison"}}}).Has(t,
		"translations.de.outdated", true, "translations.fr.outdated", false)
	saying(k, "//de/events/", "Seehaus", "Am See")
	provider(200, kit.Object{"translations": kit.Object{"en": kit.Object{"name": "Own"}, "de": nil}}).Has(t, "name", "Own", "translations.de", "-", "translations.fr.outdated", true)
	provider(200, kit.Object{"translations": kit.Object{"fr": kit.Object{"name": nil, "tagline": ""}}}).Has(t, "translations.fr", "-")
	for name, body := range map[string]kit.Object{"translations.es": {"translations": kit.Object{"es": kit.Object{"name": "Casa"}}},
		"translations.en": {"translations": kit.Object{"en": nil}}, "translations.en.name": {"translations": kit.Object{"en": kit.Object{"name": " "}}},
		"translations.de.tagline": {"translations": kit.Object{"de": kit.Object{"tagline": kit.Letters(201)}}}} {
		raw, err := json.Marshal(body)
		k.Must(err)
		if a := k.ProviderRequest("PATCH", "/sites/demo", kit.Sending(raw), asJSON); a.Status != 400 || !strings.Contains(string(a.Raw), `"`+name+`"`) {
			t.Errorf("%s: %d %s", name, a.Status, a.Raw)
		}
	}
	k.ProviderRequest("GET", "/sites/demo").Has(t, "name", "Own")
}

// TestAdminSettingsTexts: the settings have the texts of each language side by side with
// the site's own, and say which are outdated.
func TestAdminSettingsTexts(t *testing.T) {
	t.Parallel()
	k := kit.Bilingual(t)
	b := k.Person("administrator")
	formed := func(pairs ...string) url.Values {
		form := maps.Clone(kit.FormAt(b.Get("/admin/settings/texts"), `<form class="settings"`))
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		return form
	}
	stale := formed("translations.de.name", "Anders")
	if p := b.Post("/admin/settings/texts", formed("name", "Lake", "translations.de.name", "See", "translations.de.links", "Start | https://example.org/de",
		"translations.fr.submission_terms", "Soyez gentils.\r\nMerci.")); p.Status != 303 {
		t.Fatalf("%d %s", p.Status, p.Body)
	}
	saying(k, "//de/events/", "<bdi>See</bdi>", "<bdi>Start</bdi>")
	if p := b.Get("/admin/settings/texts"); p.Shows(">outdated<") || !p.Shows("Soyez gentils.\nMerci.") || !p.Shows(`name="translations.fr.name"`) || p.Shows(`name="translations.en.`) {
		t.Error("the form")
	}
	if p := b.Post("/admin/settings/texts", formed("tagline", "New")); p.Status != 303 {
		t.Errorf("another tagline: %d %s", p.Status, p.Body)
	}
	p := b.Get("/admin/settings/texts")
	if strings.Count(p.Body, ">outdated<") != 2 {
		t.Error("nothing is outdated")
	}
	b.Post("/admin/settings/texts", formed("translations.de.current", "1"))
	if p := b.Get("/admin/settings/texts"); strings.Count(p.Body, ">outdated<") != 1 {
		t.Error("what is confirmed stays outdated")
	}
	if p := b.Post("/admin/settings/texts", formed("translations.de.links", "nowhere", "translations.fr.name", "Lac")); p.Status != 422 || !p.Shows("Lac") || !p.Shows("(German)") {
		t.Errorf("what won't do: %d", p.Status)
	}
	if p := b.Post("/admin/settings/texts", stale); p.Status != 409 || !p.Shows("Anders") {
		t.Errorf("two people: %d", p.Status)
	}
	if p := b.Get("/admin/audit"); !p.Shows("Texts in other languages") {
		t.Error("the history says nothing")
	}
	one := kit.New(t)
	if p := one.Person("administrator").Get("/admin/settings/texts"); p.Shows("translations.") {
		t.Error("a site of one language is asked for others")
	}
}

// TestArchiveKeepsSiteTexts: what a site says in other languages is in its archive.
func TestArchiveKeepsSiteTexts(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	v.Write("demo", "en", "de", "fr")
	named(v.Kit)
	paths := []string{"//de/events/", "//fr/submit/", "//de/events.ics"}
	before := v.View("demo", paths)
	if !strings.Contains(fmt.Sprint(before), "Haus &lt;am&gt; See") {
		t.Fatal("the site says too little")
	}
	data := v.Export("demo")
	w := kit.NewVaultOn(t, storagetest.Database(t))
	w.Secrets = v.Secrets
	made, err := w.Import(data, &platform.SiteFields{})
	w.Must(err)
	w.Sites["demo"] = made
	if diff := cmp.Diff(before, w.View("demo", paths)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	if got := made.Settings.Texts["fr"].Name; got != "Maison du lac" {
		t.Errorf("French: %q", got)
	}
}
