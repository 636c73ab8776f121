package public

import (
	"encoding/xml"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/i18n"

	"github.com/kalends/kalends/test/kit"
)

func TestPublicLists(t *testing.T) {
	k := kit.PublicKit(t)
	k.Clock = time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC) // in Berlin the 28th, when the clock is put forward
	k.Event(map[string]any{"title": "Long show", "slug": "long", "start_date": "2027-03-20", "end_date": "2027-04-02", "all_day": true})
	k.Event(map[string]any{"title": "Gap", "slug": "gap", "start_date": "2027-03-28 02:30", "end_date": "2027-03-28 04:00"})
	k.Event(map[string]any{"title": "Ends at midnight", "slug": "ends", "start_date": "2027-03-27 20:00", "end_date": "2027-03-28 00:00"})
	k.Event(map[string]any{"title": "Tokyo", "slug": "tokyo", "timezone": "Asia/Tokyo", "start_date": "2027-03-31 23:00", "end_date": "2027-04-01 01:00"})
	list := string(k.Look("/en/events/").Raw)
	if !strings.Contains(list, "Long show") || strings.Contains(list, "Lake Concert") || !strings.Contains(list, "Asia/Tokyo, UTC+9") {
		t.Errorf("list: %s", list)
	}
	if past := string(k.Look("/en/events/past/").Raw); !strings.Contains(past, "Lake Concert") || strings.Contains(past, "Long show") {
		t.Errorf("past: %s", past)
	}
	if day := string(k.Look("/en/events/day/2027-03-28/").Raw); !strings.Contains(day, "Gap") || strings.Contains(day, "Ends at midnight") || !strings.Contains(day, "Long show") {
		t.Errorf("day: %s", day)
	}
	if gap := string(k.Look("/en/event/gap/").Raw); !strings.Contains(gap, `datetime="2027-03-28T03:30:00+02:00"`) {
		t.Errorf("gap: %s", gap)
	}
	march, april := string(k.Look("/en/events/month/2027-03/").Raw), string(k.Look("/en/events/month/2027-04/").Raw)
	_, inApril, _ := strings.Cut(april, `<time datetime="2027-04-01">`) // behind the last days of March
	if !strings.Contains(march, "Tokyo") || strings.Contains(inApril, "Tokyo") || !strings.Contains(april, "Tokyo") || !strings.Contains(april, "1 on show") {
		t.Error("the months are not those of the event's own clock")
	}
	if !strings.Contains(march, `class="today chosen"`) || strings.Contains(april, `class="today chosen"`) {
		t.Error("today is not marked, or another day is")
	}
	// A phone shows the events of today, or of the first day that has any.
	if !strings.Contains(march, `<td id="d2027-03-28" class="today chosen"`) || strings.Count(april, ` chosen"`)+strings.Count(april, `class="chosen`) != 1 {
		t.Errorf("a phone doesn't know which day to show: %s", march)
	}
	tokyo := string(k.Look("/en/event/tokyo/").Raw)
	if !strings.Contains(tokyo, "(Asia/Tokyo, UTC+9)") || !strings.Contains(tokyo, "Wednesday, March\u00a031,\u00a02027, 4:00\u00a0PM\u00a0\u2060–\u2060\u00a06:00\u00a0PM (Europe/Berlin)") {
		t.Errorf("elsewhere: %s", tokyo)
	}
}

func TestPublicPaging(t *testing.T) {
	k := kit.PublicKit(t)
	for range 34 {
		k.Event(map[string]any{"start_date": "2027-05-01 10:00", "end_date": "2027-05-01 11:00"})
	}
	second := string(k.Look("/de/events/?page=2").Raw)
	for _, want := range []string{`rel="prev" href="?"`, `rel="next" href="?page=3"`, "Seite 2 von 3", `<link rel="canonical" href="http://localhost/de/events/?page=2">`,
		`hreflang="ja" href="http://localhost/ja/events/?page=2"`} {
		if !strings.Contains(second, want) {
			t.Errorf("no %s in %s", want, second)
		}
	}
	if month := string(k.Look("/en/events/month/2027-05/").Raw); !strings.Contains(month, "30 more") {
		t.Error("the month says nothing of those without room")
	}
	if day := string(k.Look("/en/events/day/2027-05-01/").Raw); strings.Count(day, `<li class="entry `) != 34 {
		t.Error("the day leaves events out")
	}
}

