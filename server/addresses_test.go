package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestAddresses reads one event under every address it has (rule 1.1).
func TestAddresses(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.Event(kit.Object{"title": "Same Title"})
	const own, wordpress = "/calendar/events/v1", "/wp-json/tribe/events/v1"
	for path, root := range map[string]string{
		own + "/events/%d":                                own,
		wordpress + "/events/%d":                          wordpress,
		"/de" + own + "/events/%d":                        "/de" + own,
		"/fr" + wordpress + "/events/%d":                  "/fr" + wordpress,
		"/?rest_route=/tribe/events/v1/events/%d":         wordpress,
		own + "/events/%d/":                               own,
		own + "/events/%d//":                              own,
		own + "/Events/%d":                                own,
		"/CALENDAR/Events/V1/EVENTS/%d":                   own,
		own + "/events/000%d":                             own,
		own + "/events/by-slug/same-title?x=%d":           own,
		own + "/events/by-slug/Same%%20Title/?x=%d":       own,
		own + "/events/by-slug/S%%C3%%A1me.Title?id=%d":   own,
		own + "/events/%d?_fields=id,global_id,rest_url":  own,
		wordpress + "/events/%d/?_fields=id,rest_url,url": wordpress,
	} {
		path = fmt.Sprintf(path, id)
		a := k.Get("/"+path, "").Want(t, 200, "").Has(t, "id", id)
		if want := fmt.Sprintf("http://localhost%s/events/%d", root, id); a.At("rest_url") != want {
			t.Errorf("%s: rest_url %v, want %s", path, a.At("rest_url"), want)
		}
	}
}

func TestNoSuchAddress(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Event(nil)
	for path, code := range map[string]string{
		"//events":                           "rest_no_route",
		"/events/1.0":                        "rest_no_route",
		"/events/+1":                         "rest_no_route",
		"/events/abc":                        "rest_no_route",
		"/events/by-slug":                    "rest_no_route",
		"/events/by-slug/":                   "rest_no_route",
		"/events/by-slug/a/b":                "rest_no_route",
		"/events/1/2":                        "rest_no_route",
		"/nothing":                           "rest_no_route",
		"/tags/by-slug/x":                    "rest_no_route",
		"/categories/x":                      "rest_no_route",
		"/events/0":                          "rest-event-not-found",
		"/events/999999":                     "rest-event-not-found",
		"/events/9223372036854775807":        "rest-event-not-found",
		"/events/9223372036854775808":        "rest-event-not-found",
		"/events/99999999999999999999999999": "rest-event-not-found",
		"/events/by-slug/none-such":          "rest-event-not-found",
		"/events/by-slug/---":                "rest-event-not-found",
		"/venues/99999999999999999999":       "rest-venue-not-found",
		"/venues/by-slug/none-such":          "rest-venue-not-found",
		"/venues/1":                          "rest-venue-not-found", // an event's
		"/organizers/0":                      "rest-organizer-not-found",
		"/organizers/by-slug/x":              "rest-organizer-not-found",
		"/categories/999":                    "rest_term_invalid",
		"/tags/0":                            "rest_term_invalid",
	} {
		if path == "//events" {
			path = "//calendar/events/v1//events"
		}
		k.Get(path, "administrator").Want(t, 404, code)
	}
	venue := k.Made("/venues", kit.Object{"venue": "V"})
	k.Get(kit.Item("events", venue), "").Want(t, 400, "rest-invalid-event-id")
	k.Patch(kit.Item("events", venue), "administrator", kit.Object{"title": "x"}).Want(t, 400, "rest-invalid-event-id")
	k.Del(kit.Item("events", venue), "administrator").Want(t, 400, "rest-invalid-event-id")
}

// TestLinksKeepAddress checks that every address in a response begins like that of the request.
func TestLinksKeepAddress(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	parent := k.Made("/categories", kit.Object{"name": "Top"})
	cat := k.Made("/categories", kit.Object{"name": "Below", "parent": parent})
	for range 3 {
		k.Event(kit.Object{"categories": []int64{cat}})
	}
	for _, root := range []string{"/calendar/events/v1", "/es/calendar/events/v1", "/wp-json/tribe/events/v1", "/de/wp-json/tribe/events/v1"} {
		base := "http://localhost" + root
		a := k.Get("/"+root+"/events?per_page=1&page=2", "").Want(t, 200, "")
		for _, path := range []string{"rest_url", "next_rest_url", "previous_rest_url", "events.0.rest_url",
			"events.0.categories.0.urls.self", "events.0.categories.0.urls.collection", "events.0.categories.0.urls.up"} {
			if text, _ := a.At(path).(string); !strings.HasPrefix(text, base+"/") {
				t.Errorf("%s: %s is %q", root, path, text)
			}
		}
		if link := a.Header.Get("Link"); strings.Count(link, "<"+base+"/events/?") != 2 {
			t.Errorf("%s: Link %s", root, link)
		}
		categories, tags := base+"/categories", base+"/tags"
		if before, tec := strings.CutSuffix(base, "/tribe/events/v1"); tec { // TEC's own links lead to WordPress' collections
			categories, tags = before+"/wp/v2/tribe_events_cat", before+"/wp/v2/tags"
		}
		term := k.Get("/"+root+kit.Item("categories", cat), "").Has(t, "_links.self.0.href", fmt.Sprintf("%s/%d", categories, cat))
		term.Has(t, "urls.up", base+kit.Item("categories", parent))
		made := k.Send(kit.Request{Method: "POST", Path: "/" + root + "/tags", As: "administrator", JSON: kit.Object{"name": root}})
		if at := made.Header.Get("Location"); at != fmt.Sprintf("%s/%d", tags, made.ID()) {
			t.Errorf("%s: Location %s", root, at)
		}
		namespace := strings.TrimPrefix(root[strings.Index(root, "events/v1")-9:], "/")
		if got := k.Get("/"+root+"/", "").At("namespace"); !strings.HasSuffix(namespace, fmt.Sprint(got)) {
			t.Errorf("%s: namespace %v", root, got)
		}
	}
}

func TestSiteByHost(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Site("second")
	id := k.Event(nil)
	k.Get(kit.Item("events", id), "").Want(t, 200, "")
	k.Send(kit.Request{Method: "GET", Path: kit.Item("events", id), Site: "demo"}).Want(t, 200, "").
		Has(t, "global_id", fmt.Sprintf("demo.localhost?id=%d", id))
	k.Send(kit.Request{Method: "GET", Path: kit.Item("events", id), Site: "second"}).Want(t, 404, "rest-event-not-found")
	// another site's password is none here
	k.Secrets["second/borrowed"] = k.Secrets["demo/administrator"]
	k.Send(kit.Request{Method: "GET", Path: "/events", Site: "second", As: "borrowed"}).Want(t, 401, "rest_invalid_credentials")
}
