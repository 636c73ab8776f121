package public_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/cache"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
	"github.com/kalends/kalends/web"
	"github.com/kalends/kalends/web/public"
	"github.com/kalends/kalends/web/ui"
)

// inAdvent gives a site in Berlin a season in March, with everything that seasons have, and one in which all but a text is the site's.
func inAdvent() *platform.ConfigFields {
	return &platform.ConfigFields{Accent: args.Some("#224466"), FaceFields: platform.FaceFields{Header: args.Some("https://example.org/site.jpg")},
		SettingsFields: platform.SettingsFields{ContentLanguages: args.Some(args.Texts{"en", "de"})},
		Seasons: args.Some(args.Objects[platform.SeasonFields]{
			{},
			{Name: args.Some("Spring"), From: args.Some("03-01"), Until: args.Some("03-02"), Header: args.Some("https://example.org/spring.jpg"),
				Accent: args.Some("#AA0044"), Lead: args.Some("Everything <grows>.\r\n\r\nEven we.")},
			{Name: args.Some("Late"), From: args.Some("03-02"), Until: args.Some("03-03"), Lead: args.Some("It is late.")},
		}),
		Texts: args.Some(args.Named[platform.SiteTexts]{"de": {Lead2: args.Some("Alles wächst.")}})}
}

// A season begins and ends at the site's midnight, on pages that a node has kept as well, and nobody has to change the site.
func TestSeasonsComeAndGo(t *testing.T) {
	t.Parallel()
	plain, kept := kit.CachedKit(t)
	plain.Configure(inAdvent())
	day := func(day, hour int) { kept.Clock = time.Date(2030, 2, day, hour, 0, 0, 0, time.UTC) }
	day(28, 20) // in Berlin it is 21:00
	plain.Event(map[string]any{"title": "Lecture", "slug": "lecture", "start_date": "2031-01-10 10:00:00", "end_date": "2031-01-10 11:00:00"})
	version := plain.Version("demo")
	sheet, spring := ui.AccentAddress("#224466"), ui.AccentAddress("#aa0044")
	for _, c := range []struct {
		what        string
		day, hour   int
		sheet, shot string
		lead        string // of the front page
	}{
		{"before", 28, 20, sheet, "site.jpg", ""},
		{"in the last minute", 28, 22, sheet, "site.jpg", ""},
		{"from midnight", 28, 23, spring, "spring.jpg", "<p>Everything &lt;grows&gt;.</p><p>Even we.</p>"},
		{"both", 30, 12, spring, "spring.jpg", "<p>Everything &lt;grows&gt;.</p>"}, // the 30th of February is the 2nd of March
		{"the other", 31, 12, sheet, "site.jpg", "<p>It is late.</p>"},
		{"after", 31, 23, sheet, "site.jpg", ""},
	} {
		day(c.day, c.hour)
		for range 2 {
			for _, path := range []string{"/en/", "/en/event/lecture/", "/en/events/month/2031-01/", "/en/venues/"} {
				page := string(kept.Look(path).Raw)
				if !strings.Contains(page, c.sheet) || !strings.Contains(page, c.shot) {
					t.Errorf("%s: %s has another accent or picture", c.what, path)
				}
				if front := path == "/en/"; strings.Contains(page, `<div class="season"`) != (front && c.lead != "") || front && !strings.Contains(page, c.lead) {
					t.Errorf("%s: the text on %s", c.what, path)
				}
			}
			if page := string(kept.Look("/en/embed/").Raw); !strings.Contains(page, c.sheet) || strings.Contains(page, `class="season"`) {
				t.Errorf("%s: the embedded list", c.what)
			}
		}
	}
	if now := plain.Version("demo"); now != version {
		t.Errorf("the site has version %d after %d", now, version)
	}
	day(28, 23)
	if page := string(kept.Look("/de/").Raw); !strings.Contains(page, "<p>Alles wächst.</p>") {
		t.Error("the German page has no German text")
	}
	if page := string(kept.Look("/fr/").Raw); !strings.Contains(page, `<div class="season" lang="en"`) {
		t.Error("the French page does not say that the text is English")
	}
}

