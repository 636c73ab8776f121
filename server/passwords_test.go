package server_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestPasswords: an event is protected, read with its password, and opened
// again (rules 3.11, 8.5).
func TestPasswords(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.event(object{"title": "Party", "post_password": "sesame", "author": 3})
	path, slug := item("events", id), "/events/by-slug/party"
	for _, at := range []string{path, slug} {
		for _, role := range []string{"", "subscriber", "contributor"} {
			k.clock = k.clock.Add(time.Minute) // so many guesses are no guesses
			k.get(at, role).want(t, 403, "event-password-protected")
			k.get(query(at, "password", "wrong"), role).want(t, 403, "event-password-protected")
			k.get(query(at, "password", "Sesame"), role).want(t, 403, "event-password-protected")
			k.get(query(at, "password", "sesame"), role).want(t, 200, "").has(t, "json_ld.name", "Party")
		}
		for _, role := range []string{"author", "editor", "administrator"} {
			k.get(at, role).want(t, 200, "").has(t, "title", "Party")
		}
	}
	// what a write says of its password changes nothing
	k.patch(path, "editor", object{"password": "other", "title": "Party!"}).want(t, 200, "").has(t, "title", "Party!")
	k.get(query(path, "password", "other"), "").want(t, 403, "event-password-protected")
	k.patch(path, "editor", object{"post_password": "other"}).want(t, 200, "")
	k.get(query(path, "password", "sesame"), "").want(t, 403, "event-password-protected")
	k.get(query(path, "password", "other"), "").want(t, 200, "")
	for _, open := range []any{nil, ""} {
		k.patch(path, "editor", object{"post_password": "x"}).want(t, 200, "")
		k.get(path, "").want(t, 403, "event-password-protected")
		k.patch(path, "editor", object{"post_password": open}).want(t, 200, "")
		k.get(path, "").want(t, 200, "")
	}
	k.post("/events", "", times(object{"post_password": "x"})).want(t, 401, "rest_forbidden")
}

// TestMasking: lists show a protected event without its contents.
func TestMasking(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.event(object{"title": "Party", "post_password": "sesame", "description": "hidden one", "excerpt": "hidden two",
		"website": "https://hidden.example/", "cost": "5", "all_day": true, "show_map": true, "show_map_link": true, "sticky": true, "featured": true,
		"categories": "hidden three", "tags": "hidden four", "venue": object{"venue": "hidden five"}, "organizer": object{"organizer": "hidden six"},
		"tickets": []object{{"name": "hidden seven"}}})
	k.event(object{"title": "Open", "description": "hidden not"})
	for _, role := range []string{"", "subscriber", "author"} {
		a := k.get("/events", role).want(t, 200, "").has(t, "total", 2, "events.0.title", "Party", "events.0.slug", "party",
			"events.0.start_date", "2030-03-01 00:00:00", "events.0.timezone", "Europe/Berlin", "events.0.author", 1,
			"events.0.description", "", "events.0.excerpt", "", "events.0.website", "", "events.0.cost", "", "events.0.image", false,
			"events.0.cost_details", "map[currency_code: currency_position: currency_symbol: values:[]]",
			"events.0.categories.#", 0, "events.0.tags.#", 0, "events.0.venue.#", 0, "events.0.organizer.#", 0, "events.0.custom_fields.#", 0,
			"events.0.tickets", "-", "events.0.json_ld", "-")
		for _, flag := range []string{"all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured"} {
			a.has(t, "events.0."+flag, nil)
		}
		if n := strings.Count(string(a.Raw), "hidden"); n != 1 { // the open event's
			t.Errorf("%q sees %d times hidden: %s", role, n, a)
		}
		k.get("/events?password=sesame", role).has(t, "events.0.venue.venue", "hidden five", "events.0.featured", true)
		k.get("/events?password=wrong", role).has(t, "events.0.venue.#", 0)
	}
	k.get("/events", "editor").has(t, "events.0.venue.venue", "hidden five")
	for _, q := range []string{"party", "hidden", `"hidden one"`, "-nonsense", "open"} {
		a := k.get(query("/events", "search", q), "")
		if strings.Contains(","+a.ids("events")+",", fmt.Sprintf(",%d,", id)) {
			t.Errorf("search %s finds the protected event", q)
		}
	}
	k.get("/events?search=party", "editor").has(t, "events.0.id", id)
	if a := k.get("/events?password=sesame", ""); strings.Contains(fmt.Sprint(a.at("rest_url")), "sesame") {
		t.Error("the password is in the links")
	}
}

