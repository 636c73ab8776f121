package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/prices"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/apitest"
)

// structured returns the structured data of an event at a moment.
func structured(t *testing.T, e *calendar.Event, now time.Time, change func(*tenancy.Scope)) map[string]any {
	t.Helper()
	s := apitest.Scope("en")
	if change != nil {
		change(&s)
	}
	v := NewView(&s)
	v.Now = now
	v.Bytes = append(v.Bytes, '{')
	v.structured = map[int64]span{}
	v.eventLD(e, "https://demo.example/event/sample/", prices.Format(e.Cost, prices.CurrencyOf(s.Site)))
	v.Close('}')
	var got struct {
		Data map[string]any `json:"json_ld"`
	}
	if err := json.Unmarshal(v.Bytes, &got); err != nil {
		t.Fatalf("%v in %s", err, v.Bytes)
	}
	return got.Data
}

// bareEvent is an event with nothing but its times.
func bareEvent() *calendar.Event {
	e := emptyEvent()
	e.Title, e.Timezone = "Night & day", "Europe/Berlin"
	e.Post = samplePost(6, calendar.Publish)
	return e
}

type data = map[string]any

// What an event has is in its structured data, in plain text; what it hasn't is left out (rule 8.4).
func TestStructuredData(t *testing.T) {
	t.Parallel()
	always := data{"@context": "http://schema.org", "@type": "Event", "name": "Night & day", "description": "", "url": "https://demo.example/event/sample/",
		"eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode", "eventStatus": "https://schema.org/EventScheduled",
		"startDate": "2027-03-01T10:30:00+01:00", "endDate": "2027-03-01T10:30:00+01:00", "performer": "Organization"}
	online := data{"@type": "VirtualLocation", "url": "https://x.example/live"}
	hall := data{"@type": "Place", "name": "Hall", "description": "", "url": "", "address": data{"@type": "PostalAddress"}, "telephone": "", "sameAs": ""}
	mode := func(name string) string { return "https://schema.org/" + name + "EventAttendanceMode" }
	price := 12.5
	for name, c := range map[string]struct {
		change func(*calendar.Event)
		want   data // what differs from always
	}{
		"nothing":       {func(*calendar.Event) {}, nil},
		"an excerpt":    {func(e *calendar.Event) { e.Excerpt, e.Description = "<p>Short &amp; sweet</p>", "Long" }, data{"description": "Short & sweet"}},
		"a description": {func(e *calendar.Event) { e.Description = "<p>Long</p><p>story</p>" }, data{"description": "Long story"}},
		"a long description": {func(e *calendar.Event) { e.Description = strings.Repeat("word ", 60) },
			data{"description": strings.TrimSpace(strings.Repeat("word ", 55)) + " […]"}},
		"an image":  {func(e *calendar.Event) { e.Image = sampleImage }, data{"image": "https://demo.example/media/k3y/a%20b.jpg"}},
		"cancelled": {func(e *calendar.Event) { e.Happening.Status = "cancelled" }, data{"eventStatus": "https://schema.org/EventCancelled"}},
		"postponed": {func(e *calendar.Event) { e.Happening.Status = "postponed" }, data{"eventStatus": "https://schema.org/EventPostponed"}},
		"an online one": {func(e *calendar.Event) {
			e.Attendance = calendar.Attendance{Mode: "online", URL: "https://x.example/live"}
		}, data{"eventAttendanceMode": mode("Online"), "location": online}},
		"both": {func(e *calendar.Event) {
			e.Attendance, e.Venues = calendar.Attendance{Mode: "mixed", URL: "https://x.example/live"}, []calendar.Venue{*emptyVenue()}
		}, data{"eventAttendanceMode": mode("Mixed"), "location": []any{hall, online}}},
		"an address that is told later": {func(e *calendar.Event) {
			e.Attendance = calendar.Attendance{Mode: "online", URL: "https://x.example/live", Shown: "started"}
		}, data{"eventAttendanceMode": mode("Online")}},
		"an address that is never told": {func(e *calendar.Event) {
			e.Attendance, e.Venues = calendar.Attendance{Mode: "mixed", URL: "https://x.example/live", Shown: "never"}, []calendar.Venue{*emptyVenue()}
		}, data{"eventAttendanceMode": mode("Mixed"), "location": hall}},
		"the first of two venues": {func(e *calendar.Event) { e.Venues = []calendar.Venue{*emptyVenue(), *fullVenue()} }, data{"location": hall}},
		"a venue with everything": {func(e *calendar.Event) { e.Venues = []calendar.Venue{*fullVenue()} },
			data{"location": data{"@type": "Place", "name": "R & B <Hall>", "description": "Big", "image": "https://demo.example/media/k3y/a%20b.jpg", "url": "",
				"address": data{"@type": "PostalAddress", "streetAddress": "Street 1", "addressLocality": "Berlin", "addressRegion": "BE", "postalCode": "10115", "addressCountry": "Germany"},
				"geo":     data{"@type": "GeoCoordinates", "latitude": 52.5, "longitude": 13.4}, "telephone": "+49 30", "sameAs": "https://hall.example"}}},
		"the first of two organizers": {func(e *calendar.Event) { e.Organizers = fullEvent().Organizers },
			data{"organizer": data{"@type": "Person", "name": "Club", "description": "Old", "image": "https://demo.example/media/k3z/b.png", "url": "https://club.example", "telephone": "1",
				"email": "club@club.example", "sameAs": "https://club.example"}}},
		"a price":        {func(e *calendar.Event) { e.Cost = []string{"5"} }, data{"offers": offer(data{"price": "5"})}},
		"several prices": {func(e *calendar.Event) { e.Cost = []string{"20", "5", "10"} }, data{"offers": offer(data{"price": "5 – 20"})}},
		"free":           {func(e *calendar.Event) { e.Cost = []string{"0"} }, data{"offers": offer(data{"price": "0"})}},
		"tickets": {func(e *calendar.Event) {
			until := sampleDay.Add(time.Hour)
			e.Cost = []string{"5"} // which tickets replace
			e.Tickets = []calendar.Ticket{{Name: "Seat"}, {Name: "Box & bar", URL: "https://box.example", Price: &price, Currency: "CHF", Available: &sampleDay, Until: &until, Status: "sold_out"},
				{Name: "Late", Price: &price, Status: "closed"}, {Name: "Early", Status: "presale"}}
		}, data{"offers": []any{
			ticketOffer(data{"name": "Seat"}),
			ticketOffer(data{"name": "Box & bar", "url": "https://box.example", "price": 12.5, "priceCurrency": "CHF", "availability": "SoldOut", "validFrom": "2027-03-01T10:30:00+01:00",
				"validThrough": "2027-03-01T11:30:00+01:00"}),
			ticketOffer(data{"name": "Late", "price": 12.5, "priceCurrency": "USD", "availability": "Discontinued"}),
			ticketOffer(data{"name": "Early", "availability": "PreSale"}),
		}}},
		"a zone that nobody knows": {func(e *calendar.Event) { e.Timezone = "Moon/Sea" }, data{"startDate": "2027-03-01T09:30:00+00:00", "endDate": "2027-03-01T09:30:00+00:00"}},
	} {
		e, want := bareEvent(), maps.Clone(always)
		c.change(e)
		maps.Copy(want, c.want)
		if diff := cmp.Diff(want, structured(t, e, sampleDay.Add(-time.Hour), nil)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// offer is the offer of an event with a price.
func offer(more data) data {
	all := data{"@type": "Offer", "priceCurrency": "USD", "url": "https://demo.example/event/sample/", "category": "primary", "availability": "inStock",
		"validFrom": "2027-03-01T00:00:00+00:00"}
	maps.Copy(all, more)
	return all
}

// ticketOffer is the offer of a ticket.
func ticketOffer(more data) data {
	all := offer(more)
	if _, priced := more["price"]; !priced {
		delete(all, "priceCurrency")
	}
	if more["availability"] == nil {
		all["availability"] = "InStock"
	}
	return all
}

// The address of an event online is in its data from the moment it may be told, and the answer lasts until then.
func TestStructuredDataInTime(t *testing.T) {
	t.Parallel()
	e := bareEvent()
	e.Attendance = calendar.Attendance{Mode: "online", URL: "https://x.example/live", Shown: "started"}
	for _, c := range []struct {
		now   time.Time
		told  bool
		until time.Time
	}{{sampleDay.Add(-time.Second), false, sampleDay}, {sampleDay, true, time.Time{}}, {sampleDay.AddDate(1, 0, 0), true, time.Time{}}} {
		if got := structured(t, e, c.now, nil); (got["location"] != nil) != c.told {
			t.Errorf("at %v: %v", c.now, got["location"])
		}
		s := apitest.Scope("en")
		v := NewView(&s)
		v.Now = c.now
		if v.locationLD(e); !v.until.Equal(c.until) {
			t.Errorf("at %v: lasts until %v", c.now, v.until)
		}
	}
}

// A currency without a code of its own is that of the site. Where no currency is certain, or the text is not a price, there is no
// offer (rule 11.1).
func TestCurrencyOfOffers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cost, symbol, code, want string }{
		{"5", "€", "EUR", "EUR"},
		{"5 €", "€", "EUR", "EUR"},
		{"£5", "€", "EUR", "GBP"},
		{"5", "", "", ""},
		{"5 Taler", "T", "XTS", ""},
	} {
		e := bareEvent()
		e.Cost = []string{c.cost}
		got := structured(t, e, sampleDay, func(s *tenancy.Scope) {
			s.Site.Settings.CurrencySymbol, s.Site.Settings.CurrencyCode = c.symbol, c.code
		})
		offers, _ := got["offers"].(data)
		if code, _ := offers["priceCurrency"].(string); code != c.want || c.want == "" && offers != nil {
			t.Errorf("%+v: %v", c, got["offers"])
		}
	}
}

// A masked event shows when it is and that it has a password, and nothing else of what it says (rule 8.5).
func TestMaskedEventSaysNothing(t *testing.T) {
	t.Parallel()
	e := fullEvent()
	e.Masked, e.SEO = true, calendar.SEO{Title: "sought", Description: "sought"}
	e.Happening, e.Attendance = calendar.Happening{Status: "cancelled", Reason: "because"}, calendar.Attendance{Mode: "online", URL: "https://x.example/live"}
	s := apitest.Scope("en")
	v := NewView(&s)
	v.event(e, true)
	text := string(v.Bytes)
	for _, secret := range []string{"Long", "Short", "night.example", "k3y", "box.example", "Hall", "Club", "Jazz", "sought", "because", "live", "json_ld", "\"10\"", "CHF", "EUR"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in %s", secret, text)
		}
	}
	var got data
	if err := json.Unmarshal(v.Bytes, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"title", "start_date", "end_date", "event_status", "slug"} {
		if got[key] == "" || got[key] == nil {
			t.Errorf("no %s in %s", key, text)
		}
	}
	open := NewView(&s)
	e.Masked = false
	open.event(e, false)
	var all data
	if err := json.Unmarshal(open.Bytes, &all); err != nil {
		t.Fatal(err)
	}
	without := slices.DeleteFunc(slices.Collect(maps.Keys(all)), func(key string) bool { _, has := got[key]; return has })
	slices.Sort(without)
	if want := []string{"attendance_mode", "event_status_reason", "seo_description", "seo_title", "tickets", "virtual_url"}; !slices.Equal(without, want) {
		t.Errorf("a masked event lacks %q", without)
	}
}
