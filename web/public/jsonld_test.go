package public

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/publictest"
)

// concert is an event with everything a search engine asks for.
func concert() *calendar.Event {
	e := publictest.Event("2027-07-14 19:30", "2027-07-14 21:30", false)
	e.Timezone, e.StartUTC, e.EndUTC = "Europe/Berlin", e.Start.Add(-2*time.Hour), e.End.Add(-2*time.Hour)
	e.ID, e.Slug, e.Title, e.Status = 7, "konzert", `Bach & "Söhne" </script>`, calendar.Publish
	e.Description = "<p>Erster &amp; zweiter Teil.</p>"
	e.Image = &calendar.Image{Key: "abc", File: "bild 1.jpg", Width: 1920, Height: 1080}
	e.Venues = []calendar.Venue{{Post: calendar.Post{Slug: "saal", Status: calendar.Publish}, Name: "Saal", Address: "Hauptstraße 1", Zip: "88131", City: "Lindau", Country: "Germany"}}
	e.Organizers = []calendar.Organizer{{Post: calendar.Post{Slug: "chor", Status: calendar.Publish}, Name: "Chor"}}
	e.Cost = []string{"10", "20"}
	return e
}

// ldScope is a request in German to a site in New York.
func ldScope() context.Context {
	zone, _ := time.LoadLocation("America/New_York")
	return tenancy.With(context.Background(), tenancy.Scope{Language: "de", Base: tenancy.Base{Origin: "https://events.example.org", Prefix: "/de"},
		Site: &tenancy.Site{Name: "Stadt", Location: zone, Timezone: "America/New_York", Settings: tenancy.Settings{CurrencySymbol: "€", CurrencyCode: "EUR"}}})
}

// eventLD returns the structured data of an event as a search engine reads it.
func eventLD(t *testing.T, e *calendar.Event) map[string]any {
	t.Helper()
	text, err := json.Marshal(eventData(ldScope(), &eventView{Event: e}, ""))
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]any
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func part(t *testing.T, d map[string]any, name string) map[string]any {
	t.Helper()
	inner, ok := d[name].(map[string]any)
	if !ok {
		t.Fatalf("%s: %v", name, d[name])
	}
	return inner
}

func offers(t *testing.T, e *calendar.Event) []map[string]any {
	t.Helper()
	list, _ := eventLD(t, e)["offers"].([]any)
	read := make([]map[string]any, 0, len(list))
	for _, one := range list {
		read = append(read, one.(map[string]any))
	}
	return read
}

func has(t *testing.T, d map[string]any, want map[string]any) {
	t.Helper()
	for name, value := range want {
		if d[name] != value {
			t.Errorf("%s: %v, want %v", name, d[name], value)
		}
	}
}

