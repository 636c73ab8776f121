package public

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestMoreOfADayOpensInPlace: a month shows four events of a day, and the rest where it stands, without a script.
func TestMoreOfADayOpensInPlace(t *testing.T) {
	k := kit.PublicKit(t)
	for i := range 9 {
		k.Event(map[string]any{"title": fmt.Sprintf("Concert %d", i), "start_date": "2026-12-03 10:00", "end_date": "2026-12-03 11:00", "categories": []string{"Music"}})
	}
	rest := regexp.MustCompile(`(?s)<details class="rest"><summary>5 more</summary>(.*?)</details>`)
	for _, path := range []string{"/en/events/month/2026-12/", "/en/events/month/2026-12/?category=music", "/en/embed/month/2026-12/?category=music&theme=dark"} {
		page := k.Look(path).Want(t, 200, "").String()
		if found := rest.FindStringSubmatch(page); found == nil || strings.Count(found[1], `class="item`) != 5 || strings.Count(page, `class="item`) != 9 {
			t.Errorf("%s: %v", path, found)
		}
	}
}

// TestMonthCountsWhatIsOnShow: what runs for weeks is counted on each of its days, and what happens once stands above it; the count leads to
// what is on show on the day, with the filter.
func TestMonthCountsWhatIsOnShow(t *testing.T) {
	k := kit.PublicKit(t)
	for i := range 3 {
		k.Event(map[string]any{"title": fmt.Sprintf("Exhibition %d", i), "start_date": "2026-11-01", "end_date": "2027-01-31", "all_day": true, "categories": []string{"Art"}})
	}
	k.Event(map[string]any{"title": "Concert", "start_date": "2026-12-03 20:00", "end_date": "2026-12-03 22:00"})
	page := k.Look("/en/events/month/2026-12/?category=art").Want(t, 200, "").String()
	if n := strings.Count(page, ">3 on show<"); n < 31 {
		t.Errorf("%d days say that something goes on", n)
	}
	if strings.Contains(page, ">Exhibition 1<") || !strings.Contains(page, `href="/en/events/on-show/?category=art&amp;from=2026-12-24&amp;to=2026-12-24"`) {
		t.Error("what is on show stands among the events of a day, or nothing leads to it")
	}
	page = k.Look("/en/events/month/2026-12/").String()
	_, day, _ := strings.Cut(page, `id="d2026-12-03"`)
	if before, _, shown := strings.Cut(day, "3 on show"); !shown || !strings.Contains(before, "<bdi>Concert</bdi>") {
		t.Error("a concert stands behind what is on show")
	}
	for path, want := range map[string]bool{"/en/events/on-show/?from=2026-12-24&to=2026-12-24": true, "/en/events/on-show/": true, "/en/events/on-show/?from=2027-03-01": false,
		"/en/events/day/2026-12-24/": true, "/en/events/": true, "/en/events/category/art/": true, "/en/": true} {
		if got := strings.Contains(k.Look(path).Want(t, 200, "").String(), ">Exhibition 1<"); got != want {
			t.Errorf("%s shows what is on show: %v", path, got)
		}
	}
	if week := k.Look("/en/events/week/2026-12-03/").String(); !strings.Contains(week, ">3 on show<") || strings.Contains(week, ">Exhibition 1<") {
		t.Error("a week has what is on show among its days")
	}
}

