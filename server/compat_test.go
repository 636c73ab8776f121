package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// reference is the address of the API at which clients of the reference ask.
const reference = "//wp-json/tribe/events/v1"

// TestSlugsOfOtherScripts: at the address of the reference's clients slugs are
// written as in its answers, both forms find, and what was given can be sent back.
func TestSlugsOfOtherScripts(t *testing.T) {
	t.Parallel()
	k := standing(t)
	const plain, encoded = "東京-мир", "%e6%9d%b1%e4%ba%ac-%d0%bc%d0%b8%d1%80"
	for _, kind := range []string{"event", "venue", "organizer"} {
		list := "/" + kind + "s"
		body := valid(kind)
		body[nameOf(kind)] = "東京 мир"
		a := k.post(list, "editor", body).want(t, 201, "").has(t, "slug", plain, "url", "http://localhost/"+kind+"/"+encoded+"/")
		path := item(kind+"s", a.id())
		k.get(reference+path, "").has(t, "slug", encoded, "url", "http://localhost/"+kind+"/"+encoded+"/")
		for _, asked := range []string{encoded, url.PathEscape(encoded), url.PathEscape(plain), strings.ToUpper(encoded)} {
			k.get(list+"/by-slug/"+asked, "").want(t, 200, "").has(t, "id", a.id(), "slug", plain)
			k.get(reference+list+"/by-slug/"+asked, "").want(t, 200, "").has(t, "id", a.id(), "slug", encoded)
		}
		k.patch(reference+path, "editor", object{"slug": encoded}).want(t, 200, "").has(t, "slug", encoded)
		k.patch(path, "editor", object{"slug": "%d0%b0%d0%b1"}).want(t, 200, "").has(t, "slug", "аб")
	}
	k.get("//event/"+url.PathEscape("аб")+"/", "").want(t, 200, "")
	term := k.post("/categories", "editor", object{"name": "東京 мир"}).want(t, 201, "").has(t, "slug", plain)
	k.event(object{"categories": encoded})
	k.get(reference+"/categories/"+fmt.Sprint(term.id()), "").has(t, "slug", encoded, "count", 1, "url", "http://localhost/events/category/"+encoded+"/")
	for _, asked := range []string{encoded, url.QueryEscape(encoded), url.QueryEscape(plain)} {
		k.get(reference+"/categories?slug="+asked, "").has(t, "total", 1, "categories.0.slug", encoded)
		k.get(reference+"/events?categories="+asked, "").has(t, "total", 1, "events.0.categories.0.slug", encoded)
	}
}

// TestAddressesOfTheProgram: the addresses of a server without pretty ones.
func TestAddressesOfTheProgram(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.event(nil)
	for _, path := range []string{"//index.php?rest_route=/tribe/events/v1/events/%d", "//index.php/?rest_route=/tribe/events/v1/events/%d",
		"//index.php/wp-json/tribe/events/v1/events/%d", "//INDEX.php/wp-json/tribe/events/v1/events/%d/", "//?rest_route=/tribe/events/v1/events/%d",
		"//de/index.php/wp-json/tribe/events/v1/events/%d"} {
		prefix := ""
		if strings.HasPrefix(path, "//de/") {
			prefix = "/de"
		}
		k.get(fmt.Sprintf(path, id), "").want(t, 200, "").
			has(t, "rest_url", fmt.Sprintf("http://localhost%s/wp-json/tribe/events/v1/events/%d", prefix, id))
	}
	k.post("//index.php?rest_route=/tribe/events/v1/tags", "editor", object{"name": "x"}).want(t, 201, "")
	k.get(reference+"/doc", "").want(t, 200, "").has(t, "servers.0.url", "http://localhost/wp-json/tribe/events/v1/")
	k.get("/doc", "").want(t, 200, "").has(t, "servers.0.url", "http://localhost/calendar/events/v1")
	k.get("//index.php/wp-json/tribe/events/v1/nothing", "").want(t, 404, "rest_no_route")
	k.get("//index.php/events/", "").want(t, 404, "rest_no_route")
}

