package rest

import (
	"fmt"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestTickets(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"title": "Concert", "tickets": []kit.Object{
		{"name": "Seat & <b>wine</b>", "url": "https://example.org/buy", "price": 12.5, "currency": "eur", "available_from": "2030-01-01 09:00",
			"available_until": "2030-02-28T23:00:00Z", "status": "available"}, {"name": "Standing", "price": "0", "status": "sold_out"}}})
	plain := k.Event(kit.Object{"title": "Walk"})
	a := k.Get(kit.Item("events", id), "").Want(t, 200, "").Has(t, "tickets.#", 2, "tickets.0.price", 12.5, "tickets.0.currency", "EUR",
		"tickets.0.url", "https://example.org/buy", "tickets.0.available_from", "2030-01-01T09:00:00+01:00",
		"tickets.0.available_until", "2030-03-01T00:00:00+01:00", "tickets.1.price", 0, "tickets.1.status", "sold_out", "tickets.1.url", "-")
	a.Has(t, "json_ld.offers.#", 2, "json_ld.offers.0.@type", "Offer", "json_ld.offers.0.price", 12.5, "json_ld.offers.0.priceCurrency", "EUR",
		"json_ld.offers.0.url", "https://example.org/buy", "json_ld.offers.1.availability", "SoldOut")
	k.Get(kit.Item("events", plain), "").Has(t, "tickets", "-")
	k.Get("/events?ticketed=true", "").Has(t, "total", 1, "events.0.id", id)
	k.Get("/events?ticketed=0", "").Has(t, "total", 1, "events.0.id", plain)
	k.Get("/events?ticketed=maybe", "").Refused(t, "ticketed")
	k.Patch(kit.Item("events", id), "editor", kit.Object{"tickets": []kit.Object{}}).Has(t, "tickets", "-")
	k.Get("/events?ticketed=true", "").Has(t, "total", 0)
	for _, bad := range []any{"x", 5, []any{1}, []any{kit.Object{}}, []any{kit.Object{"name": ""}}, []any{kit.Object{"name": "a", "price": -1}},
		[]any{kit.Object{"name": "a", "price": "free"}}, []any{kit.Object{"name": "a", "currency": "EURO"}}, []any{kit.Object{"name": "a", "status": "maybe"}},
		[]any{kit.Object{"name": "a", "url": "javascript:alert(1)"}}, []any{kit.Object{"name": "a", "available_from": "never"}}} {
		k.Patch(kit.Item("events", id), "editor", kit.Object{"tickets": bad}).Refused(t, "tickets")
	}
}

// Prices of tickets are the price of their event, whatever else is said; without them it is what was written.
func TestCostFollowsTickets(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"title": "Concert", "cost": "99", "tickets": []kit.Object{{"name": "Seat", "price": 12.5}, {"name": "Reduced", "price": 6},
		{"name": "Friends"}, {"name": "Again", "price": 6}}})
	at := kit.Item("events", id)
	k.Get(at, "").Has(t, "cost_details.values.#", 2, "cost_details.values.0", "6", "cost_details.values.1", "12.50")
	for name, value := range k.Patch(at, "editor", kit.Object{"cost": "99 €", "title": "Never"}).Want(t, 400, "rest_invalid_param").Params() {
		if name != "cost" {
			t.Errorf("a cost alone: %s: %v", name, value)
		}
	}
	k.Patch(at, "editor", kit.Object{"tickets": []kit.Object{{"name": "Door", "price": 0, "status": "box_office"}}}).
		Has(t, "cost", "Free", "tickets.0.status", "box_office")
	k.Get(at, "").Has(t, "json_ld.offers.0.availability", "InStoreOnly")
	k.Patch(at, "editor", kit.Object{"title": "Matinee"}).Has(t, "cost", "Free")
	k.Patch(at, "editor", kit.Object{"tickets": []kit.Object{}}).Has(t, "cost", "")
	k.Patch(at, "editor", kit.Object{"cost": "5", "tickets": []kit.Object{{"name": "Seat"}}}).Has(t, "cost_details.values.0", "5")
	k.Patch(at, "editor", kit.Object{"tickets": []kit.Object{}}).Has(t, "cost_details.values.0", "5")
}

