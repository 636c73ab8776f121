package console

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/test/kit"
)

// list makes the provider say whether the home page lists a site.
func list(k *kit.Kit, slug string, on bool) {
	k.T.Helper()
	k.Provider("PATCH", "/sites/"+slug, kit.Object{"settings": kit.Object{"listed": on}}).Want(k.T, 200, "")
}

// home returns a page of the platform, at a path of its own name.
func home(k *kit.Kit, path string) kit.Page {
	k.T.Helper()
	b := k.Browser()
	b.Host = "localhost"
	p := b.Get(path)
	if len(p.Header.Values("Set-Cookie")) > 0 {
		k.T.Errorf("%s sets a cookie: %v", path, p.Header)
	}
	return p
}

// The platform's own name shows the default site if there is one, and else which sites want to be found: those only.
func TestHomeListsSitesThatWantIt(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("club")
	k.Site("harbour")
	if p := home(k, "/"); p.Status != http.StatusOK || p.Shows("Event calendars") {
		t.Fatalf("with a default site: %d %s", p.Status, p.Body)
	}
	k.DefaultSite = ""
	k.Platform.Forget(k.Sites["demo"].ID)
	p := home(k, "/")
	if p.Status != http.StatusOK || !p.Shows("No site is listed here yet.") || !p.Shows(`href="/admin/sites"`) || p.Shows("club.localhost") {
		t.Fatalf("no site: %d %s", p.Status, p.Body)
	}
	list(k, "club", true)
	p = home(k, "/")
	if !p.Shows(`href="http://club.localhost/"`) || !p.Shows("1 site") || p.Shows("harbour") || p.Shows("demo.localhost") {
		t.Errorf("one site: %s", p.Body)
	}
	if got := p.Header.Get("Cache-Control"); got != "public, max-age=60" {
		t.Errorf("kept as %q", got)
	}
	if p := home(k, "/?search=harbour"); p.Shows("harbour.localhost") || !p.Shows("No sites found.") || !p.Shows(`name="robots" content="noindex"`) {
		t.Errorf("a search finds a site that is not listed: %s", p.Body)
	}
	k.Provider("PATCH", "/sites/club", kit.Object{"settings": kit.Object{"tagline": "Jazz in Bonn"}}).Want(t, 200, "")
	if p := home(k, "/?search=%20JAZZ%00"); !p.Shows("Jazz in Bonn") || !p.Shows(`value="JAZZ"`) {
		t.Errorf("by its tagline: %s", p.Body)
	}
	for _, state := range []string{"closed", "active"} {
		k.Provider("PATCH", "/sites/club", kit.Object{"state": state}).Want(t, 200, "")
		if p := home(k, "/"); p.Shows("club.localhost") != (state == "active") {
			t.Errorf("%s: %s", state, p.Body)
		}
	}
	list(k, "club", false)
	if p := home(k, "/"); p.Shows("club.localhost") {
		t.Errorf("still listed: %s", p.Body)
	}
}

// The home page is in every language, by its address or as the browser asks, and nowhere but at the platform's name.
func TestHomeSpeaksAllLanguages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.DefaultSite = ""
	list(k, "demo", true)
	for _, tag := range i18n.Languages() {
		p := home(k, "/"+tag+"/")
		if p.Status != http.StatusOK || !p.Shows(`<html lang="`+tag+`" dir="`+i18n.Direction(tag)+`"`) ||
			!p.Shows(i18n.Text(tag, "public.directory.title", nil)) || p.Header.Get("Content-Language") != tag {
			t.Errorf("%s: %d %v", tag, p.Status, p.Header)
		}
	}
	for path, status := range map[string]int{"/?page=2": 404, "/gsw/": 404, "/events/": 404, "/?page=-1": 200, "/?page=x": 200} {
		if p := home(k, path); p.Status != status {
			t.Errorf("%s: %d, want %d", path, p.Status, status)
		}
	}
	for _, host := range []string{"nobody.localhost", "elsewhere.example.org"} {
		b := k.Browser()
		b.Host = host
		if p := b.Get("/"); p.Status != http.StatusNotFound || p.Shows("demo.localhost") {
			t.Errorf("%s: %d", host, p.Status)
		}
	}
}

// Three thousand sites are on pages, each once.
func TestHomeHasPages(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.DefaultSite = ""
	k.Exec(`WITH made AS (
			INSERT INTO sites (slug, name, timezone, language, listed)
			SELECT 'site-' || n, 'Site ' || n, 'UTC', 'en', n <= 2999 FROM generate_series(1, 3000) n
			RETURNING id, slug)
		SELECT name_site(id, slug) FROM made`)
	seen := map[string]bool{}
	for page := 1; page <= 60; page++ {
		p := home(k, fmt.Sprintf("/?page=%d", page))
		if p.Status != http.StatusOK || page == 1 && (!p.Shows("2,999 sites") || !p.Shows("Page 1 of 60")) {
			t.Fatalf("page %d: %d %.2000s", page, p.Status, p.Body)
		}
		for _, part := range strings.Split(p.Body, `href="http://site-`)[1:] {
			name, _, _ := strings.Cut(part, ".")
			if seen[name] {
				t.Errorf("site-%s twice", name)
			}
			seen[name] = true
		}
	}
	if len(seen) != 2999 || seen["3000"] {
		t.Errorf("%d sites", len(seen))
	}
	if p := home(k, "/?search=site%20299"); !p.Shows("11 sites") {
		t.Errorf("searched: %.3000s", p.Body)
	}
}

// Who asks for ever other pages gets a bounded number of them.
func TestHomeIsSearchedABoundedNumberOfTimes(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.DefaultSite, k.Tries = "", time.Now()
	for n := range 100 {
		if p := home(k, fmt.Sprintf("/?search=%d", n)); p.Status != http.StatusOK {
			t.Fatalf("search %d: %d", n, p.Status)
		}
	}
	if p := home(k, "/?search=more"); p.Status != http.StatusServiceUnavailable || p.Header.Get("Retry-After") == "" {
		t.Errorf("%d %v", p.Status, p.Header)
	}
	if p := home(k, "/?search=99"); p.Status != http.StatusOK {
		t.Errorf("what is remembered: %d", p.Status)
	}
}