// Every public page has the accent of the season: those of all addresses, of what is there and what is not, of forms that are refused,
// and those of errors.
func TestSeasonOnEveryPage(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 3, 1, 12, 0, 0, 0, time.UTC)
	k := kit.New(t, func(c *server.Config) { c.Buckets = cache.NewBuckets(nil, func() time.Time { return now }) })
	k.Clock = now
	k.Configure(inAdvent())
	k.Event(map[string]any{"title": "Lecture", "slug": "lecture", "start_date": "2031-01-10 10:00:00", "end_date": "2031-01-10 11:00:00", "categories": []string{"Music"},
		"tags": []string{"open"}, "venue": map[string]any{"venue": "Pier", "slug": "pier"}, "organizer": map[string]any{"organizer": "Club", "slug": "club"}})
	k.Event(map[string]any{"title": "Closed", "slug": "closed", "post_password": "sesame", "start_date": "2031-01-10 10:00:00", "end_date": "2031-01-10 11:00:00"})
	k.Del(kit.Item("events", k.Event(map[string]any{"title": "Gone", "slug": "gone", "start_date": "2031-01-10 10:00:00", "end_date": "2031-01-10 11:00:00"})), "editor")
	sheet, spring := ui.AccentAddress("#224466"), ui.AccentAddress("#aa0044")
	slugs := map[string][]string{"event": {"closed", "gone"}, "events": {"music", "open"}, "venue": {"pier"}, "organizer": {"club"}, "tag": {"open"}, "category": {"music"}}
	seen, b := map[int]bool{}, k.Browser()
	check := func(what string, status int, kind, body string) {
		if !strings.HasPrefix(kind, "text/html") || !strings.Contains(body, "<html") {
			return
		}
		seen[status] = true
		if !strings.Contains(body, spring) || strings.Contains(body, sheet) {
			t.Errorf("%s: %d has another accent", what, status)
		}
	}
	for _, r := range web.New(web.Config{Calendar: k.Calendar, Platform: k.Platform}).Pages() {
		if !public.Owns(r.Path) {
			continue
		}
		first, _, _ := strings.Cut(r.Path[1:], "/")
		for _, slug := range append(slugs[first], "lecture", "nothing") {
			path := "/en" + strings.NewReplacer(":slug", slug, "*", slug, ":month", "2031-01", ":day", "2031-01-10", ":when", "2031-01-10", ":token", slug, ":tag", "de").Replace(r.Path)
			var p kit.Page
			if r.Method == http.MethodGet {
				p = b.Get(path)
			} else {
				p = b.Post(path, url.Values{"title": {"x"}})
			}
			check(r.Method+" "+path, p.Status, p.Header.Get("Content-Type"), p.Body)
			if !strings.ContainsAny(r.Path, ":*") {
				break
			}
		}
	}
	for _, path := range []string{"/en/", "/en/event/lecture/"} {
		p := b.Do(http.MethodPut, path, nil, nil)
		check("PUT "+path, p.Status, p.Header.Get("Content-Type"), p.Body)
	}
	k.Exec(`UPDATE plans SET requests_per_minute = 1`)
	k.Platform.Resolver.Forget(k.Sites["demo"].ID)
	for range 3 {
		p := b.Get("/en/events/?search=many")
		check("too many", p.Status, p.Header.Get("Content-Type"), p.Body)
	}
	for _, want := range []int{200, 404, 405, 410, 422, 429} {
		if !seen[want] {
			t.Errorf("no page had status %d", want)
		}
	}
	for status := 400; status < 600; status++ {
		check("an error", status, "text/html", failed(k, status))
	}
}

// failed returns the page of an error of a site.
func failed(k *kit.Kit, status int) string {
	site, err := k.Platform.Resolver.Resolve(k.T.Context(), k.Browser().Host)
	k.Must(err)
	pages, app := web.New(web.Config{Calendar: k.Calendar, Platform: k.Platform}), fiber.New()
	app.Get("/", func(c *fiber.Ctx) error {
		c.SetUserContext(tenancy.With(c.UserContext(), tenancy.Scope{Site: site, Language: "en"}))
		return pages.Fail(c, errors.New("broken"), status, "en")
	})
	answer, err := app.Test(httptest.NewRequest(http.MethodGet, "/", nil), -1)
	k.Must(err)
	defer func() { k.Must(answer.Body.Close()) }()
	body, err := io.ReadAll(answer.Body)
	k.Must(err)
	return string(body)
}
