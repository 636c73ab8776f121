package rest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// TestPasswords: an event is protected, read with its password, and opened
// again (rules 3.11, 8.5).
func TestPasswords(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"title": "Party", "post_password": "sesame", "author": 3})
	path, slug := kit.Item("events", id), "/events/by-slug/party"
	for _, at := range []string{path, slug} {
		for _, role := range []string{"", "subscriber", "contributor"} {
			k.Clock = k.Clock.Add(time.Minute) // so many guesses are no guesses
			k.Get(at, role).Want(t, 403, "event-password-protected")
			k.Get(kit.Query(at, "password", "wrong"), role).Want(t, 403, "event-password-protected")
			k.Get(kit.Query(at, "password", "Sesame"), role).Want(t, 403, "event-password-protected")
			k.Get(kit.Query(at, "password", "sesame"), role).Want(t, 200, "").Has(t, "json_ld.name", "Party")
		}
		for _, role := range []string{"author", "editor", "administrator"} {
			k.Get(at, role).Want(t, 200, "").Has(t, "title", "Party")
		}
	}
	// what a write says of its password changes nothing
	k.Patch(path, "editor", kit.Object{"password": "other", "title": "Party!"}).Want(t, 200, "").Has(t, "title", "Party!")
	k.Get(kit.Query(path, "password", "other"), "").Want(t, 403, "event-password-protected")
	k.Patch(path, "editor", kit.Object{"post_password": "other"}).Want(t, 200, "")
	k.Get(kit.Query(path, "password", "sesame"), "").Want(t, 403, "event-password-protected")
	k.Get(kit.Query(path, "password", "other"), "").Want(t, 200, "")
	for _, open := range []any{nil, ""} {
		k.Patch(path, "editor", kit.Object{"post_password": "x"}).Want(t, 200, "")
		k.Get(path, "").Want(t, 403, "event-password-protected")
		k.Patch(path, "editor", kit.Object{"post_password": open}).Want(t, 200, "")
		k.Get(path, "").Want(t, 200, "")
	}
	k.Post("/events", "", kit.Times(kit.Object{"post_password": "x"})).Want(t, 401, "rest_forbidden")
}

// TestMasking: lists show a protected event without its contents.
func TestMasking(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"title": "Party", "post_password": "sesame", "description": "hidden one", "excerpt": "hidden two",
		"website": "https://hidden.example/", "cost": "5", "all_day": true, "show_map": true, "show_map_link": true, "sticky": true, "featured": true,
		"categories": "hidden three", "tags": "hidden four", "venue": kit.Object{"venue": "hidden five"}, "organizer": kit.Object{"organizer": "hidden six"},
		"tickets": []kit.Object{{"name": "hidden seven"}}})
	k.Event(kit.Object{"title": "Open", "description": "hidden not"})
	for _, role := range []string{"", "subscriber", "author"} {
		a := k.Get("/events", role).Want(t, 200, "").Has(t, "total", 2, "events.0.title", "Party", "events.0.slug", "party",
			"events.0.start_date", "2030-03-01 00:00:00", "events.0.timezone", "Europe/Berlin", "events.0.author", 1,
			"events.0.description", "", "events.0.excerpt", "", "events.0.website", "", "events.0.cost", "", "events.0.image", false,
			"events.0.cost_details", "map[currency_code: currency_position: currency_symbol: values:[]]",
			"events.0.categories.#", 0, "events.0.tags.#", 0, "events.0.venue.#", 0, "events.0.organizer.#", 0, "events.0.custom_fields.#", 0,
			"events.0.tickets", "-", "events.0.json_ld", "-")
		for _, flag := range []string{"all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured"} {
			a.Has(t, "events.0."+flag, nil)
		}
		if n := strings.Count(string(a.Raw), "hidden"); n != 1 { // the open event's
			t.Errorf("%q sees %d times hidden: %s", role, n, a)
		}
		k.Get("/events?password=sesame", role).Has(t, "events.0.venue.venue", "hidden five", "events.0.featured", true)
		k.Get("/events?password=wrong", role).Has(t, "events.0.venue.#", 0)
	}
	k.Get("/events", "editor").Has(t, "events.0.venue.venue", "hidden five")
	for _, q := range []string{"party", "hidden", `"hidden one"`, "-nonsense", "open"} {
		a := k.Get(kit.Query("/events", "search", q), "")
		if strings.Contains(","+a.IDs("events")+",", fmt.Sprintf(",%d,", id)) {
			t.Errorf("search %s finds the protected event", q)
		}
	}
	k.Get("/events?search=party", "editor").Has(t, "events.0.id", id)
	if a := k.Get("/events?password=sesame", ""); strings.Contains(fmt.Sprint(a.At("rest_url")), "sesame") {
		t.Error("the password is in the links")
	}
}

