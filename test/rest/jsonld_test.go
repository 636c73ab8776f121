package rest

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestJSONLD: on single reads only, plain text, and the e-mail address as it is
// (rule 8.4).
func TestJSONLD(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	venue := kit.Object{"venue": "Hall & <Room>", "address": "Street 1", "city": "Bonn", "zip": "53111", "country": "Germany", "province": "NRW",
		"phone": "+49 1", "website": "https://hall.example/", "geo_lat": 50.7, "geo_lng": 7.1, "description": "<p>Old &amp; big</p>"}
	organizer := kit.Object{"organizer": `Ann "A" Ö`, "email": "ann@example.org", "phone": "5", "website": "https://ann.example/"}
	id := k.Event(kit.Object{"title": "Tom & <b>Jerry</b>", "description": "<p>First line</p><p>Second &lt;3</p>", "venue": venue,
		"organizer": []any{organizer, kit.Object{"organizer": "Bob"}}, "cost": "10-20", "date": "2030-01-02 03:04"})
	a := k.Get(kit.Item("events", id), "").Want(t, 200, "").Has(t,
		"json_ld.@context", "http://schema.org", "json_ld.@type", "Event", "json_ld.name", "Tom & <b>Jerry</b>",
		"json_ld.description", "First line Second <3", "json_ld.url", "http://localhost/event/tom-jerry/",
		"json_ld.eventAttendanceMode", "https://schema.org/OfflineEventAttendanceMode", "json_ld.eventStatus", "https://schema.org/EventScheduled",
		"json_ld.startDate", "2030-03-01T10:00:00+01:00", "json_ld.endDate", "2030-03-01T12:00:00+01:00", "json_ld.performer", "Organization",
		"json_ld.location.@type", "Place", "json_ld.location.name", "Hall & <Room>", "json_ld.location.description", "Old & big",
		"json_ld.location.address.@type", "PostalAddress", "json_ld.location.address.streetAddress", "Street 1",
		"json_ld.location.address.addressLocality", "Bonn", "json_ld.location.address.addressRegion", "NRW",
		"json_ld.location.address.postalCode", "53111", "json_ld.location.address.addressCountry", "Germany",
		"json_ld.location.geo.latitude", 50.7, "json_ld.location.telephone", "+49 1", "json_ld.location.sameAs", "https://hall.example/",
		"json_ld.organizer.@type", "Person", "json_ld.organizer.name", `Ann "A" Ö`, "json_ld.organizer.email", "ann@example.org",
		"json_ld.offers.@type", "Offer", "json_ld.offers.price", "10 – 20", "json_ld.offers.priceCurrency", "USD",
		"json_ld.offers.validFrom", "2030-01-02T00:00:00+00:00", "json_ld.image", "-",
		"venue.json_ld.@type", "Place", "organizer.1.json_ld.name", "Bob")
	if raw := string(a.Raw[strings.Index(string(a.Raw), `"json_ld":{"@context"`):]); strings.Contains(raw, "&amp;") || strings.Contains(raw, "&#") {
		t.Errorf("entities: %s", raw)
	}
	plain := k.Event(nil)
	k.Get(kit.Item("events", plain), "").Has(t, "json_ld.location", "-", "json_ld.organizer", "-", "json_ld.offers", "-")
	k.Get("/events", "").Has(t, "events.0.json_ld", "-", "events.0.venue.json_ld", "-")
	k.Patch(kit.Item("events", id), "editor", kit.Object{}).Has(t, "json_ld", "-", "venue.json_ld", "-")
	k.Get("/events/by-slug/tom-jerry", "").Has(t, "json_ld.@type", "Event")
	k.Get("/venues/by-slug/hall", "").Has(t, "json_ld.@type", "Place")
	k.Get("/organizers/by-slug/bob", "").Has(t, "json_ld.@type", "Person")
	k.Get("/venues", "").Has(t, "venues.0.json_ld", "-")
}

// TestOfferOfACost: in the currency the author wrote, else in the site's.
func TestOfferOfACost(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for cost, want := range map[string][2]string{"5 – 10 €": {"5 – 10", "EUR"}, "£7": {"7", "GBP"}, "12 CHF": {"12", "CHF"}, "8": {"8", "USD"}, "$8": {"8", "USD"},
		"kr 8": {"-", "-"}, "Free": {"0", "USD"}, "0": {"0", "USD"}} {
		k.Get(kit.Item("events", k.Event(kit.Object{"cost": cost})), "").Has(t, "json_ld.offers.price", want[0], "json_ld.offers.priceCurrency", want[1])
	}
}
