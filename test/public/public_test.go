package public

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/server"

	"github.com/kalends/kalends/test/kit"
)

func TestPublicPagesInEveryLanguage(t *testing.T) {
	k := kit.PublicKit(t)
	for _, language := range i18n.Languages() {
		paths := kit.PublicPages
		if !slices.Contains(kit.Walked, language) {
			paths = []string{"/events/month/2027-03/", "/event/lake/"}
		}
		for _, path := range paths {
			speaks(k, language, path, k.Look("/"+language+path))
		}
	}
}

// speaks checks what is the same for every page in a language.
func speaks(k *kit.Kit, language, path string, a kit.Answer) {
	k.T.Helper()
	page := string(a.Raw)
	wrong := func(what string) { k.T.Errorf("/%s%s: %s", language, path, what) }
	if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		wrong(a.String())
		return
	}
	if want := `<html lang="` + language + `" dir="` + i18n.Direction(language) + `" `; !strings.Contains(page, want) {
		wrong("no " + want)
	}
	if key := kit.Untranslated.FindString(page); key != "" {
		wrong("shows the key " + key)
	}
	for name, want := range map[string]string{"Content-Language": language, "Content-Security-Policy": kit.Policy, "X-Robots-Tag": "",
		"Cache-Control": "public, max-age=0, must-revalidate", "Vary": "Accept-Encoding", "X-Tec-Api-Version": "v1"} {
		if got := a.Header.Get(name); got != want {
			wrong(name + " is " + got)
		}
	}
	for _, l := range i18n.Languages() {
		if !strings.Contains(page, `<link rel="alternate" hreflang="`+l+`" href="http://localhost/`+l+`/`) {
			wrong("no link to " + l)
		}
	}
	for _, inline := range []string{"<style", " style=", " onclick="} {
		if strings.Contains(page, inline) {
			wrong("something inline: " + inline)
		}
	}
}

// What was looked for stands in the field still.
func TestPublicSearchKeepsItsWords(t *testing.T) {
	k := kit.PublicKit(t)
	if page := string(k.Look("/events/?search=%22lake%22").Raw); !strings.Contains(page, `name="search" maxlength="200" required value="&#34;lake&#34;"`) {
		t.Error("the field is empty")
	}
	if page := string(k.Look("/events/").Raw); !strings.Contains(page, `name="search" maxlength="200" required value=""`) {
		t.Error("something stands in the field")
	}
}

// A search that finds nothing to come offers what is over; one that finds something
// says where the rest is looked for.
func TestPublicSearchOffersThePast(t *testing.T) {
	k := kit.PublicKit(t)
	for n := range 20 {
		k.Event(kit.Object{"title": fmt.Sprint("Regatta ", n), "start_date": "2025-07-01 10:00", "end_date": "2025-07-01 12:00"})
	}
	over, past := "No upcoming events match. These events are over:", `<a href="/events/past/?search=`
	for path, want := range map[string][]string{
		"/events/?search=regatta":             {over, "Regatta 1", `<a rel="next" href="/events/past/?page=2&amp;search=regatta"`},
		"/events/past/?page=2&search=regatta": {"Regatta 1", "Search results for “regatta”", `name="search" maxlength="200" required value="regatta"`},
		"/events/?search=lindau":              {"Lake Concert", past + `lindau"`},
		"/events/?search=society+music":       {"Lake Concert", past + `society+music"`},
		"/events/?search=nowhere":             {"No events found.", past + `nowhere"`},
		"/de/events/?search=regatta":          {"Diese sind vorbei", `href="/de/events/past/?page=2&amp;search=regatta"`},
	} {
		page := string(k.Look(path).Want(t, 200, "").Raw)
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s lacks %s", path, text)
			}
		}
		if strings.Contains(page, over) != slices.Contains(want, over) {
			t.Errorf("%s: what it says of the past", path)
		}
	}
}

func TestPublicLanguageOfTheRequest(t *testing.T) {
	k := kit.PublicKit(t)
	k.Exec("UPDATE sites SET language = 'de'")
	k.Platform.Forget(k.Sites["demo"].ID)
	for accept, want := range map[string]string{"": "de", "fr-CH,fr;q=0.9": "fr", "xx": "de", "ja,en;q=0.5": "ja"} {
		a := k.Look("/events/", "Accept-Language", accept)
		if got := a.Header.Get("Content-Language"); got != want || a.Header.Get("Vary") != "Accept-Language, Accept-Encoding" {
			t.Errorf("%q: got %q, %s", accept, got, a.Header.Get("Vary"))
		}
		if got := k.Send(kit.Request{Method: "GET", Path: "/events", Headers: map[string]string{"Accept-Language": accept}}).Header.Get("Content-Language"); got != want {
			t.Errorf("API, %q: got %q", accept, got)
		}
	}
}

