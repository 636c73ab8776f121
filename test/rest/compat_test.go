package rest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// reference is the address of the API at which clients of the reference ask.
const reference = "//wp-json/tribe/events/v1"

// TestSlugsOfOtherScripts: at the address of the reference's clients slugs are
// written as in its answers, both forms find, and what was given can be sent back.
func TestSlugsOfOtherScripts(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	const plain, encoded = "東京-мир", "%e6%9d%b1%e4%ba%ac-%d0%bc%d0%b8%d1%80"
	for _, kind := range []string{"event", "venue", "organizer"} {
		list := "/" + kind + "s"
		body := kit.Valid(kind)
		body[nameOf(kind)] = "東京 мир"
		a := k.Post(list, "editor", body).Want(t, 201, "").Has(t, "slug", plain, "url", "http://localhost/"+kind+"/"+encoded+"/")
		path := kit.Item(kind+"s", a.ID())
		k.Get(reference+path, "").Has(t, "slug", encoded, "url", "http://localhost/"+kind+"/"+encoded+"/")
		for _, asked := range []string{encoded, url.PathEscape(encoded), url.PathEscape(plain), strings.ToUpper(encoded)} {
			k.Get(list+"/by-slug/"+asked, "").Want(t, 200, "").Has(t, "id", a.ID(), "slug", plain)
			k.Get(reference+list+"/by-slug/"+asked, "").Want(t, 200, "").Has(t, "id", a.ID(), "slug", encoded)
		}
		k.Patch(reference+path, "editor", kit.Object{"slug": encoded}).Want(t, 200, "").Has(t, "slug", encoded)
		k.Patch(path, "editor", kit.Object{"slug": "%d0%b0%d0%b1"}).Want(t, 200, "").Has(t, "slug", "аб")
	}
	k.Get("//event/"+url.PathEscape("аб")+"/", "").Want(t, 200, "")
	term := k.Post("/categories", "editor", kit.Object{"name": "東京 мир"}).Want(t, 201, "").Has(t, "slug", plain)
	k.Event(kit.Object{"categories": encoded})
	k.Get(reference+"/categories/"+fmt.Sprint(term.ID()), "").Has(t, "slug", encoded, "count", 1, "url", "http://localhost/events/category/"+encoded+"/")
	for _, asked := range []string{encoded, url.QueryEscape(encoded), url.QueryEscape(plain)} {
		k.Get(reference+"/categories?slug="+asked, "").Has(t, "total", 1, "categories.0.slug", encoded)
		k.Get(reference+"/events?categories="+asked, "").Has(t, "total", 1, "events.0.categories.0.slug", encoded)
	}
}

// TestAddressesOfTheProgram: the addresses of a server without pretty ones.
func TestAddressesOfTheProgram(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(nil)
	for _, path := range []string{"//index.php?rest_route=/tribe/events/v1/events/%d", "//index.php/?rest_route=/tribe/events/v1/events/%d",
		"//index.php/wp-json/tribe/events/v1/events/%d", "//INDEX.php/wp-json/tribe/events/v1/events/%d/", "//?rest_route=/tribe/events/v1/events/%d",
		"//de/index.php/wp-json/tribe/events/v1/events/%d"} {
		prefix := ""
		if strings.HasPrefix(path, "//de/") {
			prefix = "/de"
		}
		k.Get(fmt.Sprintf(path, id), "").Want(t, 200, "").
			Has(t, "rest_url", fmt.Sprintf("http://localhost%s/wp-json/tribe/events/v1/events/%d", prefix, id))
	}
	k.Post("//index.php?rest_route=/tribe/events/v1/tags", "editor", kit.Object{"name": "x"}).Want(t, 201, "")
	k.Get(reference+"/doc", "").Want(t, 200, "").Has(t, "servers.0.url", "http://localhost/wp-json/tribe/events/v1/")
	k.Get("/doc", "").Want(t, 200, "").Has(t, "servers.0.url", "http://localhost/calendar/events/v1")
	k.Get("//index.php/wp-json/tribe/events/v1/nothing", "").Want(t, 404, "rest_no_route")
	k.Get("//index.php/events/", "").Want(t, 404, "rest_no_route")
}