func TestPostParent(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	series := k.Event(kit.Object{"title": "Series"})
	part := k.Event(kit.Object{"title": "Part", "post_parent": series})
	k.Get(kit.Item("events", part), "").Has(t, "post_parent", series)
	k.Get(kit.Item("events", series), "").Has(t, "post_parent", "-")
	k.Get(kit.Query("/events", "post_parent", fmt.Sprint(series)), "").Has(t, "total", 1, "events.0.id", part)
	k.Get(kit.Query("/events", "post_parent", fmt.Sprint(part)), "").Has(t, "total", 0)
	venue := k.Made("/venues", kit.Object{"venue": "V"})
	for _, bad := range []any{999999, venue, "x", -1} {
		k.Get(kit.Query("/events", "post_parent", fmt.Sprint(bad)), "").Refused(t, "post_parent")
		k.Post("/events", "editor", kit.Times(kit.Object{"post_parent": bad})).Refused(t, "post_parent")
	}
	k.Patch(kit.Item("events", part), "editor", kit.Object{"post_parent": part}).Refused(t, "post_parent")
	k.Patch(kit.Item("events", part), "editor", kit.Object{"post_parent": 0}).Want(t, 200, "").Has(t, "post_parent", "-")
}

// TestGeoloc: events by where their venues are; only where the plan has it
// (rule 5.9).
func TestGeoloc(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	at := func(name string, lat, lng any) string {
		return fmt.Sprint(k.Event(kit.Object{"title": name, "venue": kit.Object{"venue": name, "geo_lat": lat, "geo_lng": lng}}))
	}
	berlin, potsdam, sydney := at("Berlin", 52.52, 13.405), at("Potsdam", "52.4009", 13.0591), at("Sydney", -33.87, 151.21)
	nowhere := fmt.Sprint(k.Event(kit.Object{"venue": kit.Object{"venue": "Nowhere"}}))
	without := fmt.Sprint(k.Event(nil))
	for q, want := range map[string]string{
		"geoloc=true":                        berlin + "," + potsdam + "," + sydney,
		"geoloc=false":                       nowhere + "," + without,
		"geoloc_lat=52.52&geoloc_lng=13.405": berlin,
		"geoloc_lat=52.52&geoloc_lng=13.405&geoloc_radius=30":    berlin + "," + potsdam,
		"geoloc_lat=52.52&geoloc_lng=13.405&geoloc_radius=20000": berlin + "," + potsdam + "," + sydney,
		"geoloc_lat=0&geoloc_lng=0":                              "",
		"geoloc_lat=-33.87&geoloc_lng=151.21&geoloc=1":           sydney,
	} {
		if got := k.Get("/events?"+q, "").Want(t, 200, "").IDs("events"); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
	for q, arg := range map[string]string{"geoloc_lat=52": "geoloc_lng", "geoloc_lng=13": "geoloc_lat", "geoloc=maybe": "geoloc",
		"geoloc_lat=91&geoloc_lng=0": "geoloc_lat", "geoloc_lat=x&geoloc_lng=0": "geoloc_lat", "geoloc_lat=0&geoloc_lng=181": "geoloc_lng"} {
		k.Get("/events?"+q, "").Refused(t, arg)
	}
	k.Post("/venues", "editor", kit.Object{"venue": "X", "geo_lat": 91, "geo_lng": 0}).Refused(t, "geo_lat")
	k.Post("/venues", "editor", kit.Object{"venue": "X", "geo_lat": 9}).Want(t, 400, "rest_invalid_param")
	k.Exec("UPDATE sites SET geo = false WHERE slug = 'demo'")
	k.Platform.Forget(k.Sites["demo"].ID)
	for q, arg := range map[string]string{"geoloc=true": "geoloc", "geoloc=0": "geoloc", "geoloc_lat=52.52&geoloc_lng=13.4": "geoloc_lat"} {
		k.Get("/events?"+q, "").Refused(t, arg)
	}
}
