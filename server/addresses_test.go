package server_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestAddresses reads one event under every address it has (rule 1.1).
func TestAddresses(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	id := k.event(object{"title": "Same Title"})
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
		a := k.get("/"+path, "").want(t, 200, "").has(t, "id", id)
		if want := fmt.Sprintf("http://localhost%s/events/%d", root, id); a.at("rest_url") != want {
			t.Errorf("%s: rest_url %v, want %s", path, a.at("rest_url"), want)
		}
	}
}

func TestNoSuchAddress(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.event(nil)
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
		k.get(path, "administrator").want(t, 404, code)
	}
	venue := k.made("/venues", object{"venue": "V"})
	k.get(item("events", venue), "").want(t, 400, "rest-invalid-event-id")
	k.patch(item("events", venue), "administrator", object{"title": "x"}).want(t, 400, "rest-invalid-event-id")
	k.del(item("events", venue), "administrator").want(t, 400, "rest-invalid-event-id")
}

// TestLinksKeepAddress looks at every address in an answer: each begins as the
// request's did.
func TestLinksKeepAddress(t *testing.T) {
	t.Parallel()
	k := standing(t)
	parent := k.made("/categories", object{"name": "Top"})
	cat := k.made("/categories", object{"name": "Below", "parent": parent})
	for range 3 {
		k.event(object{"categories": []int64{cat}})
	}
	for _, root := range []string{"/calendar/events/v1", "/es/calendar/events/v1", "/wp-json/tribe/events/v1", "/de/wp-json/tribe/events/v1"} {
		base := "http://localhost" + root
		a := k.get("/"+root+"/events?per_page=1&page=2", "").want(t, 200, "")
		for _, path := range []string{"rest_url", "next_rest_url", "previous_rest_url", "events.0.rest_url",
			"events.0.categories.0.urls.self", "events.0.categories.0.urls.collection", "events.0.categories.0.urls.up"} {
			if text, _ := a.at(path).(string); !strings.HasPrefix(text, base+"/") {
				t.Errorf("%s: %s is %q", root, path, text)
			}
		}
		if link := a.Header.Get("Link"); strings.Count(link, "<"+base+"/events/?") != 2 {
			t.Errorf("%s: Link %s", root, link)
		}
		term := k.get("/"+root+item("categories", cat), "").has(t, "_links.self.0.href", base+item("categories", cat))
		term.has(t, "urls.up", base+item("categories", parent))
		made := k.send(request{Method: "POST", Path: "/" + root + "/tags", As: "administrator", JSON: object{"name": root}})
		if at := made.Header.Get("Location"); at != base+item("tags", made.id()) {
			t.Errorf("%s: Location %s", root, at)
		}
		namespace := strings.TrimPrefix(root[strings.Index(root, "events/v1")-9:], "/")
		if got := k.get("/"+root+"/", "").at("namespace"); !strings.HasSuffix(namespace, fmt.Sprint(got)) {
			t.Errorf("%s: namespace %v", root, got)
		}
	}
}

func TestSiteByHost(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.site("second")
	id := k.event(nil)
	k.get(item("events", id), "").want(t, 200, "")
	k.send(request{Method: "GET", Path: item("events", id), Site: "demo"}).want(t, 200, "").
		has(t, "global_id", fmt.Sprintf("demo.localhost?id=%d", id))
	k.send(request{Method: "GET", Path: item("events", id), Site: "second"}).want(t, 404, "rest-event-not-found")
	// another site's password is none here
	k.secrets["second/borrowed"] = k.secrets["demo/administrator"]
	k.send(request{Method: "GET", Path: "/events", Site: "second", As: "borrowed"}).want(t, 401, "rest_invalid_credentials")
}
