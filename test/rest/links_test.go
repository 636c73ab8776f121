package rest

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// follow follows the links of a list to its end and back, and returns the ids seen
// on the way there.
func follow(k *kit.Kit, first, collection, as string) (ids []string, pages int) {
	k.T.Helper()
	path, previous := first, ""
	for pages = 0; pages < 40; pages++ {
		a := k.Get(path, as).Want(k.T, 200, "")
		if list := a.IDs(collection); list != "" {
			ids = append(ids, strings.Split(list, ",")...)
		}
		total, size := a.At("total"), a.At("total_pages")
		if a.Header.Get("X-Tec-Total") != fmt.Sprint(total) || a.Header.Get("X-Tec-Totalpages") != fmt.Sprint(size) {
			k.T.Errorf("%s: headers say %s of %s", path, a.Header.Get("X-Tec-Total"), a.Header.Get("X-Tec-Totalpages"))
		}
		if back := linkOf(a, "prev"); back != fmt.Sprint(a.At("previous_rest_url")) || (back == "-") != (pages == 0) {
			k.T.Errorf("%s: prev %q, previous_rest_url %v", path, back, a.At("previous_rest_url"))
		} else if back != "-" && k.Get(below(k.T, back), as).IDs(collection) != previous {
			k.T.Errorf("%s: the previous page is not the one we came from", path)
		}
		previous = a.IDs(collection)
		next := linkOf(a, "next")
		if next != fmt.Sprint(a.At("next_rest_url")) {
			k.T.Errorf("%s: next %q, next_rest_url %v", path, next, a.At("next_rest_url"))
		}
		if next == "-" {
			return ids, pages + 1
		}
		path = below(k.T, next)
	}
	k.T.Errorf("%s: no end", first)
	return ids, pages
}

var linkPattern = regexp.MustCompile(`<([^>]*)>; rel="([a-z]+)"`)

// linkOf returns the address of a relation in the Link header, "-" for none.
func linkOf(a kit.Answer, rel string) string {
	for _, link := range linkPattern.FindAllStringSubmatch(a.Header.Get("Link"), -1) {
		if link[2] == rel {
			return link[1]
		}
	}
	return "-"
}

// below cuts scheme and host off a link, which must be a valid address.
func below(t testing.TB, link string) string {
	t.Helper()
	u, err := url.ParseRequestURI(link)
	if err != nil || strings.ContainsAny(link, " \"<>{}|\\^`") || u.Host != "localhost" {
		t.Errorf("link %q: %v", link, err)
		return "/"
	}
	return "/" + u.RequestURI()
}

// TestFollowingLinks pages through lists with every filter: each entry comes
// once, none is lost, and nothing else comes (rule 4.4).
func TestFollowingLinks(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	venue, organizer := k.Made("/venues", kit.Object{"venue": "V", "geo_lat": 50, "geo_lng": 8}), k.Made("/organizers", kit.Object{"organizer": "O"})
	category, tag, parent := k.Made("/categories", kit.Object{"name": "C"}), k.Made("/tags", kit.Object{"name": "T"}), k.Event(kit.Object{"title": "unlike"})
	var all []string
	for i := range 5 {
		all = append(all, fmt.Sprint(k.Event(kit.Object{"title": fmt.Sprintf("Find me & you %d", i), "start_date": "2030-04-0" + fmt.Sprint(i+1), "end_date": "2030-04-09",
			"venue": venue, "organizer": organizer, "categories": category, "tags": tag, "featured": true, "post_parent": parent, "tickets": []kit.Object{{"name": "x"}}})))
		k.Event(kit.Object{"title": "unlike"})
	}
	want := strings.Join(all, ",")
	for _, q := range []string{
		"starts_after=2030-03-31", "start_date=2030-04-01&end_date=2030-04-30", "starts_after=2030-03-31 23:00&ends_before=2030-04-10&strict_dates=true",
		"start_date=2030-03-31T22:00:00Z&strict_dates=yes&end_date=2031-01-01", "ends_after=2030-04-01&starts_before=2030-04-08",
		`search="find me" %26 -unlike`, "search=find", "venue=" + fmt.Sprint(venue), "organizer=" + fmt.Sprint(organizer), "categories=c",
		"categories=" + fmt.Sprint(category) + "&tags=t", "featured=true", "ticketed=1", "post_parent=" + fmt.Sprint(parent), "include=" + want,
		"geoloc=true", "geoloc_lat=50.01&geoloc_lng=8&geoloc_radius=5", "status=publish&featured=1", "orderby=date&featured=1", "orderby=title&tags=t",
	} {
		q = encoded(q)
		ids, pages := follow(k, "/events?per_page=2&"+q, "events", "")
		if got := strings.Join(ids, ","); got != want || pages != 3 {
			t.Errorf("%s: %s on %d pages, want %s", q, got, pages, want)
		}
	}
	if ids, _ := follow(k, "/events?per_page=2&featured=false", "events", ""); len(ids) != 6 {
		t.Errorf("featured=false: %v", ids)
	}
	if ids, _ := follow(k, "/events?per_page=2&ticketed=false&order=desc", "events", "editor"); len(ids) != 6 {
		t.Errorf("ticketed=false: %v", ids)
	}
	if ids, _ := follow(k, "//de/wp-json/tribe/events/v1/events?per_page=4", "events", "editor"); len(ids) != 11 {
		t.Errorf("all: %v", ids)
	}
}