// TestPagesNameTheirResource: a page says where the API has what it shows.
func TestPagesNameTheirResource(t *testing.T) {
	t.Parallel()
	k := standing(t)
	e := k.post("/events", "editor", times(object{"title": "Lake", "categories": "Open Air", "tags": "東京", "venue": object{"venue": "Pier"},
		"organizer": object{"organizer": "Eve"}})).want(t, 201, "")
	const root = "http://localhost/calendar/events/v1"
	for page, rest := range map[string]string{
		"/event/lake/":                       fmt.Sprint("/events/", e.id()),
		"/events/category/open-air/":         "/events/?categories=open-air",
		"/tag/" + url.PathEscape("東京") + "/": "/events/?tags=%e6%9d%b1%e4%ba%ac",
		"/venue/pier/":                       fmt.Sprint("/events/?venue=", e.at("venue.id")),
		"/organizer/eve/":                    fmt.Sprint("/events/?organizer=", e.at("organizer.0.id")),
		"/events/":                           "/",
	} {
		a := k.get("/"+page, "").want(t, 200, "")
		if got := a.Header.Get("X-Tec-Api-Root"); got != root+rest {
			t.Errorf("%s: %s, want %s", page, got, root+rest)
		}
		if page != "/events/" {
			if !strings.Contains(string(a.Raw), `<link rel="alternate" type="application/json" href="`+root+rest+`">`) {
				t.Errorf("%s: no link to %s", page, rest)
			}
			k.get("/"+strings.TrimPrefix(a.Header.Get("X-Tec-Api-Root"), "http://localhost"), "").want(t, 200, "")
		}
	}
}

// TestAllow: answers and OPTIONS say what their caller may do at an address.
func TestAllow(t *testing.T) {
	t.Parallel()
	k := standing(t)
	const every, list = "GET, DELETE, POST, PUT, PATCH", "GET, POST"
	own := item("events", k.post("/events", "contributor", times(nil)).want(t, 201, "").id())
	theirs, venue := item("events", k.event(nil)), item("venues", k.made("/venues", object{"venue": "Hall"}))
	category := item("categories", k.made("/categories", object{"name": "Music"}))
	tag := item("tags", k.made("/tags", object{"name": "open"}))
	terms := "GET, POST, PUT, PATCH, DELETE"
	for path, by := range map[string]map[string]string{
		"/": {"": "GET", "administrator": "GET"}, "/doc": {"editor": "GET"},
		"/events":      {"": "GET", "subscriber": "GET", "contributor": list, "editor": list},
		"/venues":      {"": "GET", "contributor": list},
		"/categories":  {"": "GET", "contributor": "GET", "author": list, "editor": list},
		"/tags":        {"": "GET", "contributor": "GET", "author": "GET", "editor": list},
		own:            {"": "GET", "subscriber": "GET", "contributor": every, "author": "GET", "editor": every},
		theirs:         {"": "GET", "contributor": "GET", "author": "GET", "administrator": every},
		venue:          {"": "GET", "author": "GET", "editor": every},
		category:       {"": "GET", "contributor": "GET", "author": terms, "editor": terms},
		tag:            {"": "GET", "author": "GET", "editor": terms},
		"/events/9999": {"": "GET", "contributor": every, "editor": every},
	} {
		for role, allow := range by {
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
				if got := k.send(request{Method: method, Path: path, As: role}).Header.Get("Allow"); got != allow {
					t.Errorf("%s %s as %q: Allow %s, want %s", method, path, role, got, allow)
				}
			}
		}
	}
	for _, c := range []struct {
		as, path string
		body     object
		status   int
		allow    string
	}{
		{"contributor", theirs, object{"title": "x"}, 403, "GET"}, {"", theirs, object{"title": "x"}, 401, "GET"},
		{"editor", theirs, object{"title": ""}, 400, every}, {"editor", theirs, object{"title": "x"}, 200, every},
		{"subscriber", "/events", times(nil), 403, "GET"}, {"author", "/events", times(nil), 201, list},
		{"author", "/tags", object{"name": "x"}, 403, "GET"},
	} {
		if a := k.post(c.path, c.as, c.body).want(t, c.status, fmt.Sprint(codeOr(c.status))); a.Header.Get("Allow") != c.allow {
			t.Errorf("POST %s as %q: Allow %s, want %s", c.path, c.as, a.Header.Get("Allow"), c.allow)
		}
	}
}

