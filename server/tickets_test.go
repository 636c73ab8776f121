package server_test

import (
	"fmt"
	"testing"
)

func TestTickets(t *testing.T) {
	t.Parallel()
	k := standing(t)
	id := k.event(object{"title": "Concert", "tickets": []object{
		{"name": "Seat & <b>wine</b>", "url": "https://example.org/buy", "price": 12.5, "currency": "eur", "available_from": "2030-01-01 09:00",
			"available_until": "2030-02-28T23:00:00Z", "status": "available"}, {"name": "Standing", "price": "0", "status": "sold_out"}}})
	plain := k.event(object{"title": "Walk"})
	a := k.get(item("events", id), "").want(t, 200, "").has(t, "tickets.#", 2, "tickets.0.price", 12.5, "tickets.0.currency", "EUR",
		"tickets.0.url", "https://example.org/buy", "tickets.0.available_from", "2030-01-01T09:00:00+01:00",
		"tickets.0.available_until", "2030-03-01T00:00:00+01:00", "tickets.1.price", 0, "tickets.1.status", "sold_out", "tickets.1.url", "-")
	a.has(t, "json_ld.offers.#", 2, "json_ld.offers.0.@type", "Offer", "json_ld.offers.0.price", 12.5, "json_ld.offers.0.priceCurrency", "EUR",
		"json_ld.offers.0.url", "https://example.org/buy", "json_ld.offers.1.availability", "SoldOut")
	k.get(item("events", plain), "").has(t, "tickets", "-")
	k.get("/events?ticketed=true", "").has(t, "total", 1, "events.0.id", id)
	k.get("/events?ticketed=0", "").has(t, "total", 1, "events.0.id", plain)
	k.get("/events?ticketed=maybe", "").refused(t, "ticketed")
	k.patch(item("events", id), "editor", object{"tickets": []object{}}).has(t, "tickets", "-")
	k.get("/events?ticketed=true", "").has(t, "total", 0)
	for _, bad := range []any{"x", 5, []any{1}, []any{object{}}, []any{object{"name": ""}}, []any{object{"name": "a", "price": -1}},
		[]any{object{"name": "a", "price": "free"}}, []any{object{"name": "a", "currency": "EURO"}}, []any{object{"name": "a", "status": "maybe"}},
		[]any{object{"name": "a", "url": "javascript:alert(1)"}}, []any{object{"name": "a", "available_from": "never"}}} {
		k.patch(item("events", id), "editor", object{"tickets": bad}).refused(t, "tickets")
	}
}

func TestPostParent(t *testing.T) {
	t.Parallel()
	k := standing(t)
	series := k.event(object{"title": "Series"})
	part := k.event(object{"title": "Part", "post_parent": series})
	k.get(item("events", part), "").has(t, "post_parent", series)
	k.get(item("events", series), "").has(t, "post_parent", "-")
	k.get(query("/events", "post_parent", fmt.Sprint(series)), "").has(t, "total", 1, "events.0.id", part)
	k.get(query("/events", "post_parent", fmt.Sprint(part)), "").has(t, "total", 0)
	venue := k.made("/venues", object{"venue": "V"})
	for _, bad := range []any{999999, venue, "x", -1} {
		k.get(query("/events", "post_parent", fmt.Sprint(bad)), "").refused(t, "post_parent")
		k.post("/events", "editor", times(object{"post_parent": bad})).refused(t, "post_parent")
	}
	k.patch(item("events", part), "editor", object{"post_parent": part}).refused(t, "post_parent")
	k.patch(item("events", part), "editor", object{"post_parent": 0}).want(t, 200, "").has(t, "post_parent", "-")
}

// TestGeoloc: events by where their venues are; only where the plan has it
// (rule 5.9).
func TestGeoloc(t *testing.T) {
	t.Parallel()
	k := standing(t)
	at := func(name string, lat, lng any) string {
		return fmt.Sprint(k.event(object{"title": name, "venue": object{"venue": name, "geo_lat": lat, "geo_lng": lng}}))
	}
	berlin, potsdam, sydney := at("Berlin", 52.52, 13.405), at("Potsdam", "52.4009", 13.0591), at("Sydney", -33.87, 151.21)
	nowhere := fmt.Sprint(k.event(object{"venue": object{"venue": "Nowhere"}}))
	without := fmt.Sprint(k.event(nil))
	for q, want := range map[string]string{
		"geoloc=true":                        berlin + "," + potsdam + "," + sydney,
		"geoloc=false":                       nowhere + "," + without,
		"geoloc_lat=52.52&geoloc_lng=13.405": berlin,
		"geoloc_lat=52.52&geoloc_lng=13.405&geoloc_radius=30":    berlin + "," + potsdam,
		"geoloc_lat=52.52&geoloc_lng=13.405&geoloc_radius=20000": berlin + "," + potsdam + "," + sydney,
		"geoloc_lat=0&geoloc_lng=0":                              "",
		"geoloc_lat=-33.87&geoloc_lng=151.21&geoloc=1":           sydney,
	} {
		if got := k.get("/events?"+q, "").want(t, 200, "").ids("events"); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
	for q, arg := range map[string]string{"geoloc_lat=52": "geoloc_lng", "geoloc_lng=13": "geoloc_lat", "geoloc=maybe": "geoloc",
		"geoloc_lat=91&geoloc_lng=0": "geoloc_lat", "geoloc_lat=x&geoloc_lng=0": "geoloc_lat", "geoloc_lat=0&geoloc_lng=181": "geoloc_lng"} {
		k.get("/events?"+q, "").refused(t, arg)
	}
	k.post("/venues", "editor", object{"venue": "X", "geo_lat": 91, "geo_lng": 0}).refused(t, "geo_lat")
	k.post("/venues", "editor", object{"venue": "X", "geo_lat": 9}).want(t, 400, "rest_invalid_param")
	k.exec("UPDATE sites SET geo = false WHERE slug = 'demo'")
	k.platform.Forget(k.sites["demo"].ID)
	for q, arg := range map[string]string{"geoloc=true": "geoloc", "geoloc=0": "geoloc", "geoloc_lat=52.52&geoloc_lng=13.4": "geoloc_lat"} {
		k.get("/events?"+q, "").refused(t, arg)
	}
}