// TestPagesNameTheirResource: a page says where the API has what it shows.
func TestPagesNameTheirResource(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	e := k.Post("/events", "editor", kit.Times(kit.Object{"title": "Lake", "categories": "Open Air", "tags": "東京", "venue": kit.Object{"venue": "Pier"},
		"organizer": kit.Object{"organizer": "Eve"}})).Want(t, 201, "")
	const root = "http://localhost/calendar/events/v1"
	for page, rest := range map[string]string{
		"/event/lake/":                       fmt.Sprint("/events/", e.ID()),
		"/events/category/open-air/":         "/events/?categories=open-air",
		"/tag/" + url.PathEscape("東京") + "/": "/events/?tags=%e6%9d%b1%e4%ba%ac",
		"/venue/pier/":                       fmt.Sprint("/events/?venue=", e.At("venue.id")),
		"/organizer/eve/":                    fmt.Sprint("/events/?organizer=", e.At("organizer.0.id")),
		"/events/":                           "/",
	} {
		a := k.Get("/"+page, "").Want(t, 200, "")
		if got := a.Header.Get("X-Tec-Api-Root"); got != root+rest {
			t.Errorf("%s: %s, want %s", page, got, root+rest)
		}
		if page != "/events/" {
			if !strings.Contains(string(a.Raw), `<link rel="alternate" type="application/json" href="`+root+rest+`">`) {
				t.Errorf("%s: no link to %s", page, rest)
			}
			k.Get("/"+strings.TrimPrefix(a.Header.Get("X-Tec-Api-Root"), "http://localhost"), "").Want(t, 200, "")
		}
	}
}

// TestAllow: answers and OPTIONS say what their caller may do at an address.
func TestAllow(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	const every, list = "GET, DELETE, POST, PUT, PATCH", "GET, POST"
	own := kit.Item("events", k.Post("/events", "contributor", kit.Times(nil)).Want(t, 201, "").ID())
	theirs, venue := kit.Item("events", k.Event(nil)), kit.Item("venues", k.Made("/venues", kit.Object{"venue": "Hall"}))
	category := kit.Item("categories", k.Made("/categories", kit.Object{"name": "Music"}))
	tag := kit.Item("tags", k.Made("/tags", kit.Object{"name": "open"}))
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
				if got := k.Send(kit.Request{Method: method, Path: path, As: role}).Header.Get("Allow"); got != allow {
					t.Errorf("%s %s as %q: Allow %s, want %s", method, path, role, got, allow)
				}
			}
		}
	}
	for _, c := range []struct {
		as, path string
		body     kit.Object
		status   int
		allow    string
	}{
		{"contributor", theirs, kit.Object{"title": "x"}, 403, "GET"}, {"", theirs, kit.Object{"title": "x"}, 401, "GET"},
		{"editor", theirs, kit.Object{"title": ""}, 400, every}, {"editor", theirs, kit.Object{"title": "x"}, 200, every},
		{"subscriber", "/events", kit.Times(nil), 403, "GET"}, {"author", "/events", kit.Times(nil), 201, list},
		{"author", "/tags", kit.Object{"name": "x"}, 403, "GET"},
	} {
		if a := k.Post(c.path, c.as, c.body).Want(t, c.status, fmt.Sprint(codeOr(c.status))); a.Header.Get("Allow") != c.allow {
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
	k := kit.NewWithFixedClock(t)
	event, venue := kit.Item("events", k.Event(nil)), kit.Item("venues", k.Made("/venues", kit.Object{"venue": "Hall"}))
	category := kit.Item("categories", k.Made("/categories", kit.Object{"name": "Music"}))
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
		a := k.Patch(c.path, "editor", kit.Object{c.arg: c.value})
		if a.Status == 200 && c.value == nil {
			continue // null clears
		}
		a.Want(t, 400, "rest_invalid_param")
		if c.detailed {
			a.Has(t, "data.details."+c.arg+".code", "rest_invalid_type", "data.details."+c.arg+".data.param", c.arg)
		} else {
			a.Has(t, "data.details.#", 0)
		}
	}
}

// TestChangesOfDrafts: what was never dated has no day of its last change until
// it changes.
func TestChangesOfDrafts(t *testing.T) {
	t.Parallel()
	const never = "0000-00-00 00:00:00"
	k := kit.NewWithFixedClock(t)
	for _, kind := range []string{"event", "venue", "organizer"} {
		for _, status := range []string{"draft", "pending"} {
			body := kit.Valid(kind)
			body["status"] = status
			id := k.Post("/"+kind+"s", "editor", body).Want(t, 201, "").Has(t, "date_utc", never, "modified_utc", never).ID()
			path := kit.Item(kind+"s", id)
			for n := range 3 { // within one second
				a := k.Patch(path, "editor", kit.Object{"description": fmt.Sprint("<p>", n, "</p>")}).Want(t, 200, "").Has(t, "date_utc", never)
				if a.At("modified_utc") == never {
					t.Errorf("%s: change %d has no moment", kind, n)
				}
			}
			k.Clock = k.Clock.Add(3661e9)
			want := k.Clock.UTC().Format("2006-01-02 15:04:05")
			k.Patch(path, "editor", kit.Object{"excerpt": "x"}).Want(t, 200, "").Has(t, "date_utc", never, "modified_utc", want)
			k.Get(path, "editor").Has(t, "modified_utc", want)
		}
	}
	id := k.Post("/events", "editor", kit.Times(kit.Object{"status": "draft"})).ID()
	if a := k.Del(kit.Item("events", id), "editor"); a.At("modified_utc") == never {
		t.Error("the trash has no moment")
	}
}

