package public_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
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