func TestPublicHead(t *testing.T) {
	k := kit.PublicKit(t)
	page := string(k.Look("/de/event/lake/").Raw)
	for _, want := range []string{
		`<title>Lake Concert – demo</title>`, `<meta name="description" content="Music on the water.">`,
		`<link rel="canonical" href="http://localhost/de/event/lake/">`,
		`<link rel="alternate" hreflang="x-default" href="http://localhost/event/lake/">`,
		`<meta property="og:title" content="Sonntag, 14. März`, `<meta name="twitter:title" content="Sonntag, 14. März`, ` · Lake Concert · `, `<meta property="og:url" content="http://localhost/de/event/lake/">`,
		`<meta name="tec-api-version" content="v1">`, `<meta name="tec-api-origin" content="http://localhost">`,
		`href="http://localhost/de/calendar/events/v1/events/`, "Sonntag, 14.\u00a0März\u00a02027, 19:30\u2060–\u206021:30\u00a0Uhr",
		`datetime="2027-03-14T19:30:00+01:00"`, "https://www.openstreetmap.org/?mlat=47.5", "10\u00a0€ – 20\u00a0€",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
}

func TestPublicStructuredData(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Summer", "slug": "summer", "start_date": "2027-07-01", "end_date": "2027-07-03", "all_day": true, "cost": "Free"})
	k.Event(map[string]any{"title": "Far", "slug": "far", "timezone": "America/New_York", "start_date": "2027-07-01 20:00", "end_date": "2027-07-01 21:00", "cost": "by donation"})
	lake := kit.Structured(t, k.Look("/event/lake/").Raw)
	for key, want := range map[string]string{"@type": "Event", "name": "Lake Concert", "startDate": "2027-03-14T19:30:00+01:00",
		"endDate": "2027-03-14T21:30:00+01:00", "eventStatus": "https://schema.org/EventScheduled", "url": "http://localhost/event/lake/",
		"eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode", "description": "Music on the water."} {
		if lake[key] != want {
			t.Errorf("%s: %v", key, lake[key])
		}
	}
	place, _ := lake["location"].(map[string]any)
	address, _ := place["address"].(map[string]any)
	if place["name"] != "Pier" || address["streetAddress"] != "Seeweg 1" || address["addressLocality"] != "Lindau" {
		t.Errorf("location: %v", place)
	}
	offers, _ := lake["offers"].([]any)
	if len(offers) != 2 {
		t.Fatalf("offers: %v", lake["offers"])
	}
	if first, _ := offers[0].(map[string]any); first["price"] != 10.0 || first["priceCurrency"] != "EUR" {
		t.Errorf("offer: %v", first)
	}
	summer := kit.Structured(t, k.Look("/event/summer/").Raw)
	if summer["startDate"] != "2027-07-01" || summer["endDate"] != "2027-07-03" || summer["location"] == nil {
		t.Errorf("all day: %v", summer)
	}
	far := kit.Structured(t, k.Look("/event/far/").Raw)
	if far["startDate"] != "2027-07-01T20:00:00-04:00" || far["offers"] != nil {
		t.Errorf("elsewhere: %v", far)
	}
}

// ownScript is the address of a script of public pages.
var ownScript = regexp.MustCompile(`^/static/public\.`)

// TestPublicScripts puts a script into every field and looks for one in the page
// a browser would build.
func TestPublicScripts(t *testing.T) {
	k := kit.PublicKit(t)
	const bad = `"'></title></script><script>alert(1)</script><img src=x onerror=alert(1)>`
	k.Event(map[string]any{"title": bad, "slug": "bad", "start_date": "2027-03-15 10:00", "end_date": "2027-03-16 12:00", "description": bad, "excerpt": bad,
		"cost": bad, "website": "https://example.org/?a='onclick=alert(1)&b=%22%3E%3Cscript%3E", "categories": []string{"<b>" + bad}, "tags": []string{bad}, "show_map_link": true,
		"venue":     map[string]any{"venue": bad, "slug": "bad-venue", "address": bad, "city": bad, "phone": bad, "description": bad},
		"organizer": []map[string]any{{"organizer": bad, "slug": "bad-organizer", "phone": bad, "description": bad}},
		"tickets":   []map[string]any{{"name": bad, "price": 3}}})
	for _, path := range []string{"/", "/events/month/2027-03/", "/events/day/2027-03-15/", "/event/bad/", "/venue/bad-venue/", "/organizer/bad-organizer/",
		"/events/?search=" + url.QueryEscape(bad), "/" + url.PathEscape(bad), "/event/" + url.PathEscape(bad) + "/", "/sitemap.xml"} {
		a := k.Look(path, "Accept", "text/html")
		node, err := html.Parse(strings.NewReader(string(a.Raw)))
		k.Must(err)
		for n := range node.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			ours := len(n.Attr) == 2 && n.Attr[0].Val == "module" && ownScript.MatchString(n.Attr[1].Val) && n.FirstChild == nil
			if n.Data == "script" && !ours && (len(n.Attr) != 1 || n.Attr[0].Val != "application/ld+json") {
				t.Errorf("%s: a script: %v", path, n.FirstChild)
			}
			for _, at := range n.Attr {
				if strings.HasPrefix(at.Key, "on") || strings.HasPrefix(strings.ToLower(at.Val), "javascript:") {
					t.Errorf("%s: %s=%q", path, at.Key, at.Val)
				}
			}
		}
	}
}

