package rest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// Pages are to be had in the languages a site offers; the API in all.
func TestLanguagesOffered(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Event(map[string]any{"title": "Lecture", "slug": "lecture"})
	before := k.Get("//fr/events/", "")
	if before.Status != 200 || !strings.Contains(string(before.Raw), `hreflang="fr"`) {
		t.Fatalf("before: %s", before)
	}
	k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{Languages: args.Some(args.Texts{"de", "ja"})}})
	for path, want := range map[string]string{"//fr/events/?search=a%20b": "http://localhost/events/?search=a%20b", "//ar/event/lecture/": "http://localhost/event/lecture/",
		"//es": "http://localhost/", "//fr//example.org/": "http://localhost//example.org/"} {
		if a := k.Get(path, ""); a.Status != 302 || a.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", path, a.Status, a.Header.Get("Location"), want)
		}
	}
	page := string(k.Get("//de/events/", "").Raw)
	sitemap := string(k.Get("//sitemap.xml", "").Raw)
	for tag, offered := range map[string]bool{"en": true, "de": true, "ja": true, "fr": false, "es": false, "ar": false} {
		if strings.Contains(page, `hreflang="`+tag+`"`) != offered || strings.Contains(page, `href="/language/`+tag+`/events/"`) != offered {
			t.Errorf("the page offers %s: %v", tag, !offered)
		}
		if strings.Contains(sitemap, `hreflang="`+tag+`"`) != offered {
			t.Errorf("the site map offers %s: %v", tag, !offered)
		}
	}
	for accept, want := range map[string]string{"fr": "en", "fr, de;q=0.3": "de", "ja": "ja", "": "en"} {
		for _, path := range []string{"//events/", "//event/lecture/"} {
			a := k.Send(kit.Request{Method: "GET", Path: path, Headers: map[string]string{"Accept-Language": accept}})
			if a.Status != 200 || a.Header.Get("Content-Language") != want {
				t.Errorf("%s in %q: %d in %s, want %s", path, accept, a.Status, a.Header.Get("Content-Language"), want)
			}
		}
	}
	k.Send(kit.Request{Method: "GET", Path: "//fr/calendar/events/v1/events"}).Want(t, 200, "")
	if a := k.Send(kit.Request{Method: "GET", Path: "/events", Headers: map[string]string{"Accept-Language": "fr"}}); a.Header.Get("Content-Language") != "fr" {
		t.Errorf("the API answers in %s", a.Header.Get("Content-Language"))
	}
}

// Kept answers follow a setting at once, on the node that wrote it and on
// another, and don't mix up languages.
func TestSettingsAreSeenAtOnce(t *testing.T) {
	t.Parallel()
	other, k := kit.CachedKit(t)
	k.Event(map[string]any{"title": "Lecture", "slug": "lecture"})
	in := func(accept string) string {
		a := k.Send(kit.Request{Method: "GET", Path: "//event/lecture/", Headers: map[string]string{"Accept-Language": accept}})
		return a.Header.Get("Content-Language") + " " + string(a.Raw)
	}
	for _, one := range []struct {
		node   *kit.Kit
		change *platform.ConfigFields
		want   string
	}{
		{k, &platform.ConfigFields{}, "Friday, March 1, 2030, 10:00 AM"},
		{k, &platform.ConfigFields{DateForm: args.Some("iso"), TimeForm: args.Some("24")}, "Fri, 2030-03-01, 10:00 \u2060–\u2060 12:00"},
		{other, &platform.ConfigFields{DateForm: args.Some("medium"), TimeForm: args.Some("12")}, "Fri, Mar 1, 2030, 10:00 AM"},
		{k, &platform.ConfigFields{DateForm: args.Some("long"), TimeForm: args.Some("language"), English: args.Some("british")}, "Friday 1 March 2030, 10:00 \u2060–\u2060 12:00"},
		{k, &platform.ConfigFields{Name: args.Some("Lake House")}, "Lake House"},
		{other, &platform.ConfigFields{Name: args.Some("Sea House")}, "Sea House"},
	} {
		one.node.Configure(one.change)
		sees := func() bool { return strings.Contains(strings.ReplaceAll(in("en"), "\u00a0", " "), one.want) }
		if one.node == other {
			storagetest.Until(t, "the other node's settings", sees)
		}
		for range 2 {
			if !sees() {
				t.Errorf("no %q", one.want)
			}
		}
	}
	k.Configure(&platform.ConfigFields{SettingsFields: platform.SettingsFields{Languages: args.Some(args.Texts{"de"})}})
	for range 2 {
		if !strings.HasPrefix(in("fr"), "en ") || !strings.HasPrefix(in("fr, de;q=0.5"), "de ") {
			t.Error("languages are mixed up")
		}
	}
}