// TestNearPages: tonight, tomorrow, the weekend, what is free and what is for children are pages that search engines may list, in every
// language; the same choice made in a filter leads them there.
func TestNearPages(t *testing.T) {
	k := kit.PublicKit(t) // it is Friday, November 20, 2026
	if mapped := k.Look("/sitemap.xml").String(); strings.Contains(mapped, "/events/weekend/") {
		t.Error("the sitemap has a page without events")
	}
	today := k.Clock.In(k.Sites["demo"].Location).Format("2006-01-02")
	next := k.Clock.In(k.Sites["demo"].Location).AddDate(0, 0, 1).Format("2006-01-02")
	k.Event(map[string]any{"title": "Late set", "start_date": today + " 21:00", "end_date": today + " 23:00"})
	k.Event(map[string]any{"title": "Puppets", "start_date": next + " 10:00", "end_date": next + " 11:00", "categories": []string{"Kids"}, "cost": "Free"})
	for path, want := range map[string]bool{"/en/events/weekend/": true, "/en/events/?when=weekend": true, "/en/events/?when=weekend&cost=free": false, "/events.ics?when=weekend": true,
		"/events.json?when=weekend": true, "/en/events/programme/?when=weekend": true} { // which begins on Friday evening
		if page := k.Look(path).Want(t, 200, "").String(); strings.Contains(page, "Late set") != want || !strings.Contains(page, "Puppets") {
			t.Errorf("%s has not what is on at the weekend", path)
		}
	}
	mapped := k.Look("/sitemap.xml").String()
	for _, name := range []string{"tonight", "tomorrow", "weekend", "free", "children"} {
		if !strings.Contains(mapped, "<loc>http://localhost/events/"+name+"/</loc>") {
			t.Errorf("the sitemap lacks %s", name)
		}
	}
	for path, want := range map[string]string{"/en/events/tonight/": "Late set", "/en/events/tomorrow/": "Puppets", "/en/events/free/": "Puppets", "/en/events/children/": "Puppets"} {
		page := k.Look(path).Want(t, 200, "").String()
		other := map[string]string{"Late set": "Puppets", "Puppets": "Late set"}[want]
		for _, text := range []string{">" + want + "<", `<link rel="canonical" href="http://localhost` + path + `">`, `hreflang="de" href="http://localhost/de` + strings.TrimPrefix(path, "/en") + `"`} {
			if !strings.Contains(page, text) {
				t.Errorf("%s lacks %s", path, text)
			}
		}
		if strings.Contains(page, ">"+other+"<") || strings.Contains(page, `name="robots"`) {
			t.Errorf("%s has %s, or may not be listed", path, other)
		}
	}
	page := k.Look("/en/events/?when=tonight").Want(t, 200, "").String()
	if !strings.Contains(page, `<link rel="canonical" href="http://localhost/en/events/tonight/">`) || !strings.Contains(page, "<title>Events tonight") {
		t.Error("what is chosen in a filter doesn't lead to its page")
	}
	page = k.Look("/en/events/?cost=free&search=puppets").Want(t, 200, "").String()
	if !strings.Contains(page, `href="/en/events/?cost=free&amp;search=puppets&amp;when=weekend"`) || !strings.Contains(page, "noindex") {
		t.Error("a chip loses what is chosen already")
	}
	if page := k.Look("/en/events/tonight/?ical=1"); page.Status != 302 || page.Header.Get("Location") != "/en/events/?when=tonight&ical=1" {
		t.Errorf("the calendar of tonight: %d %s", page.Status, page.Header.Get("Location"))
	}
}

// TestSeriesOnceInLists: a daily series stands once in a list, with how often it is repeated, and its dates are in the month.
func TestSeriesOnceInLists(t *testing.T) {
	k := kit.PublicKit(t)
	k.Event(map[string]any{"title": "Walk", "slug": "walk", "start_date": "2026-12-01 10:00", "end_date": "2026-12-01 11:00", "recurrence": map[string]any{"rrule": "FREQ=DAILY"}, "categories": []string{"Tours"}})
	for n := range 20 {
		k.Event(map[string]any{"title": fmt.Sprint("Fest ", n), "start_date": "2026-12-05 10:00", "end_date": "2026-12-05 11:00"})
	}
	for _, path := range []string{"/en/events/", "/en/", "/en/events/category/tours/"} {
		page := k.Look(path).Want(t, 200, "").String()
		if strings.Count(page, ">Walk<") != 1 || !strings.Contains(page, "Every day") || !strings.Contains(page, ">All dates<") {
			t.Errorf("%s has the series %d times", path, strings.Count(page, ">Walk<"))
		}
	}
	if last := k.Look("/en/events/?page=2").Want(t, 200, "").String(); strings.Contains(last, "page=3") || strings.Contains(last, ">Walk<") {
		t.Error("the dates of a series make more pages")
	}
	if month := k.Look("/en/events/month/2026-12/").String(); strings.Count(month, ">Walk<") < 31 {
		t.Error("a month lacks dates of the series")
	}
}