// codeOr is the code of a refusal with a status, as far as these tests meet it.
func codeOr(status int) string {
	return map[int]string{400: "rest_invalid_param", 401: "rest_forbidden", 403: "rest_forbidden"}[status]
}

// TestDetailsOfTypes: details of a refused value are there when its type is all that the
// reference looks at, and are an empty list otherwise (rule 4.1).
func TestDetailsOfTypes(t *testing.T) {
	t.Parallel()
	k := standing(t)
	event, venue := item("events", k.event(nil)), item("venues", k.made("/venues", object{"venue": "Hall"}))
	category := item("categories", k.made("/categories", object{"name": "Music"}))
	for _, c := range []struct {
		path, arg string
		value     any
		detailed  bool
	}{
		{event, "title", nil, true}, {event, "title", 5, false}, {event, "title", "", false}, {event, "title", []int{}, false},
		{event, "sticky", "maybe", true}, {event, "sticky", 2, true}, {event, "all_day", nil, false},
		{event, "start_date", 20270301, true}, {event, "start_date", "never", false}, {event, "status", 5, false}, {event, "status", nil, true},
		{event, "author", "nobody", false}, {event, "author", nil, true}, {event, "timezone", 0, true}, {event, "timezone", "Mars", false},
		{event, "image", "", false}, {event, "image", true, false}, {event, "slug", 5, false}, {event, "website", "x", false},
		{venue, "city", 5, false}, {venue, "city", 0, true}, {venue, "city", false, true}, {venue, "city", []int{}, true}, {venue, "city", []int{1}, false},
		{venue, "venue", nil, true}, {venue, "image", 0, true}, {category, "name", 12, false}, {category, "name", []string{"x"}, false},
		{category, "parent", "music", true}, {category, "parent", -1, true}, {category, "slug", "", false},
	} {
		a := k.patch(c.path, "editor", object{c.arg: c.value})
		if a.Status == 200 && c.value == nil {
			continue // null clears
		}
		a.want(t, 400, "rest_invalid_param")
		if c.detailed {
			a.has(t, "data.details."+c.arg+".code", "rest_invalid_type", "data.details."+c.arg+".data.param", c.arg)
		} else {
			a.has(t, "data.details.#", 0)
		}
	}
}

// TestChangesOfDrafts: what was never dated has no day of its last change until
// it changes.
func TestChangesOfDrafts(t *testing.T) {
	t.Parallel()
	const never = "0000-00-00 00:00:00"
	k := standing(t)
	for _, kind := range []string{"event", "venue", "organizer"} {
		for _, status := range []string{"draft", "pending"} {
			body := valid(kind)
			body["status"] = status
			id := k.post("/"+kind+"s", "editor", body).want(t, 201, "").has(t, "date_utc", never, "modified_utc", never).id()
			path := item(kind+"s", id)
			for n := range 3 { // within one second
				a := k.patch(path, "editor", object{"description": fmt.Sprint("<p>", n, "</p>")}).want(t, 200, "").has(t, "date_utc", never)
				if a.at("modified_utc") == never {
					t.Errorf("%s: change %d has no moment", kind, n)
				}
			}
			k.clock = k.clock.Add(3661e9)
			want := k.clock.UTC().Format("2006-01-02 15:04:05")
			k.patch(path, "editor", object{"excerpt": "x"}).want(t, 200, "").has(t, "date_utc", never, "modified_utc", want)
			k.get(path, "editor").has(t, "modified_utc", want)
		}
	}
	id := k.post("/events", "editor", times(object{"status": "draft"})).id()
	if a := k.del(item("events", id), "editor"); a.at("modified_utc") == never {
		t.Error("the trash has no moment")
	}
}