// TestMaskedFilters: what a mask hides is nothing to find an event by, in lists of
// events as in lists of what belongs to them.
func TestMaskedFilters(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.event(object{"title": "Party", "post_password": "sesame", "featured": true, "attendance_mode": "online", "categories": "secret", "tags": "hidden",
		"venue": object{"venue": "Cellar", "geo_lat": 50, "geo_lng": 7}, "organizer": object{"organizer": "Eve"},
		"tickets": []object{{"name": "Ticket"}}})
	e := k.get(item("events", id), "editor")
	venue, organizer := e.at("venue.id"), e.at("organizer.0.id")
	found := func(role string, want int, more string) {
		t.Helper()
		for _, filter := range []string{"categories=secret", "tags=hidden", fmt.Sprint("venue=", venue), fmt.Sprint("organizer=", organizer),
			"featured=true", "ticketed=true", "geoloc=true", "geoloc_lat=50&geoloc_lng=7", "search=party",
			"attendance_mode=online"} {
			k.clock = k.clock.Add(time.Minute) // so many guesses are no guesses
			if a := k.get("/events?"+filter+more, role).want(t, 200, ""); fmt.Sprint(a.at("total")) != fmt.Sprint(want) {
				t.Errorf("%q finds %v by %s%s, want %d", role, a.at("total"), filter, more, want)
			}
		}
		for _, filter := range []string{"featured=false", "ticketed=false", "geoloc=false", "attendance_mode=offline"} {
			k.get("/events?"+filter, role).has(t, "total", 0)
		}
		if more != "" {
			return
		}
		for _, list := range []string{"/venues?event=%d", "/organizers?event=%d", "/categories?event=%d", "/tags?event=%d", "/tags?post=%d"} {
			if a := k.get(fmt.Sprintf(list, id), role).want(t, 200, ""); fmt.Sprint(a.at("total")) != fmt.Sprint(want) {
				t.Errorf("%q: %s has %v, want %d", role, list, a.at("total"), want)
			}
		}
		for _, list := range []string{"/venues", "/organizers"} {
			k.get(list+"?has_events=true", role).has(t, "total", want)
			k.get(list+"?has_events=false", role).has(t, "total", 1-want)
			k.get(list+"?only_with_upcoming=true", role).has(t, "total", want)
		}
	}
	for _, role := range []string{"", "subscriber", "contributor", "author"} {
		found(role, 0, "")
		found(role, 0, "&password=Sesame")
		found(role, 1, "&password=sesame")
		k.get("/events", role).has(t, "total", 1)
	}
	for _, role := range []string{"editor", "administrator"} {
		found(role, 1, "")
	}
	k.patch(item("events", id), "editor", object{"author": 3}).want(t, 200, "")
	found("author", 1, "")
	k.patch(item("events", id), "editor", object{"author": 4}).want(t, 200, "")
	found("author", 0, "")
	found("contributor", 0, "") // may not edit it while it is published
	k.patch(item("events", id), "editor", object{"status": "draft"}).want(t, 200, "")
	k.get("/events?categories=secret", "contributor").has(t, "total", 1)
	k.get(fmt.Sprint("/venues?event=", id), "contributor").has(t, "total", 1)
}

// TestMaskedSeries: a mask hides that an event happens more than once, and so do the
// filters by which series are found.
func TestMaskedSeries(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.event(object{"title": "Party", "post_password": "sesame", "recurrence": object{"every": "day", "count": 3}})
	for role, total := range map[string]int{"": 0, "subscriber": 0, "contributor": 0, "author": 0, "editor": 3} {
		k.clock = k.clock.Add(time.Minute)
		for _, filter := range []string{"recurring=true", fmt.Sprint("series=", id)} {
			k.get("/events?"+filter, role).want(t, 200, "").has(t, "total", total)
			k.get("/events?password=sesame&"+filter, role).want(t, 200, "").has(t, "total", 3)
			k.get("/events?password=wrong&"+filter, role).want(t, 200, "").has(t, "total", total)
		}
		k.get("/events", role).has(t, "total", 3)
		k.get("/events?recurring=false", role).has(t, "total", 0)
	}
}
