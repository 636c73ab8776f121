package public

import (
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// filterKit is a site with events that differ in what visitors choose by. Today is
// Friday, 20 November 2026.
func filterKit(t *testing.T) *kit.Kit {
	t.Helper()
	k := kit.PublicKit(t)
	add := func(title, day, city, cost string, more map[string]any) {
		e := map[string]any{"title": title, "start_date": day + " 10:00", "end_date": day + " 12:00", "cost": cost,
			"venue": map[string]any{"venue": "Hall of " + title, "city": city}}
		maps.Copy(e, more)
		k.Event(e)
	}
	add("Market", "2026-11-20", "Lindau", "Free", map[string]any{"categories": []string{"Food"}})
	add("Jazz", "2026-11-21", "Bregenz", "12", map[string]any{"categories": []string{"Music"}, "featured": true})
	add("Webinar", "2026-11-22", "Lindau", "0", map[string]any{"categories": []string{"Course"}, "attendance_mode": "online"})
	add("Opera", "2026-12-05", "Bregenz", "40", map[string]any{"categories": []string{"Music"}, "tags": []string{"stage"}})
	return k
}

var listedTitle = regexp.MustCompile(`<h3><a href="[^"]*/event/[^"]*"><bdi>([^<]*)</bdi></a></h3>`)

// titles are those of a list, in its order.
func titles(a kit.Answer) string {
	var list []string
	for _, found := range listedTitle.FindAllStringSubmatch(a.String(), -1) {
		list = append(list, found[1])
	}
	return strings.Join(list, ", ")
}

// TestPublicFilters narrows the list by each kind of choice, and by several.
func TestPublicFilters(t *testing.T) {
	k := filterKit(t)
	for query, want := range map[string]string{
		"":                                   "Market, Jazz, Webinar, Opera, Lake Concert",
		"when=today":                         "Market",
		"when=weekend":                       "Jazz, Webinar",
		"when=week":                          "Market, Jazz",
		"when=month":                         "Opera",
		"from=2026-11-21&to=2026-12-31":      "Jazz, Webinar, Opera",
		"category=music":                     "Jazz, Opera, Lake Concert",
		"category=music&category=food":       "Market, Jazz, Opera, Lake Concert",
		"category=music&city=Bregenz":        "Jazz, Opera",
		"category=music&tag=stage":           "Opera",
		"city=Lindau&cost=free":              "Market, Webinar",
		"how=online":                         "Webinar",
		"how=here&city=Lindau":               "Market, Lake Concert",
		"featured=1":                         "Jazz",
		"category=music&when=weekend":        "Jazz",
		"category=music&when=today":          "",
		"search=opera&category=music":        "Opera",
		"category=course&city=Bregenz":       "",
		"city=" + url.QueryEscape("no '\"<"): "",
	} {
		page := k.Look("/en/events/?" + query)
		if page.Want(t, 200, ""); titles(page) != want {
			t.Errorf("%s: %s, not %s", query, titles(page), want)
		}
		if strings.Contains(page.String(), "no '\"<") {
			t.Errorf("%s: not escaped", query)
		}
	}
	for _, query := range []string{"category=nothing", "tag=nothing", "organizer=x", "organizer=99999", "from=tomorrow", "to=9999-01-01"} {
		if page := k.Look("/en/events/?" + query); page.Status != 404 {
			t.Errorf("%s: %d", query, page.Status)
		}
	}
	for from, to := range map[string]string{
		"/en/events/?when=&category=music&from=&to=":             "/en/events/?category=music",
		"/en/events/go/?on=2027-03-05&view=month&category=music": "/en/events/month/2027-03/?category=music",
		"/en/events/go/?on=2027-03-05&view=week":                 "/en/events/week/2027-03-05/",
		"/en/events/go/?on=2027-03-05&view=list":                 "/en/events/?from=2027-03-05",
		"/en/events/go/?on=//example.org":                        "/en/events/",
	} {
		if page := k.Look(from); page.Status != 302 || !strings.HasSuffix(page.Header.Get("Location"), to) {
			t.Errorf("%s: %d %s", from, page.Status, page.Header.Get("Location"))
		}
	}
}

// TestPublicTonight narrows the list to the evening, by address and by words, and counts what happens in it.
func TestPublicTonight(t *testing.T) {
	k := filterKit(t)
	k.Event(map[string]any{"title": "Late Show", "start_date": "2026-11-20 22:00", "end_date": "2026-11-21 02:00", "cost": "Free", "categories": []string{"Music"}})
	for path, want := range map[string]string{
		"/en/events/?when=tonight":                 "Late Show",
		"/en/events/?when=tonight&category=food":   "",
		"/en/events/?search=tonight+free":          "Late Show",
		"/de/events/?search=heute+Abend+kostenlos": "Late Show",
		"/en/events/?when=today":                   "Market, Late Show",
	} {
		if page := k.Look(path); page.Status != 200 || titles(page) != want {
			t.Errorf("%s: %d %s, not %s", path, page.Status, titles(page), want)
		}
	}
	if got := counts(k.Look("/en/events/?when=tonight")); got["when=tonight"] != "1" || got["when=today"] != "" || got["cost=free"] != "1" {
		t.Errorf("counted: %v", got)
	}
	if got := counts(k.Look("/en/events/")); got["when=tonight"] != "" || got["when=today"] != "2" {
		t.Errorf("counted: %v", got)
	}
	feed := k.Look("/events.ics?when=tonight").String()
	if !strings.Contains(feed, "Late Show") || strings.Contains(feed, "Market") {
		t.Errorf("the feed has %s", feed)
	}
}

var counted = regexp.MustCompile(`name="([a-z]+)" value="([^"]+)"[^>]*> ?<span>[^/]*(?:<bdi>[^<]*</bdi>)?</span> ?<span class="amount">([^<]*)</span>`)

// counts are what a page says a choice would leave.
func counts(a kit.Answer) map[string]string {
	list := map[string]string{}
	for _, found := range counted.FindAllStringSubmatch(a.String(), -1) {
		list[found[1]+"="+found[2]] = found[3]
	}
	return list
}

// TestPublicFilterCounts: what a page counts is what the list has when it is chosen.
func TestPublicFilterCounts(t *testing.T) {
	k := filterKit(t)
	for _, chosen := range []string{"", "category=music", "city=Lindau", "when=weekend", "cost=free", "search=a"} {
		counts := counts(k.Look("/en/events/?" + chosen))
		if len(counts) < 8 {
			t.Fatalf("%s: only %v is counted", chosen, counts)
		}
		kind, _, _ := strings.Cut(chosen, "=")
		for choice, n := range counts {
			if name, _, _ := strings.Cut(choice, "="); name == kind && chosen != "" || n == "0" || n == "" { // hours are not counted before they are chosen
				continue // is chosen beside it, not instead
			}
			found := regexp.MustCompile(`<p>(\d+) events?</p>`).FindStringSubmatch(k.Look("/en/events/?" + chosen + "&" + choice).String())
			if found == nil || found[1] != n {
				t.Errorf("%s and %s: %s are counted, the list has %v", chosen, choice, n, found)
			}
		}
	}
}

// TestPublicFiltersKeepSecrets: what is behind a password, hidden, a draft or another
// site's is neither found nor counted by what it has.
func TestPublicFiltersKeepSecrets(t *testing.T) {
	k := filterKit(t)
	before := counts(k.Look("/en/events/"))
	secret := map[string]any{"title": "Secret", "start_date": "2026-11-21 10:00", "end_date": "2026-11-21 11:00", "cost": "Free", "featured": true,
		"categories": []string{"Music", "Secrets"}, "tags": []string{"stage"}, "venue": map[string]any{"venue": "Cellar", "city": "Nowhere"},
		"organizer": []map[string]any{{"organizer": "Conspirators"}}}
	for name, value := range map[string]any{"post_password": "sesame", "hide_from_listings": true, "status": "draft"} {
		e := map[string]any{name: value}
		maps.Copy(e, secret)
		k.Event(e)
	}
	page := k.Look("/en/events/")
	for choice, n := range counts(page) {
		if strings.HasPrefix(choice, "when=") {
			continue // what is masked has its date in the list, and counts
		}
		if before[choice] != n {
			t.Errorf("%s: %s, before %s", choice, n, before[choice])
		}
	}
	for _, word := range []string{"Nowhere", "Conspirators", "Secrets", "Cellar"} {
		if strings.Contains(page.String(), word) {
			t.Errorf("the page says %s", word)
		}
	}
	for _, query := range []string{"category=music", "tag=stage", "city=Nowhere", "cost=free", "featured=1", "category=secrets"} {
		if page := k.Look("/en/events/?" + query); strings.Contains(titles(page), "Protected") || strings.Contains(page.String(), `class="entry tone-0`) {
			t.Errorf("%s finds %s", query, titles(page))
		}
	}
	k.Site("other")
	if page := k.Send(kit.Request{Method: "GET", Path: "//en/events/?city=Lindau", Site: "other"}); strings.Contains(page.String(), "Market") {
		t.Error("another site's events are found")
	}
}