// googleRules are the rules of Google's documentation of structured data for
// events, by property.
var googleRules = map[string]func(t *testing.T){
	"name, required: the title, plain": func(t *testing.T) {
		has(t, eventLD(t, concert()), map[string]any{"@context": "https://schema.org", "@type": "Event", "name": `Bach & "Söhne" </script>`})
	},
	"startDate, required: with the offset of the event's zone on that day": func(t *testing.T) {
		has(t, eventLD(t, concert()), map[string]any{"startDate": "2027-07-14T19:30:00+02:00", "endDate": "2027-07-14T21:30:00+02:00"})
		winter := publictest.Event("2027-01-14 19:30", "2027-01-14 21:30", false)
		winter.Timezone, winter.StartUTC, winter.EndUTC = "Europe/Berlin", winter.Start.Add(-time.Hour), winter.End.Add(-time.Hour)
		has(t, eventLD(t, winter), map[string]any{"startDate": "2027-01-14T19:30:00+01:00"})
	},
	"startDate: an offset of parts of an hour, and none": func(t *testing.T) {
		e := publictest.Event("2027-07-14 19:30", "2027-07-14 21:30", false)
		e.Timezone, e.StartUTC = "Asia/Kathmandu", e.Start.Add(-5*time.Hour-45*time.Minute)
		has(t, eventLD(t, e), map[string]any{"startDate": "2027-07-14T19:30:00+05:45"})
		e.Timezone, e.StartUTC = "UTC", e.Start
		has(t, eventLD(t, e), map[string]any{"startDate": "2027-07-14T19:30:00+00:00"})
	},
	"startDate and endDate of whole days: dates without a time, the last day included": func(t *testing.T) {
		has(t, eventLD(t, publictest.Event("2027-07-14 00:00", "2027-07-16 23:59", true)), map[string]any{"startDate": "2027-07-14", "endDate": "2027-07-16"})
		has(t, eventLD(t, publictest.Event("2027-07-14 00:00", "2027-07-14 23:59", true)), map[string]any{"startDate": "2027-07-14", "endDate": "2027-07-14"})
	},
	"location and location.address, required: a place with its parts": func(t *testing.T) {
		place := part(t, eventLD(t, concert()), "location")
		has(t, place, map[string]any{"@type": "Place", "name": "Saal"})
		has(t, part(t, place, "address"), map[string]any{"@type": "PostalAddress", "streetAddress": "Hauptstraße 1", "postalCode": "88131",
			"addressLocality": "Lindau", "addressCountry": "Germany"})
	},
	"location.address: there is one for a venue by name alone": func(t *testing.T) {
		e := concert()
		e.Venues = []calendar.Venue{{Name: "Am See"}}
		has(t, part(t, part(t, eventLD(t, e), "location"), "address"), map[string]any{"@type": "PostalAddress", "name": "Am See"})
	},
	"location: there is one for an event without a venue": func(t *testing.T) {
		e := concert()
		e.Venues = nil
		place := part(t, eventLD(t, e), "location")
		if has(t, place, map[string]any{"@type": "Place"}); place["name"] == "" || place["address"] == nil || place["address"] == "" {
			t.Errorf("%v", place)
		}
	},
	"description, recommended: plain text": func(t *testing.T) {
		has(t, eventLD(t, concert()), map[string]any{"description": "Erster & zweiter Teil."})
	},
	"eventStatus and eventAttendanceMode, recommended: of those there are": func(t *testing.T) {
		has(t, eventLD(t, concert()), map[string]any{"eventStatus": "https://schema.org/EventScheduled",
			"eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode"})
	},
	"image, recommended: an address of the largest there is, absolute": func(t *testing.T) {
		list, _ := eventLD(t, concert())["image"].([]any)
		if len(list) != 1 || list[0] != "https://events.example.org/media/abc/bild%201.jpg" {
			t.Errorf("%v", list)
		}
	},
	"organizer.name and organizer.url, recommended": func(t *testing.T) {
		list, _ := eventLD(t, concert())["organizer"].([]any)
		has(t, list[0].(map[string]any), map[string]any{"@type": "Organization", "name": "Chor", "url": "https://events.example.org/de/organizer/chor/"})
	},
	"offers: price a number, priceCurrency of ISO 4217, url, availability": func(t *testing.T) {
		list := offers(t, concert())
		if len(list) != 2 {
			t.Fatal(list)
		}
		for i, price := range []float64{10, 20} {
			has(t, list[i], map[string]any{"@type": "Offer", "price": price, "priceCurrency": "EUR", "availability": "https://schema.org/InStock",
				"url": "https://events.example.org/de/event/konzert/"})
		}
	},
	"offers.price: 0 for what is free": func(t *testing.T) {
		e := concert()
		e.Cost = []string{"0"}
		has(t, offers(t, e)[0], map[string]any{"price": 0.0, "priceCurrency": "EUR"})
		e.Cost = []string{"Free"}
		has(t, offers(t, e)[0], map[string]any{"price": 0.0, "priceCurrency": "EUR"})
	},
	"offers: none for words that are no price, and none for no price": func(t *testing.T) {
		for _, cost := range [][]string{{"by donation"}, nil} {
			e := concert()
			if e.Cost = cost; len(offers(t, e)) != 0 {
				t.Errorf("%v: %v", cost, offers(t, e))
			}
		}
	},
	"offers of tickets: validFrom with an offset, availability as Google knows it": func(t *testing.T) {
		price, from := 12.5, time.Date(2027, 6, 1, 8, 0, 0, 0, time.UTC)
		e := concert()
		for status, want := range map[string]any{"": "InStock", "available": "InStock", "sold_out": "SoldOut", "presale": "PreOrder", "closed": nil} {
			e.Tickets = []calendar.Ticket{{Name: "Front", Price: &price, Status: status, Available: &from, URL: "https://tickets.example.org/7"}}
			if want != nil {
				want = "https://schema.org/" + want.(string)
			}
			has(t, offers(t, e)[0], map[string]any{"name": "Front", "price": 12.5, "priceCurrency": "EUR", "availability": want,
				"validFrom": "2027-06-01T04:00:00-04:00", "url": "https://tickets.example.org/7"})
		}
	},
	"offers.priceCurrency: in capitals, and no offer in a currency there isn't": func(t *testing.T) {
		price := 3.0
		e := concert()
		e.Tickets = []calendar.Ticket{{Price: &price, Currency: "usd"}, {Price: &price, Currency: "zz"}}
		if list := offers(t, e); len(list) != 1 || list[0]["priceCurrency"] != "USD" {
			t.Errorf("%v", list)
		}
	},
	"url: the event's own page, one for each": func(t *testing.T) {
		has(t, eventLD(t, concert()), map[string]any{"url": "https://events.example.org/de/event/konzert/"})
	},
	"nothing empty, and every address absolute": func(t *testing.T) {
		for _, e := range []*calendar.Event{concert(), publictest.Event("2027-07-14 19:30", "2027-07-14 21:30", false)} {
			complete(t, "", eventLD(t, e))
		}
	},
}

var absolute = regexp.MustCompile(`^https?://`)

// complete looks for what is empty, and for addresses that aren't whole.
func complete(t *testing.T, name string, value any) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		for inner, one := range v {
			complete(t, inner, one)
		}
	case []any:
		if len(v) == 0 {
			t.Errorf("%s: empty", name)
		}
		for _, one := range v {
			complete(t, name, one)
		}
	case string:
		_, err := url.Parse(v)
		if v == "" && name != "name" || slices.Contains([]string{"url", "image", "sameAs"}, name) && (err != nil || !absolute.MatchString(v)) {
			t.Errorf("%s: %q", name, v)
		}
	case nil:
		t.Errorf("%s: null", name)
	}
}

func TestStructuredDataOfEvents(t *testing.T) {
	t.Parallel()
	for name, rule := range googleRules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule(t)
		})
	}
}