// TestFollowingInstants pages through lists bounded by instants that the site's
// clocks cannot name: the second of two hours, years no date may have.
func TestFollowingInstants(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	var all []string
	for i := range 4 {
		all = append(all, fmt.Sprint(k.Event(kit.Object{"timezone": "UTC", "start_date": fmt.Sprintf("2030-10-27 01:%d5", i), "end_date": "2030-10-27 02:00"})))
	}
	k.Event(kit.Object{"timezone": "UTC", "start_date": "2030-10-27 00:50", "end_date": "2030-10-27 02:00"})
	want := strings.Join(all, ",")
	for _, q := range []string{"start_date=2030-10-27T01:00:00Z&end_date=2031-01-01", "starts_after=2030-10-27T02:00:00%2B01:00",
		"starts_after=2030-10-27T01:00:00Z&starts_before=9999-12-31T23:30:00Z"} {
		if ids, pages := follow(k, "/events?strict_dates=1&per_page=1&"+q, "events", ""); strings.Join(ids, ",") != want || pages != 4 {
			t.Errorf("%s: %v on %d pages, want %s", q, ids, pages, want)
		}
	}
}

func TestFollowingPlacesAndTerms(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	event := k.Event(nil)
	var cats, venues []int64
	top := k.Made("/categories", kit.Object{"name": "Top"})
	for i := range 5 {
		venues = append(venues, k.Made("/venues", kit.Object{"venue": fmt.Sprint("Hall ", i), "phone": "5"}))
		k.Made("/organizers", kit.Object{"organizer": fmt.Sprint("Ann ", i), "status": "private"})
		cats = append(cats, k.Made("/categories", kit.Object{"name": fmt.Sprint("Cat ", i), "parent": top}))
		k.Made("/tags", kit.Object{"name": fmt.Sprint("Tag ", i)})
	}
	k.Patch(kit.Item("events", event), "editor", kit.Object{"venue": venues, "categories": cats}).Want(t, 200, "")
	for path, as := range map[string]string{
		"/venues?": "", "/venues?search=hall": "", "/venues?event=" + fmt.Sprint(event): "", "/venues?has_events=true": "", "/venues?only_with_upcoming=true": "",
		"/organizers?status=private": "editor", "/organizers?search=ann&has_events=false": "administrator",
		"/categories?": "", "/categories?search=cat": "", "/categories?parent=" + fmt.Sprint(top): "", "/categories?event=" + fmt.Sprint(event): "",
		"/categories?hide_empty=0&exclude=" + fmt.Sprint(top): "", "/tags?hide_empty=false": "", "/tags?hide_empty=0&orderby=id&order=desc": "",
		"/categories?hide_empty=0&include=" + strings.Trim(strings.ReplaceAll(fmt.Sprint(cats), " ", ","), "[]"): "",
	} {
		collection := path[1:strings.Index(path, "?")]
		ids, pages := follow(k, path+"&per_page=2", collection, as)
		seen := map[string]any{}
		for _, id := range ids {
			seen[id] = nil
		}
		if len(ids) != 5 || len(seen) != 5 || pages != 3 {
			t.Errorf("%s: %v on %d pages", path, ids, pages)
		}
	}
}