func TestPublicFiles(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Fünf & mehr", "slug": "fünf-湖"})
	ics := k.Look("/event/lake/event.ics")
	if ics.Status != http.StatusOK || ics.Header.Get("Content-Type") != "text/calendar; charset=utf-8" || !strings.Contains(string(ics.Raw), "DTSTART;TZID=Europe/Berlin:20270314T193000\r\n") ||
		!strings.Contains(ics.Header.Get("Content-Disposition"), "lake.ics") {
		t.Errorf("%s %v", ics, ics.Header)
	}
	robots := k.Look("/robots.txt")
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
	a := k.Look("/sitemap.xml")
	if err := xml.Unmarshal(a.Raw, &sitemap); err != nil {
		t.Fatal(err)
	}
	var locs []string
	for _, u := range sitemap.URLs {
		locs = append(locs, u.Loc)
		if len(u.Links) != len(i18n.Languages())+1 {
			t.Errorf("%s has %d languages", u.Loc, len(u.Links))
		}
		if page := k.Look(strings.TrimPrefix(u.Loc, "http://localhost")); page.Status != http.StatusOK {
			t.Errorf("%s: %d", u.Loc, page.Status)
		}
	}
	for _, want := range []string{"/events/", "/event/lake/", "/venue/pier/", "/organizer/society/", "/events/category/music/"} {
		if !slices.Contains(locs, "http://localhost"+want) {
			t.Errorf("no %s in %v", want, locs)
		}
	}
	page := string(k.Look("/").Raw)
	for _, asset := range regexp.MustCompile(`/static/[a-z]+\.[0-9a-f]{12}\.(css|svg)`).FindAllString(page, -1) {
		if file := k.Look(asset); file.Status != http.StatusOK || !strings.Contains(file.Header.Get("Cache-Control"), "immutable") || len(file.Raw) == 0 {
			t.Errorf("%s: %d %v", asset, file.Status, file.Header)
		}
	}
}

// TestPublicCache reads a page twice from the cache and once anew after a write.
func TestPublicCache(t *testing.T) {
	k := kit.PublicKit(t)
	k.KeepAnswers()
	first := k.Look("/en/event/lake/")
	tag := first.Header.Get("ETag")
	if again := k.Look("/en/event/lake/"); string(again.Raw) != string(first.Raw) || again.Header.Get("ETag") != tag ||
		again.Header.Get("Content-Type") != "text/html; charset=utf-8" || again.Header.Get("Content-Security-Policy") != kit.Policy {
		t.Errorf("again: %v", again.Header)
	}
	if same := k.Look("/en/event/lake/", "If-None-Match", tag); same.Status != http.StatusNotModified {
		t.Errorf("unchanged: %d", same.Status)
	}
	packed := k.Look("/en/event/lake/", "Accept-Encoding", "br, gzip")
	if packed.Header.Get("Content-Encoding") != "br" || len(packed.Raw) >= len(first.Raw) {
		t.Errorf("compressed: %v", packed.Header)
	}
	id := k.Get("/events/by-slug/lake", "").ID()
	k.Patch("/events/"+digits(id), "administrator", map[string]any{"title": "Sea Concert"}).Want(t, 200, "")
	if now := k.Look("/en/event/lake/"); !strings.Contains(string(now.Raw), "Sea Concert") || now.Header.Get("ETag") == tag {
		t.Error("the page is older than the write")
	}
	if ics := k.Look("/event/lake/event.ics"); ics.Header.Get("Content-Type") != "text/calendar; charset=utf-8" {
		t.Errorf("file: %v", ics.Header)
	}
	if k.Look("/event/lake/event.ics").Header.Get("Content-Type") != "text/calendar; charset=utf-8" {
		t.Error("the file has another type out of the cache")
	}
	if api := k.Look("/en/calendar/events/v1/events"); api.Header.Get("Content-Type") != "application/json; charset=UTF-8" {
		t.Errorf("API: %v", api.Header)
	}
}
