package server_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/kalends/kalends/cache"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/storage"
)

// look asks for a public page.
func (k *kit) look(path string, headers ...string) answer {
	k.t.Helper()
	r := request{Method: "GET", Path: "/" + path, Headers: map[string]string{}}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Headers[headers[i]] = headers[i+1]
	}
	return k.send(r)
}

// publicKit is a site with an event of everything, on a day in November 2026.
func publicKit(t *testing.T) *kit {
	t.Helper()
	t.Parallel()
	k := newKit(t)
	k.clock = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	k.event(map[string]any{"title": "Lake Concert", "slug": "lake", "start_date": "2027-03-14 19:30", "end_date": "2027-03-14 21:30",
		"description": "<p>Music on the water.</p>", "cost": "€10 - €20", "categories": []string{"Music"}, "tags": []string{"outdoor"},
		"website": "https://example.org/lake", "show_map": true,
		"venue":     map[string]any{"venue": "Pier", "slug": "pier", "address": "Seeweg 1", "city": "Lindau", "zip": "88131", "country": "Germany", "geo_lat": 47.5, "geo_lng": 9.7},
		"organizer": []map[string]any{{"organizer": "Music Society", "slug": "society", "email": "m@example.org"}}})
	return k
}

// publicPages are all kinds of pages there are.
var publicPages = []string{"/", "/events/", "/events/list/", "/events/past/", "/events/month/", "/events/month/2027-03/", "/events/day/2027-03-14/",
	"/event/lake/", "/venue/pier/", "/organizer/society/", "/events/category/music/", "/tag/outdoor/", "/events/?search=lake", "/events/map/"}

var untranslated = regexp.MustCompile(`\b(public|date|error)\.[a-z_]+(\.[a-z_]+)*\b`)

// policy is what every page is sent with.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: https:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

func TestPublicPagesInEveryLanguage(t *testing.T) {
	k := publicKit(t)
	for _, language := range i18n.Languages() {
		paths := publicPages
		if !slices.Contains(walked, language) {
			paths = []string{"/events/month/2027-03/", "/event/lake/"}
		}
		for _, path := range paths {
			k.speaks(language, path, k.look("/"+language+path))
		}
	}
}

// speaks checks what is the same for every page in a language.
func (k *kit) speaks(language, path string, a answer) {
	k.t.Helper()
	page := string(a.Raw)
	wrong := func(what string) { k.t.Errorf("/%s%s: %s", language, path, what) }
	if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		wrong(a.String())
		return
	}
	if want := `<html lang="` + language + `" dir="` + i18n.Direction(language) + `" `; !strings.Contains(page, want) {
		wrong("no " + want)
	}
	if key := untranslated.FindString(page); key != "" {
		wrong("shows the key " + key)
	}
	for name, want := range map[string]string{"Content-Language": language, "Content-Security-Policy": policy, "X-Robots-Tag": "",
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
	k := publicKit(t)
	if page := string(k.look("/events/?search=%22lake%22").Raw); !strings.Contains(page, `name="search" maxlength="200" required value="&#34;lake&#34;"`) {
		t.Error("the field is empty")
	}
	if page := string(k.look("/events/").Raw); !strings.Contains(page, `name="search" maxlength="200" required value=""`) {
		t.Error("something stands in the field")
	}
}