// TestPaging: sizes, caps and what lies past the end (rule 5.4).
func TestPaging(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for i := range 55 {
		k.Event(kit.Object{"title": fmt.Sprint(i)})
	}
	for q, c := range map[string]struct{ entries, pages int }{
		"": {15, 4}, "per_page=1": {1, 55}, "per_page=50": {50, 2}, "per_page=51": {50, 2}, "per_page=1000000": {50, 2}, "per_page=50&page=2": {5, 2},
		"page=4": {10, 4}, "page=2.0&per_page=1e1": {10, 6}, "page[]=": {0, 0},
	} {
		a := k.Get("/events?"+q, "")
		if c.entries == 0 {
			a.Refused(t, "page")
			continue
		}
		a.Want(t, 200, "").Has(t, "events.#", c.entries, "total", 55, "total_pages", c.pages)
	}
	k.Get("/events?page=5", "").Want(t, 404, "event-archive-page-not-found")
	k.Get("/events?page=999999999", "").Want(t, 404, "event-archive-page-not-found")
	k.Get("/events?starts_after=2040-01-01&page=2", "").Want(t, 404, "event-archive-page-not-found")
	k.Get("/events?starts_after=2040-01-01", "").Want(t, 200, "").Has(t, "total", 0, "total_pages", 0, "next_rest_url", "-", "previous_rest_url", "-")
	k.Made("/tags", kit.Object{"name": "t"})
	k.Get("/tags?hide_empty=0&page=7", "").Want(t, 200, "").Has(t, "tags.#", 0, "total", 1, "total_pages", 1,
		"previous_rest_url", "http://localhost/calendar/events/v1/tags/?hide_empty=false") // the last page there is, which is the first
	k.Exec("UPDATE sites SET per_page = 7 WHERE slug = 'demo'")
	k.Platform.Forget(k.Sites["demo"].ID)
	k.Get("/events", "").Has(t, "events.#", 7, "total_pages", 8)
}

// TestEnvelopes: the keys of the lists and their order (rule 4.4).
func TestEnvelopes(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for range 3 {
		k.Event(kit.Object{"tags": "a,b,c"})
	}
	for path, order := range map[string]string{
		"/events?per_page=1&page=2":            "events rest_url next_rest_url previous_rest_url total total_pages",
		"/events":                              "events rest_url total total_pages",
		"/venues":                              "venues rest_url total total_pages",
		"/tags?per_page=1&page=2":              "rest_url total total_pages tags next_rest_url previous_rest_url",
		"/categories":                          "rest_url total total_pages categories",
		"/organizers?status=publish&search=no": "organizers rest_url total total_pages",
	} {
		a := k.Get(path, "").Want(t, http.StatusOK, "")
		at := -1
		for key := range strings.FieldsSeq(order) {
			next := strings.LastIndex(string(a.Raw), `"`+key+`":`)
			if key == "events" || key == "venues" || key == "organizers" || key == "categories" || key == "tags" || key == "rest_url" && strings.HasPrefix(order, "rest_url") {
				next = strings.Index(string(a.Raw), `"`+key+`":`)
			}
			if next < at {
				t.Errorf("%s: %s comes too early", path, key)
			}
			at = next
		}
		if len(a.Body) != len(strings.Fields(order)) {
			t.Errorf("%s: keys %v, want %s", path, kit.Keys(a.Body, nil), order)
		}
	}
	a := k.Get("/events", "")
	const window = "start_date=2030-02-20+00%3A00%3A00&end_date=2032-02-20+23%3A59%3A59&status=publish"
	a.Has(t, "rest_url", "http://localhost/calendar/events/v1/events/?page=1&per_page=15&"+window)
	k.Get("/categories?hide_empty=0&per_page=3", "").Has(t, "rest_url", "http://localhost/calendar/events/v1/categories/")
}

// TestPageNumbersComeLast: clients find the number of a page at the end of its
// address, and the first page has none (rule 4.4).
func TestPageNumbersComeLast(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for i := range 3 {
		k.Event(kit.Object{"tags": "a,b,c", "categories": []string{fmt.Sprint("kind ", i)}})
		k.Made("/venues", kit.Object{"venue": fmt.Sprint("Hall ", i)})
		k.Made("/organizers", kit.Object{"organizer": fmt.Sprint("Ann ", i)})
	}
	const root = "http://localhost/wp-json/tribe/events/v1"
	const window = "&start_date=2030-02-20+00%3A00%3A00&end_date=2032-02-20+23%3A59%3A59&status=publish"
	for list, filters := range map[string]string{
		"/events":     "?per_page=1" + window,
		"/venues":     "?per_page=1&status=publish",
		"/organizers": "?per_page=1&status=publish",
		"/categories": "?per_page=1",
		"/tags":       "?per_page=1",
	} {
		first := root + list + "/" + filters
		for page, links := range map[int][2]any{
			1: {first + "&page=2", "-"}, 2: {first + "&page=3", first}, 3: {"-", first + "&page=2"},
		} {
			k.Get(fmt.Sprint("//wp-json/tribe/events/v1", list, "?per_page=1&page=", page), "").
				Has(t, "next_rest_url", links[0], "previous_rest_url", links[1])
		}
	}
	k.Exec("UPDATE sites SET per_page = 1 WHERE slug = 'demo'")
	k.Platform.Forget(k.Sites["demo"].ID)
	k.Get("//wp-json/tribe/events/v1/tags?page=2", "").
		Has(t, "next_rest_url", root+"/tags/?page=3", "previous_rest_url", root+"/tags/")
}