// TestUnseenEventsAreNoFilter: has_events tells nobody of events that are not theirs to see.
func TestUnseenEventsAreNoFilter(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Post("/events", "author", kit.Times(kit.Object{"title": "Private party", "status": "publish", "venue": kit.Object{"venue": "Cellar"},
		"organizer": kit.Object{"organizer": "Eve"}})).Want(t, 201, "")
	k.Change("demo", "UPDATE events SET status = 'private'")
	k.Change("demo", "UPDATE venues SET status = 'publish'")
	k.Change("demo", "UPDATE organizers SET status = 'publish'")
	for role, want := range map[string]int{"": 0, "subscriber": 0, "contributor": 0, "author": 1, "editor": 1} {
		for _, list := range []string{"/venues", "/organizers"} {
			k.Get(list+"?has_events=true", role).Has(t, "total", want)
			k.Get(list+"?has_events=false", role).Has(t, "total", 1-want)
		}
	}
}

// TestMaskedFilters: what a mask hides is nothing to find an event by, in lists of
// events as in lists of what belongs to them.
func TestMaskedFilters(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"title": "Party", "post_password": "sesame", "featured": true, "attendance_mode": "online", "categories": "secret", "tags": "hidden",
		"venue": kit.Object{"venue": "Cellar", "geo_lat": 50, "geo_lng": 7}, "organizer": kit.Object{"organizer": "Eve"},
		"tickets": []kit.Object{{"name": "Ticket"}}})
	e := k.Get(kit.Item("events", id), "editor")
	venue, organizer := e.At("venue.id"), e.At("organizer.0.id")
	found := func(role string, want int, more string) {
		t.Helper()
		for _, filter := range []string{"categories=secret", "tags=hidden", fmt.Sprint("venue=", venue), fmt.Sprint("organizer=", organizer),
			"featured=true", "ticketed=true", "geoloc=true", "geoloc_lat=50&geoloc_lng=7", "search=party",
			"attendance_mode=online"} {
			k.Clock = k.Clock.Add(time.Minute) // so many guesses are no guesses
			if a := k.Get("/events?"+filter+more, role).Want(t, 200, ""); fmt.Sprint(a.At("total")) != fmt.Sprint(want) {
				t.Errorf("%q finds %v by %s%s, want %d", role, a.At("total"), filter, more, want)
			}
		}
		for _, filter := range []string{"featured=false", "ticketed=false", "geoloc=false", "attendance_mode=offline"} {
			k.Get("/events?"+filter, role).Has(t, "total", 0)
		}
		if more != "" {
			return
		}
		for _, list := range []string{"/venues?event=%d", "/organizers?event=%d", "/categories?event=%d", "/tags?event=%d", "/tags?post=%d"} {
			if a := k.Get(fmt.Sprintf(list, id), role).Want(t, 200, ""); fmt.Sprint(a.At("total")) != fmt.Sprint(want) {
				t.Errorf("%q: %s has %v, want %d", role, list, a.At("total"), want)
			}
		}
		for _, list := range []string{"/venues", "/organizers"} {
			k.Get(list+"?has_events=true", role).Has(t, "total", want)
			k.Get(list+"?has_events=false", role).Has(t, "total", 1-want)
			k.Get(list+"?only_with_upcoming=true", role).Has(t, "total", want)
		}
	}
	for _, role := range []string{"", "subscriber", "contributor", "author"} {
		found(role, 0, "")
		found(role, 0, "&password=Sesame")
		found(role, 1, "&password=sesame")
		k.Get("/events", role).Has(t, "total", 1)
	}
	for _, role := range []string{"editor", "administrator"} {
		found(role, 1, "")
	}
	k.Patch(kit.Item("events", id), "editor", kit.Object{"author": 3}).Want(t, 200, "")
	found("author", 1, "")
	k.Patch(kit.Item("events", id), "editor", kit.Object{"author": 4}).Want(t, 200, "")
	found("author", 0, "")
	found("contributor", 0, "") // may not edit it while it is published
	k.Patch(kit.Item("events", id), "editor", kit.Object{"status": "draft"}).Want(t, 200, "")
	k.Get("/events?categories=secret", "contributor").Has(t, "total", 1)
	k.Get(fmt.Sprint("/venues?event=", id), "contributor").Has(t, "total", 1)
}

// TestMaskedSeries: a mask hides that an event happens more than once, and so do the
// filters by which series are found.
func TestMaskedSeries(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"title": "Party", "post_password": "sesame", "recurrence": kit.Object{"every": "day", "count": 3}})
	for role, total := range map[string]int{"": 0, "subscriber": 0, "contributor": 0, "author": 0, "editor": 3} {
		k.Clock = k.Clock.Add(time.Minute)
		for _, filter := range []string{"recurring=true", fmt.Sprint("series=", id)} {
			k.Get("/events?"+filter, role).Want(t, 200, "").Has(t, "total", total)
			k.Get("/events?password=sesame&"+filter, role).Want(t, 200, "").Has(t, "total", 3)
			k.Get("/events?password=wrong&"+filter, role).Want(t, 200, "").Has(t, "total", total)
		}
		k.Get("/events", role).Has(t, "total", 3)
		k.Get("/events?recurring=false", role).Has(t, "total", 0)
	}
}