func TestWeekStartChosen(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	first := func() string {
		_, after, _ := strings.Cut(string(k.Get("//en/events/month/2030-03/", "").Raw), "<th")
		cell, _, _ := strings.Cut(after, "</th>")
		return cell
	}
	if cell := first(); !strings.Contains(cell, "Sun") {
		t.Errorf("as the language does: %s", cell)
	}
	k.Configure(&platform.ConfigFields{WeekStart: args.Some(1)})
	if cell := first(); !strings.Contains(cell, "Mon") {
		t.Errorf("Monday: %s", cell)
	}
}

// TestJalaliCalendar: Persian pages have it where a site chose it: in words, in the days of a month, and in the months themselves with
// their addresses and links; other languages don't.
func TestJalaliCalendar(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Event(map[string]any{"title": "Lecture", "slug": "lecture"}) // on 1 March 2030
	for chosen, want := range map[string][]string{
		"gregorian": {"۱\u00a0مارس\u00a0۲۰۳۰", "مارس\u00a0۲۰۳۰", "۲۱", "2030-03", "2030-02", "2030-04", "2030-03-02"},
		"jalali":    {"۱۱\u00a0اسفند\u00a0۱۴۰۸", "اسفند\u00a0۱۴۰۸", "۱", "1408-12", "1408-11", "1409-01", "2030-02-20"},
	} {
		k.Configure(&platform.ConfigFields{Calendar: args.Some(chosen)})
		event, month := string(k.Look("/fa/event/lecture/").Raw), string(k.Look("/fa/events/month/"+want[3]+"/").Want(t, 200, "").Raw)
		if !strings.Contains(event, want[0]) || !strings.Contains(month, want[1]) || !regexp.MustCompile(`datetime="2030-03-21">`+want[2]+`<`).MatchString(month) {
			t.Errorf("%s: the pages lack something of %q", chosen, want)
		}
		for what, pattern := range map[string]string{
			"canonical":  `<link rel="canonical" href="[^"]*/fa/events/month/` + want[3] + `/"`,
			"in English": `<link rel="alternate" hreflang="en" href="[^"]*/en/events/month/2030-03/"`,
			"title":      `<title>[^<]*` + want[1] + `[^<]*</title>`,
			"previous":   `rel="prev" href="/fa/events/month/` + want[4] + `/"`,
			"next":       `rel="next" href="/fa/events/month/` + want[5] + `/"`,
			"within":     `<td id="[^"]*" class="(free)?">\s*<a class="day wide" href="/fa/events/day/` + want[6] + `/"`,
			"of event":   `href="/fa/events/month/` + want[3] + `/"`,
		} {
			page := month
			if what == "of event" {
				page = event
			}
			if !regexp.MustCompile(pattern).MatchString(page) {
				t.Errorf("%s: the %s is not as %s", chosen, what, pattern)
			}
		}
		if !strings.Contains(event, `datetime="2030-03-01T`) {
			t.Errorf("%s: machines read another date", chosen)
		}
		if english := string(k.Look("/en/event/lecture/").Raw); !strings.Contains(english, "March\u00a01,\u00a02030") {
			t.Errorf("%s: English has another date", chosen)
		}
	}
	k.Configure(&platform.ConfigFields{Calendar: args.Some("jalali")})
	for from, to := range map[string]string{"/fa/events/month/2030-03/": "/fa/events/month/1408-12/", "/en/events/month/1408-12/": "/en/events/month/2030-03/",
		"/fa/embed/month/2030-03/": "/fa/embed/month/1408-12/", "/fa/events/1408/12": "/fa/events/month/1408-12/", "/fa/events/1408": "/fa/events/month/1408-01/"} {
		if a := k.Look(from); a.Status != 302 || a.Header.Get("Location") != to {
			t.Errorf("%s leads to %d %s", from, a.Status, a.Header.Get("Location"))
		}
	}
	for _, path := range []string{"/fa/events/month/1408-13/", "/fa/events/month/1270-01/"} {
		k.Look(path).Want(t, 404, "")
	}
}