func TestPublicNotFound(t *testing.T) {
	k := kit.PublicKit(t)
	for slug, fields := range map[string]map[string]any{"a-draft": {"status": "draft"}, "a-private": {"status": "private"}, "a-pending": {"status": "pending"},
		"a-hidden": {"hide_from_listings": true}, "a-future": {"status": "publish", "date": "2027-01-01 00:00:00"}} {
		fields["slug"] = slug
		k.Event(fields)
	}
	trashed := k.Event(map[string]any{"slug": "a-trashed"})
	k.Del("/events/"+digits(trashed), "administrator")
	for _, path := range []string{"/event/nothing/", "/event/a-draft/", "/event/a-private/", "/event/a-pending/", "/event/a-future/", "/event/a-trashed/",
		"/event/a-draft/event.ics", "/event/%00/", "/event/%ff/", "/preview/%00/", "/preview/%ff/", "/venue/x/", "/organizer/x/", "/tag/x/", "/events/category/x/",
		"/events/month/2027-13/", "/events/month/x/", "/events/month/9999-01/", "/events/day/2027-02-30/", "/events/?page=99", "/events/?page=0", "/events/?page=x",
		"/?post_type=tribe_events&p=0", "/?post_type=tribe_events&p=" + digits(trashed), "/?post_type=x&p=1", "/?p=99999", "/xx/events/", "/nothing", "/static/x.css", "/sitemap.xml?part=9", "/sitemap.xml?part=x"} {
		a := k.Look(path, "Accept", "text/html")
		if a.Status != http.StatusNotFound || !strings.Contains(string(a.Raw), "<h1>Page not found</h1>") {
			t.Errorf("%s: %d %.200s", path, a.Status, a.Raw)
		}
		if a.Header.Get("Content-Security-Policy") != kit.Policy || a.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: %v", path, a.Header)
		}
	}
	for path, way := range map[string]string{"/nothing": `<a href="/">`, "/xx/events/": `<a href="/">`, "/de/nothing": `<a href="/de/">`, "/DE/nothing": `<a href="/de/">`} {
		if a := k.Look(path, "Accept", "text/html"); !strings.Contains(string(a.Raw), way) {
			t.Errorf("%s: nothing leads on: %s", path, a.Raw)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		if a := k.Send(kit.Request{Method: method, Path: "//events/"}); a.Status != http.StatusMethodNotAllowed || a.Header.Get("Allow") == "" {
			t.Errorf("%s: %d", method, a.Status)
		}
	}
	if a := k.Look("/nothing"); a.Code() != "rest_no_route" {
		t.Errorf("a program is told %s", a)
	}
	hidden := k.Look("/event/a-hidden/", "Accept", "text/html")
	if hidden.Status != http.StatusOK || !strings.Contains(string(hidden.Raw), `<meta name="robots" content="noindex"`) {
		t.Errorf("an event in no list, by its address: %d %.300s", hidden.Status, hidden.Raw)
	}
}

func TestPublicMoves(t *testing.T) {
	k := kit.PublicKit(t)
	id := digits(k.Event(map[string]any{"slug": "umzug", "title": "Umzug"}))
	parent := k.Post("/categories", "administrator", map[string]any{"name": "Arts"}).Want(t, 201, "").ID()
	k.Post("/categories", "administrator", map[string]any{"name": "Dance", "parent": parent}).Want(t, 201, "")
	for from, to := range map[string]string{"/?post_type=tribe_events&p=" + id: "/event/umzug/", "/de/?post_type=tribe_events&p=" + id: "/de/event/umzug/",
		"/event/umzug": "/event/umzug/", "/DE/event/Umzug/": "/de/event/umzug/", "/events/category/dance/": "/events/category/arts/dance/"} {
		if a := k.Look(from); a.Status != http.StatusMovedPermanently || a.Header.Get("Location") != to {
			t.Errorf("%s: %d %s", from, a.Status, a.Header.Get("Location"))
		}
	}
	if a := k.Look("/events/category/arts/dance/"); a.Status != http.StatusOK {
		t.Errorf("below another: %d", a.Status)
	}
}

