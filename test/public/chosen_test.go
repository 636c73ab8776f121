package public

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// TestChosenLanguage: the switch leads to the same page, with its page number and what is
// chosen there, and is remembered for addresses without a language; what caches hold stays
// the same for everybody.
func TestChosenLanguage(t *testing.T) {
	t.Parallel()
	plain, kept := kit.CachedKit(t)
	for range 18 {
		plain.Event(kit.Object{"categories": []string{"a"}})
	}
	for name, k := range map[string]*kit.Kit{"plain": plain, "kept": kept} {
		list := k.Look("/de/events/?category=a&page=2&search=Event")
		for _, want := range []string{`href="/language/pl/events/?category=a&amp;page=2&amp;search=Event"`, `rel="nofollow"`} {
			if !strings.Contains(string(list.Raw), want) {
				t.Errorf("%s: the page lacks %s", name, want)
			}
		}
		if list = k.Look("/de/events/?page=2"); !strings.Contains(string(list.Raw), `href="/language/pl/events/?page=2"`) || list.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: the second page: %s", name, list)
		}
		for from, to := range map[string]string{
			"/language/pl/events/?page=2&search=Event": "/pl/events/?page=2&search=Event",
			"/language/PT-br/venue/caf%C3%A9/":         "/pt-BR/venue/caf%C3%A9/",
			"/de/language/pl/events/":                  "/pl/events/",
			"/language/pl//evil.example/":              "/pl//evil.example/",
			"/language/pl/":                            "/pl/",
		} {
			a := k.Look(from)
			if a.Status != 303 || a.Header.Get("Location") != to || a.Header.Get("Cache-Control") != "private, no-store" ||
				!strings.Contains(a.Header.Get("Set-Cookie"), "kalends-language="+strings.Split(to, "/")[1]+";") {
				t.Errorf("%s: %s: %d %s %s", name, from, a.Status, a.Header.Get("Location"), a.Header.Get("Set-Cookie"))
			}
		}
		if a := k.Look("/language/pl/events/", "Sec-Fetch-Site", "cross-site"); a.Status != 303 || a.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: another site chooses: %d %s", name, a.Status, a.Header.Get("Set-Cookie"))
		}
		for _, path := range []string{"/language/xx/events/", "/language/", "/language/pl"} {
			if a := k.Look(path); a.Status != 404 && a.Status != 303 || a.Header.Get("Set-Cookie") != "" && path != "/language/pl" {
				t.Errorf("%s: %s: %d", name, path, a.Status)
			}
		}

		shared := k.Look("/events/", "Accept-Language", "fr")
		tag := shared.Header.Get("ETag")
		if shared.Status != 200 || shared.Header.Get("Content-Language") != "fr" || !strings.Contains(shared.Header.Get("Vary"), "Accept-Language") {
			t.Fatalf("%s: %s", name, shared)
		}
		const chosen = "kalends-language=pl"
		for _, held := range []string{"", tag} {
			a := k.Look("/events/?page=2", "Cookie", chosen, "Accept-Language", "fr", "If-None-Match", held)
			if a.Status != 302 || a.Header.Get("Location") != "http://localhost/pl/events/?page=2" || a.Header.Get("Cache-Control") != "private, no-store" {
				t.Errorf("%s: with the cookie: %d %s", name, a.Status, a.Header.Get("Location"))
			}
		}
		if a := k.Look("/events/", "Accept-Language", "fr", "If-None-Match", tag); a.Status != 304 {
			t.Errorf("%s: without the cookie: %d", name, a.Status)
		}
		for path, language := range map[string]string{"/de/events/": "de", "/events.ics": "fr", "/robots.txt": "fr", "/embed/list/": "fr", "/calendar/events/v1/events": "fr"} {
			a := k.Look(path, "Cookie", chosen, "Accept-Language", "fr")
			if a.Status != 200 || a.Header.Get("Content-Language") != language {
				t.Errorf("%s: %s with the cookie: %d in %s", name, path, a.Status, a.Header.Get("Content-Language"))
			}
		}
		if a := k.Look("/nothing/", "Cookie", chosen, "Accept", "text/html"); a.Status != 404 || !strings.Contains(string(a.Raw), `lang="pl"`) {
			t.Errorf("%s: nothing: %d", name, a.Status)
		}
	}
	plain.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{Languages: args.Some(args.Texts{"de"})}})
	if a := plain.Look("/events/", "Cookie", "kalends-language=pl", "Accept-Language", "de"); a.Status != 200 || a.Header.Get("Content-Language") != "de" {
		t.Errorf("a language that isn't offered any more: %d %s", a.Status, a.Header.Get("Content-Language"))
	}
	if a := plain.Look("/language/pl/events/"); a.Status != 404 || a.Header.Get("Set-Cookie") != "" {
		t.Errorf("is chosen: %d", a.Status)
	}
}

// TestLanguagesByProvider: which languages a site publishes is a setting of the provider's
// interface, too.
func TestLanguagesByProvider(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const demo = "//platform/v1/sites/demo"
	set := func(languages any) kit.Answer {
		return k.With("PATCH", demo, "", kit.Object{"settings": kit.Object{"languages": languages}}, "Authorization", "Bearer "+kit.ProviderToken)
	}
	set([]any{"de", "pl"}).Want(t, 200, "").Has(t, "settings.languages", []any{"en", "de", "pl"})
	k.With("GET", demo, "", nil, "Authorization", "Bearer "+kit.ProviderToken).Want(t, 200, "").Has(t, "settings.languages", []any{"en", "de", "pl"})
	for path, to := range map[string]string{"/fr/events/?page=1": "http://localhost/events/?page=1", "/fr/events.ics": "http://localhost/events.ics",
		"/fr/api-reference/": "http://localhost/api-reference/"} {
		if a := k.Look(path); a.Status != 302 || a.Header.Get("Location") != to {
			t.Errorf("%s: %d %s", path, a.Status, a.Header.Get("Location"))
		}
	}
	page := string(k.Look("/pl/events/").Raw)
	if strings.Count(page, `<link rel="alternate" hreflang=`) != 4 || strings.Contains(page, `hreflang="fr"`) {
		t.Error("the page names other languages")
	}
	if text := string(k.Look("/sitemap.xml").Raw); !strings.Contains(text, `hreflang="pl"`) || strings.Contains(text, `hreflang="fr"`) {
		t.Error("the site map names other languages")
	}
	set([]any{"xx"}).Want(t, 400, "rest_invalid_param")
	set([]any{}).Want(t, 200, "").Has(t, "settings.languages", []any{"en"})
	set(nil).Want(t, 200, "").Has(t, "settings.languages", "-")
	k.Look("/fr/events/").Want(t, 200, "")
}