// TestTermsByWhatPeopleWrite: what is written of a term finds it through its slug.
func TestTermsByWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	k := standing(t)
	k.made("/categories", object{"name": "Homepage", "slug": "public-homepage"})
	k.made("/tags", object{"name": "Live music", "slug": "live"})
	id := k.event(object{"categories": "public-homepage", "tags": "live"})
	for _, filter := range []string{"categories=Public-Homepage", "categories=(public+homepage)", "categories=[public-homepage",
		"categories=PUBLIC.HOMEPAGE!", "categories=Homepage", "tags=LIVE!", "tags=Live+Music", "categories[]=Public+Homepage&tags=live"} {
		k.get("/events?"+filter, "").want(t, 200, "").has(t, "total", 1, "events.0.id", id)
	}
	k.get("/events?categories=home", "").refused(t, "categories")
	k.get("/events?tags=!!!", "").refused(t, "tags")
	k.patch(item("events", id), "editor", object{"categories": []string{"Public Homepage"}, "tags": "Live!"}).want(t, 200, "").
		has(t, "categories.#", 1, "categories.0.slug", "public-homepage", "tags.#", 1, "tags.0.slug", "live")
	k.made("/tags", object{"name": "Other"})
	k.get("/tags?hide_empty=0&include=LIVE", "").has(t, "total", 1, "tags.0.slug", "live")
	k.get("/tags?hide_empty=0&exclude=live", "").has(t, "total", 1, "tags.0.slug", "other")
	k.get("/tags?hide_empty=0&offset=1", "").has(t, "total", 2, "tags.#", 1, "tags.0.slug", "other")
	for _, arg := range []string{"include", "exclude"} {
		for _, value := range []string{"", "0", "nowhere", "live,,other", "99"} {
			k.get("/tags?"+arg+"="+value, "").refused(t, arg)
		}
	}
	k.post("/tags", "editor", object{"name": "x", "slug": ""}).refused(t, "slug")
	k.post("/tags", "editor", object{"name": "x", "slug": "!!!"}).want(t, 201, "").has(t, "slug", "x")
}

// TestTitlesInAttributes: what clients put into an attribute stays in it.
func TestTitlesInAttributes(t *testing.T) {
	t.Parallel()
	k := standing(t)
	const title, shown = `"Best" <of> & more`, `&quot;Best&quot; &lt;of&gt; &amp; more`
	e := k.post("/events", "editor", times(object{"title": title, "description": `<p>a "b"</p>`, "venue": object{"venue": title},
		"organizer": object{"organizer": title, "website": "https://eve.example/"}})).want(t, 201, "").
		has(t, "title", shown, "venue.venue", shown, "organizer.0.organizer", shown, "description", `<p>a "b"</p>`)
	k.patch(item("events", e.id()), "editor", object{"title": shown}).has(t, "title", shown)
	k.get(item("events", e.id()), "").has(t, "json_ld.name", title, "json_ld.organizer.url", "https://eve.example/",
		"json_ld.organizer.sameAs", "https://eve.example/", "json_ld.location.url", "")
}

// TestLinksRepeatTheSearch: links carry a search as it was written.
func TestLinksRepeatTheSearch(t *testing.T) {
	t.Parallel()
	k := standing(t)
	for range 2 {
		k.event(object{"title": "Große Nacht"})
		k.made("/venues", object{"venue": "Große Nacht", "city": fmt.Sprint(k.clock)})
	}
	for _, list := range []string{"/events", "/venues"} {
		a := k.get(list+"?per_page=1&search="+url.QueryEscape(`Große -"Rest Und"`), "")
		if got := fmt.Sprint(a.at("rest_url")); !strings.Contains(got, "search=Gro%C3%9Fe+-%22Rest+Und%22") {
			t.Errorf("%s: %s", list, got)
		}
	}
}