// TestTermsByWhatPeopleWrite: what is written of a term finds it through its slug.
func TestTermsByWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.Made("/categories", kit.Object{"name": "Homepage", "slug": "public-homepage"})
	k.Made("/tags", kit.Object{"name": "Live music", "slug": "live"})
	id := k.Event(kit.Object{"categories": "public-homepage", "tags": "live"})
	for _, filter := range []string{"categories=Public-Homepage", "categories=(public+homepage)", "categories=[public-homepage",
		"categories=PUBLIC.HOMEPAGE!", "categories=Homepage", "tags=LIVE!", "tags=Live+Music", "categories[]=Public+Homepage&tags=live"} {
		k.Get("/events?"+filter, "").Want(t, 200, "").Has(t, "total", 1, "events.0.id", id)
	}
	k.Get("/events?categories=home", "").Refused(t, "categories")
	k.Get("/events?tags=!!!", "").Refused(t, "tags")
	k.Patch(kit.Item("events", id), "editor", kit.Object{"categories": []string{"Public Homepage"}, "tags": "Live!"}).Want(t, 200, "").
		Has(t, "categories.#", 1, "categories.0.slug", "public-homepage", "tags.#", 1, "tags.0.slug", "live")
	k.Made("/tags", kit.Object{"name": "Other"})
	k.Get("/tags?hide_empty=0&include=LIVE", "").Has(t, "total", 1, "tags.0.slug", "live")
	k.Get("/tags?hide_empty=0&exclude=live", "").Has(t, "total", 1, "tags.0.slug", "other")
	k.Get("/tags?hide_empty=0&offset=1", "").Has(t, "total", 2, "tags.#", 1, "tags.0.slug", "other")
	for _, arg := range []string{"include", "exclude"} {
		for _, value := range []string{"", "0", "nowhere", "live,,other", "99"} {
			k.Get("/tags?"+arg+"="+value, "").Refused(t, arg)
		}
	}
	k.Post("/tags", "editor", kit.Object{"name": "x", "slug": ""}).Refused(t, "slug")
	k.Post("/tags", "editor", kit.Object{"name": "x", "slug": "!!!"}).Want(t, 201, "").Has(t, "slug", "x")
}

// TestTitlesInAttributes: what clients put into an attribute stays in it.
func TestTitlesInAttributes(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	const title, shown = `"Best" <of> & more`, `&quot;Best&quot; &lt;of&gt; &amp; more`
	e := k.Post("/events", "editor", kit.Times(kit.Object{"title": title, "description": `<p>a "b"</p>`, "venue": kit.Object{"venue": title},
		"organizer": kit.Object{"organizer": title, "website": "https://eve.example/"}})).Want(t, 201, "").
		Has(t, "title", shown, "venue.venue", shown, "organizer.0.organizer", shown, "description", `<p>a "b"</p>`)
	k.Patch(kit.Item("events", e.ID()), "editor", kit.Object{"title": shown}).Has(t, "title", shown)
	k.Get(kit.Item("events", e.ID()), "").Has(t, "json_ld.name", title, "json_ld.organizer.url", "https://eve.example/",
		"json_ld.organizer.sameAs", "https://eve.example/", "json_ld.location.url", "")
}

// TestLinksRepeatTheSearch: links carry a search as it was written.
func TestLinksRepeatTheSearch(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for range 2 {
		k.Event(kit.Object{"title": "Große Nacht"})
		k.Made("/venues", kit.Object{"venue": "Große Nacht", "city": fmt.Sprint(k.Clock)})
	}
	for _, list := range []string{"/events", "/venues"} {
		a := k.Get(list+"?per_page=1&search="+url.QueryEscape(`Große -"Rest Und"`), "")
		if got := fmt.Sprint(a.At("rest_url")); !strings.Contains(got, "search=Gro%C3%9Fe+-%22Rest+Und%22") {
			t.Errorf("%s: %s", list, got)
		}
	}
}