func digits(id int64) string { return strconv.FormatInt(id, 10) }

func TestPublicPassword(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Board meeting", "slug": "board", "description": "the secret agenda", "post_password": "anchor", "excerpt": "secret", "website": "https://secret.example.org"})
	for _, path := range []string{"/event/board/", "/events/", "/events/?page=2", "/events/month/2030-03/", "/events/day/2030-03-01/", "/sitemap.xml", "/event/board/event.ics"} {
		if a := k.Look(path); strings.Contains(strings.ToLower(string(a.Raw)), "secret") {
			t.Errorf("%s tells it", path)
		}
	}
	asked := k.Look("/event/board/")
	if asked.Status != http.StatusOK || !strings.Contains(string(asked.Raw), `type="password"`) || strings.Contains(string(asked.Raw), "Board meeting") ||
		asked.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("asked: %s %v", asked, asked.Header)
	}
	try := func(password string) kit.Answer {
		return k.Send(kit.Request{Method: "POST", Path: "//event/board/", Form: url.Values{"password": {password}}})
	}
	if a := try("wrong"); a.Status != http.StatusForbidden || !strings.Contains(string(a.Raw), "not correct") {
		t.Errorf("wrong: %d", a.Status)
	}
	open := try("anchor")
	if open.Status != http.StatusOK || !strings.Contains(string(open.Raw), "the secret agenda") || open.Header.Get("Cache-Control") != "private, no-store" ||
		open.Header.Get("Set-Cookie") != "" || !strings.Contains(string(open.Raw), `content="noindex"`) {
		t.Errorf("open: %d %v", open.Status, open.Header)
	}
	flood := url.Values{"password": {"anchor"}, "a": make([]string, 20_000)}
	if a := k.Send(kit.Request{Method: "POST", Path: "//event/board/", Form: flood}); strings.Contains(string(a.Raw), "the secret agenda") {
		t.Errorf("a form of 20,000 fields is read: %d", a.Status)
	}
	last := 0
	for range 12 {
		last = try("wrong").Status
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("after many attempts: %d", last)
	}
}

// TestPublicUnavailable asks for pages of a server that has no time to answer.
func TestPublicUnavailable(t *testing.T) {
	t.Parallel()
	k := kit.New(t, func(c *server.Config) { c.Timeout = time.Nanosecond })
	a := k.Look("/de/events/")
	if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" || a.Header.Get("Content-Security-Policy") != kit.Policy ||
		!strings.Contains(string(a.Raw), "Der Kalender ist gerade nicht erreichbar") {
		t.Errorf("got %s %v", a, a.Header)
	}
}

// TestPublicSites checks that a site shows nothing of another.
func TestPublicSites(t *testing.T) {
	k := kit.PublicKit(t)
	k.Site("two")
	for _, path := range kit.PublicPages {
		a := k.Send(kit.Request{Method: "GET", Path: "/" + path, Site: "two"})
		if strings.Contains(string(a.Raw), "Lake Concert") || strings.Contains(string(a.Raw), "Pier") {
			t.Errorf("%s shows another site's", path)
		}
	}
}

// A language is found however its letters are written, and links have its one form. What
// a browser asks for in an old or another way finds it too.
func TestPublicLanguagesHaveOneAddress(t *testing.T) {
	k := kit.PublicKit(t)
	for segment, want := range map[string]string{"pt-BR": "pt-BR", "pt-br": "pt-BR", "ZH-hans": "zh-Hans", "HE": "he"} {
		a := k.Look("/" + segment + "/events/")
		page := string(a.Raw)
		if a.Status != http.StatusOK || a.Header.Get("Content-Language") != want || !strings.Contains(page, `<html lang="`+want+`"`) {
			t.Errorf("/%s/: %d in %s", segment, a.Status, a.Header.Get("Content-Language"))
		}
		if !strings.Contains(page, `href="/`+want+`/events/month/`) || segment != want && strings.Contains(page, `href="/`+segment+`/`) {
			t.Errorf("/%s/ doesn't link to /%s/", segment, want)
		}
	}
	for accept, want := range map[string]string{"pt-PT,pt;q=0.9": "pt-BR", "zh-CN": "zh-Hans", "iw": "he", "in": "id", "nb": "en", "uk-UA": "uk"} {
		a := k.Send(kit.Request{Method: "GET", Path: "//events/", Headers: map[string]string{"Accept-Language": accept}})
		if a.Header.Get("Content-Language") != want {
			t.Errorf("%s: %s, want %s", accept, a.Header.Get("Content-Language"), want)
		}
	}
	if a := k.Look("/pt/events/"); a.Status != http.StatusFound || a.Header.Get("Location") != "http://localhost/events/" { // no language of the site
		t.Errorf("/pt/: %d to %s", a.Status, a.Header.Get("Location"))
	}
}