// A search that finds nothing to come offers what is over; one that finds something
// says where the rest is looked for.
func TestPublicSearchOffersThePast(t *testing.T) {
	k := publicKit(t)
	for n := range 20 {
		k.event(object{"title": fmt.Sprint("Regatta ", n), "start_date": "2025-07-01 10:00", "end_date": "2025-07-01 12:00"})
	}
	over, past := "No upcoming event matches. These events are over:", `<a href="/events/past/?search=`
	for path, want := range map[string][]string{
		"/events/?search=regatta":             {over, "Regatta 1", `<a rel="next" href="/events/past/?page=2&amp;search=regatta"`},
		"/events/past/?page=2&search=regatta": {"Regatta 1", "Search results for “regatta”", `name="search" maxlength="200" required value="regatta"`},
		"/events/?search=lindau":              {"Lake Concert", past + `lindau"`},
		"/events/?search=society+music":       {"Lake Concert", past + `society+music"`},
		"/events/?search=nowhere":             {"No events found.", past + `nowhere"`},
		"/de/events/?search=regatta":          {"Diese sind vorbei", `href="/de/events/past/?page=2&amp;search=regatta"`},
	} {
		page := string(k.look(path).want(t, 200, "").Raw)
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
	k := publicKit(t)
	k.exec("UPDATE sites SET language = 'de'")
	k.platform.Forget(k.sites["demo"].ID)
	for accept, want := range map[string]string{"": "de", "fr-CH,fr;q=0.9": "fr", "xx": "de", "ja,en;q=0.5": "ja"} {
		a := k.look("/events/", "Accept-Language", accept)
		if got := a.Header.Get("Content-Language"); got != want || a.Header.Get("Vary") != "Accept-Language, Accept-Encoding" {
			t.Errorf("%q: got %q, %s", accept, got, a.Header.Get("Vary"))
		}
		if got := k.send(request{Method: "GET", Path: "/events", Headers: map[string]string{"Accept-Language": accept}}).Header.Get("Content-Language"); got != want {
			t.Errorf("API, %q: got %q", accept, got)
		}
	}
}

func TestPublicHead(t *testing.T) {
	k := publicKit(t)
	page := string(k.look("/de/event/lake/").Raw)
	for _, want := range []string{
		`<title>Lake Concert – demo</title>`, `<meta name="description" content="Music on the water.">`,
		`<link rel="canonical" href="http://localhost/de/event/lake/">`,
		`<link rel="alternate" hreflang="x-default" href="http://localhost/event/lake/">`,
		`<meta property="og:title" content="Lake Concert">`, `<meta property="og:url" content="http://localhost/de/event/lake/">`,
		`<meta name="tec-api-version" content="v1">`, `<meta name="tec-api-origin" content="http://localhost">`,
		`href="http://localhost/de/calendar/events/v1/events/`, "Sonntag, 14. März 2027, 19:30–21:30\u00a0Uhr",
		`datetime="2027-03-14T19:30:00+01:00"`, "https://www.openstreetmap.org/?mlat=47.5", "€10 – €20",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
}

// structured returns the structured data of a page.
func structured(t *testing.T, page []byte) map[string]any {
	t.Helper()
	_, rest, found := strings.Cut(string(page), `<script type="application/ld+json">`)
	text, _, closed := strings.Cut(rest, "</script>")
	if !found || !closed {
		t.Fatalf("no structured data in %s", page)
	}
	var data map[string]any
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestPublicStructuredData(t *testing.T) {
	k := publicKit(t)
	k.event(map[string]any{"title": "Summer", "slug": "summer", "start_date": "2027-07-01", "end_date": "2027-07-03", "all_day": true, "cost": "Free"})
	k.event(map[string]any{"title": "Far", "slug": "far", "timezone": "America/New_York", "start_date": "2027-07-01 20:00", "end_date": "2027-07-01 21:00", "cost": "by donation"})
	lake := structured(t, k.look("/event/lake/").Raw)
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
	summer := structured(t, k.look("/event/summer/").Raw)
	if summer["startDate"] != "2027-07-01" || summer["endDate"] != "2027-07-03" || summer["location"] == nil {
		t.Errorf("all day: %v", summer)
	}
	far := structured(t, k.look("/event/far/").Raw)
	if far["startDate"] != "2027-07-01T20:00:00-04:00" || far["offers"] != nil {
		t.Errorf("elsewhere: %v", far)
	}
}

// ownScript is the address of a script of public pages.
var ownScript = regexp.MustCompile(`^/static/(copy|search|share)\.`)

// TestPublicScripts puts a script into every field and looks for one in the page
// a browser would build.
func TestPublicScripts(t *testing.T) {
	k := publicKit(t)
	const bad = `"'></title></script><script>alert(1)</script><img src=x onerror=alert(1)>`
	k.event(map[string]any{"title": bad, "slug": "bad", "start_date": "2027-03-15 10:00", "end_date": "2027-03-16 12:00", "description": bad, "excerpt": bad,
		"cost": bad, "website": "https://example.org/?a='onclick=alert(1)&b=%22%3E%3Cscript%3E", "categories": []string{"<b>" + bad}, "tags": []string{bad}, "show_map_link": true,
		"venue":     map[string]any{"venue": bad, "slug": "bad-venue", "address": bad, "city": bad, "phone": bad, "description": bad},
		"organizer": []map[string]any{{"organizer": bad, "slug": "bad-organizer", "phone": bad, "description": bad}},
		"tickets":   []map[string]any{{"name": bad, "price": 3}}})
	for _, path := range []string{"/", "/events/month/2027-03/", "/events/day/2027-03-15/", "/event/bad/", "/venue/bad-venue/", "/organizer/bad-organizer/",
		"/events/?search=" + url.QueryEscape(bad), "/" + url.PathEscape(bad), "/event/" + url.PathEscape(bad) + "/", "/sitemap.xml"} {
		a := k.look(path, "Accept", "text/html")
		node, err := html.Parse(strings.NewReader(string(a.Raw)))
		k.must(err)
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
	k := publicKit(t)
	for slug, fields := range map[string]map[string]any{"a-draft": {"status": "draft"}, "a-private": {"status": "private"}, "a-pending": {"status": "pending"},
		"a-hidden": {"hide_from_listings": true}, "a-future": {"status": "publish", "date": "2027-01-01 00:00:00"}} {
		fields["slug"] = slug
		k.event(fields)
	}
	trashed := k.event(map[string]any{"slug": "a-trashed"})
	k.del("/events/"+digits(trashed), "administrator")
	for _, path := range []string{"/event/nothing/", "/event/a-draft/", "/event/a-private/", "/event/a-pending/", "/event/a-future/", "/event/a-trashed/",
		"/event/a-draft/event.ics", "/event/%00/", "/event/%ff/", "/venue/x/", "/organizer/x/", "/tag/x/", "/events/category/x/",
		"/events/month/2027-13/", "/events/month/x/", "/events/month/9999-01/", "/events/day/2027-02-30/", "/events/?page=99", "/events/?page=0", "/events/?page=x",
		"/?post_type=tribe_events&p=0", "/?post_type=tribe_events&p=" + digits(trashed), "/?post_type=x&p=1", "/?p=99999", "/xx/events/", "/nothing", "/static/x.css", "/sitemap.xml?part=9", "/sitemap.xml?part=x"} {
		a := k.look(path, "Accept", "text/html")
		if a.Status != http.StatusNotFound || !strings.Contains(string(a.Raw), "<h1>Page not found</h1>") {
			t.Errorf("%s: %d %.200s", path, a.Status, a.Raw)
		}
		if a.Header.Get("Content-Security-Policy") != policy || a.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: %v", path, a.Header)
		}
	}
	for path, way := range map[string]string{"/nothing": `<a href="/">`, "/xx/events/": `<a href="/">`, "/de/nothing": `<a href="/de/">`, "/DE/nothing": `<a href="/de/">`} {
		if a := k.look(path, "Accept", "text/html"); !strings.Contains(string(a.Raw), way) {
			t.Errorf("%s: nothing leads on: %s", path, a.Raw)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		if a := k.send(request{Method: method, Path: "//events/"}); a.Status != http.StatusMethodNotAllowed || a.Header.Get("Allow") == "" {
			t.Errorf("%s: %d", method, a.Status)
		}
	}
	if a := k.look("/nothing"); a.code() != "rest_no_route" {
		t.Errorf("a program is told %s", a)
	}
	hidden := k.look("/event/a-hidden/", "Accept", "text/html")
	if hidden.Status != http.StatusOK || !strings.Contains(string(hidden.Raw), `<meta name="robots" content="noindex"`) {
		t.Errorf("an event in no list, by its address: %d %.300s", hidden.Status, hidden.Raw)
	}
}

func TestPublicMoves(t *testing.T) {
	k := publicKit(t)
	id := digits(k.event(map[string]any{"slug": "umzug", "title": "Umzug"}))
	parent := k.post("/categories", "administrator", map[string]any{"name": "Arts"}).want(t, 201, "").id()
	k.post("/categories", "administrator", map[string]any{"name": "Dance", "parent": parent}).want(t, 201, "")
	for from, to := range map[string]string{"/?post_type=tribe_events&p=" + id: "/event/umzug/", "/de/?post_type=tribe_events&p=" + id: "/de/event/umzug/",
		"/event/umzug": "/event/umzug/", "/DE/event/Umzug/": "/de/event/umzug/", "/events/category/dance/": "/events/category/arts/dance/"} {
		if a := k.look(from); a.Status != http.StatusMovedPermanently || a.Header.Get("Location") != to {
			t.Errorf("%s: %d %s", from, a.Status, a.Header.Get("Location"))
		}
	}
	if a := k.look("/events/category/arts/dance/"); a.Status != http.StatusOK {
		t.Errorf("below another: %d", a.Status)
	}
}

func digits(id int64) string { return strconv.FormatInt(id, 10) }

func TestPublicPassword(t *testing.T) {
	k := publicKit(t)
	k.event(map[string]any{"title": "Board meeting", "slug": "board", "description": "the secret agenda", "post_password": "anchor", "excerpt": "secret", "website": "https://secret.example.org"})
	for _, path := range []string{"/event/board/", "/events/", "/events/?page=2", "/events/month/2030-03/", "/events/day/2030-03-01/", "/sitemap.xml", "/event/board/event.ics"} {
		if a := k.look(path); strings.Contains(strings.ToLower(string(a.Raw)), "secret") {
			t.Errorf("%s tells it", path)
		}
	}
	asked := k.look("/event/board/")
	if asked.Status != http.StatusOK || !strings.Contains(string(asked.Raw), `type="password"`) || strings.Contains(string(asked.Raw), "Board meeting") ||
		asked.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("asked: %s %v", asked, asked.Header)
	}
	try := func(password string) answer {
		return k.send(request{Method: "POST", Path: "//event/board/", Form: url.Values{"password": {password}}})
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
	if a := k.send(request{Method: "POST", Path: "//event/board/", Form: flood}); strings.Contains(string(a.Raw), "the secret agenda") {
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

func TestPublicLists(t *testing.T) {
	k := publicKit(t)
	k.clock = time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC) // in Berlin the 28th, when the clock is put forward
	k.event(map[string]any{"title": "Long show", "slug": "long", "start_date": "2027-03-20", "end_date": "2027-04-02", "all_day": true})
	k.event(map[string]any{"title": "Gap", "slug": "gap", "start_date": "2027-03-28 02:30", "end_date": "2027-03-28 04:00"})
	k.event(map[string]any{"title": "Ends at midnight", "slug": "ends", "start_date": "2027-03-27 20:00", "end_date": "2027-03-28 00:00"})
	k.event(map[string]any{"title": "Tokyo", "slug": "tokyo", "timezone": "Asia/Tokyo", "start_date": "2027-03-31 23:00", "end_date": "2027-04-01 01:00"})
	list := string(k.look("/en/events/").Raw)
	if !strings.Contains(list, "Long show") || strings.Contains(list, "Lake Concert") || !strings.Contains(list, "Asia/Tokyo, UTC+9") {
		t.Errorf("list: %s", list)
	}
	if past := string(k.look("/en/events/past/").Raw); !strings.Contains(past, "Lake Concert") || strings.Contains(past, "Long show") {
		t.Errorf("past: %s", past)
	}
	if day := string(k.look("/en/events/day/2027-03-28/").Raw); !strings.Contains(day, "Gap") || strings.Contains(day, "Ends at midnight") || !strings.Contains(day, "Long show") {
		t.Errorf("day: %s", day)
	}
	if gap := string(k.look("/en/event/gap/").Raw); !strings.Contains(gap, `datetime="2027-03-28T03:30:00+02:00"`) {
		t.Errorf("gap: %s", gap)
	}
	march, april := string(k.look("/en/events/month/2027-03/").Raw), string(k.look("/en/events/month/2027-04/").Raw)
	_, inApril, _ := strings.Cut(april, `<time datetime="2027-04-01">`) // behind the last days of March
	if !strings.Contains(march, "Tokyo") || strings.Contains(inApril, "Tokyo") || !strings.Contains(april, "Tokyo") || !strings.Contains(april, "Long show") {
		t.Error("the months are not those of the event's own clock")
	}
	if !strings.Contains(march, `<td class="today"`) || strings.Contains(april, `<td class="today"`) {
		t.Error("today is not marked, or another day is")
	}
	tokyo := string(k.look("/en/event/tokyo/").Raw)
	if !strings.Contains(tokyo, "(Asia/Tokyo, UTC+9)") || !strings.Contains(tokyo, "Wednesday, March 31, 2027, 4:00\u00a0PM – 6:00\u00a0PM (Europe/Berlin)") {
		t.Errorf("elsewhere: %s", tokyo)
	}
}

func TestPublicPaging(t *testing.T) {
	k := publicKit(t)
	for range 34 {
		k.event(map[string]any{"start_date": "2027-05-01 10:00", "end_date": "2027-05-01 11:00"})
	}
	second := string(k.look("/de/events/?page=2").Raw)
	for _, want := range []string{`rel="prev" href="?"`, `rel="next" href="?page=3"`, "Seite 2 von 3", `<link rel="canonical" href="http://localhost/de/events/?page=2">`,
		`hreflang="ja" href="http://localhost/ja/events/?page=2"`} {
		if !strings.Contains(second, want) {
			t.Errorf("no %s in %s", want, second)
		}
	}
	if month := string(k.look("/en/events/month/2027-05/").Raw); !strings.Contains(month, "29 more") {
		t.Error("the month says nothing of those without room")
	}
	if day := string(k.look("/en/events/day/2027-05-01/").Raw); strings.Count(day, `<li class="entry `) != 34 {
		t.Error("the day leaves events out")
	}
}

func TestPublicFiles(t *testing.T) {
	k := publicKit(t)
	k.event(map[string]any{"title": "Fünf & mehr", "slug": "fünf-湖"})
	ics := k.look("/event/lake/event.ics")
	if ics.Status != http.StatusOK || ics.Header.Get("Content-Type") != "text/calendar; charset=utf-8" || !strings.Contains(string(ics.Raw), "DTSTART;TZID=Europe/Berlin:20270314T193000\r\n") ||
		!strings.Contains(ics.Header.Get("Content-Disposition"), "lake.ics") {
		t.Errorf("%s %v", ics, ics.Header)
	}
	robots := k.look("/robots.txt")
	if robots.Status != http.StatusOK || !strings.Contains(string(robots.Raw), "Sitemap: http://localhost/sitemap.xml\n") {
		t.Errorf("robots.txt: %s", robots)
	}
	var sitemap struct {
		URLs []struct {
			Loc   string `xml:"loc"`
			Links []struct {
				Lang string `xml:"hreflang,attr"`
				Href string `xml:"href,attr"`
			} `xml:"http://www.w3.org/1999/xhtml link"`
		} `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
	}
	a := k.look("/sitemap.xml")
	if err := xml.Unmarshal(a.Raw, &sitemap); err != nil {
		t.Fatal(err)
	}
	var locs []string
	for _, u := range sitemap.URLs {
		locs = append(locs, u.Loc)
		if len(u.Links) != len(i18n.Languages())+1 {
			t.Errorf("%s has %d languages", u.Loc, len(u.Links))
		}
		if page := k.look(strings.TrimPrefix(u.Loc, "http://localhost")); page.Status != http.StatusOK {
			t.Errorf("%s: %d", u.Loc, page.Status)
		}
	}
	for _, want := range []string{"/events/", "/event/lake/", "/venue/pier/", "/organizer/society/", "/events/category/music/"} {
		if !slices.Contains(locs, "http://localhost"+want) {
			t.Errorf("no %s in %v", want, locs)
		}
	}
	page := string(k.look("/").Raw)
	for _, asset := range regexp.MustCompile(`/static/[a-z]+\.[0-9a-f]{12}\.(css|svg)`).FindAllString(page, -1) {
		if file := k.look(asset); file.Status != http.StatusOK || !strings.Contains(file.Header.Get("Cache-Control"), "immutable") || len(file.Raw) == 0 {
			t.Errorf("%s: %d %v", asset, file.Status, file.Header)
		}
	}
}

// TestPublicCache reads a page twice from the cache and once anew after a write.
func TestPublicCache(t *testing.T) {
	k := publicKit(t)
	k.keepAnswers()
	first := k.look("/en/event/lake/")
	tag := first.Header.Get("ETag")
	if again := k.look("/en/event/lake/"); string(again.Raw) != string(first.Raw) || again.Header.Get("ETag") != tag ||
		again.Header.Get("Content-Type") != "text/html; charset=utf-8" || again.Header.Get("Content-Security-Policy") != policy {
		t.Errorf("again: %v", again.Header)
	}
	if same := k.look("/en/event/lake/", "If-None-Match", tag); same.Status != http.StatusNotModified {
		t.Errorf("unchanged: %d", same.Status)
	}
	packed := k.look("/en/event/lake/", "Accept-Encoding", "br, gzip")
	if packed.Header.Get("Content-Encoding") != "br" || len(packed.Raw) >= len(first.Raw) {
		t.Errorf("compressed: %v", packed.Header)
	}
	id := k.get("/events/by-slug/lake", "").id()
	k.patch("/events/"+digits(id), "administrator", map[string]any{"title": "Sea Concert"}).want(t, 200, "")
	if now := k.look("/en/event/lake/"); !strings.Contains(string(now.Raw), "Sea Concert") || now.Header.Get("ETag") == tag {
		t.Error("the page is older than the write")
	}
	if ics := k.look("/event/lake/event.ics"); ics.Header.Get("Content-Type") != "text/calendar; charset=utf-8" {
		t.Errorf("file: %v", ics.Header)
	}
	if k.look("/event/lake/event.ics").Header.Get("Content-Type") != "text/calendar; charset=utf-8" {
		t.Error("the file has another type out of the cache")
	}
	if api := k.look("/en/calendar/events/v1/events"); api.Header.Get("Content-Type") != "application/json; charset=UTF-8" {
		t.Errorf("API: %v", api.Header)
	}
}

// keepAnswers gives the kit's server a cache.
func (k *kit) keepAnswers() {
	k.t.Helper()
	var versions *cache.Versions
	db, err := storage.Open(context.Background(), k.url, storage.Options{MaxConns: 4, OnVersion: func(site, version int64, _ bool) { versions.Raise(site, version) }})
	k.must(err)
	k.t.Cleanup(db.Close)
	versions = cache.NewVersions(db, slog.New(slog.DiscardHandler))
	images := pictures(k.t, k.t.TempDir())
	clock := func() time.Time {
		if !k.clock.IsZero() {
			return k.clock
		}
		return time.Now()
	}
	k.app = server.New(server.Config{Platform: k.platform, Domain: "localhost", Pictures: images, Logger: slog.New(slog.DiscardHandler),
		Checks: []server.Check{answers(k.db)}, Calendar: calendar.New(db, images, clock), Answers: cache.New(cache.Options{Clock: clock}), Versions: versions})
}

// TestPublicUnavailable asks for pages of a server that has no time to answer.
func TestPublicUnavailable(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *server.Config) { c.Timeout = time.Nanosecond })
	a := k.look("/de/events/")
	if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" || a.Header.Get("Content-Security-Policy") != policy ||
		!strings.Contains(string(a.Raw), "Der Kalender ist gerade nicht erreichbar") {
		t.Errorf("got %s %v", a, a.Header)
	}
}

// TestPublicSites checks that a site shows nothing of another.
func TestPublicSites(t *testing.T) {
	k := publicKit(t)
	k.site("two")
	for _, path := range publicPages {
		a := k.send(request{Method: "GET", Path: "/" + path, Site: "two"})
		if strings.Contains(string(a.Raw), "Lake Concert") || strings.Contains(string(a.Raw), "Pier") {
			t.Errorf("%s shows another site's", path)
		}
	}
}

// A language is found however its letters are written, and links have its one form. What
// a browser asks for in an old or another way finds it too.
func TestPublicLanguagesHaveOneAddress(t *testing.T) {
	k := publicKit(t)
	for segment, want := range map[string]string{"pt-BR": "pt-BR", "pt-br": "pt-BR", "ZH-hans": "zh-Hans", "HE": "he"} {
		a := k.look("/" + segment + "/events/")
		page := string(a.Raw)
		if a.Status != http.StatusOK || a.Header.Get("Content-Language") != want || !strings.Contains(page, `<html lang="`+want+`"`) {
			t.Errorf("/%s/: %d in %s", segment, a.Status, a.Header.Get("Content-Language"))
		}
		if !strings.Contains(page, `href="/`+want+`/events/month/`) || segment != want && strings.Contains(page, `href="/`+segment+`/`) {
			t.Errorf("/%s/ doesn't link to /%s/", segment, want)
		}
	}
	for accept, want := range map[string]string{"pt-PT,pt;q=0.9": "pt-BR", "zh-CN": "zh-Hans", "iw": "he", "in": "id", "nb": "en", "uk-UA": "uk"} {
		a := k.send(request{Method: "GET", Path: "//events/", Headers: map[string]string{"Accept-Language": accept}})
		if a.Header.Get("Content-Language") != want {
			t.Errorf("%s: %s, want %s", accept, a.Header.Get("Content-Language"), want)
		}
	}
	if a := k.look("/pt/events/"); a.Status != http.StatusNotFound {
		t.Errorf("/pt/: %d", a.Status)
	}
}
