package public

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// TestPublicFace: what a site chose is on its pages, and what it wrote is text.
func TestPublicFace(t *testing.T) {
	k := kit.PublicKit(t)
	const bad = `"><script>alert(1)</script>`
	if page := k.Look("/en/events/").String(); !strings.Contains(page, `data-look="plain"`) || strings.Contains(page, `class="tagline"`) {
		t.Error("a site that chose nothing looks like one that did")
	}
	k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{Tagline: args.Some("By the lake " + bad)}, FaceFields: platform.FaceFields{Theme: args.Some("journal"),
		Corners: args.Some("round"), Font: args.Some("slab"), Logo: args.Some("https://example.org/logo.png?" + bad), Header: args.Some("/media/a/b.jpg"),
		Links: args.Some("Town hall" + bad + " | https://example.org/?a=1&b=2"), Footer: args.Some("Imprint | /imprint\nWrite | mailto:a@example.org")}})
	for _, path := range []string{"/en/events/", "/en/event/lake/", "/en/venues/", "/en/events/month/2027-03/"} {
		page := k.Look(path).String()
		for _, want := range []string{`data-look="journal"`, `data-corners="round"`, `data-font="slab"`, "By the lake &#34;&gt;&lt;script&gt;", `src="/media/a/b.jpg"`,
			`href="https://example.org/?a=1&amp;b=2"`, `href="mailto:a@example.org"`, `href="/imprint"`, `src="https://example.org/logo.png?`} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %s", path, want)
			}
		}
		if strings.Contains(page, bad) {
			t.Errorf("%s: not escaped", path)
		}
	}
	k.Site("two")
	if page := k.Send(kit.Request{Method: "GET", Path: "//en/events/", Site: "two"}).String(); strings.Contains(page, "journal") || strings.Contains(page, "Imprint") {
		t.Error("another site has the face")
	}
}

// TestPublicIndexes: venues, organizers, categories and tags are listed, and addresses
// that people type lead to a page.
func TestPublicIndexes(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"status": "draft", "venue": map[string]any{"venue": "Hideout", "status": "draft"}, "categories": []string{"Concealed"}, "tags": []string{"concealed"}})
	for path, want := range map[string]string{"/en/venues/": "Pier", "/en/organizers/": "Music Society", "/en/categories/": "Music", "/en/tags/": "outdoor"} {
		page := k.Look(path)
		if page.Status != 200 || !strings.Contains(page.String(), `<bdi>`+want+`</bdi></a>`) {
			t.Errorf("%s: %.3000s", path, page)
		}
		for _, word := range []string{"Hideout", "Concealed", "concealed"} {
			if strings.Contains(page.String(), word) {
				t.Errorf("%s: says %s", path, word)
			}
		}
	}
	for from, to := range map[string]string{"/rss": "/events.rss", "/calendar/": "/events/month/", "/event/": "/events/", "/de/venue": "/de/venues/", "/today": "/events/day/",
		"/events/category/": "/categories/", "/de/venues/pier": "/de/venue/pier/", "/organizers/society": "/organizer/society/", "/category/music": "/events/category/music/",
		"/tags/outdoor/": "/tag/outdoor/", "/events/lake": "/event/lake/", "/events/2027": "/events/month/2027-01/", "/events/2027/03": "/events/month/2027-03/",
		"/fr/events/2027/03/14/": "/fr/events/day/2027-03-14/", "/tomorrow": "/events/tomorrow/", "/ja/weekend": "/ja/events/weekend/", "/de/tonight": "/de/events/tonight/", "/free": "/events/free/", "/index.html": "/"} {
		if page := k.Look(from, "Accept", "text/html"); page.Status != 302 || page.Header.Get("Location") != to {
			t.Errorf("%s: %d %s", from, page.Status, page.Header.Get("Location"))
		}
	}
	if page := k.Look("/en/event/nothing/", "Accept", "text/html").String(); strings.Count(page, `role="search"`) != 2 {
		t.Error("what is not found offers no search")
	}
}

// TestPublicEventHelps: a page adds its event to calendars, shares it, and leads on to
// others, but not to what is behind a password.
func TestPublicEventHelps(t *testing.T) {
	k := kit.PublicKit(t)
	venue := map[string]any{"venue": "Pier", "slug": "pier"}
	k.Event(map[string]any{"title": "Before", "slug": "before", "start_date": "2027-03-13 10:00", "end_date": "2027-03-13 11:00", "categories": []string{"Music"}})
	k.Event(map[string]any{"title": "After", "slug": "after", "start_date": "2027-03-15 10:00", "end_date": "2027-03-15 11:00", "venue": venue})
	k.Event(map[string]any{"title": "Secret", "slug": "secret", "post_password": "sesame", "start_date": "2027-03-15 09:00", "end_date": "2027-03-15 11:00",
		"venue": venue, "categories": []string{"Music"}})
	page := k.Look("/en/event/lake/").String()
	for _, want := range []string{"dates=20270314T183000Z%2F20270314T203000Z", "outlook.live.com/calendar/0/deeplink/compose", "More at this venue", "You may also like",
		`<a rel="prev" href="/en/event/before/"`, `href="/en/event/after/"`, "mailto:?subject=Lake%20Concert"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(page, "Secret") || strings.Contains(page, "/event/secret/") {
		t.Error("the page leads to what is behind a password")
	}
	if secret := k.Look("/en/event/secret/").String(); strings.Contains(secret, "Pier") || strings.Contains(secret, "deeplink") || strings.Contains(secret, "share-line") {
		t.Error("what is behind a password is told")
	}
}
